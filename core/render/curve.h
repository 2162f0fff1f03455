/* curve.h: a value over program order as the data of an SVG path.
 *
 *   few positions    steps: the value of position p from p to p + 1
 *   many             one stroke a pixel: where the value comes in, its least and most, where it goes out
 *
 * So no peak is lost however long the curve is.
 */
#ifndef MV_RENDER_CURVE_H
#define MV_RENDER_CURVE_H

#include "render/scale.h"

typedef struct mv_curve {
  const void *values; /* the first int64_t */
  size_t stride;      /* bytes from one to the next */
  int64_t count;      /* one for each position, from 0 on; at least 1 */
  mv_scale x;         /* of positions; its `most` is `count` */
  mv_scale y;
} mv_curve;

/* Append the curve from its first position to behind its last, beginning with "M". */
void mv_curve_path(mv_text *svg, const mv_curve *curve);

#endif
