/* page_test.h: pages of sources made for a test, and what stands in them. */
#ifndef MV_TESTS_PAGE_TEST_H
#define MV_TESTS_PAGE_TEST_H

#include "page/page.h"
#include "support/proto_builder.h"

/* The page of a path or of bytes (path NULL); data NULL with *status filled where there is none. Freed by the caller.
 */
mv_text page_of(const char *path, mv_bytes bytes, const mv_limits *limits, size_t most_bytes, mv_status *status);

/* The text of the page's JSON block with this id; empty when there is none. */
mv_bytes block_of(const mv_text *page, const char *id);

bool contains(mv_bytes text, const char *part);
bool page_contains(const mv_text *page, const char *part);

/* How often `part` stands in the page. */
size_t times(const mv_text *page, const char *part);

/* An HloProto with two f32[8] instructions in an allocation of color 0, the first under the name given, and an
 * operation name; the second shares the first's memory and is never freed. Of `size` bytes each. */
mv_text proto_with(const void *name, size_t name_size, const void *op_name, size_t op_name_size, int64_t size);

#endif
