/* blob.h: one large block of memory for the bytes of a file (pages.h tells how it is had). MV_READABLE bytes behind its
 * content can be read, as walks over protobufs require (wire/wire.h). */
#ifndef MV_BASE_BLOB_H
#define MV_BASE_BLOB_H

#include "base/bytes.h"
#include "base/status.h"

typedef struct mv_blob {
  uint8_t *data;
  size_t size;     /* bytes that hold content */
  size_t capacity; /* bytes there may be; MV_READABLE more can be read */
} mv_blob;

#define MV_BLOB_INIT {NULL, 0, 0}

/* Room for `capacity` bytes, empty. Owned by the caller: mv_blob_free. */
bool mv_blob_new(mv_blob *blob, size_t capacity, mv_status *status);

/* Grow to at least `capacity`, keep the content; on failure the blob is as it was. */
bool mv_blob_reserve(mv_blob *blob, size_t capacity, mv_status *status);

void mv_blob_free(mv_blob *blob);

static inline mv_bytes mv_blob_bytes(const mv_blob *blob) {
  return mv_bytes_of(blob->data, blob->size);
}

#endif
