/* occupied.h: how many addresses are covered, while ranges come and go.
 *
 *   addresses   0 ....... 64 ....... 128 ...... 192      cut at every end of a range; equal ends are one cut
 *   tree             [0,192)
 *               [0,128)     [128,192)                    a node knows how often it is covered whole,
 *            [0,64) [64,128)                             and how many addresses of it are covered at all
 *
 * Adding or removing a range touches O(log n) nodes; the covered total stands in the root. The ranges must be known
 * before, since they make the cuts.
 */
#ifndef MV_HEAP_OCCUPIED_H
#define MV_HEAP_OCCUPIED_H

#include "base/arena.h"
#include "base/sort.h"
#include "source/stream.h"

typedef struct mv_range { /* low <= high; an empty range covers nothing */
  int64_t low;
  int64_t high;
} mv_range;

typedef struct mv_occupied mv_occupied;

/* A structure over `count` ranges, none of them covered yet; it lives in `arena`. NULL when memory ran out
 * or the host wants to stop. */
mv_occupied *mv_occupied_new(const mv_range *ranges, size_t count, const mv_limits *limits, mv_arena *arena,
                             mv_status *status);

/* Cover or uncover range number `i` once more or less. */
void mv_occupied_add(mv_occupied *occupied, size_t i);
void mv_occupied_remove(mv_occupied *occupied, size_t i);

/* Addresses covered at least once. */
int64_t mv_occupied_bytes(const mv_occupied *occupied);

#endif
