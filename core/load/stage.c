/* stage.c: what another stage of a module's dump tells of it. */
#include "load/build.h"
#include "load/load.h"
#include "model/fusions.h"
#include "model/instruction.h"

bool mv_module_take_scoped(mv_module *m, const mv_module *stage, const mv_limits *limits, mv_status *status) {
  if (stage->scoped_count == 0) {
    return true;
  }
  mv_scoped *scoped = mv_arena_zalloc(m->arena, stage->scoped_count, sizeof *scoped, status);
  mv_arena *scratch = scoped != NULL ? mv_arena_new(status) : NULL;
  if (scratch == NULL) {
    return false;
  }
  mv_build b = {.module = m, .scratch = scratch, .limits = limits, .status = status};
  b.scoped = (mv_array){.items = scoped, .capacity = stage->scoped_count};
  bool ok = true;
  for (uint32_t i = 0; ok && i < stage->scoped_count; i++) {
    uint32_t instruction;
    ok = mv_module_find_instruction(&instruction, m, mv_instruction_id(stage, stage->scoped[i].instruction), limits,
                                    status);
    if (ok && instruction != MV_NONE) {
      scoped[b.scoped.count] = stage->scoped[i];
      scoped[b.scoped.count++].instruction = instruction;
    }
  }
  ok = ok && mv_build_sort_scoped(&b);
  if (ok) {
    m->scoped = scoped;
    m->scoped_count = (uint32_t)b.scoped.count;
    ok = mv_build_space_scoped(&b);
  }
  mv_arena_free(scratch);
  return ok;
}
