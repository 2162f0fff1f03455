#include "analysis/explanation.h"

static const mv_explanation unknown;

const mv_explanation *mv_explain_buffer(const mv_module *module, uint32_t buffer, const mv_limits *limits,
                                        mv_status *status) {
  (void)module;
  (void)buffer;
  (void)limits;
  (void)status;
  return &unknown;
}

const mv_explanation *mv_explain_allocation(const mv_module *module, uint32_t allocation, const mv_limits *limits,
                                            mv_status *status) {
  return mv_explain_buffer(module, allocation, limits, status);
}

const char *mv_phase_name(uint8_t phase) {
  (void)phase;
  return NULL;
}
