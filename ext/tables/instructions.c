#include "tables/instruction_columns.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  const mv_module *m = request->module;
  *out = (mv_rows){m->instructions, m->instruction_count, sizeof *m->instructions, NULL};
  return true;
}

static uint32_t index_of(const mv_module *m, const void *item) {
  return (uint32_t)((const mv_instruction *)item - m->instructions);
}

static int64_t id_of(const mv_module *m, const void *item) {
  return mv_instruction_id(m, index_of(m, item));
}

static int64_t name_key_of(const mv_module *m, const void *item) {
  return mv_instruction_name_key(m, index_of(m, item));
}

static void refer(mv_row *row) {
  row->instruction = index_of(row->module, row->item);
}

static void get_id(mv_row *row, sqlite3_context *context) {
  sqlite3_result_int64(context, mv_instruction_id(row->module, row->instruction));
}

static void get_scoped(mv_row *row, sqlite3_context *context) {
  mv_result_size(context, mv_instruction_scoped_bytes(row->module, row->instruction));
}

static const mv_column columns[] = {
    MV_KEY("instruction_id", "XLA's id of the instruction", get_id, id_of),
    MV_INSTRUCTION_NAME_COLUMN("Name of the instruction", name_key_of),
    MV_OPCODE_COLUMN("Opcode: fusion, dot, all-reduce, ..."),
    MV_COMPUTATION_COLUMN("Computation it stands in"),
    MV_SHAPE_COLUMN("Shape of its result with the layout, as XLA prints it"),
    MV_SOURCE_COLUMNS,
    MV_STACK_FRAME_COLUMN,
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
    .refer = refer,
};
