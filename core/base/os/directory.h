/* directory.h: the names in a directory.
 *
 *   mv_dir *dir;
 *   if (mv_dir_open(&dir, path, status)) {
 *     mv_dir_name name;
 *     bool ok;
 *     while ((ok = mv_dir_next(&name, dir, status)) && name.text != NULL) ...
 *     mv_dir_close(dir);
 *   }
 *
 * Messages do not repeat the path: the caller puts it before them.
 */
#ifndef MV_BASE_OS_DIRECTORY_H
#define MV_BASE_OS_DIRECTORY_H

#include "base/status.h"

typedef struct mv_dir mv_dir; /* a DIR of the system's */

/* What a name is, where the file system tells without being asked for each name. */
typedef enum mv_dir_kind {
  MV_DIR_NOT_TOLD, /* also a link and whatever is neither file nor directory */
  MV_DIR_FILE,
  MV_DIR_DIRECTORY,
} mv_dir_kind;

typedef struct mv_dir_name {
  const char *text; /* the directory's own, until the next call; NULL at the end */
  mv_dir_kind kind;
} mv_dir_name;

/* Begin to list a directory. False with MV_IO when it can't be opened, or with MV_NOMEM. Close it with mv_dir_close. */
bool mv_dir_open(mv_dir **out, const char *path, mv_status *status);

/* The next name, in no order; never "." and "..". False with MV_IO when the system can't go on. */
bool mv_dir_next(mv_dir_name *out, mv_dir *dir, mv_status *status);

/* Nothing for NULL. */
void mv_dir_close(mv_dir *dir);

#endif
