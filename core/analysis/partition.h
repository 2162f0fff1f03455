/* partition.h: items by equal keys.
 *
 *   keys       b  a  b  -  a
 *   group_of   0  1  0  2  1      groups are numbered; which gets which number means nothing
 *   first      0  1  3            an item of each
 *
 * Sorted by a hash, and within one hash by the keys themselves: O(n log n) whatever the keys are.
 */
#ifndef MV_ANALYSIS_PARTITION_H
#define MV_ANALYSIS_PARTITION_H

#include "base/arena.h"

/* A text and a number; equal when both are. Unknown ({NULL, 0}) is another text than the empty one. */
typedef struct mv_key {
  mv_bytes text;
  int64_t number;
} mv_key;

typedef struct mv_partition {
  uint32_t *group_of; /* of each item */
  uint32_t *first;    /* the smallest item of each group */
  uint32_t count;     /* of groups */
} mv_partition;

/* At most UINT32_MAX items. The arrays live in `arena`. False when memory ran out. */
bool mv_partition_make(mv_partition *out, const mv_key *keys, size_t count, mv_arena *arena, mv_status *status);

/* By bytes, then number; unknown comes last. */
int mv_key_compare(const mv_key *a, const mv_key *b);

#endif
