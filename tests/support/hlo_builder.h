/* hlo_builder.h: HloProtos by hand.
 *
 *   hlo h = hlo_new("jit_f");
 *   hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = "f32[8]{0}"});
 *   hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1});
 *   hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
 *   hlo_assign(&h, 1, 0);
 *   hlo_trace(&h, 0, "A1 S2=1 F1 F2");
 *   mv_module *m = hlo_load(&h);      and the builder is empty again
 */
#ifndef MV_TESTS_HLO_BUILDER_H
#define MV_TESTS_HLO_BUILDER_H

#include "model/module.h"
#include "support/proto_builder.h"

typedef struct hlo {
  mv_text schedule;    /* HloScheduleProto */
  mv_text module;      /* HloModuleProto without the open computation */
  mv_text computation; /* the open one */
  mv_text assignment;  /* BufferAssignmentProto without the open allocation */
  mv_text allocation;  /* the open one */
  bool has_computation;
  bool has_allocation;
  bool has_assignment;
} hlo;

typedef struct hlo_instruction_args {
  int64_t id;
  const char *name;
  const char *opcode;
  const char *shape;  /* text; NULL: none */
  const char *op_name;  /* in a metadata of its own */
  const char *operands; /* ids: "1 2"; NULL: none */
  const char *calls;    /* ids of computations */
  int64_t number;       /* of a parameter; the tuple index of a get-tuple-element */
  const char *target; /* custom_call_target */
  const char *config; /* backend_config */
  mv_text *metadata;  /* OpMetadata; freed */
  mv_text *payload;   /* backend_config_payload; freed */
} hlo_instruction_args;

enum { HLO_NO_ID = -1 };

typedef struct hlo_buffer_args {
  int64_t id;
  int64_t size;
  int64_t color;
  int64_t instruction;          /* its id; HLO_NO_ID leaves it out, and a name may be given */
  const char *instruction_name; /* as files have it that are older than instruction ids */
  const char *index;            /* "1,0"; NULL: the whole shape */
} hlo_buffer_args;

typedef struct hlo_allocation_args {
  int64_t id;
  int64_t size;
  int64_t color;
  bool is_parameter;
  bool is_constant;
  bool is_live_out;
  bool is_thread_local;
  int64_t parameter_number;
  const char *parameter_index; /* "1,0"; NULL: the whole argument */
} hlo_allocation_args;

hlo hlo_new(const char *name);
void hlo_computation(hlo *h, int64_t id, const char *name);
void hlo_instruction(hlo *h, hlo_instruction_args args); /* in the computation opened last */
void hlo_root(hlo *h, int64_t id);                       /* of the computation opened last */
void hlo_entry(hlo *h, int64_t id);
void hlo_schedule(hlo *h, int64_t computation, const char *instructions); /* ids; once for each computation */
void hlo_buffer(hlo *h, hlo_buffer_args args);
void hlo_allocation(hlo *h, hlo_allocation_args args);
void hlo_assign(hlo *h, int64_t buffer, int64_t offset); /* in the allocation opened last */

/* Events, separated by blanks: A1 is ALLOC of buffer 1, F1 its FREE, S2=1 SHARE_WITH of 2 with 1, X1 a kind that there
 * is not. `allocation` is the trace's buffer_allocation_index. */
void hlo_trace(hlo *h, int64_t allocation, const char *events);

/* What is live in an allocation at its peak (peak_buffers): ids of buffers, separated by blanks. */
void hlo_peak(hlo *h, int64_t allocation, const char *buffers);

/* The HloProto; the builder is empty then. The caller frees the text. */
mv_text hlo_proto(hlo *h);

/* The HloProto of a module of one parameter, with an assignment of `size` bytes when that is not 0. The caller frees
 * the text. */
mv_text hlo_parameter_proto(const char *name, int64_t size);

/* The module, which must load; `file_name` may be NULL. The caller frees it. */
mv_module *hlo_load(hlo *h);
mv_module *hlo_load_as(hlo *h, const char *file_name);

/* Load bytes; NULL with *status filled when that fails. */
mv_module *load_bytes(mv_bytes bytes, mv_content content, mv_status *status);

/* The module of a file of tests/data, not packed. The caller frees it. */
mv_module *load_data(const char *name);

#endif
