/* finding.h: one thing an expert would say of a module's memory; the kinds are explained in findings.h. */
#ifndef MV_ANALYSIS_FINDING_H
#define MV_ANALYSIS_FINDING_H

#include "model/module.h"

typedef enum mv_finding_kind {
  MV_FINDING_OVER_CAPACITY,
  MV_FINDING_GROUP,
  MV_FINDING_COPY,
  MV_FINDING_PADDING,
  MV_FINDING_DONATION,
  MV_FINDING_UNUSED,
  MV_FINDING_OVERLAP,
} mv_finding_kind;

typedef struct mv_finding {
  uint8_t kind; /* mv_finding_kind */
  uint32_t space;
  uint32_t buffer;     /* MV_NONE: it is of no single buffer */
  uint32_t allocation; /* MV_NONE: it is of no single allocation */
  int64_t bytes;       /* what there is to save, at most */
  mv_bytes key;  /* the layer of a group, the attributed_op_name of a buffer; {NULL, 0}: unknown, or there is none */
  mv_bytes text; /* one sentence, valid UTF-8 in one line */
} mv_finding;

#endif
