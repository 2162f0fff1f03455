/* instruction_columns.h: what an instruction says of itself, for all tables whose rows name one: mv_row.instruction. */
#ifndef MV_EXT_TABLES_INSTRUCTION_COLUMNS_H
#define MV_EXT_TABLES_INSTRUCTION_COLUMNS_H

#include "column.h"

/* Getters: the shape as XLA prints it, NULL when there is none or it is no shape; the stack. */
void mv_get_shape(mv_row *row, sqlite3_context *context);
void mv_get_source_stack(mv_row *row, sqlite3_context *context);

/* The key of an instruction's name for MV_INSTRUCTION_NAME_COLUMN. */
int64_t mv_instruction_name_key(const mv_module *module, uint32_t instruction);

#define MV_INSTRUCTION_NAME_COLUMN(doc, key) MV_BYTES_KEY(mv_instruction_details, name, "instruction", doc, key)
#define MV_OPCODE_COLUMN(doc) MV_BYTES(mv_instruction_details, opcode, "opcode", doc)
#define MV_COMPUTATION_COLUMN(doc) MV_REF(mv_computation, name, "computation", doc)
#define MV_SHAPE_COLUMN(doc) MV_CALL("shape", "TEXT", doc, mv_get_shape)

/* clang-format off: as in buffer_columns.h */
#define MV_SOURCE_COLUMNS \
  MV_BYTES(mv_instruction_details, op_name, "op_name", "Framework op, such as jit(step)/mlp/dot_general"), \
  MV_BYTES(mv_instruction_details, source_file, "source_file", "Source file of the innermost stack frame"), \
  MV_POSITIVE(mv_instruction_details, source_line, "source_line", "Line in source_file")
/* clang-format on */
#define MV_SOURCE_STACK_COLUMN \
  MV_CALL("source_stack", "TEXT", "The stack, one file:line:column a line, innermost first", mv_get_source_stack)
#define MV_STACK_FRAME_COLUMN \
  MV_POSITIVE(mv_instruction_details, stack_frame_id, "stack_frame_id", "Frame in stack_frames")

#endif
