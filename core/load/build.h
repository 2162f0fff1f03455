/* build.h: the steps of mv_module_load, in their order; private to core/load. */
#ifndef MV_LOAD_BUILD_H
#define MV_LOAD_BUILD_H

#include "base/limits.h"
#include "model/module.h"
#include "wire/wire.h"

/* What shape_sizes.c knows of a shape. */
typedef struct mv_shape_size {
  mv_bytes shape;
  int64_t unpadded_bytes; /* mv_shape_scan_unpadded */
  bool is_tiled;          /* its own layout is: a clue of the platform, told until there is one */
} mv_shape_size;

/* A module being read. */
typedef struct mv_build {
  mv_module *module;
  mv_arena *scratch; /* dropped when the module stands */
  const mv_limits *limits;
  mv_status *status;
  mv_array computations;
  mv_array instructions;
  mv_array payloads;
  mv_array scoped;
  mv_array payload_configs; /* backend configs that stand in a payload which may still come */
  mv_array buffers;
  mv_array allocations;
  mv_array assigned;
  mv_array traces;           /* mv_ref */
  mv_array peaks;            /* mv_ref: what is live in each allocation at its peak */
  mv_idmap *names;           /* definitions.c: instructions by name, NULL until one is asked for so */
  bool has_repeated_shapes;  /* some instruction has the field twice: the last one counts */
  uint32_t last_instruction; /* subshape.c: the instruction that was asked for last, and its shape */
  mv_bytes last_shape;
  struct mv_subshape **subshapes; /* likewise: by instruction; NULL until a large shape is asked for */
  mv_shape_size *shape_sizes;     /* shape_sizes.c */
  uint32_t undefined_buffers;     /* whose instruction is not there */
  uint32_t unknown_assigned;      /* assigned buffers that are not there */
  int64_t size_sum;               /* of all buffers and allocations */
  mv_bytes device_type;           /* HloModuleProto.device_type */
  uint8_t scoped_skip[256];       /* scoped.c: of the search for its key */
  unsigned platform_clues[MV_PLATFORM_CPU + 1];
  uint32_t steps; /* mv_build_step */
} mv_build;

/* Called once for each item of every loop over items of the file: now and then it asks whether the host wants to stop.
 */
static inline bool mv_build_step(mv_build *b) {
  enum { CHECK_EVERY = 1024 };
  return ++b->steps % CHECK_EVERY != 0 || mv_check_interrupt(b->limits, b->status);
}

static inline mv_ref mv_ref_of(const mv_module *m, mv_bytes bytes) {
  return bytes.size == 0 ? (mv_ref){0, 0} : (mv_ref){(uint32_t)(bytes.data - m->bytes.data), (uint32_t)bytes.size};
}

/* computations.c: the module's computations and instructions; those of fusions, which the former skips; an instruction
 * by its id, wherever it is, MV_NONE when it is nowhere. */
bool mv_build_index(mv_build *b, mv_bytes module_proto);
bool mv_build_index_fusions(mv_build *b);
bool mv_build_find_instruction(uint32_t *out, mv_build *b, int64_t id);

/* scoped.c: one backend config's scoped memory, and those that stand in payloads. */
bool mv_build_scoped(mv_build *b, uint32_t instruction, mv_bytes backend_config);
bool mv_build_scoped_payloads(mv_build *b);
bool mv_build_scoped_payload(mv_build *b, uint32_t instruction, mv_bytes payload);

/* Scoped memory in order of instruction, that of one instruction as it came. */
bool mv_build_sort_scoped(mv_build *b);

/* assignment.c: an assignment's logical buffers, when the module is indexed; then its allocations and traces. */
bool mv_build_buffers(mv_build *b, mv_bytes assignment_proto);
bool mv_build_allocations(mv_build *b, mv_bytes assignment_proto);

/* platform.c: what an instruction tells of the platform, and the verdict. */
void mv_build_platform_clue(mv_build *b, mv_bytes custom_call_target, mv_bytes backend_config);
mv_platform mv_build_platform(const mv_build *b, const char *hint);

/* shape_sizes.c: the unpadded size of a shape. */
bool mv_build_size(mv_shape_size *out, mv_build *b, mv_bytes shape);

/* definitions.c: the instruction that defines a buffer, and its unpadded size; what is left when all buffers are there.
 */
bool mv_build_define(mv_build *b, mv_buffer *buffer, mv_bytes location);
bool mv_build_settle_buffers(mv_build *b);

/* spaces.c: the memory spaces with their heaps in order, and their sums; those of scoped memory, when the curve
 * stands. */
bool mv_build_spaces(mv_build *b);
bool mv_build_space_scoped(mv_build *b);

/* untraced.c: what allocations take whose buffers no trace tells of, when heaps are known; what that means for a module
 * without any trace. */
bool mv_build_untraced(mv_build *b);
bool mv_build_note_untraced(mv_build *b);

/* replay.c: the traces, the curve and the peaks; position 0 of a heap, or of a space without one (MV_NONE). */
bool mv_build_heaps(mv_build *b);
mv_position mv_position_before(uint32_t space, uint32_t heap);

#endif
