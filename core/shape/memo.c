#include "shape/memo.h"

#include "base/hash.h"

enum {
  SLOTS = 2048,
  MAX_STEPS = 8,            /* bytes made to collide must not cost more than others */
  MAX_SHAPES = SLOTS / 2,   /* remembered */
  MAX_BYTES = 1 << 20,      /* of them all */
  LARGEST = MAX_BYTES / 64, /* text that is remembered */
};

typedef struct mv_shape_entry {
  mv_bytes proto;
  mv_bytes text; /* {NULL, 0} where the slot is free */
} mv_shape_entry;

/* The slot of a shape, or the free one where it belongs; NULL when there is neither within MAX_STEPS. */
static mv_shape_entry *find(const mv_shape_memo *memo, mv_bytes proto) {
  size_t at = (size_t)mv_hash(proto);
  for (int i = 0; i < MAX_STEPS; i++) {
    mv_shape_entry *entry = &memo->entries[at++ % SLOTS];
    if (entry->text.data == NULL || mv_bytes_equal(entry->proto, proto)) {
      return entry;
    }
  }
  return NULL;
}

static bool begin(mv_shape_memo *memo, mv_status *status) {
  if (memo->arena == NULL) {
    memo->arena = mv_arena_new(status);
  }
  if (memo->scratch == NULL) {
    memo->scratch = mv_arena_new(status);
  }
  if (memo->arena == NULL || memo->scratch == NULL) {
    return false;
  }
  mv_arena_reset(memo->arena);
  memo->count = 0;
  memo->entries = mv_arena_zalloc(memo->arena, SLOTS, sizeof *memo->entries, status);
  return memo->entries != NULL;
}

static bool print(mv_shape_memo *memo, mv_bytes proto, mv_status *status) {
  mv_status local = MV_STATUS_INIT;
  mv_shape shape;
  mv_text_clear(&memo->text);
  mv_arena_reset(memo->scratch);
  if (mv_shape_decode(&shape, proto, memo->scratch, &local)) {
    mv_shape_print(&memo->text, &shape);
  }
  return (local.code != MV_NOMEM && !memo->text.failed) || mv_fail_nomem(status);
}

bool mv_shape_memo_text(mv_bytes *out, mv_shape_memo *memo, mv_bytes proto, mv_status *status) {
  *out = mv_bytes_of(NULL, 0);
  if ((memo->entries == NULL || memo->count == MAX_SHAPES || mv_arena_footprint(memo->arena) > MAX_BYTES) &&
      !begin(memo, status)) {
    return false;
  }
  mv_shape_entry *entry = find(memo, proto);
  if (entry != NULL && entry->text.data != NULL) {
    *out = entry->text;
    return true;
  }
  if (!print(memo, proto, status)) {
    return false;
  }
  if (memo->text.size == 0) {
    return true; /* no shape: every one has a text */
  }
  *out = mv_bytes_of(memo->text.data, memo->text.size);
  if (entry == NULL || proto.size > LARGEST || out->size > LARGEST) {
    return true;
  }
  const char *key = mv_arena_string(memo->arena, proto, status);
  const char *text = key != NULL ? mv_arena_string(memo->arena, *out, status) : NULL;
  if (text == NULL) {
    return false;
  }
  *entry = (mv_shape_entry){mv_bytes_of(key, proto.size), mv_bytes_of(text, out->size)};
  memo->count++;
  return true;
}

void mv_shape_memo_free(mv_shape_memo *memo) {
  mv_arena_free(memo->arena);
  mv_arena_free(memo->scratch);
  mv_text_free(&memo->text);
  *memo = (mv_shape_memo){0};
}
