#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* d_type and its values */
#endif
#define _FILE_OFFSET_BITS 64

#include "base/os/directory.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/os/error.h"

bool mv_dir_open(mv_dir **out, const char *path, mv_status *status) {
  DIR *dir = opendir(path);
  *out = (mv_dir *)dir;
  if (dir == NULL) {
    return errno == ENOMEM ? mv_fail_nomem(status) : mv_fail_errno(status, errno, "can't be opened");
  }
  return true;
}

static mv_dir_kind kind_of(const struct dirent *entry) {
#if defined(DT_REG) && defined(DT_DIR)
  return entry->d_type == DT_REG ? MV_DIR_FILE : entry->d_type == DT_DIR ? MV_DIR_DIRECTORY : MV_DIR_NOT_TOLD;
#else
  (void)entry;
  return MV_DIR_NOT_TOLD;
#endif
}

bool mv_dir_next(mv_dir_name *out, mv_dir *dir, mv_status *status) {
  const struct dirent *entry;
  do {
    errno = 0; /* the end and a failure are both NULL */
    entry = readdir((DIR *)dir);
  } while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
  *out = (mv_dir_name){0};
  if (entry == NULL) {
    return errno == 0 || mv_fail_errno(status, errno, "can't be listed");
  }
  *out = (mv_dir_name){entry->d_name, kind_of(entry)};
  return true;
}

void mv_dir_close(mv_dir *dir) {
  if (dir != NULL) {
    closedir((DIR *)dir);
  }
}
