/* user_source.h: the line of the author's own source that an instruction comes from.
 *
 * The innermost frame of its stack that is in no library; where all are, the innermost one.
 */
#ifndef MV_ANALYSIS_USER_SOURCE_H
#define MV_ANALYSIS_USER_SOURCE_H

#include "model/module.h"

typedef struct mv_place {
  mv_bytes file; /* {NULL, 0}: unknown */
  int64_t line;  /* 0: unknown */
} mv_place;

typedef struct mv_user_frames { /* {.module, .arena} is empty */
  mv_module *module;
  mv_arena *arena;
  uint32_t *found; /* of each frame 1 + the frame that is the author's, NO_FRAME, or 0: not looked for yet */
} mv_user_frames;

/* Fails with MV_NOMEM only. */
bool mv_user_source_find(mv_place *out, mv_user_frames *frames, uint32_t instruction, mv_status *status);

#endif
