/* picture.h: the pictures of one memory space.
 *
 *   timeline_svg   blocks: x program order, y address       timeline_dot, timeline_html   the same in other clothes
 *   usage_svg      bytes over program order                 peak_svg                      the buffers at the peak
 *
 * A picture is made of integers only and depends on nothing but the module: the same bytes on every machine. It stays
 * below some 3 MB whatever it shows. SVG is well-formed XML without script, made for <img>: it paints its own
 * background, light or dark as prefers-color-scheme says. Nothing is dropped silently: what can't be shown by itself is
 * counted in a line of text below; where there is nothing to show the picture says why.
 */
#ifndef MV_RENDER_PICTURE_H
#define MV_RENDER_PICTURE_H

#include "base/limits.h"
#include "model/module.h"

typedef enum mv_order { MV_ORDER_SIZE, MV_ORDER_PROGRAM, MV_ORDER_PADDING } mv_order;

typedef struct mv_picture {
  const mv_module *module;
  uint32_t space; /* MV_NONE: the module has none */
  mv_order order; /* of peak_svg */
  const mv_limits *limits;
} mv_picture;

/* Append the picture to `out`. On failure (MV_NOMEM, MV_INTERRUPTED) `out` holds a part of it. */
typedef bool mv_picture_function(mv_text *out, const mv_picture *picture, mv_status *status);

/* The allocation timeline: each heap a frame as high as its allocation, each block a box at its addresses and
 * lifetime, with a tooltip. Boxes under half a pixel, and the smallest beyond some thousands, are merged. */
mv_picture_function mv_timeline_svg;

/* The same boxes and frames as DOT for `neato -n`. */
mv_picture_function mv_timeline_dot;

/* An HTML page with the SVG inside. */
mv_picture_function mv_timeline_html;

/* The usage curve of each heap in a panel of its own: with padding, without, and occupied addresses; the baseline as a
 * band, the peak marked. */
mv_picture_function mv_usage_svg;

/* The buffers at the peak as bars, and the largest of them as a list. */
mv_picture_function mv_peak_svg;

#endif
