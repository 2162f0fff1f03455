#if defined(__linux__)
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include <sys/mman.h>
#endif

#include "base/blob.h"

#include <stdlib.h>

enum { HUGE_PAGE = 2 << 20, PAGE = 4096, LARGE = 256 << 10 };

/* Ask for huge pages where they fit, and for all pages at once: a page at a time, reading into fresh memory takes longer
 * for the page faults than for the bytes. Both are wishes: where the kernel knows neither all works the same. */
static void prepare_pages(uint8_t *data, size_t size) {
#if defined(__linux__)
  const size_t huge_lead = (HUGE_PAGE - (uintptr_t)data % HUGE_PAGE) % HUGE_PAGE;
  if (size > huge_lead && size - huge_lead >= HUGE_PAGE) {
    (void)madvise(data + huge_lead, (size - huge_lead) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  }
#if defined(MADV_POPULATE_WRITE)
  const size_t lead = (PAGE - (uintptr_t)data % PAGE) % PAGE;
  if (size >= LARGE) {
    (void)madvise(data + lead, (size - lead) / PAGE * PAGE, MADV_POPULATE_WRITE);
  }
#endif
#else
  (void)data;
  (void)size;
#endif
}

/* Large blocks begin at a huge page's boundary. One that ends behind the middle of a huge page gets the rest of it too:
 * clearing that costs less than hundreds of small pages. */
static size_t whole_size(size_t size) {
  const size_t tail = size % HUGE_PAGE;
  if (size < HUGE_PAGE || size > SIZE_MAX - HUGE_PAGE) {
    return size;
  }
  return tail > HUGE_PAGE / 2 ? size - tail + HUGE_PAGE : (size + PAGE - 1) / PAGE * PAGE;
}

static uint8_t *allocate(size_t size) {
  if (size < HUGE_PAGE) {
    return malloc(size > 0 ? size : 1);
  }
  void *data = NULL;
  return posix_memalign(&data, HUGE_PAGE, size) == 0 ? data : NULL;
}

bool mv_blob_new(mv_blob *blob, size_t capacity, mv_status *status) {
  *blob = (mv_blob)MV_BLOB_INIT;
  capacity = whole_size(capacity);
  blob->data = allocate(capacity);
  if (blob->data == NULL) {
    return mv_fail_nomem(status);
  }
  blob->capacity = capacity;
  prepare_pages(blob->data, capacity);
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
