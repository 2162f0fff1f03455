/* stream.h: the bytes of a file or a BLOB, read forward, gzip or not.
 *
 *   path --open, fstat--> plain file: pread; what is skipped is never read
 *   bytes                 gzip (told by its first two bytes): inflated in windows; what is skipped is dropped
 *
 * Only regular files are opened: a FIFO or a device would hang or never end. Nothing is mapped, so a file that is cut
 * while it is read gives an error and no signal.
 */
#ifndef MV_SOURCE_STREAM_H
#define MV_SOURCE_STREAM_H

#include "base/blob.h"
#include "base/bytes.h"
#include "base/status.h"

/* What a host sets for all reading on its behalf. */
typedef struct mv_limits {
  uint64_t max_bytes;             /* most bytes that one file may have after unpacking; 0 for the default */
  const char *max_bytes_name;     /* what the host's users set it by, for messages; may be NULL */
  bool (*interrupted)(void *arg); /* asked every few milliseconds; true stops with MV_INTERRUPTED; may be NULL */
  void *arg;
} mv_limits;

enum { MV_DEFAULT_MAX_GIB = 8 };

/* False with MV_LIMIT when `size` is above the limit; `is_all` says that it is known how large it is in all. */
bool mv_check_size(const mv_limits *limits, uint64_t size, bool is_all, mv_status *status);

/* Fails with MV_INTERRUPTED when the host asks for it. */
bool mv_check_interrupt(const mv_limits *limits, mv_status *status);

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

typedef struct mv_stream mv_stream;

/* Open a regular file. The messages do not repeat the path: the caller puts it before them. */
mv_stream *mv_stream_open(const char *path, const mv_limits *limits, mv_status *status);

/* Read `bytes`, which must outlive the stream. */
mv_stream *mv_stream_of(mv_bytes bytes, const mv_limits *limits, mv_status *status);

void mv_stream_close(mv_stream *stream);

/* Read up to `size` bytes; *got is less only at the end. */
bool mv_stream_read(mv_stream *stream, void *out, size_t size, size_t *got, mv_status *status);

/* The next bytes without moving on, at most MV_STREAM_PEEK of them; fewer only at the end. */
enum { MV_STREAM_PEEK = 4096 };
bool mv_stream_peek(mv_stream *stream, mv_bytes *out, mv_status *status);

/* The last bytes of all, at most `size` of them, without moving; none where they are not known without unpacking. */
bool mv_stream_tail(mv_stream *stream, void *out, size_t size, size_t *got, mv_status *status);

/* Move on by `size` bytes; *skipped is less only at the end. */
bool mv_stream_skip(mv_stream *stream, uint64_t size, uint64_t *skipped, mv_status *status);

/* All from here to the end, into a new blob. Fails with MV_LIMIT beyond limits.max_bytes. */
bool mv_stream_read_all(mv_stream *stream, mv_blob *out, mv_status *status);

/* Bytes passed so far, after unpacking. */
uint64_t mv_stream_position(const mv_stream *stream);

/* Bytes in all where that is known without unpacking, else UINT64_MAX. */
uint64_t mv_stream_size(const mv_stream *stream);

bool mv_stream_is_gzip(const mv_stream *stream);

/* What was opened, as it was then; all zero for bytes in memory. */
mv_file_id mv_stream_file_id(const mv_stream *stream);

#endif
