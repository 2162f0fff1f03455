/* groups.h: what a memory space holds, in groups, by how much the peak falls without each. */
#ifndef MV_ANALYSIS_GROUPS_H
#define MV_ANALYSIS_GROUPS_H

#include "analysis/members.h"

typedef struct mv_group {
  mv_bytes key; /* {NULL, 0} when unknown */
  uint32_t space;
  uint64_t number;         /* that no other group of the module has, by whatever key: its first member's */
  int64_t buffer_count;    /* of what is live at the peak, as the next two */
  int64_t size_bytes;
  int64_t unpadded_bytes;
  int64_t saving_bytes;            /* of all members, live at the peak or not */
  int64_t cumulative_saving_bytes; /* of this group and all before it together */
} mv_group;

/* Append the groups of a space to `out` (of mv_group, in `arena`), by saving, largest first; then by size, then key.
 * The keys live in `arena` or as long as the module. False when memory ran out or the host wants to stop. */
bool mv_groups_add(mv_array *out, const mv_module *module, uint32_t space, mv_group_by by, mv_arena *arena,
                   const mv_limits *limits, mv_status *status);

#endif
