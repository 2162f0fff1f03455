#define _XOPEN_SOURCE 700 /* nftw */

#include "support/tree.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16 };

void tree_write(const char *folder, const char *name, mv_bytes bytes) {
  char path[PATH_ROOM];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    mkdir(path, 0777);
    *slash = '/';
  }
  write_file(path, folder, name, bytes);
}

void tree_copy(const char *folder, const char *name, const char *data) {
  mv_text bytes = read_data(data);
  tree_write(folder, name, mv_bytes_of(bytes.data, bytes.size));
  mv_text_free(&bytes);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw) {
  (void)st;
  (void)kind;
  (void)ftw;
  return remove(path);
}

void tree_remove(const char *folder) {
  cr_assert_eq(nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS), 0);
}

/* nftw hands no argument through; tests run one to a process. */
static mv_text *description;

static int describe_one(const char *path, const struct stat *st, int kind, struct FTW *ftw) {
  (void)ftw;
  mv_text_format(description, "%s %d %lld %lld.%09ld %lld.%09ld\n", path, kind, (long long)st->st_size,
                 (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec, (long long)st->st_ctim.tv_sec,
                 st->st_ctim.tv_nsec);
  return 0;
}

mv_text tree_describe(const char *folder) {
  mv_text text = MV_TEXT_INIT;
  description = &text;
  cr_assert_eq(nftw(folder, describe_one, OPEN_FOLDERS, FTW_PHYS), 0);
  description = NULL;
  return text;
}
