/* timeline.h: where the boxes of an allocation timeline lie, for SVG and DOT alike.
 *
 *   heap -> frame as high as its allocation, its share of the picture
 *   block -> box: x from start to end, y from offset to offset + size, clipped to the allocation
 *     under half a pixel wide or high -> painted on a raster together with its like
 *     else, of too many, the largest with a tooltip, the next without one, the rest on the raster too
 */
#ifndef MV_RENDER_TIMELINE_H
#define MV_RENDER_TIMELINE_H

#include "render/chart.h"
#include "render/raster.h"

enum { MV_TIMELINE_FRAMES = 16 };

/* How many boxes a picture has room for. */
typedef struct mv_timeline_room {
  size_t cards; /* with a tooltip */
  size_t boxes; /* in all */
} mv_timeline_room;

typedef struct mv_box {
  uint32_t block;
  uint8_t swatch;
  bool has_card;
  int64_t x0, y0, x1, y1; /* places; y0 above */
} mv_box;

typedef struct mv_frame_box {
  const mv_heap *heap;
  mv_panel panel;
  int64_t size_bytes; /* of its allocation; of what the blocks take when it has none */
} mv_frame_box;

typedef struct mv_timeline {
  mv_frame_box *frames; /* in order of heap */
  size_t frame_count;
  mv_box *boxes; /* in order of frame, then of start */
  size_t box_count;
  mv_raster merged;       /* over the whole picture, when anything is merged */
  int64_t height;         /* of all frames with their captions and axes, in pixels */
  int64_t block_count;    /* of all heaps */
  int64_t merged_count;   /* small ones and the rest */
  int64_t small_count;    /* under half a pixel wide or high */
  int64_t plain_count;    /* drawn, without a tooltip */
  int64_t clipped_count;  /* blocks that reach outside their allocation */
  int64_t outside_count;  /* of these, those that lie outside altogether and are not drawn */
  int64_t empty_count;    /* blocks of 0 bytes, not drawn */
  int64_t homeless_count; /* blocks without an address, not drawn */
  int64_t hidden_heaps;   /* heaps beyond MV_TIMELINE_FRAMES, not drawn: the smallest */
  int64_t hidden_blocks;  /* of them */
} mv_timeline;

/* Lay out. All in `arena`. Fails with MV_NOMEM and MV_INTERRUPTED. */
bool mv_timeline_lay_out(mv_timeline *out, const mv_picture *picture, mv_timeline_room room, mv_arena *arena,
                         mv_status *status);

/* The lines below the picture, into chart->notes, and its subtitle. */
void mv_timeline_describe(mv_chart *chart, const mv_timeline *timeline);

/* Why there is no timeline, NULL when there is one. */
const char *mv_timeline_problem(const mv_picture *picture, const mv_timeline *timeline);

#endif
