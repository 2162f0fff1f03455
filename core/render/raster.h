/* raster.h: what is too small to be drawn by itself, painted together on a grid of pixels.
 *
 *   rectangles --paint--> cells --path--> as few rectangles as a scan finds:    ##   ##      ##
 *                                                                               ## + ### =  ####
 */
#ifndef MV_RENDER_RASTER_H
#define MV_RENDER_RASTER_H

#include "base/arena.h"
#include "render/scale.h"

typedef struct mv_raster {
  uint8_t *cells; /* 1 where painted, row by row */
  int64_t width;
  int64_t height;
  int32_t *corners; /* of what was covered and is not painted yet; NULL when nothing can be covered */
} mv_raster;

/* A clear raster of width × height pixels in `arena`. */
bool mv_raster_new(mv_raster *raster, int64_t width, int64_t height, mv_arena *arena, mv_status *status);

/* The same for mv_raster_cover. */
bool mv_raster_new_covers(mv_raster *raster, int64_t width, int64_t height, mv_arena *arena, mv_status *status);

/* Like mv_raster_paint, but painted only when the rectangles are handed out: four numbers are noted, whatever the size,
 * so any number of large rectangles costs no more than small ones. Not seen by mv_raster_is_painted. */
void mv_raster_cover(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1);

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
