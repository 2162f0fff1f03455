/* sort.h: sorting by 64-bit keys in linear time.
 *
 * Least-significant-digit radix sort, eight bits a pass; a digit that is the same in all keys costs one counting and no
 * pass. Stable. No comparison callbacks and no recursion, so hostile keys cost what friendly ones cost.
 */
#ifndef MV_BASE_SORT_H
#define MV_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

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

/* Sort `count` items by key; `scratch` has room for as many. The result is in `items`. */
void mv_sort(mv_keyed *items, mv_keyed *scratch, size_t count);

#endif
