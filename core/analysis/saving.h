/* saving.h: by how much the peak of a heap would fall if some of its blocks did not exist, all else unchanged.
 *
 *   position      0  1  2  3  4  5
 *   heap          0  4  7  3  6  0      the peak is 7
 *   of the group     4  4               live bytes of the group's blocks
 *   what is left  0  0  3  3  6  0      without it the peak is 6: the group saves 1, though 4 of the 7 bytes are its
 * own
 *
 * saving(group) = peak - max over positions (heap - live bytes of the group)
 *
 * One sweep over the positions answers for all groups of a partition. Between two events of a group its live bytes do
 * not change, so the largest value of the heap between them decides. A stack of the positions that no later one
 * exceeds gives that maximum by binary search:
 *
 *   heap          0  4  7  3  6         swept up to here
 *   stack               7     6         the first entry at or behind p is the maximum from p on
 *
 * n positions and k blocks take O(n + k log n) time and O(n + groups) memory, also for the cumulative savings, which
 * take the groups off a tree of maxima one after the other.
 */
#ifndef MV_ANALYSIS_SAVING_H
#define MV_ANALYSIS_SAVING_H

#include "base/limits.h"
#include "model/module.h"

/* Add to savings[g] what the peak of a space falls by without all blocks of group g, over all its heaps. `group_of` has
 * the group of each block of the space, in the order of mv_module.blocks. What does not fit into 63 bits is INT64_MAX.
 * False when memory ran out or the host wants to stop. */
bool mv_saving_add_groups(int64_t *savings, const uint32_t *group_of, uint32_t group_count, const mv_module *module,
                          uint32_t space, const mv_limits *limits, mv_status *status);

/* Add to savings[r] by how much the peak of a space falls further when the blocks of rank r go after those of all ranks
 * below: savings[0] + ... + savings[r] is what ranks 0 to r save together. `rank_of` is as `group_of` above. */
bool mv_saving_add_cumulative(int64_t *savings, const uint32_t *rank_of, const mv_module *module, uint32_t space,
                              const mv_limits *limits, mv_status *status);

/* What each block of the module saves by itself, by its index in mv_module.blocks: min(size, peak - largest value of
 * the heap outside the block) when it is live at the peak of its heap, else 0. NULL when memory ran out or the host
 * wants to stop. Found at the first call, and kept with the module. */
const int64_t *mv_saving_of_blocks(const mv_module *module, const mv_limits *limits, mv_status *status);

/* The blocks of a space stand together in mv_module.blocks: the first one's index, and how many there are. */
uint32_t mv_space_first_block(const mv_module *module, uint32_t space);
uint32_t mv_space_block_count(const mv_module *module, uint32_t space);

/* a + b, at most INT64_MAX; both are 0 or more. */
static inline int64_t mv_add_capped(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

#endif
