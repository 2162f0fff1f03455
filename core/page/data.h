/* data.h: one module as the JSON that the page's script reads.
 *
 *   {"platform": "TPU", "spaces": [{"name": "HBM", "overview": {...}, "baseline": {...}, "heaps": [...]}, ...],
 *    "allocations": {...}, "buffers": {...}, "instructions": {...}, "frames": {...}, "strings": [...], ...}
 *
 * viewer/data.d.ts describes every field, and a test holds what is written here against it. A table is its columns.
 * References are places in another table, texts places in `strings`, -1 for none and unknown. Only buffers that a block
 * or a baseline row shows are listed, and their instructions.
 */
#ifndef MV_PAGE_DATA_H
#define MV_PAGE_DATA_H

#include "base/limits.h"
#include "model/module.h"

/* Append the module. Fails with MV_NOMEM and MV_INTERRUPTED. */
bool mv_page_data(mv_text *text, const mv_module *module, const mv_limits *limits, mv_status *status);

#endif
