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

typedef struct mv_peak_list {
  const mv_peak *items; /* of each heap in turn, highest first; a heap has one at least */
  size_t count;
} mv_peak_list;

/* The peaks of all heaps of a module, found at the first call and kept with it. NULL when memory ran out or the host
 * wants to stop. */
const mv_peak_list *mv_module_peaks(const mv_module *module, const mv_limits *limits, mv_status *status);

#endif
