/* pages.h: large blocks of memory.
 *
 * Fresh memory is cleared by the kernel a page at a time, when it is first touched; for files of megabytes the page
 * faults take longer than what is done with the bytes. Large blocks therefore begin at a huge page's boundary and ask
 * for huge pages. That is a wish: where the kernel has none all works the same.
 */
#ifndef MV_BASE_OS_PAGES_H
#define MV_BASE_OS_PAGES_H

#include <stddef.h>

enum { MV_HUGE_PAGE = 2 << 20, MV_PAGE = 4096 };

/* `size` bytes for free(); NULL when memory ran out. */
void *mv_pages_alloc(size_t size);

#endif
