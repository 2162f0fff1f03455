/* label.h: names made short enough for the room there is. */
#ifndef MV_RENDER_LABEL_H
#define MV_RENDER_LABEL_H

#include "base/text.h"

/* The bytes that the first `most` characters of `name` take: whole UTF-8 sequences, and a byte that belongs to none
 * counts as one character, as mv_text_bytes shows it. */
size_t mv_label_prefix(mv_bytes name, size_t most);

/* Characters in `name`, counted no further than `most`. */
size_t mv_label_length(mv_bytes name, size_t most);

/* Append `name` with at most `most` characters: when it is longer its end is left out and "…" stands for it. As plain
 * text, and as XML. */
void mv_label_add(mv_text *text, mv_bytes name, size_t most);
void mv_label_xml(mv_text *text, mv_bytes name, size_t most);

#endif
