#include "base/sort.h"

#include <string.h>

enum { DIGITS = 8, VALUES = 256 };

/* The bits in which the keys differ; 0 with *is_sorted when there is nothing to do. */
static uint64_t differing_bits(const mv_keyed *items, size_t count, bool *is_sorted) {
  uint64_t bits = 0;
  *is_sorted = true;
  for (size_t i = 1; i < count; i++) {
    bits |= items[i].key ^ items[0].key;
    *is_sorted = *is_sorted && items[i - 1].key <= items[i].key;
  }
  return bits;
}

mv_keyed *mv_sort_alloc(mv_arena *arena, size_t count, mv_status *status) {
  if (count > SIZE_MAX / 2 / sizeof(mv_keyed)) {
    mv_fail_nomem(status);
    return NULL;
  }
  return mv_arena_alloc(arena, 2 * count * sizeof(mv_keyed), status);
}

void mv_sort(mv_keyed *items, size_t count) {
  bool is_sorted;
  const uint64_t bits = differing_bits(items, count, &is_sorted);
  if (is_sorted) {
    return;
  }
  mv_keyed *from = items;
  mv_keyed *to = items + count;
  for (unsigned shift = 0; shift < 8 * DIGITS; shift += 8) {
    if ((bits >> shift & 0xFF) == 0) {
      continue; /* the same digit everywhere */
    }
    size_t at[VALUES + 1] = {0};
    for (size_t i = 0; i < count; i++) {
      at[(from[i].key >> shift & 0xFF) + 1]++;
    }
    for (size_t v = 1; v <= VALUES; v++) {
      at[v] += at[v - 1];
    }
    for (size_t i = 0; i < count; i++) {
      to[at[from[i].key >> shift & 0xFF]++] = from[i];
    }
    mv_keyed *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) {
    memcpy(items, from, count * sizeof *items);
  }
}
