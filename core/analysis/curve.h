/* curve.h: the curve of one heap as analyses walk it: the live bytes of its blocks, without what the space holds at
 * every position. */
#ifndef MV_ANALYSIS_CURVE_H
#define MV_ANALYSIS_CURVE_H

#include "base/limits.h"
#include "model/module.h"

typedef struct mv_curve {
  const mv_position *positions;
  size_t count;     /* events + 1 */
  int64_t constant; /* what every position contains beside the heap: nothing is live at position 0 */
} mv_curve;

static inline mv_curve mv_curve_of(const mv_module *module, const mv_heap *heap) {
  const mv_position *positions = &module->positions[heap->first_position];
  return (mv_curve){positions, (size_t)heap->event_count + 1, positions[0].bytes};
}

static inline int64_t mv_curve_at(mv_curve curve, size_t position) {
  return curve.positions[position].bytes - curve.constant;
}

/* Called with the number of each step of a loop over positions, blocks, heaps or spaces: asks now and then whether the
 * host wants to stop. */
static inline bool mv_curve_step(size_t step, const mv_limits *limits, mv_status *status) {
  enum { LOOK_EVERY = 4096 };
  return step % LOOK_EVERY != LOOK_EVERY - 1 || mv_check_interrupt(limits, status);
}

#endif
