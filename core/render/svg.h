/* svg.h: the pieces of an SVG file.
 *
 * Each call appends; a mv_text keeps its failure until the end. Places are hundredths of a pixel, see scale.h. Elements
 * that are opened are closed by the caller, with "/>" or with their content and "</...>".
 */
#ifndef MV_RENDER_SVG_H
#define MV_RENDER_SVG_H

#include "render/scale.h"

/* ` name="12.5"` */
void mv_svg_place(mv_text *svg, const char *name, int64_t place);

/* `<rect class="..." x= y= width= height=`, open. `class` may be NULL. */
void mv_svg_rect(mv_text *svg, const char *class_name, int64_t x, int64_t y, int64_t width, int64_t height);

/* `<path class="..." d="M x1 y1 L x2 y2"/>` of a straight line, closed. */
void mv_svg_line(mv_text *svg, const char *class_name, int64_t x1, int64_t y1, int64_t x2, int64_t y2);

/* `<text class="..." x= y=>`: content and `</text>` follow. */
void mv_svg_text(mv_text *svg, const char *class_name, int64_t x, int64_t y);

/* A text of our own words, closed. */
void mv_svg_words(mv_text *svg, const char *class_name, int64_t x, int64_t y, const char *words);

#endif
