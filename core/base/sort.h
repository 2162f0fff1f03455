/* sort.h: sorting by 64-bit keys in linear time.
 *
 * Least-significant-digit radix sort, eight bits a pass; a digit that is the same in all keys costs one counting and no
 * pass. Stable. No comparison callbacks and no recursion, so hostile keys cost what friendly ones cost.
 */
#ifndef MV_BASE_SORT_H
#define MV_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct mv_keyed {
  uint64_t key;
  uint32_t index; /* what the key belongs to */
} mv_keyed;

/* The order-preserving map from signed to unsigned keys. */
static inline uint64_t mv_sort_key(int64_t value) {
  return (uint64_t)value ^ (UINT64_C(1) << 63);
}

static inline int64_t mv_sort_value(uint64_t key) {
  return (int64_t)(key ^ (UINT64_C(1) << 63));
}

/* Room for `count` items to be sorted, not initialised; NULL when memory ran out. */
mv_keyed *mv_sort_alloc(mv_arena *arena, size_t count, mv_status *status);

/* Sort `count` items by key. REQUIRES: room for as many behind them, as mv_sort_alloc gives. */
void mv_sort(mv_keyed *items, size_t count);

#endif
