/* card.h: what a tooltip says of a buffer, one fact a line. */
#ifndef MV_RENDER_CARD_H
#define MV_RENDER_CARD_H

#include "analysis/live.h"
#include "shape/memo.h"

/* A picture stays below 3 MB: when it has so many bytes, cards become one short line, and at last there are none. */
enum { MV_CARD_ROOM = 1600 * 1000, MV_CARD_END = 2200 * 1000 };

typedef struct mv_card {
  const mv_module *module;
  mv_arena *arena; /* reset by every card */
  mv_text text;    /* the card: valid UTF-8, lines separated by '\n' */
  mv_shape_memo shapes;
  int64_t short_count;
  int64_t left_out_count;
} mv_card;

void mv_card_free(mv_card *card);

/* Write the card of `live` into card->text, for a picture that has `used` bytes by now. `positions` is the number of
 * events of its heap, to tell a lifetime by. The text is empty when there is no room. False with MV_NOMEM. */
bool mv_card_write(mv_card *card, const mv_live *live, int64_t positions, size_t used, mv_status *status);

/* The same as an SVG title; nothing when there is no room. */
bool mv_card_title(mv_text *svg, mv_card *card, const mv_live *live, int64_t positions, mv_status *status);

/* A line that says how many cards were shortened or left out; nothing when none was. */
void mv_card_note(mv_text *notes, const mv_card *card);

/* Append the name of a buffer with its shape index, such as "fusion.3{1,0}", with at most `most` characters; what has
 * no instruction is named by its id. As plain text. */
void mv_card_name(mv_text *text, const mv_module *module, const mv_live *live, size_t most);

/* Append the shape of a buffer with at most `most` characters; nothing when it is not known. */
bool mv_card_shape(mv_text *text, mv_card *card, const mv_live *live, size_t most, mv_status *status);

#endif
