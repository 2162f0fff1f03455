/* scope_memo.h: what op_names tell, each taken apart once.
 *
 * A module has some thousand different op_names on all of its instructions. They are found again by all their bytes. A
 * very long one is found only at the same place, so that many instructions that share one are not slow; and one that a
 * file makes to collide with many others is taken apart each time.
 */
#ifndef MV_ANALYSIS_SCOPE_MEMO_H
#define MV_ANALYSIS_SCOPE_MEMO_H

#include "analysis/scope.h"

typedef struct mv_scope {
  mv_bytes op_name;
  uint64_t hash;
  mv_bytes path; /* {NULL} until mv_scope_memo_path */
  mv_bytes path_layer;
  mv_bytes name_layer; /* of the op_name as if it were a path: what an argument has; {NULL} until asked for */
  mv_phase phase;
  bool is_argument; /* an argument of the program has the name; the owner of the memo says so */
} mv_scope;

typedef struct mv_scope_memo { /* {.arena} is empty */
  mv_arena *arena;
  mv_scope **slots;
  uint32_t slot_count; /* a power of two */
  uint32_t count;
} mv_scope_memo;

/* The scope of an op_name, whose bytes must outlive the memo. NULL when memory ran out. */
mv_scope *mv_scope_memo_find(mv_scope_memo *memo, mv_bytes op_name, mv_status *status);

/* Fill path and path_layer; name_layer. */
bool mv_scope_memo_path(mv_scope_memo *memo, mv_scope *scope, mv_status *status);
bool mv_scope_memo_name_layer(mv_scope_memo *memo, mv_scope *scope, mv_status *status);

#endif
