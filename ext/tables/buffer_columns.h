/* buffer_columns.h: the columns that buffers and peak_buffers have in common, of mv_row.buffer and its allocation. */
#ifndef MV_EXT_TABLES_BUFFER_COLUMNS_H
#define MV_EXT_TABLES_BUFFER_COLUMNS_H

#include "tables/instruction_columns.h"

void mv_get_shape_index(mv_row *row, sqlite3_context *context);
void mv_get_element_type(mv_row *row, sqlite3_context *context);

/* clang-format off: it indents what follows the first column */

/* `type` is that of the table's items, mv_buffer or mv_live. Keys are NULL where rows are made for one query. The
 * padding may be negative: a packed type can take less than its unpacked elements. */
#define MV_BUFFER_COLUMNS(type, offset_column, id_key, allocation_key, instruction_key) \
  MV_INTEGER_KEY(mv_buffer, id, "buffer_id", "XLA's id of the logical buffer", id_key), \
  MV_INTEGER_KEY(mv_allocation, id, "allocation_id", "Allocation the buffer lies in, NULL when it has none", \
                 allocation_key), \
  MV_NAME_OF(mv_allocation, category, mv_category_name, "category", MV_NOCASE, \
             "Of its allocation: Parameter, Output, Thread-local, Constant or Temporary"), \
  MV_INSTRUCTION_NAME_COLUMN("Name of the HLO instruction that defines it", instruction_key), \
  MV_CALL("shape_index", "TEXT", "Which part of the instruction's tuple shape: '1,0', or '' for the whole", \
          mv_get_shape_index), \
  MV_OPCODE_COLUMN("Opcode of the instruction"), \
  MV_COMPUTATION_COLUMN("HLO computation of the instruction"), \
  MV_SHAPE_COLUMN("Shape with its layout, as XLA prints it"), \
  MV_CALL("element_type", MV_NOCASE, "Element type of the shape, such as bf16", mv_get_element_type), \
  MV_INTEGER(type, size_bytes, "size_bytes", "Bytes it takes, with padding"), \
  MV_SIZE(type, unpadded_bytes, "unpadded_bytes", "Bytes its elements need, without padding"), \
  MV_DIFFERENCE(type, size_bytes, unpadded_bytes, "padding_bytes", "size_bytes - unpadded_bytes"), \
  offset_column, \
  MV_SIZE(type, start_position, "start_position", \
          "First position at which the block it began is live; of several the first"), \
  MV_SIZE(type, end_position, "end_position", "First position at which that block is no longer live"), \
  MV_COUNT(mv_buffer, block_count, "block_count", \
           "Blocks the buffer began in heaps: 0 when it only shares, or lies in no heap"), \
  {"shares_with_buffer_id", "INTEGER", "Root of the chain of buffers whose memory it shares", \
   .kind = MV_COLUMN_INTEGER, .origin = MV_OF_SHARING_ROOT, .offset = MV_OFFSET(int64_t, mv_buffer, id)}, \
  MV_SOURCE_COLUMNS, \
  MV_SOURCE_STACK_COLUMN, \
  MV_STACK_FRAME_COLUMN

#define MV_OFFSET_DOC "Where it begins in its allocation"
#define MV_PLACE_COLUMN \
  {"offset_bytes", "INTEGER", MV_OFFSET_DOC, .kind = MV_COLUMN_SIZE, .origin = MV_OF_PLACE, \
   .offset = MV_OFFSET(int64_t, mv_buffer, offset_bytes)}

/* What explains a buffer, behind all other columns of buffers and peak_buffers. */
#define MV_BUFFER_EXPLANATION_COLUMNS \
  MV_BYTES(mv_explanation, attributed_op_name, "attributed_op_name", \
           "Framework op, or argument, whose data it holds, found through what only moves it; NULL when nothing " \
           "names it"), \
  MV_NAME_OF(mv_explanation, attribution, mv_attribution_name, "attribution", "TEXT", \
             "How that name was found: argument, element (of a fusion with several results), own, fused (an op " \
             "inside the fusion), moved (from where it was made), user (the op that needs it last) or computed"), \
  MV_BYTES(mv_explanation, used_by, "used_by", \
           "Framework op that needs it last, 'result' when it leaves the program, NULL when no use leads to one"), \
  MV_NAME_OF(mv_explanation, phase, mv_phase_name, "phase", "TEXT", \
             "Part of the step: argument, forward, backward, recompute, update (what follows the backward pass) or " \
             "other"), \
  MV_TEXT(mv_explanation, scope, "scope", \
          "Part of the model: attributed_op_name without transformations, primitive and the framework's own names"), \
  MV_TEXT(mv_explanation, layer, "layer", "scope with * for numbers: the same in all layers"), \
  MV_BYTES(mv_explanation, user_source_file, "user_source_file", \
           "Source file of the innermost frame outside of libraries, of the op that names it, else of used_by"), \
  MV_POSITIVE(mv_explanation, user_source_line, "user_source_line", "Line in user_source_file")

/* clang-format on */

#endif
