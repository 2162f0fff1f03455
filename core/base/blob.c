#if defined(__linux__)
#define _DEFAULT_SOURCE 1 /* madvise */
#include <sys/mman.h>
#endif

#include "base/blob.h"

#include <stdlib.h>

enum { HUGE_PAGE = 2 << 20 };

/* A wish: without huge pages all works the same. Only whole pages inside the block take part, so the allocator's own
 * bytes around it are left alone. */
static void wish_for_huge_pages(uint8_t *data, size_t size) {
#if defined(__linux__)
  const size_t lead = (HUGE_PAGE - (uintptr_t)data % HUGE_PAGE) % HUGE_PAGE;
  if (size > lead && size - lead >= HUGE_PAGE) {
    (void)madvise(data + lead, (size - lead) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  }
#else
  (void)data;
  (void)size;
#endif
}

bool mv_blob_new(mv_blob *blob, size_t capacity, mv_status *status) {
  *blob = (mv_blob)MV_BLOB_INIT;
  blob->data = malloc(capacity > 0 ? capacity : 1);
  if (blob->data == NULL) {
    return mv_fail_nomem(status);
  }
  blob->capacity = capacity;
  wish_for_huge_pages(blob->data, capacity);
  return true;
}

bool mv_blob_reserve(mv_blob *blob, size_t capacity, mv_status *status) {
  if (capacity <= blob->capacity) {
    return true;
  }
  uint8_t *data = realloc(blob->data, capacity);
  if (data == NULL) {
    return mv_fail_nomem(status);
  }
  blob->data = data;
  blob->capacity = capacity;
  wish_for_huge_pages(data, capacity);
  return true;
}

void mv_blob_free(mv_blob *blob) {
  free(blob->data);
  *blob = (mv_blob)MV_BLOB_INIT;
}
