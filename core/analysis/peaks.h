/* peaks.h: the local maxima of a heap's curve, each with its prominence.
 *
 *          8                     height 8, prominence 8 - 0: of the highest, down to the lowest point of all
 *         / \     6
 *    5   /   \   / \             height 6, prominence 6 - 2: it takes a descent to 2 to get to a higher one
 *   / \ /     \_/   \
 *  /   3       2     \           height 5, prominence 5 - 3
 * 0                   0
 *
 * Of a plateau, and of peaks of one height, the first counts as the higher one. The curve is flooded from above:
 * positions come in order of height, neighbours join, and where two stretches meet the lower summit's prominence is
 * known. O(n log n) for n positions at most; the order is a radix sort's.
 */
#ifndef MV_ANALYSIS_PEAKS_H
#define MV_ANALYSIS_PEAKS_H

#include "base/limits.h"
#include "model/module.h"

typedef struct mv_peak {
  uint32_t heap;
  int64_t position;
  int64_t bytes; /* as in the curve of the space: with what is resident: live at every position */
  int64_t prominence_bytes;
} mv_peak;

/* Append the peaks of a heap to `out` (of mv_peak, in `arena`), highest first. A heap has one at least. False when
 * memory ran out or the host wants to stop. */
bool mv_peaks_add(mv_array *out, const mv_module *module, uint32_t heap, mv_arena *arena, const mv_limits *limits,
                  mv_status *status);

#endif
