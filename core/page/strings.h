/* strings.h: each text of a page once, referred to by its number.
 *
 *   "fusion.12" -> 0    "fusion" -> 1    "f32[8]{0}" -> 2 ...     unknown (empty) -> -1
 *
 * Names, shapes and paths repeat thousands of times in a module; a page that holds each once is a third of the size.
 */
#ifndef MV_PAGE_STRINGS_H
#define MV_PAGE_STRINGS_H

#include "base/arena.h"
#include "base/text.h"

typedef struct mv_string_slot {
  uint32_t number; /* + 1; 0 is free */
  uint32_t hash;   /* so that other texts need not be looked at */
} mv_string_slot;

typedef struct mv_strings {
  mv_arena *arena;       /* owns the copies */
  mv_array items;        /* mv_bytes */
  mv_string_slot *slots; /* open addressing */
  size_t slot_count;
} mv_strings;

/* An empty table whose memory comes from `arena`. */
mv_strings mv_strings_of(mv_arena *arena);

/* The number of a text, which is copied when it is new; -1 for an empty one. False when memory ran out. */
bool mv_strings_number(int64_t *number, mv_strings *strings, mv_bytes bytes, mv_status *status);

/* Append all as a JSON array, in order of number. */
void mv_strings_write(mv_text *text, const mv_strings *strings);

#endif
