#if defined(__linux__)
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include <sys/mman.h>
#endif

#include "base/os/pages.h"

#include <stdint.h>
#include <stdlib.h>

/* Filled is what is large enough to be worth a call, and no more than the kernel clears in a few milliseconds: it is not
 * interrupted meanwhile. */
enum { LEAST_FILLED = 256 << 10, MOST_FILLED = 32 << 20 };

/* Only whole pages inside the block take part, so the allocator's own bytes around it are left alone. */
static void prepare(char *data, size_t size, bool fill) {
#if defined(__linux__)
  const size_t huge_lead = (MV_HUGE_PAGE - (uintptr_t)data % MV_HUGE_PAGE) % MV_HUGE_PAGE;
  if (size > huge_lead && size - huge_lead >= MV_HUGE_PAGE) {
    (void)madvise(data + huge_lead, (size - huge_lead) / MV_HUGE_PAGE * MV_HUGE_PAGE, MADV_HUGEPAGE);
  }
#if defined(MADV_POPULATE_WRITE)
  const size_t lead = (MV_PAGE - (uintptr_t)data % MV_PAGE) % MV_PAGE;
  if (fill && size >= LEAST_FILLED) {
    const size_t filled = size - lead < MOST_FILLED ? size - lead : MOST_FILLED;
    (void)madvise(data + lead, filled / MV_PAGE * MV_PAGE, MADV_POPULATE_WRITE);
  }
#endif
#endif
  (void)data;
  (void)size;
  (void)fill;
}

void *mv_pages_alloc(size_t size, bool fill) {
  void *data = NULL;
  if (size < MV_HUGE_PAGE) {
    data = malloc(size > 0 ? size : 1);
  } else if (posix_memalign(&data, MV_HUGE_PAGE, size) != 0) {
    data = NULL;
  }
  if (data != NULL) {
    prepare(data, size, fill);
  }
  return data;
}
