/* explanation.h: what a buffer is to the program that was compiled: placeholder, to be replaced at merge. */
#ifndef MV_ANALYSIS_EXPLANATION_H
#define MV_ANALYSIS_EXPLANATION_H

#include "base/limits.h"
#include "model/module.h"

typedef struct mv_explanation {
  mv_bytes attributed_op_name; /* {NULL, 0}: unknown, as in the following */
  mv_bytes used_by;
  mv_bytes scope;
  mv_bytes layer;
  mv_bytes user_source_file;
  int64_t user_source_line;
  uint8_t attribution;
  uint8_t phase;
} mv_explanation;

/* Of a buffer; of a baseline allocation. NULL when memory ran out or the host wants to stop. */
const mv_explanation *mv_explain_buffer(const mv_module *module, uint32_t buffer, const mv_limits *limits,
                                        mv_status *status);
const mv_explanation *mv_explain_allocation(const mv_module *module, uint32_t allocation, const mv_limits *limits,
                                            mv_status *status);

/* 'forward', 'backward', ...; NULL when unknown. Static. */
const char *mv_phase_name(uint8_t phase);

#endif
