/* details.h: what an instruction says of itself, decoded when a row shows it.
 *
 *   mv_instruction.proto --walk--> name, opcode, shape (slices of the file)
 *                            \---> OpMetadata --metadata.h--> op name, source, stack frame (likewise)
 *   mv_module.stack_frame_index --protobuf-c, once a module--> frames --> "file:line:column" a line
 */
#ifndef MV_MODEL_INSTRUCTION_H
#define MV_MODEL_INSTRUCTION_H

#include "model/location.h"
#include "model/metadata.h"
#include "model/module.h"

typedef struct mv_instruction_details {
  mv_bytes name;
  mv_bytes opcode;
  mv_bytes shape; /* ShapeProto */
  mv_bytes op_name;
  mv_bytes source_file;   /* of the innermost frame, else the metadata's own */
  int64_t source_line;    /* 0 when unknown */
  int64_t stack_frame_id; /* 0 when there is none */
} mv_instruction_details;

/* Decode an instruction; the slices point into the module or into `arena`. Fails with MV_NOMEM only: metadata that is
 * no protobuf is left out. */
bool mv_instruction_details_read(mv_instruction_details *out, const mv_module *module, uint32_t instruction,
                                 mv_arena *arena, mv_status *status);

/* The name of an instruction alone. Empty when it has none or for MV_NONE. */
mv_bytes mv_instruction_name(const mv_module *module, uint32_t instruction);

/* The id of an instruction; of a damaged one what is told before the damage. */
int64_t mv_instruction_id(const mv_module *module, uint32_t instruction);

/* The same into *id, false with *status filled when the instruction is damaged. */
bool mv_instruction_read_id(int64_t *id, const mv_module *module, uint32_t instruction, mv_status *status);

/* The ShapeProto of an instruction alone; {NULL, 0} when it has none or for MV_NONE. */
mv_bytes mv_instruction_shape(const mv_module *module, uint32_t instruction);

/* The OpMetadata of an instruction alone. */
void mv_instruction_metadata(mv_metadata *out, const mv_module *module, uint32_t instruction);

/* The largest used_scoped_memory_configs entry of an instruction, -1 when it has none. */
int64_t mv_instruction_scoped_bytes(const mv_module *module, uint32_t instruction);

/* One row of the stack index. Slices live as long as the module. */
typedef struct mv_frame {
  int64_t id;        /* 1, 2, ... */
  int64_t parent_id; /* 0 at the outermost frame */
  mv_bytes function;
  mv_bytes file;
  int64_t line; /* 0 when unknown */
  int64_t column;
} mv_frame;

typedef struct mv_stack_frames {
  mv_frame *items; /* the frame of id i at i - 1 */
  uint32_t count;
} mv_stack_frames;

/* The module's stack frames, decoded at the first call. A frame whose chain of callers comes back to itself is made an
 * outermost one and noted in the module's problem. NULL when memory ran out. */
const mv_stack_frames *mv_module_frames(const mv_module *module, mv_status *status);

/* Append the stack of a frame, innermost first, one "file:line:column" a line. Nothing for an unknown id. */
bool mv_stack_print(mv_text *text, const mv_module *module, int64_t frame_id, mv_status *status);

#endif
