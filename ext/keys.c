#include "keys.h"

SQLITE_EXTENSION_INIT3

typedef struct row_index {
  struct row_index *next;
  mv_key_function *key_of;
  const void *base; /* of the rows it is over */
  size_t count;
  uint64_t *keys;  /* sorted */
  uint32_t *order; /* rows in that order; NULL when they stand so already */
} row_index;

static row_index *find(const mv_module *module, mv_key_function *key_of, const mv_rows *rows) {
  for (row_index *i = module->row_indexes; i != NULL; i = i->next) {
    if (i->key_of == key_of && i->base == rows->base && i->count == rows->count) {
      return i;
    }
  }
  return NULL;
}

static row_index *build(mv_module *module, mv_key_function *key_of, const mv_rows *rows, mv_status *status) {
  row_index *index = mv_arena_zalloc(module->arena, 1, sizeof *index, status);
  mv_arena *scratch = mv_arena_new(status);
  mv_keyed *items = NULL;
  if (index != NULL && scratch != NULL) {
    items = mv_sort_alloc(scratch, rows->count, status);
    index->keys = mv_arena_zalloc(module->arena, rows->count, sizeof *index->keys, status);
  }
  if (items == NULL || index->keys == NULL) {
    mv_arena_free(scratch);
    return NULL;
  }
  for (size_t i = 0; i < rows->count; i++) {
    items[i] = (mv_keyed){mv_sort_key(key_of(module, (const char *)rows->base + i * rows->stride)), (uint32_t)i};
  }
  mv_sort(items, rows->count);
  bool in_order = true;
  for (size_t i = 0; i < rows->count; i++) {
    index->keys[i] = items[i].key;
    in_order = in_order && items[i].index == i;
  }
  if (!in_order) {
    index->order = mv_arena_zalloc(module->arena, rows->count, sizeof *index->order, status);
    for (size_t i = 0; index->order != NULL && i < rows->count; i++) {
      index->order[i] = items[i].index;
    }
  }
  mv_arena_free(scratch);
  if (!in_order && index->order == NULL) {
    return NULL;
  }
  index->key_of = key_of;
  index->base = rows->base;
  index->count = rows->count;
  index->next = module->row_indexes;
  module->row_indexes = index;
  return index;
}

/* The first key that is not smaller than `key`. */
static size_t lower_bound(const row_index *index, uint64_t key) {
  size_t low = 0;
  size_t high = index->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (index->keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool mv_rows_select(mv_rows *rows, mv_key_function *key_of, int64_t key, mv_module *module, mv_status *status) {
  if (rows->count == 0) {
    return true;
  }
  const row_index *index = find(module, key_of, rows);
  if (index == NULL) {
    index = build(module, key_of, rows, status);
    if (index == NULL) {
      return false;
    }
  }
  const uint64_t wanted = mv_sort_key(key);
  const size_t low = lower_bound(index, wanted);
  size_t high = index->count;
  if (wanted < UINT64_MAX) {
    high = lower_bound(index, wanted + 1);
  }
  rows->count = high - low;
  if (index->order != NULL) {
    rows->order = index->order + low;
  } else {
    rows->base = (const char *)rows->base + low * rows->stride;
  }
  return true;
}
