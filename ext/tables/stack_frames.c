#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_frame *row_of(const mv_cursor *c) {
  return c->row;
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  const mv_stack_frames *frames = mv_module_frames(request->module, status);
  if (frames == NULL) {
    return false;
  }
  *out = (mv_rows){frames->items, frames->count, sizeof *frames->items, NULL};
  return true;
}

static int64_t id_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_frame *)row)->id;
}

static int64_t parent_id_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_frame *)row)->parent_id;
}

static void get_id(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, row_of(c)->id);
}

static void get_parent_id(mv_cursor *c, sqlite3_context *context) {
  mv_result_positive(context, row_of(c)->parent_id);
}

static void get_function(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, row_of(c)->function);
}

static void get_source_file(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, row_of(c)->file);
}

static void get_source_line(mv_cursor *c, sqlite3_context *context) {
  mv_result_positive(context, row_of(c)->line);
}

static void get_source_column(mv_cursor *c, sqlite3_context *context) {
  mv_result_positive(context, row_of(c)->column);
}

static const mv_column columns[] = {
    MV_KEY("frame_id", "Id of the frame, from 1", get_id, id_of),
    MV_KEY("parent_frame_id", "Frame of the caller, NULL at the outermost", get_parent_id, parent_id_of),
    MV_CALL("function", "TEXT", "Function the frame is in", get_function),
    MV_CALL("source_file", "TEXT", "Source file", get_source_file),
    MV_CALL("source_line", "INTEGER", "Line in source_file", get_source_line),
    MV_CALL("source_column", "INTEGER", "Column in that line", get_source_column),
};

const mv_table mv_table_stack_frames = {
    .name = "stack_frames",
    .doc = "One row for each frame of a module's stack index: where instructions come from in the model's source",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_MODULE,
    .hidden = {MV_SOURCE_ARGUMENT},
    .rows = rows,
};
