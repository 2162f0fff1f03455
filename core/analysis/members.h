/* members.h: what a memory space holds, each with the key that it is grouped by.
 *
 *   baseline and untraced allocations   resident: live at every position
 *   blocks of each heap                 live at its peak or not
 */
#ifndef MV_ANALYSIS_MEMBERS_H
#define MV_ANALYSIS_MEMBERS_H

#include "analysis/partition.h"
#include "base/limits.h"
#include "model/module.h"

/* What to group by: an explanation (explanation.h), or what the module says of the buffer itself. */
typedef enum mv_group_by {
  MV_BY_LAYER,
  MV_BY_SCOPE,
  MV_BY_PHASE,
  MV_BY_OP_NAME,     /* attributed_op_name */
  MV_BY_USER_SOURCE, /* user_source_file:user_source_line */
  MV_BY_USED_BY,
  MV_BY_OPCODE,
  MV_BY_SHAPE,
  MV_BY_CATEGORY,
} mv_group_by;

/* The key named so, exactly: 'layer', 'scope', ... False with MV_ARGUMENT, and a message that lists them, when there is
 * none. NULL stands for what is no text. */
bool mv_group_by_find(mv_group_by *out, const char *name, mv_status *status);

const char *mv_group_by_name(mv_group_by by);

typedef struct mv_member {
  uint32_t block; /* into mv_module.blocks; MV_NONE: resident: live at every position */
  bool is_live;   /* at the peak of its heap; what is resident is */
  int64_t size_bytes;
  int64_t unpadded_bytes; /* its size where that is unknown: so peak_unpadded_bytes counts it */
} mv_member;

typedef struct mv_member_list {
  mv_member *items; /* first what is resident, then the blocks of the space in their order */
  mv_key *keys;     /* of each */
  size_t count;
  size_t resident_count;
} mv_member_list;

/* All members of a space, or only those live at the peak, whose sizes then add up to mv_space.peak_bytes. The list
 * lives in `arena`. False when memory ran out or the host wants to stop. */
bool mv_members_of(mv_member_list *out, const mv_module *module, uint32_t space, mv_group_by by, bool only_live,
                   mv_arena *arena, const mv_limits *limits, mv_status *status);

/* The key as it is shown: its text, or 'file:line'; {NULL, 0} when it is unknown. It lives in `arena`, or as long as
 * the module, whatever becomes of the list. Fails with MV_NOMEM only. */
bool mv_key_show(mv_bytes *out, const mv_key *key, mv_group_by by, mv_arena *arena, mv_status *status);

#endif
