/* raster.h: what is too small to be drawn by itself, painted together on a grid of pixels.
 *
 *   rectangles --paint--> cells --path--> as few rectangles as a scan finds:    ##   ##      ##
 *                                                                               ## + ### =  ####
 */
#ifndef MV_RENDER_RASTER_H
#define MV_RENDER_RASTER_H

#include "base/arena.h"
#include "render/scale.h"

enum { MV_RASTER_LEVELS = 32 };

typedef struct mv_raster {
  int64_t width;
  int64_t height;
  int64_t words; /* of a row: pixel x is bit x % 64 of word x / 64 */
  int level_count;
  uint64_t *levels[MV_RASTER_LEVELS]; /* rows of bits: a bit of level k stands for 2^k pixels from its own down */
} mv_raster;

/* A clear raster of width × height pixels in `arena`. */
bool mv_raster_new(mv_raster *raster, int64_t width, int64_t height, mv_arena *arena, mv_status *status);

/* Like mv_raster_paint, but painted only when the rectangles are handed out: two rows are noted, whatever the height,
 * so any number of large rectangles costs no more than small ones. Not seen by mv_raster_is_painted. */
bool mv_raster_cover(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1, mv_arena *arena,
                     mv_status *status);

/* Paint each pixel that the rectangle touches, the one at (x0, y0) even when it is empty. Places; what lies outside is
 * cut off. */
void mv_raster_paint(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1);

/* Whether a pixel that the rectangle touches is painted. */
bool mv_raster_is_painted(const mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1);

/* Hand out what was painted as rectangles, in pixels: at most `most` of them. Where that is too few the grid is made
 * coarser first, 2 × 2 cells at a time. */
typedef void mv_raster_visit(void *arg, int64_t x, int64_t y, int64_t width, int64_t height);
void mv_raster_rectangles(mv_raster *raster, size_t most, mv_raster_visit *visit, void *arg);

/* Append them as the data of an SVG path. */
void mv_raster_path(mv_text *svg, mv_raster *raster, size_t most);

#endif
