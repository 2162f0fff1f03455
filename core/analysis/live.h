/* live.h: what holds memory at one position: the rows of peak_buffers, and the bars of the picture. */
#ifndef MV_ANALYSIS_LIVE_H
#define MV_ANALYSIS_LIVE_H

#include "model/module.h"

typedef struct mv_live {
  uint32_t space;
  uint32_t allocation; /* MV_NONE for a block of a heap without one */
  uint32_t buffer;     /* that names it; MV_NONE for an allocation without buffers */
  uint64_t number;     /* of the row, whatever is asked for: its allocation's, then its block's */
  int64_t position;    /* in its heap; of what is live throughout, in its space's largest heap */
  int64_t size_bytes;
  int64_t unpadded_bytes; /* -1 when unknown */
  int64_t offset_bytes;   /* -1 for the baseline and what is untraced */
  int64_t start_position; /* -1 for what is untraced, as the next */
  int64_t end_position;
} mv_live;

typedef struct mv_live_list {
  mv_live *items; /* baseline and untraced in order of allocation; then the blocks of each heap in order of start */
  size_t count;
} mv_live_list;

/* What is live in one space at the peak of each of its heaps (`at` < 0) or at position `at` of each of them. The list
 * lives in `arena`. The sizes add up to mv_space.peak_bytes at the peak. */
bool mv_live_at(mv_live_list *out, const mv_module *module, uint32_t space, int64_t at, mv_arena *arena,
                mv_status *status);

/* A block as what it is while it lives, at its first position. */
mv_live mv_live_of_block(const mv_module *module, const mv_block *block);

#endif
