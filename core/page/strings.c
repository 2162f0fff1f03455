#include "page/strings.h"

#include "base/hash.h"
#include "base/json_write.h"

/* A text that is not found within so many steps is kept a second time: finding all doubles only saves room, and names
 * made to collide must not cost more than others. */
enum { MAX_STEPS = 32, FIRST_SLOTS = 1024 };

mv_strings mv_strings_of(mv_arena *arena) {
  return (mv_strings){.arena = arena};
}

/* The slot of a text or the free one where it belongs; NULL when there is neither within MAX_STEPS. `bytes` NULL: any
 * free one. */
static mv_string_slot *find(mv_strings *s, uint32_t hash, const mv_bytes *bytes) {
  const mv_bytes *items = s->items.items;
  for (size_t i = 0; i < MAX_STEPS; i++) {
    mv_string_slot *slot = &s->slots[(hash + i) & (s->slot_count - 1)];
    if (slot->number == 0 || (bytes != NULL && slot->hash == hash && mv_bytes_equal(items[slot->number - 1], *bytes))) {
      return slot;
    }
  }
  return NULL;
}

static bool grow(mv_strings *s, mv_status *status) {
  const mv_string_slot *old = s->slots;
  const size_t old_count = s->slot_count;
  const size_t count = old_count == 0 ? FIRST_SLOTS : old_count * 2;
  mv_string_slot *slots = mv_arena_zalloc(s->arena, count, sizeof *slots, status);
  if (slots == NULL) {
    return false;
  }
  s->slots = slots;
  s->slot_count = count;
  for (size_t i = 0; i < old_count; i++) {
    mv_string_slot *slot = old[i].number != 0 ? find(s, old[i].hash, NULL) : NULL;
    if (slot != NULL) {
      *slot = old[i];
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
  const uint32_t hash = (uint32_t)mv_hash(bytes);
  mv_string_slot *slot = find(s, hash, &bytes);
  if (slot != NULL && slot->number != 0) {
    *number = slot->number - 1;
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
    *slot = (mv_string_slot){(uint32_t)s->items.count, hash};
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
