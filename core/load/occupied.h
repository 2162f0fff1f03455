/* occupied.h: how many addresses are covered, while ranges come and go.
 *
 *   addresses   0 ....... 64 ....... 128 ...... 192      cut at every end of a range; equal ends are one cut
 *   words           1         1          0               a bit for each stretch between two cuts: it is covered
 *                   0         1          0               and one more: it is covered twice
 *
 *   tree             [0,192)
 *               [0,128)     [128,192)                    a node knows how often it is covered whole,
 *            [0,64) [64,128)                             and how many addresses of it are covered at all
 *
 * A packed heap has hardly two blocks at one address, and blocks that take few stretches: adding or removing a range
 * then changes a word or two. Where that does not hold (a third range at one address, or too many words changed in
 * all) a tree takes over, and each change costs O(log n) nodes. The ranges must be known before, since they make the
 * cuts.
 */
#ifndef MV_LOAD_OCCUPIED_H
#define MV_LOAD_OCCUPIED_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/sort.h"

typedef struct mv_range { /* 0 <= low <= high; an empty range covers nothing */
  int64_t low;
  int64_t high;
} mv_range;

typedef struct mv_occupied mv_occupied;

/* A structure over `count` ranges, none of them covered yet; it lives in `arena`. NULL when memory ran out
 * or the host wants to stop. */
mv_occupied *mv_occupied_new(const mv_range *ranges, size_t count, const mv_limits *limits, mv_arena *arena,
                             mv_status *status);

/* Cover or uncover range number `i` once more or less. False when memory ran out or the host wants to stop. */
bool mv_occupied_add(mv_occupied *occupied, size_t i, mv_status *status);
void mv_occupied_remove(mv_occupied *occupied, size_t i);

/* Addresses covered at least once. */
int64_t mv_occupied_bytes(const mv_occupied *occupied);

#endif
