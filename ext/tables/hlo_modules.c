#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_entry *row_of(const mv_cursor *c) {
  return c->row;
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  *out = (mv_rows){&request->source->entries[request->index], 1, sizeof(mv_entry), NULL};
  return true;
}

static void result_string(sqlite3_context *context, const char *text) {
  if (text != NULL) {
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
  }
}

static void get_program_id(mv_cursor *c, sqlite3_context *context) {
  if (row_of(c)->has_program_id) {
    sqlite3_result_int64(context, row_of(c)->program_id);
  }
}

static void get_path(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, mv_bytes_of_string(row_of(c)->path));
}

static void get_host(mv_cursor *c, sqlite3_context *context) {
  result_string(context, row_of(c)->host);
}

static void get_platform(mv_cursor *c, sqlite3_context *context) {
  result_string(context, mv_platform_name(row_of(c)->summary.platform));
}

static void get_device(mv_cursor *c, sqlite3_context *context) {
  int64_t memory_bytes;
  result_string(context, mv_cursor_device(&memory_bytes, c, row_of(c)->summary.platform));
}

static void get_entry_computation(mv_cursor *c, sqlite3_context *context) {
  result_string(context, row_of(c)->summary.entry_computation);
}

static void get_problem(mv_cursor *c, sqlite3_context *context) {
  result_string(context, row_of(c)->problem);
}

static void result_count(sqlite3_context *context, bool is_known, int64_t count) {
  if (is_known) {
    sqlite3_result_int64(context, count);
  }
}

static void get_computation_count(mv_cursor *c, sqlite3_context *context) {
  result_count(context, row_of(c)->summary.has_module, row_of(c)->summary.computation_count);
}

static void get_instruction_count(mv_cursor *c, sqlite3_context *context) {
  result_count(context, row_of(c)->summary.has_module, row_of(c)->summary.instruction_count);
}

static void get_buffer_count(mv_cursor *c, sqlite3_context *context) {
  result_count(context, row_of(c)->summary.has_assignment, row_of(c)->summary.buffer_count);
}

static void get_allocation_count(mv_cursor *c, sqlite3_context *context) {
  result_count(context, row_of(c)->summary.has_assignment, row_of(c)->summary.allocation_count);
}

static void get_proto_bytes(mv_cursor *c, sqlite3_context *context) {
  mv_result_positive(context, row_of(c)->summary.proto_bytes);
}

static const mv_column columns[] = {
    MV_CALL("program_id", "INTEGER",
            "Id of the program: a profile's program_id, a dump's module id; one above 2^63 is negative here",
            get_program_id),
    MV_CALL("path", "TEXT", "File it was read from, NULL for a BLOB", get_path),
    MV_CALL("host", "TEXT",
            "Host that the profile is of, by the name of its file (HOST.xplane.pb); NULL for what is no profile",
            get_host),
    MV_NAME("platform", "TPU, GPU or CPU, NULL when nothing tells", get_platform),
    MV_NAME("device",
            "Device it was compiled for, told by files beside it in a dump folder, else by memview_device; NULL when "
            "neither does",
            get_device),
    MV_CALL("entry_computation", "TEXT", "Name of the entry computation", get_entry_computation),
    MV_CALL("computation_count", "INTEGER", "HLO computations", get_computation_count),
    MV_CALL("instruction_count", "INTEGER", "HLO instructions in all computations", get_instruction_count),
    MV_CALL("buffer_count", "INTEGER", "Logical buffers", get_buffer_count),
    MV_CALL("allocation_count", "INTEGER", "Buffer allocations", get_allocation_count),
    MV_CALL("proto_bytes", "INTEGER", "Size of its HloProto, unpacked", get_proto_bytes),
    MV_CALL("problem", "TEXT", "Why there is nothing to show, or what is wrong with it; NULL when all is well",
            get_problem),
};

const mv_table mv_table_hlo_modules = {
    .name = "hlo_modules",
    .doc = "One row for each HLO module found, and for each file that should have held one",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ENTRY,
    .hidden = {MV_SOURCE_ARGUMENT},
    .rows = rows,
};
