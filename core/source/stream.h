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
#include "base/limits.h"
#include "base/os/file.h"

typedef struct mv_stream mv_stream;

/* Open a regular file. The messages do not repeat the path: the caller puts it before them. */
mv_stream *mv_stream_open(const char *path, const mv_limits *limits, mv_status *status);

/* Read `bytes`, which must outlive the stream. */
mv_stream *mv_stream_of(mv_bytes bytes, const mv_limits *limits, mv_status *status);

void mv_stream_close(mv_stream *stream);

/* Read up to `size` bytes; *got is less only at the end. */
bool mv_stream_read(mv_stream *stream, void *out, size_t size, size_t *got, mv_status *status);

/* The next bytes without moving on, at most MV_STREAM_PEEK of them; fewer only at the end. They can be walked
 * (MV_READABLE). */
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
