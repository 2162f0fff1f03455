#include "render/page/strings.h"

#include "base/hash.h"
#include "base/json_write.h"

/* A text that is not found within so many steps is kept a second time: finding all doubles only saves room, and names
 * made to collide must not cost more than others. */
enum { MOST_STEPS = 32, FIRST_SLOTS = 1024 };

mv_strings mv_strings_of(mv_arena *arena) {
  return (mv_strings){.arena = arena};
}

/* The slot of a text or the free one where it belongs; NULL when there is neither within MOST_STEPS. */
static uint32_t *find(mv_strings *s, mv_bytes bytes) {
  const mv_bytes *items = s->items.items;
  size_t at = (size_t)mv_hash(bytes) & (s->slot_count - 1);
  for (size_t i = 0; i < MOST_STEPS; i++) {
    uint32_t *slot = &s->slots[at];
    if (*slot == 0 || mv_bytes_equal(items[*slot - 1], bytes)) {
      return slot;
    }
    at = (at + 1) & (s->slot_count - 1);
  }
  return NULL;
}

static bool grow(mv_strings *s, mv_status *status) {
  const size_t count = s->slot_count == 0 ? FIRST_SLOTS : s->slot_count * 2;
  uint32_t *slots = mv_arena_zalloc(s->arena, count, sizeof *slots, status);
  if (slots == NULL) {
    return false;
  }
  s->slots = slots;
  s->slot_count = count;
  for (size_t i = 0; i < s->items.count; i++) {
    uint32_t *slot = find(s, ((const mv_bytes *)s->items.items)[i]);
    if (slot != NULL) {
      *slot = (uint32_t)i + 1;
    }
  }
  return true;
}

bool mv_strings_number(int64_t *number, mv_strings *s, mv_bytes bytes, mv_status *status) {
  *number = -1;
  if (bytes.size == 0) {
    return true;
  }
  if (s->items.count * 2 >= s->slot_count && !grow(s, status)) {
    return false;
  }
  uint32_t *slot = find(s, bytes);
  if (slot != NULL && *slot != 0) {
    *number = *slot - 1;
    return true;
  }
  const char *copy = mv_arena_string(s->arena, bytes, status);
  mv_bytes *item = copy != NULL ? mv_array_push(&s->items, sizeof *item, s->arena, status) : NULL;
  if (item == NULL) {
    return false;
  }
  *item = mv_bytes_of(copy, bytes.size);
  *number = (int64_t)s->items.count - 1;
  if (slot != NULL) {
    *slot = (uint32_t)s->items.count;
  }
  return true;
}

void mv_strings_write(mv_text *text, const mv_strings *s) {
  mv_json_begin(text, '[');
  for (size_t i = 0; i < s->items.count; i++) {
    mv_json_string(text, ((const mv_bytes *)s->items.items)[i]);
  }
  mv_json_end(text, ']');
}
