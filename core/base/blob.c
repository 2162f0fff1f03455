#if defined(__linux__)
#define _GNU_SOURCE 1 /* madvise, mremap */
#include <sys/mman.h>
#endif

#include "base/blob.h"

#include <stdlib.h>

enum { HUGE_PAGE = 2 << 20 };

#if defined(__linux__)
static uint8_t *map_pages(size_t size) {
  /* Aligned by mapping more and giving the edges back: only whole aligned huge pages are used as such. */
  const size_t more = size + HUGE_PAGE;
  if (more < size) {
    return NULL;
  }
  uint8_t *p = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    return NULL;
  }
  const size_t lead = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
  if (lead > 0) {
    munmap(p, lead);
  }
  if (more - lead > size) {
    munmap(p + lead + size, more - lead - size);
  }
  (void)madvise(p + lead, size, MADV_HUGEPAGE); /* a wish: without huge pages all works the same */
  return p + lead;
}
#endif

bool mv_blob_new(mv_blob *blob, size_t capacity, mv_status *status) {
  *blob = (mv_blob)MV_BLOB_INIT;
#if defined(__linux__)
  if (capacity >= HUGE_PAGE) {
    const size_t pages = 4096;
    if (capacity > SIZE_MAX - pages) {
      return mv_fail_nomem(status);
    }
    const size_t rounded = (capacity + pages - 1) / pages * pages;
    blob->data = map_pages(rounded);
    blob->capacity = rounded;
    blob->is_mapped = true;
  }
#endif
  if (!blob->is_mapped) {
    blob->data = malloc(capacity > 0 ? capacity : 1);
    blob->capacity = capacity;
  }
  if (blob->data == NULL) {
    *blob = (mv_blob)MV_BLOB_INIT;
    return mv_fail_nomem(status);
  }
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
#if defined(__linux__)
  if (blob->is_mapped) {
    munmap(blob->data, blob->capacity);
    *blob = (mv_blob)MV_BLOB_INIT;
  }
#endif
  free(blob->data);
  *blob = (mv_blob)MV_BLOB_INIT;
}
