/* report_writer.h: what a report says, as plain text or as Markdown.
 *
 *   title      jit_step, TPU v5e, dump/            ### jit_step, TPU v5e, dump/
 *   line         peak of HBM: ...                  peak of HBM: ...
 *   rows         space    peak                     | space | peak |
 *   item         - group: without ...              - **group:** without ...
 *
 * Text is wrapped at MV_REPORT_WIDTH columns. In Markdown whatever could be markup, HTML, a mention or a link is made
 * harmless: names come from files.
 */
#ifndef MV_RENDER_REPORT_WRITER_H
#define MV_RENDER_REPORT_WRITER_H

#include "base/text.h"

enum { MV_REPORT_WIDTH = 100 };

typedef enum mv_report_style { MV_REPORT_TEXT, MV_REPORT_MARKDOWN } mv_report_style;

typedef struct mv_report_writer {
  mv_text *out;
  mv_report_style style;
  size_t lines; /* written so far */
} mv_report_writer;

/* Each takes one line of valid UTF-8; an item's label is ours, and may be "": its text must
 * begin with a letter or a number with a unit then. */
void mv_report_title(mv_report_writer *w, mv_bytes text);
void mv_report_line(mv_report_writer *w, mv_bytes text);
void mv_report_item(mv_report_writer *w, const char *label, mv_bytes text);

/* A row of a table; the first one is the heading. The first cell is left-aligned, the others are right-aligned. */
void mv_report_row(mv_report_writer *w, const mv_bytes *cells, size_t count, bool is_heading);

/* Behind the last of some items or rows. */
void mv_report_end(mv_report_writer *w);

/* How many lines an item takes. */
size_t mv_report_item_lines(mv_report_writer *w, const char *label, mv_bytes text);

#endif
