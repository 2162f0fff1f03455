#include "base/blob.h"

#include <stdlib.h>

#include "base/os/pages.h"

/* A block that ends behind the middle of a huge page gets the rest of it too: clearing that costs less than hundreds of
 * small pages. */
static size_t whole_size(size_t size) {
  const size_t tail = size % MV_HUGE_PAGE;
  if (size < MV_HUGE_PAGE || size > SIZE_MAX - MV_HUGE_PAGE) {
    return size;
  }
  return tail > MV_HUGE_PAGE / 2 ? size - tail + MV_HUGE_PAGE : (size + MV_PAGE - 1) / MV_PAGE * MV_PAGE;
}

bool mv_blob_new(mv_blob *blob, size_t capacity, mv_status *status) {
  *blob = (mv_blob)MV_BLOB_INIT;
  if (capacity > SIZE_MAX - MV_READABLE) {
    mv_fail_nomem(status);
    return false;
  }
  const size_t size = whole_size(capacity + MV_READABLE);
  capacity = size - MV_READABLE;
  blob->data = mv_pages_alloc(size);
  if (blob->data == NULL) {
    mv_fail_nomem(status);
    return false;
  }
  blob->capacity = capacity;
  return true;
}

bool mv_blob_reserve(mv_blob *blob, size_t capacity, mv_status *status) {
  if (capacity <= blob->capacity) {
    return true;
  }
  mv_blob larger;
  if (!mv_blob_new(&larger, capacity, status)) {
    return false;
  }
  if (blob->size > 0) {
    memcpy(larger.data, blob->data, blob->size);
  }
  larger.size = blob->size;
  mv_blob_free(blob);
  *blob = larger;
  return true;
}

void mv_blob_free(mv_blob *blob) {
  free(blob->data);
  *blob = (mv_blob)MV_BLOB_INIT;
}
