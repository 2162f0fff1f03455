#include "keys.h"

SQLITE_EXTENSION_INIT3

/* Which index of a module is meant: that of a key over rows. */
typedef struct index_key {
  mv_key_function *key_of;
  const void *base;
  size_t count;
  size_t stride;
} index_key;

typedef struct row_index {
  uint64_t *keys;  /* sorted */
  uint32_t *order; /* rows in that order; NULL when they stand so already */
  size_t count;
} row_index;

static bool make(void *out, const mv_module *module, const void *which, mv_derivation *d) {
  row_index *index = out;
  const index_key *rows = which;
  mv_keyed *items = mv_sort_alloc(d->scratch, rows->count, d->status);
  index->keys = mv_arena_alloc(d->arena, rows->count * sizeof *index->keys, d->status);
  if (items == NULL || index->keys == NULL) {
    return false;
  }
  for (size_t i = 0; i < rows->count; i++) {
    items[i] = (mv_keyed){mv_sort_key(rows->key_of(module, (const char *)rows->base + i * rows->stride)), (uint32_t)i};
  }
  mv_sort(items, rows->count);
  bool in_order = true;
  for (size_t i = 0; i < rows->count; i++) {
    index->keys[i] = items[i].key;
    in_order = in_order && items[i].index == i;
  }
  index->count = rows->count;
  if (in_order) {
    return true;
  }
  index->order = mv_arena_alloc(d->arena, rows->count * sizeof *index->order, d->status);
  for (size_t i = 0; index->order != NULL && i < rows->count; i++) {
    index->order[i] = items[i].index;
  }
  return index->order != NULL;
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

bool mv_rows_select(mv_rows *rows, mv_key_function *key_of, int64_t key, const mv_module *module,
                    mv_status *status) {
  static const mv_derived_kind kind = {sizeof(row_index), sizeof(index_key), make};
  if (rows->count == 0) {
    return true;
  }
  const index_key which = {key_of, rows->base, rows->count, rows->stride};
  const row_index *index = mv_module_derived(module, &kind, &which, NULL, status);
  if (index == NULL) {
    return false;
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
