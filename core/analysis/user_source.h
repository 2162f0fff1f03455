/* user_source.h: the line of the author's own source that an instruction comes from.
 *
 * The innermost frame of its stack that is in no library; where all are, the innermost one.
 */
#ifndef MV_ANALYSIS_USER_SOURCE_H
#define MV_ANALYSIS_USER_SOURCE_H

#include "model/graph.h"

typedef struct mv_place {
  mv_bytes file; /* {NULL, 0}: unknown */
  int64_t line;  /* 0: unknown */
} mv_place;

typedef struct mv_user_frames { /* {.module, .graph, .arena} is empty */
  const mv_module *module;
  const mv_graph *graph;
  mv_arena *arena;
  uint32_t *found; /* of each frame the id of the nearest that is the author's; MV_NONE: none is; 0: not asked yet */
} mv_user_frames;

/* Fails with MV_NOMEM only. */
bool mv_user_source_find(mv_place *out, mv_user_frames *frames, uint32_t instruction, mv_status *status);

#endif
