/* label.h: names made short enough for the room there is. */
#ifndef MV_RENDER_LABEL_H
#define MV_RENDER_LABEL_H

#include "base/text.h"

/* The bytes that the first `most` cells of `name` take. A cell is the width of a character of a terminal; UTF-8
 * sequences of three bytes and more, most of the wide characters among them, count as two, a byte that belongs to no
 * sequence as one. Sequences are whole. */
size_t mv_label_prefix(mv_bytes name, size_t most);

/* Cells of `name`, counted until there are `most`. */
size_t mv_label_length(mv_bytes name, size_t most);

/* Append `name` in at most `most` cells: when it is longer its end is left out and "…" stands for it. As plain text, as
 * part of a line (mv_text_line), and as XML. */
void mv_label_add(mv_text *text, mv_bytes name, size_t most);
void mv_label_line(mv_text *text, mv_bytes name, size_t most);
void mv_label_xml(mv_text *text, mv_bytes name, size_t most);

#endif
