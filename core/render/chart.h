/* chart.h: what all pictures have in common: head, panels with axes, notes below, and the style sheet.
 *
 *      title                                                        12 px of font and up
 *      subtitle                                         legend
 *      |  panel: a frame with grid lines
 *      |  grid lines ...
 *      +--0----100----200--
 *      notes
 */
#ifndef MV_RENDER_CHART_H
#define MV_RENDER_CHART_H

#include "base/arena.h"
#include "render/picture.h"
#include "render/svg.h"

/* All in pixels. */
enum {
  MV_CHART_WIDTH = 1200,
  MV_CHART_LEFT = 92, /* of a panel */
  MV_CHART_RIGHT = 1172,
  MV_CHART_TOP = 96,  /* where the first panel may begin */
  MV_CHART_AXIS = 26, /* below a panel: its ticks */
  MV_CHART_NOTE = 18, /* a line of notes */
  MV_CHART_MARGIN = 24,
};

typedef struct mv_panel {
  int64_t x0, y0, x1, y1; /* places; (x0, y0) is the upper left corner */
  mv_scale x;
  mv_scale y; /* upwards */
} mv_panel;

typedef struct mv_chart {
  mv_text *out;
  const mv_picture *picture;
  const char *kind; /* "Allocation timeline" */
  mv_text body;     /* what is drawn between head and notes */
  mv_text subtitle; /* plain, after the memory space's name */
  mv_text notes;    /* plain, one a line, each ended by '\n' */
} mv_chart;

/* The whole file into chart->out: head, body, notes. The body comes first, since it tells what there is to note.
 * `height` is the body's, in pixels; `style` is more CSS, NULL for none. False with MV_NOMEM when anything failed. */
bool mv_chart_finish(mv_chart *chart, int64_t height, const char *style, mv_status *status);

/* Free the chart's texts. */
void mv_chart_free(mv_chart *chart);

/* A whole picture that only says why there is nothing to see. Its body must be empty. */
bool mv_chart_empty(mv_chart *chart, const char *why, mv_status *status);

/* A panel from `top` on, `height` pixels high, with values up to `most_x` and `most_y`. */
mv_panel mv_panel_of(int64_t top, int64_t height, int64_t most_x, int64_t most_y);

/* Its ground with grid lines and the labels of both axes. */
void mv_panel_draw(mv_text *svg, const mv_panel *panel, bool is_x_positions);

/* Append "jit_f (17)" and so on: the module's name, shortened. As plain text. */
void mv_chart_module(mv_text *text, const mv_module *module);

/* Append the name of the memory space. */
void mv_chart_space(mv_text *text, const mv_picture *picture);

/* The swatches as CSS classes c0, c1, ... of elements with fill and stroke. */
void mv_chart_swatches(mv_text *svg);

#endif
