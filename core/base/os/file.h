/* file.h: files and what tells them apart. With the others of base/os the only place that calls the
 * operating system.
 *
 * Messages do not repeat the path: the caller puts it before them.
 */
#ifndef MV_BASE_OS_FILE_H
#define MV_BASE_OS_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* What tells one state of a file from another. The time of the last change of the inode catches what sets the time of
 * the last write back, as copying with all attributes does. */
typedef struct mv_file_id {
  uint64_t device;
  uint64_t inode;
  int64_t size;
  int64_t mtime_ns;
  int64_t ctime_ns;
} mv_file_id;

static inline bool mv_file_id_equal(const mv_file_id *a, const mv_file_id *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size && a->mtime_ns == b->mtime_ns &&
         a->ctime_ns == b->ctime_ns;
}

/* Look at `path` without opening it. False with MV_IO when there is nothing. *is_directory may be NULL. */
bool mv_file_identify(mv_file_id *out, bool *is_directory, const char *path, mv_status *status);

/* Whether a symbolic link lies at `path`, or nothing any more. */
bool mv_file_is_link(const char *path);

/* Whether something may lie at `path` that can't be looked at: for want of a permission, by a fault of the disk, or
 * being a link that leads nowhere or in a circle. False where nothing lies there. */
bool mv_file_is_hidden(const char *path);

/* A regular file opened for reading. */
typedef struct mv_file {
  int descriptor; /* -1 when none is open */
  mv_file_id id;  /* as it was when it was opened */
} mv_file;

#define MV_FILE_INIT                                                                                                   \
  { .descriptor = -1 }

/* Open a regular file: a FIFO or a device, which could hang or never end, is refused with MV_IO. */
bool mv_file_open(mv_file *out, const char *path, mv_status *status);

/* Read up to `size` bytes at `offset`; *got is 0 only at the end of the file (or for size 0). */
bool mv_file_read(const mv_file *file, void *out, size_t size, uint64_t offset, size_t *got, mv_status *status);

/* Nothing for a file that is not open. */
void mv_file_close(mv_file *file);

#endif
