#include "analysis/partition.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/sort.h"

int mv_key_compare(const mv_key *a, const mv_key *b) {
  if (a->text.data == NULL || b->text.data == NULL) {
    return (a->text.data == NULL) - (b->text.data == NULL);
  }
  const size_t common = a->text.size < b->text.size ? a->text.size : b->text.size;
  const int by_text = common > 0 ? memcmp(a->text.data, b->text.data, common) : 0;
  if (by_text != 0 || a->text.size != b->text.size) {
    return by_text != 0 ? by_text : a->text.size < b->text.size ? -1 : 1;
  }
  return (a->number > b->number) - (a->number < b->number);
}

static uint64_t hash_of(const mv_key *key) {
  return key->text.data == NULL ? 0 : mv_hash(key->text) + (uint64_t)key->number * UINT64_C(0x9E3779B97F4A7C15);
}

static int compare_pointers(const void *a, const void *b) {
  const mv_key *x = *(const mv_key *const *)a;
  const mv_key *y = *(const mv_key *const *)b;
  const int by_key = mv_key_compare(x, y);
  return by_key != 0 ? by_key : (x > y) - (x < y);
}

/* Items of one hash into groups; they stand in their own order. */
static void divide(mv_partition *out, const mv_keyed *items, size_t count, const mv_key *keys, const mv_key **sorted) {
  bool is_one = true;
  for (size_t i = 0; i < count; i++) {
    sorted[i] = &keys[items[i].index];
    is_one = is_one && mv_key_compare(sorted[0], sorted[i]) == 0;
  }
  if (!is_one) {
    qsort(sorted, count, sizeof *sorted, compare_pointers);
  }
  for (size_t i = 0; i < count; i++) {
    const uint32_t item = (uint32_t)(sorted[i] - keys);
    if (i == 0 || (!is_one && mv_key_compare(sorted[i - 1], sorted[i]) != 0)) {
      out->first[out->count++] = item;
    }
    out->group_of[item] = out->count - 1;
  }
}

bool mv_partition_make(mv_partition *out, const mv_key *keys, size_t count, mv_arena *arena, mv_status *status) {
  *out = (mv_partition){
      .group_of = mv_arena_alloc(arena, count * sizeof *out->group_of, status),
      .first = mv_arena_alloc(arena, count * sizeof *out->first, status),
  };
  mv_arena *scratch = mv_arena_new(status);
  mv_keyed *items = scratch != NULL ? mv_sort_alloc(scratch, count, status) : NULL;
  const mv_key **sorted = items != NULL ? mv_arena_alloc(scratch, count * sizeof *sorted, status) : NULL;
  const bool ok = out->group_of != NULL && out->first != NULL && sorted != NULL;
  if (ok) {
    for (size_t i = 0; i < count; i++) {
      items[i] = (mv_keyed){hash_of(&keys[i]), (uint32_t)i};
    }
    mv_sort(items, count);
    for (size_t i = 0, end; i < count; i = end) {
      for (end = i + 1; end < count && items[end].key == items[i].key; end++) {}
      divide(out, items + i, end - i, keys, sorted);
    }
  }
  mv_arena_free(scratch);
  return ok;
}
