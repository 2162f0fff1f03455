/* tables.h: the descriptions of the tables, one file each, and the getters they share. */
#ifndef MV_EXT_TABLES_TABLES_H
#define MV_EXT_TABLES_TABLES_H

#include "table.h"

extern const mv_table mv_table_hlo_modules;
extern const mv_table mv_table_memory_spaces;
extern const mv_table mv_table_allocations;
extern const mv_table mv_table_buffers;
extern const mv_table mv_table_usage_curve;
extern const mv_table mv_table_peak_buffers;
extern const mv_table mv_table_peak_groups;
extern const mv_table mv_table_peaks;
extern const mv_table mv_table_findings;
extern const mv_table mv_table_memory_diff;
extern const mv_table mv_table_instructions;
extern const mv_table mv_table_stack_frames;
extern const mv_table mv_table_devices;

/* Results where a value may be unknown. */
void mv_result_size(sqlite3_context *context, int64_t value);     /* NULL when negative */
void mv_result_positive(sqlite3_context *context, int64_t value); /* NULL when not above 0 */

/* A text of the module that may be empty; NULL for {NULL, 0}. */
void mv_result_key(sqlite3_context *context, mv_bytes key);

/* The device that the current row's module was compiled for, and what a dump says of its memory, 0 when it says
 * nothing: as files beside the module tell, else as memview_device does for modules of that device's platform. NULL
 * when neither does. */
const char *mv_cursor_device(int64_t *memory_bytes, const mv_cursor *cursor, mv_platform platform);

/* The key of an instruction's name for MV_TEXT_KEY. */
int64_t mv_instruction_name_key(const mv_module *module, uint32_t instruction);

/* A ShapeProto as XLA prints it; NULL when there is none or it is no shape. */
void mv_result_shape(sqlite3_context *context, mv_cursor *cursor, mv_bytes proto);

/* buffer_columns.c: columns of buffers and peak_buffers, by mv_table.view_of. The keys are NULL where rows are made for
 * one query. */
void mv_get_buffer_id(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_allocation_id(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_category(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_instruction(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_shape_index(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_opcode(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_computation(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_shape(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_element_type(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_size(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_unpadded(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_padding(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_offset(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_start(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_end(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_block_count(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_shares_with(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_op_name(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_source_file(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_source_line(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_source_stack(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_stack_frame_id(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_attributed_op_name(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_attribution(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_used_by(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_phase(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_scope(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_layer(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_user_source_file(mv_cursor *cursor, sqlite3_context *context);
void mv_get_buffer_user_source_line(mv_cursor *cursor, sqlite3_context *context);

#define MV_BUFFER_COLUMNS(id_key, allocation_key, instruction_key) \
  MV_KEY("buffer_id", "XLA's id of the logical buffer", mv_get_buffer_id, id_key), \
  MV_KEY("allocation_id", "Allocation the buffer lies in, NULL when it has none", mv_get_buffer_allocation_id, \
         allocation_key), \
  MV_NAME("category", "Of its allocation: Parameter, Output, Thread-local, Constant or Temporary", \
          mv_get_buffer_category), \
  MV_TEXT_KEY("instruction", "Name of the HLO instruction that defines it", mv_get_buffer_instruction, \
              instruction_key), \
  MV_CALL("shape_index", "TEXT", "Which part of the instruction's tuple shape: '1,0', or '' for the whole", \
          mv_get_buffer_shape_index), \
  MV_CALL("opcode", "TEXT", "Opcode of the instruction", mv_get_buffer_opcode), \
  MV_CALL("computation", "TEXT", "HLO computation of the instruction", mv_get_buffer_computation), \
  MV_CALL("shape", "TEXT", "Shape with its layout, as XLA prints it", mv_get_buffer_shape), \
  MV_NAME("element_type", "Element type of the shape, such as bf16", mv_get_buffer_element_type), \
  MV_CALL("size_bytes", "INTEGER", "Bytes it takes, with padding", mv_get_buffer_size), \
  MV_CALL("unpadded_bytes", "INTEGER", "Bytes its elements need, without padding", mv_get_buffer_unpadded), \
  MV_CALL("padding_bytes", "INTEGER", "size_bytes - unpadded_bytes", mv_get_buffer_padding), \
  MV_CALL("offset_bytes", "INTEGER", "Where it begins in its allocation", mv_get_buffer_offset), \
  MV_CALL("start_position", "INTEGER", "First position at which the block it began is live; of several the first", \
          mv_get_buffer_start), \
  MV_CALL("end_position", "INTEGER", "First position at which that block is no longer live", mv_get_buffer_end), \
  MV_CALL("block_count", "INTEGER", "Blocks the buffer began in heaps: 0 when it only shares, or lies in no heap", \
          mv_get_buffer_block_count), \
  MV_CALL("shares_with_buffer_id", "INTEGER", "Root of the chain of buffers whose memory it shares", \
          mv_get_buffer_shares_with), \
  MV_CALL("op_name", "TEXT", "Framework op, such as jit(step)/mlp/dot_general", mv_get_buffer_op_name), \
  MV_CALL("source_file", "TEXT", "Source file of the innermost stack frame", mv_get_buffer_source_file), \
  MV_CALL("source_line", "INTEGER", "Line in source_file", mv_get_buffer_source_line), \
  MV_CALL("source_stack", "TEXT", "The stack, one file:line:column a line, innermost first", \
          mv_get_buffer_source_stack), \
  MV_CALL("stack_frame_id", "INTEGER", "Frame in stack_frames", mv_get_buffer_stack_frame_id)

/* What explains a buffer, behind all other columns of buffers and peak_buffers. */
#define MV_BUFFER_EXPLANATION_COLUMNS \
  MV_CALL("attributed_op_name", "TEXT", \
          "Framework op, or argument, whose data it holds, found through what only moves it; NULL when nothing names it", \
          mv_get_buffer_attributed_op_name), \
  MV_CALL("attribution", "TEXT", \
          "How that name was found: argument, element (of a fusion with several results), own, fused (an op inside the " \
          "fusion), moved (from where it was made), user (the op that needs it last) or computed", \
          mv_get_buffer_attribution), \
  MV_CALL("used_by", "TEXT", \
          "Framework op that needs it last, 'result' when it leaves the program, NULL when no use leads to one", \
          mv_get_buffer_used_by), \
  MV_CALL("phase", "TEXT", \
          "Part of the step: argument, forward, backward, recompute, update (what follows the backward pass) or other", \
          mv_get_buffer_phase), \
  MV_CALL("scope", "TEXT", \
          "Part of the model: attributed_op_name without transformations, primitive and the framework's own names", \
          mv_get_buffer_scope), \
  MV_CALL("layer", "TEXT", "scope with * for numbers: the same in all layers", mv_get_buffer_layer), \
  MV_CALL("user_source_file", "TEXT", \
          "Source file of the innermost frame outside of libraries, of the op that names it, else of used_by", \
          mv_get_buffer_user_source_file), \
  MV_CALL("user_source_line", "INTEGER", "Line in user_source_file", mv_get_buffer_user_source_line)

#endif
