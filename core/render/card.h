/* card.h: what a tooltip says of a buffer, one fact a line. */
#ifndef MV_RENDER_CARD_H
#define MV_RENDER_CARD_H

#include "heap/live.h"

/* A picture stays below some three megabytes: when so many bytes are written, cards become one short line. */
enum { MV_CARD_ROOM = 1600 * 1000 };

typedef struct mv_card {
  mv_module *module;
  mv_arena *arena;   /* reset by every card */
  int64_t positions; /* events of the heap, to tell a lifetime by */
  bool is_short;     /* only name and size */
  mv_text text;      /* the card: valid UTF-8, lines separated by '\n'; freed by the owner */
} mv_card;

/* Write the card of `live` into card->text. False with MV_NOMEM. */
bool mv_card_write(mv_card *card, const mv_live *live, mv_status *status);

/* Append the name of a buffer with its shape index, such as "fusion.3{1,0}", with at most `most` characters; what has
 * no instruction is named by its id. As plain text. */
void mv_card_name(mv_text *text, const mv_module *module, const mv_live *live, size_t most);

/* Append the shape of a buffer with at most `most` characters; nothing when it is not known. */
bool mv_card_shape(mv_text *text, mv_module *module, const mv_live *live, size_t most, mv_arena *arena,
                   mv_status *status);

/* A block as what it is while it lives. */
mv_live mv_live_of_block(const mv_module *module, const mv_block *block);

#endif
