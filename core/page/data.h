/* data.h: one module as the JSON that the page's script reads.
 *
 *   { "platform": "TPU", "colours": [[light fill, light stroke, dark fill, dark stroke] as 0xRRGGBB, ...], "spaces": [
 *       { "name": "HBM", "color": 0, "overview": {as memory_spaces},
 *         "baseline": {"allocation": [...], "buffer": [...], "size": [...], "unpadded": [...], "colour": [...]},
 *                                                                   of what is live at every position; the
 *                                                                   temporaries in it are untraced
 *         "heaps": [
 *           { "allocation": 3, "events": n, "peak_position": p,
 *             "bytes": [...], "unpadded": [...], "occupied": [...],     n+1 each: differences, the first from 0
 *             "event": [...], "instruction": [...],                     n each
 *             "blocks": {"buffer": [...], "root": [...], "start": [...], "end": [...], "size": [...],
 *                        "unpadded": [...], "offset": [...], "allocation": [...], "colour": [...]} } ] } ],
 *     "allocations": {"id": [...], "category": [...], "size": [...], "parameter_number": [...]},
 *     "buffers": {"id": [...], "instruction": [...], "shape_index": [...], "shape": [...]},
 *     "instructions": {"name": [...], "opcode": [...], "op_name": [...], "file": [...], "line": [...], "frame": [...],
 *                      "computation": [...]},
 *     "frames": {"parent": [...], "function": [...], "file": [...], "line": [...], "column": [...]},
 *     "categories": [...], "strings": [...] }
 *
 * A table is its columns. References are places in another table, texts places in `strings`, -1 for none and unknown;
 * heap.instruction is a text. Only buffers that a block or a baseline row shows are listed, and their instructions.
 * Sizes are numbers of at most 2^53: a module that has larger ones gets "is_clamped": true.
 */
#ifndef MV_PAGE_DATA_H
#define MV_PAGE_DATA_H

#include "base/limits.h"
#include "model/module.h"

/* Append the module. Fails with MV_NOMEM and MV_INTERRUPTED. */
bool mv_page_data(mv_text *text, const mv_module *module, const mv_limits *limits, mv_status *status);

#endif
