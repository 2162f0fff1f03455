#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

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

static void get_platform(mv_row *row, sqlite3_context *context) {
  result_string(context, mv_platform_name(row->entry->summary.platform));
}

static void get_device(mv_row *row, sqlite3_context *context) {
  int64_t memory_bytes;
  result_string(context, mv_row_device(&memory_bytes, row, row->entry->summary.platform));
}

static const mv_column columns[] = {
    MV_INTEGER_IF(mv_entry, program_id, has_program_id, "program_id",
                  "Id of the program: a profile's program_id, a dump's module id; one above 2^63 is negative here"),
    MV_PATH(mv_entry, path, "path", "File it was read from, NULL for a BLOB"),
    MV_STRING(mv_entry, host, "host",
              "Host that the profile is of, by the name of its file (HOST.xplane.pb); NULL for what is no profile"),
    MV_CALL("platform", MV_NOCASE, "TPU, GPU or CPU, NULL when nothing tells", get_platform),
    MV_CALL("device", MV_NOCASE,
            "Device it was compiled for, told by files beside it in a dump folder, else by memview_device; NULL when "
            "neither does",
            get_device),
    MV_STRING(mv_entry, summary.entry_computation, "entry_computation", "Name of the entry computation"),
    MV_INTEGER_IF(mv_entry, summary.computation_count, summary.has_module, "computation_count", "HLO computations"),
    MV_INTEGER_IF(mv_entry, summary.instruction_count, summary.has_module, "instruction_count",
                  "HLO instructions in all computations"),
    MV_INTEGER_IF(mv_entry, summary.buffer_count, summary.has_assignment, "buffer_count", "Logical buffers"),
    MV_INTEGER_IF(mv_entry, summary.allocation_count, summary.has_assignment, "allocation_count", "Buffer allocations"),
    MV_POSITIVE(mv_entry, summary.proto_bytes, "proto_bytes", "Size of its HloProto, unpacked"),
    MV_STRING(mv_entry, problem, "problem",
              "Why there is nothing to show, or what is wrong with it; NULL when all is well"),
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
