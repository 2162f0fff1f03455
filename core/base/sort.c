#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

enum { DIGITS = 8, VALUES = 256 };

static bool is_sorted(const mv_keyed *items, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (items[i - 1].key > items[i].key) {
      return false;
    }
  }
  return true;
}

void mv_sort(mv_keyed *items, mv_keyed *scratch, size_t count) {
  if (is_sorted(items, count)) {
    return;
  }
  size_t counts[DIGITS][VALUES];
  memset(counts, 0, sizeof counts);
  for (size_t i = 0; i < count; i++) {
    for (unsigned d = 0; d < DIGITS; d++) {
      counts[d][items[i].key >> (8 * d) & 0xFF]++;
    }
  }
  mv_keyed *from = items;
  mv_keyed *to = scratch;
  for (unsigned d = 0; d < DIGITS; d++) {
    if (counts[d][items[0].key >> (8 * d) & 0xFF] == count) {
      continue; /* the same digit everywhere */
    }
    size_t at[VALUES];
    size_t sum = 0;
    for (size_t v = 0; v < VALUES; v++) {
      at[v] = sum;
      sum += counts[d][v];
    }
    for (size_t i = 0; i < count; i++) {
      to[at[from[i].key >> (8 * d) & 0xFF]++] = from[i];
    }
    mv_keyed *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) {
    memcpy(items, from, count * sizeof *items);
  }
}
