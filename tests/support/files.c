#include "support/files.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "support/proto_builder.h"

mv_text read_data(const char *name) {
  char path[PATH_ROOM];
  snprintf(path, sizeof path, "%s/%s", MV_TEST_DATA, name);
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  mv_text out = MV_TEXT_INIT;
  char buffer[4096];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
    pb_raw(&out, buffer, n);
  }
  fclose(file);
  cr_assert(!out.failed && out.size > 0, "%s", path);
  return out;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **list_data(const char *ending) {
  DIR *dir = opendir(MV_TEST_DATA);
  cr_assert_not_null(dir);
  char **names = NULL;
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    const size_t n = strlen(entry->d_name);
    if (n < strlen(ending) || strcmp(entry->d_name + n - strlen(ending), ending) != 0) {
      continue;
    }
    names = realloc(names, (count + 2) * sizeof *names);
    cr_assert_not_null(names);
    names[count] = strdup(entry->d_name);
    cr_assert_not_null(names[count]);
    names[++count] = NULL;
  }
  closedir(dir);
  cr_assert_gt(count, 0);
  qsort(names, count, sizeof *names, compare_names);
  return names;
}

void make_folder(char folder[PATH_ROOM]) {
  const char *base = getenv("TMPDIR");
  snprintf(folder, PATH_ROOM, "%s/memview-test-XXXXXX", base != NULL ? base : "/tmp");
  cr_assert_not_null(mkdtemp(folder), "%s", folder);
}

void remove_folder(const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
    char path[2 * PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.' && unlink(path) != 0) {
      rmdir(path);
    }
  }
  if (dir != NULL) {
    closedir(dir);
  }
  rmdir(folder);
}

void write_file(char path[PATH_ROOM], const char *folder, const char *name, mv_bytes bytes) {
  cr_assert_lt(snprintf(path, PATH_ROOM, "%s/%s", folder, name), PATH_ROOM);
  FILE *file = fopen(path, "wb");
  cr_assert_not_null(file, "%s", path);
  cr_assert_eq(bytes.size > 0 ? fwrite(bytes.data, 1, bytes.size, file) : 0, bytes.size);
  cr_assert_eq(fclose(file), 0);
}

mv_text gzip_of(mv_bytes bytes) {
  z_stream z = {0};
  cr_assert_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (Bytef *)(uintptr_t)bytes.data;
  z.avail_in = (uInt)bytes.size;
  mv_text out = MV_TEXT_INIT;
  int rc;
  do {
    unsigned char buffer[4096];
    z.next_out = buffer;
    z.avail_out = sizeof buffer;
    rc = deflate(&z, Z_FINISH);
    pb_raw(&out, buffer, sizeof buffer - z.avail_out);
  } while (rc == Z_OK);
  cr_assert_eq(rc, Z_STREAM_END);
  deflateEnd(&z);
  cr_assert_not(out.failed);
  return out;
}

long long bytes_read(void) {
  FILE *file = fopen("/proc/self/io", "r");
  long long bytes = -1;
  if (file != NULL) {
    if (fscanf(file, "rchar: %lld", &bytes) != 1) {
      bytes = -1;
    }
    fclose(file);
  }
  return bytes;
}
