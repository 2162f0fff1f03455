#define _FILE_OFFSET_BITS 64
#define _POSIX_C_SOURCE 200809L /* pread, fstat with nanoseconds */

#include "base/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/error.h"

static const char *kind_of(mode_t mode) {
  return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static int64_t ns_of(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static mv_file_id id_of(const struct stat *st) {
  return (mv_file_id){
      .device = (uint64_t)st->st_dev,
      .inode = (uint64_t)st->st_ino,
      .size = (int64_t)st->st_size,
      .mtime_ns = ns_of(st->st_mtim),
      .ctime_ns = ns_of(st->st_ctim),
  };
}

bool mv_file_identify(mv_file_id *out, bool *is_directory, const char *path, mv_status *status) {
  struct stat st;
  if (stat(path, &st) != 0) {
    return mv_fail_errno(status, errno, "can't be opened");
  }
  *out = id_of(&st);
  if (is_directory != NULL) {
    *is_directory = S_ISDIR(st.st_mode);
  }
  return true;
}

bool mv_file_is_link(const char *path) {
  struct stat st;
  return lstat(path, &st) != 0 || S_ISLNK(st.st_mode);
}

bool mv_file_is_hidden(const char *path) {
  struct stat st;
  return stat(path, &st) != 0 && (lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR));
}

bool mv_file_open(mv_file *out, const char *path, mv_status *status) {
  *out = (mv_file)MV_FILE_INIT;
  /* O_NONBLOCK: opening a FIFO without a writer returns, and fstat then tells what it is. */
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) {
    return mv_fail_errno(status, errno, "can't be opened");
  }
  struct stat st;
  bool ok = fstat(descriptor, &st) == 0 || mv_fail_errno(status, errno, "can't be opened");
  if (ok && !S_ISREG(st.st_mode)) {
    ok = mv_fail(status, MV_IO, "is %s, not a file", kind_of(st.st_mode));
  }
  if (!ok) {
    close(descriptor);
    return false;
  }
  *out = (mv_file){.descriptor = descriptor, .id = id_of(&st)};
  return true;
}

bool mv_file_read(const mv_file *file, void *out, size_t size, uint64_t offset, size_t *got, mv_status *status) {
  ssize_t n;
  do {
    n = pread(file->descriptor, out, size, (off_t)offset);
  } while (n < 0 && errno == EINTR);
  *got = n > 0 ? (size_t)n : 0;
  return n >= 0 || mv_fail_errno(status, errno, "can't be read");
}

void mv_file_close(mv_file *file) {
  if (file->descriptor >= 0) {
    close(file->descriptor);
    file->descriptor = -1;
  }
}
