/* explanation.h: what a buffer is to the program as its author wrote it.
 *
 *   buffer --origin.h----> the instruction that names its data ---> attributed_op_name ---> phase, scope, layer
 *          \-last_use.h--> the op that needs it last -------------> used_by
 *                                                       either ---> the line of the author's own source
 *
 * Explanations are made one by one at the first question, and kept with the module.
 */
#ifndef MV_ANALYSIS_EXPLANATION_H
#define MV_ANALYSIS_EXPLANATION_H

#include "analysis/attribution.h"
#include "analysis/scope.h"
#include "base/limits.h"
#include "model/module.h"

/* Of each text {NULL, 0} is unknown. They live as long as the module. */
typedef struct mv_explanation {
  mv_bytes attributed_op_name;
  mv_bytes used_by; /* an op_name, or "result": it leaves the program */
  mv_bytes scope;   /* of size 0 where the name has no scope; the name itself for an argument */
  mv_bytes layer;   /* likewise */
  mv_bytes user_source_file;
  int64_t user_source_line; /* 0: unknown */
  uint8_t attribution;      /* mv_attribution */
  uint8_t phase;            /* mv_phase */
} mv_explanation;

/* Explain a buffer: what a row of `buffers` or a block of a heap shows. Fails with MV_NOMEM, MV_INTERRUPTED, and as
 * mv_module_graph does. */
const mv_explanation *mv_explain_buffer(const mv_module *module, uint32_t buffer, const mv_limits *limits,
                                        mv_status *status);

/* Explain the one row that stands for a baseline allocation, or for one without a heap trace: an argument by the
 * parameter, a result by the largest of its buffers that leave the program, any other by the buffer that names it. */
const mv_explanation *mv_explain_allocation(const mv_module *module, uint32_t allocation, const mv_limits *limits,
                                            mv_status *status);

/* Of the buffers of an allocation the largest that leaves the program, of equals the smallest id; MV_NONE when none
 * does. Fails as mv_explain_buffer does. */
bool mv_leaving_buffer(uint32_t *out, const mv_module *module, uint32_t allocation, const mv_limits *limits,
                       mv_status *status);

#endif
