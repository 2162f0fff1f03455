#include "model/fusions.h"

#include "model/instruction.h"

enum { CHECK_EVERY = 1024 }; /* instructions between two questions whether the host wants to stop */

static bool add_instruction(mv_idmap *by_id, const mv_module *m, uint32_t index, mv_derivation *d) {
  int64_t id;
  return mv_instruction_read_id(&id, m, index, d->status) && mv_idmap_add(by_id, id, index, d->arena, d->status);
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  mv_idmap *by_id = out;
  for (uint32_t c = 0; c < m->computation_count; c++) {
    const mv_computation *computation = &m->computations[c];
    for (uint32_t i = 0; computation->is_skipped && i < computation->instruction_count; i++) {
      if ((i % CHECK_EVERY == 0 && !mv_check_interrupt(d->limits, d->status)) ||
          !add_instruction(by_id, m, computation->first_instruction + i, d)) {
        return false;
      }
    }
  }
  return mv_idmap_finish(by_id, d->arena, d->status);
}

static const mv_idmap *skipped_by_id(const mv_module *m, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_idmap), 0, make};
  return mv_module_derived(m, &kind, NULL, limits, status);
}

bool mv_module_index_all(const mv_module *m, const mv_limits *limits, mv_status *status) {
  return !m->has_skipped || skipped_by_id(m, limits, status) != NULL;
}

bool mv_module_find_instruction(uint32_t *out, const mv_module *m, int64_t id, const mv_limits *limits,
                                mv_status *status) {
  *out = mv_idmap_find(&m->instructions_by_id, id);
  if (*out != MV_NONE || !m->has_skipped) {
    return true;
  }
  const mv_idmap *skipped = skipped_by_id(m, limits, status);
  *out = skipped != NULL ? mv_idmap_find(skipped, id) : MV_NONE;
  return skipped != NULL;
}
