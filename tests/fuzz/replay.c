/* replay.c: gives a fuzz target the files it is told, for compilers without libFuzzer.
 *
 * usage: fuzz_TARGET [-lines FILE] FILE-OR-FOLDER...     -lines: each line of the file is an input, to its first tab
 */
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz.h"

enum { MAX_PATH = 4096, SLOW_SECONDS = 20 };

static size_t inputs;

static void give(const uint8_t *data, size_t size, const char *name) {
  /* A copy of exactly that size: the sanitizer sees a read beyond its end. */
  uint8_t *copy = malloc(size > 0 ? size : 1);
  FUZZ_CHECK(copy != NULL, "no memory for %s", name);
  if (size > 0) {
    memcpy(copy, data, size);
  }
  const time_t start = time(NULL);
  LLVMFuzzerTestOneInput(copy, size);
  FUZZ_CHECK(time(NULL) - start < SLOW_SECONDS, "%s takes too long", name);
  inputs++;
  free(copy);
}

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  FUZZ_CHECK(file != NULL, "%s can't be opened", path);
  FUZZ_CHECK(fseek(file, 0, SEEK_END) == 0, "%s", path);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size + 1);
  FUZZ_CHECK(data != NULL && fread(data, 1, *size, file) == *size, "%s can't be read", path);
  fclose(file);
  return data;
}

static void give_file(const char *path) {
  size_t size;
  uint8_t *data = read_file(path, &size);
  give(data, size, path);
  free(data);
}

static void give_lines(const char *path) {
  size_t size;
  uint8_t *data = read_file(path, &size);
  for (size_t start = 0; start < size;) {
    size_t end = start;
    while (end < size && data[end] != '\n' && data[end] != '\t') {
      end++;
    }
    give(data + start, end - start, path);
    while (end < size && data[end] != '\n') {
      end++;
    }
    start = end + 1;
  }
  free(data);
}

static void give_path(const char *path) {
  struct stat st;
  FUZZ_CHECK(stat(path, &st) == 0, "%s is not there", path);
  if (!S_ISDIR(st.st_mode)) {
    give_file(path);
    return;
  }
  DIR *folder = opendir(path);
  FUZZ_CHECK(folder != NULL, "%s can't be opened", path);
  struct dirent *entry;
  while ((entry = readdir(folder)) != NULL) {
    char file[MAX_PATH];
    if (entry->d_name[0] != '.') {
      snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
      if (stat(file, &st) == 0 && S_ISREG(st.st_mode)) {
        give_file(file);
      }
    }
  }
  closedir(folder);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-lines") == 0 && i + 1 < argc) {
      give_lines(argv[++i]);
    } else {
      give_path(argv[i]);
    }
  }
  printf("%zu inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
