/* scale.h: from values to places on a picture, and the ticks of an axis.
 *
 * Places are int64_t in hundredths of a pixel. All of it is integer arithmetic, so that a picture is the same on every
 * machine, and no value up to 2^63 - 1 overflows.
 */
#ifndef MV_RENDER_SCALE_H
#define MV_RENDER_SCALE_H

#include "base/text.h"

enum { MV_PX = 100 }; /* a pixel in places */

typedef struct mv_scale {
  int64_t most;   /* values reach from 0 to here; at least 1 */
  int64_t start;  /* where 0 lies */
  int64_t length; /* how far from there `most` lies; may be negative, at most 2^18 either way */
  unsigned shift; /* values lose so many low bits, which no picture shows */
} mv_scale;

/* `most` less than 1 counts as 1. */
mv_scale mv_scale_of(int64_t most, int64_t start, int64_t length);

/* The place of a value, rounded; values outside 0..most lie at the ends. */
int64_t mv_scale_at(const mv_scale *scale, int64_t value);

/* The step between the ticks of an axis from 0 to `most` that has no more than `count` steps (count >= 1): a power of
 * two for bytes; 1, 2 or 5 times a power of ten for positions. */
int64_t mv_ticks_binary(int64_t most, int64_t count);
int64_t mv_ticks_decimal(int64_t most, int64_t count);

/* The label of a multiple of a binary step: "0", "1.5 GiB"; exact for up to 8 steps, else cut at three decimals. */
void mv_tick_label(mv_text *text, int64_t bytes);

/* A place as a number in pixels: "12", "0.5", "-3.25". */
void mv_place_add(mv_text *text, int64_t place);

/* A count with separators: "6,010". */
void mv_count_add(mv_text *text, int64_t count);

#endif
