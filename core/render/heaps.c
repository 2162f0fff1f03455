#include "render/heaps.h"

#include "base/sort.h"

bool mv_largest_heaps(uint32_t *out, size_t *count, size_t most, const mv_module *m, uint32_t space,
                      mv_heap_size *size_of, mv_arena *arena, mv_status *status) {
  const mv_space *s = &m->spaces[space];
  const size_t n = s->heap_count;
  mv_keyed *keys = mv_sort_alloc(arena, n, status);
  if (keys == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t heap = s->first_heap + i;
    keys[i] = (mv_keyed){UINT64_MAX - (uint64_t)size_of(m, &m->heaps[heap]), heap}; /* largest first */
  }
  mv_sort(keys, n);
  *count = n < most ? n : most;
  for (size_t i = 0; i < *count; i++) {
    keys[i].key = keys[i].index;
  }
  mv_sort(keys, *count);
  for (size_t i = 0; i < *count; i++) {
    out[i] = keys[i].index;
  }
  return true;
}
