/* diff.h: what the peaks of two compilations of a module are made of, side by side.
 *
 *   before            after
 *   step              step        paired by name, the n-th of a name with the n-th
 *   eval  (1st)       eval
 *   eval  (2nd)       -           on one side only: nothing stands against it
 *
 * The rows of each side's peak are grouped by the same key, so that for each memory space the sums of before_bytes and
 * after_bytes are the two peaks, to the byte, and change_bytes adds up to their difference.
 */
#ifndef MV_ANALYSIS_DIFF_H
#define MV_ANALYSIS_DIFF_H

#include "analysis/members.h"

#define MV_NO_PARTNER SIZE_MAX

typedef struct mv_pair { /* positions in the two lists, one of them may be MV_NO_PARTNER */
  size_t before;
  size_t after;
} mv_pair;

/* Pair equal names of two lists, the n-th with the n-th: those of `before` in their order, then what is only in
 * `after`. A name that is NULL is left out. The pairs live in `arena`; O(n log n). False when memory ran out. */
bool mv_names_pair(mv_pair **out, size_t *count, const char *const *before, size_t before_count,
                   const char *const *after, size_t after_count, mv_arena *arena, mv_status *status);

typedef struct mv_difference {
  const char *memory_space;
  mv_bytes key;                /* {NULL, 0} when unknown */
  int64_t before_buffer_count; /* live at the peak */
  int64_t after_buffer_count;
  int64_t before_bytes; /* -1: the key is only after; likewise after_bytes */
  int64_t after_bytes;
  int64_t change_bytes;
} mv_difference;

/* Append the differences of two modules, one of which may be NULL, space by space (by color of `before`, then what only
 * `after` has), those that changed most first. Spaces are paired by name. The rows and their texts live in `arena` or
 * as long as the modules. False when memory ran out or the host wants to stop. */
bool mv_diff_add(mv_array *out, const mv_module *before, const mv_module *after, mv_group_by by, mv_arena *arena,
                 const mv_limits *limits, mv_status *status);

#endif
