/* families.h: generated modules. The same arguments give the same bytes.
 *
 *   peaks      every event is an ALLOC at an address of its own: each position is a new peak
 *   live       half of the events allocate, then the other half free, in another order: count / 2 buffers live at once
 *   one        as live, but every buffer lies at offset 0: all share one address
 *   chains     one ALLOC, then each buffer shares with the one before it, then all are freed: chains count / 2 deep
 *   churn      buffers of all sizes come and go, 1,000 of them live at a time, as in a real heap
 *   step       a training step: computations, fusions, metadata and backend configs in a real dump's proportions
 */
#ifndef MV_BENCH_FAMILIES_H
#define MV_BENCH_FAMILIES_H

#include "pb.h"

typedef struct family {
  const char *name;
  const char *doc;
  /* Append an HloProto with about `count` heap events to `out`. */
  void (*write)(pb *out, uint32_t count, const char *module);
} family;

extern const family families[];
extern const size_t family_count;

/* NULL when there is none of this name. */
const family *family_find(const char *name);

#endif
