#if defined(__linux__)
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* madvise */
#endif
#include <sys/mman.h>
#endif

#include "base/os/pages.h"

#include <stdint.h>
#include <stdlib.h>

/* Only whole pages inside the block take part, so the allocator's own bytes around it are left alone. */
static void ask_for_huge_pages(char *data, size_t size) {
#if defined(__linux__)
  const size_t huge_lead = (MV_HUGE_PAGE - (uintptr_t)data % MV_HUGE_PAGE) % MV_HUGE_PAGE;
  if (size > huge_lead && size - huge_lead >= MV_HUGE_PAGE) {
    (void)madvise(data + huge_lead, (size - huge_lead) / MV_HUGE_PAGE * MV_HUGE_PAGE, MADV_HUGEPAGE);
  }
#else
  (void)data;
  (void)size;
#endif
}

void *mv_pages_alloc(size_t size) {
  void *data = NULL;
  if (size < MV_HUGE_PAGE) {
    data = malloc(size > 0 ? size : 1);
  } else if (posix_memalign(&data, MV_HUGE_PAGE, size) != 0) {
    data = NULL;
  }
  if (data != NULL) {
    ask_for_huge_pages(data, size);
  }
  return data;
}
