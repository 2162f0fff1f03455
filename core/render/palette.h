/* palette.h: which swatch a buffer has, and how its swatches look.
 *
 *   instruction name + shape index --hash--> the swatch it would like --unless a neighbour has it--> the next one
 *
 * So a buffer looks the same from run to run, whatever else the source holds, and the blocks right below and above it
 * in memory while it begins have other swatches than it. A swatch is a pair for light and a pair for dark backgrounds:
 * a fill on which text can be read, and a stroke that stands out from the background.
 */
#ifndef MV_RENDER_PALETTE_H
#define MV_RENDER_PALETTE_H

#include "base/limits.h"
#include "model/module.h"

enum { MV_PALETTE_SIZE = 12 };

typedef struct mv_swatch { /* 0xRRGGBB */
  uint32_t light_fill;
  uint32_t light_stroke;
  uint32_t dark_fill;
  uint32_t dark_stroke;
} mv_swatch;

extern const mv_swatch mv_palette[MV_PALETTE_SIZE];

/* "#a3d897" */
void mv_rgb_add(mv_text *text, uint32_t rgb);

/* The swatch a buffer would like. */
uint8_t mv_palette_of(const mv_module *module, const mv_buffer *buffer);

/* The swatches of the blocks of a heap, in their order; in `arena`. O(n log n). NULL when memory ran out or the host
 * wants to stop. */
uint8_t *mv_palette_of_heap(const mv_module *module, const mv_heap *heap, const mv_limits *limits, mv_arena *arena,
                            mv_status *status);

#endif
