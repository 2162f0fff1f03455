/* groups.h: what a memory space holds, in groups, by how much the peak falls without each. */
#ifndef MV_ANALYSIS_GROUPS_H
#define MV_ANALYSIS_GROUPS_H

#include "analysis/members.h"

typedef struct mv_group {
  mv_bytes key; /* {NULL, 0} when unknown */
  uint32_t space;
  int64_t buffer_count; /* of what is live at the peak, as the next two */
  int64_t size_bytes;
  int64_t unpadded_bytes;
  int64_t saving_bytes;            /* of all members, live at the peak or not */
  int64_t cumulative_saving_bytes; /* of this group and all before it together */
} mv_group;

typedef struct mv_group_list {
  const mv_group *items; /* the spaces one behind the other; in each by saving, largest first, then by size, then key */
  size_t count;
} mv_group_list;

/* The groups of all spaces of a module, found at the first call for a key and kept with the module. NULL when memory
 * ran out or the host wants to stop. */
const mv_group_list *mv_module_groups(const mv_module *module, mv_group_by by, const mv_limits *limits,
                                      mv_status *status);

#endif
