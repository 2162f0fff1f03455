#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_instruction *row_of(const mv_cursor *c) {
  return c->row;
}

static uint32_t index_of(const mv_cursor *c) {
  return (uint32_t)(row_of(c) - c->module->instructions);
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  const mv_module *m = request->module;
  *out = (mv_rows){m->instructions, m->instruction_count, sizeof *m->instructions, NULL};
  return true;
}

static int64_t id_of(const mv_module *m, const void *row) {
  return mv_instruction_id(m, (uint32_t)((const mv_instruction *)row - m->instructions));
}

static int64_t name_key_of(const mv_module *m, const void *row) {
  return mv_instruction_name_key(m, (uint32_t)((const mv_instruction *)row - m->instructions));
}

static void get_id(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, mv_instruction_id(c->module, index_of(c)));
}

static void get_name(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_bytes(context, details->name);
  }
}

static void get_opcode(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_bytes(context, details->opcode);
  }
}

static void get_computation(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, mv_module_bytes(c->module, mv_module_computation_of(c->module, index_of(c))->name));
}

static void get_shape(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_shape(context, c, details->shape);
  }
}

static void get_op_name(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_bytes(context, details->op_name);
  }
}

static void get_source_file(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_bytes(context, details->source_file);
  }
}

static void get_source_line(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_positive(context, details->source_line);
  }
}

static void get_stack_frame_id(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = mv_cursor_details(c, index_of(c), context);
  if (details != NULL) {
    mv_result_positive(context, details->stack_frame_id);
  }
}

static void get_scoped(mv_cursor *c, sqlite3_context *context) {
  mv_result_size(context, mv_instruction_scoped_bytes(c->module, index_of(c)));
}

static const mv_column columns[] = {
    MV_KEY("instruction_id", "XLA's id of the instruction", get_id, id_of),
    MV_TEXT_KEY("instruction", "Name of the instruction", get_name, name_key_of),
    MV_CALL("opcode", "TEXT", "Opcode: fusion, dot, all-reduce, ...", get_opcode),
    MV_CALL("computation", "TEXT", "Computation it stands in", get_computation),
    MV_CALL("shape", "TEXT", "Shape of its result with the layout, as XLA prints it", get_shape),
    MV_CALL("op_name", "TEXT", "Framework op, such as jit(step)/mlp/dot_general", get_op_name),
    MV_CALL("source_file", "TEXT", "Source file of the innermost stack frame", get_source_file),
    MV_CALL("source_line", "INTEGER", "Line in source_file", get_source_line),
    MV_CALL("stack_frame_id", "INTEGER", "Frame in stack_frames", get_stack_frame_id),
    MV_CALL("scoped_bytes", "INTEGER", "Most memory of one space that it uses for itself while it runs", get_scoped),
};

const mv_table mv_table_instructions = {
    .name = "instructions",
    .doc = "One row for each HLO instruction of a module",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ALL,
    .hidden = {MV_SOURCE_ARGUMENT},
    .rows = rows,
};
