#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_allocation *row_of(const mv_cursor *c) {
  return c->row;
}

static const mv_heap *heap_of(const mv_cursor *c) {
  const uint32_t heap = row_of(c)->heap;
  return heap != MV_NONE ? &c->module->heaps[heap] : NULL;
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  const mv_module *m = request->module;
  *out = (mv_rows){m->allocations, m->allocation_count, sizeof *m->allocations, NULL};
  return true;
}

static int64_t color_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_allocation *)row)->color;
}

static int64_t id_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_allocation *)row)->id;
}

static void get_id(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, row_of(c)->id);
}

static void get_category(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_text(context, mv_category_name(row_of(c)->category), -1, SQLITE_STATIC);
}

static void get_parameter_number(mv_cursor *c, sqlite3_context *context) {
  if (row_of(c)->is_entry_computation_parameter) {
    sqlite3_result_int64(context, row_of(c)->parameter_number);
  }
}

static void get_parameter_shape_index(mv_cursor *c, sqlite3_context *context) {
  if (!row_of(c)->is_entry_computation_parameter) {
    return;
  }
  mv_text *text = mv_cursor_text(c);
  mv_location_print_parameter_index(text, mv_module_bytes(c->module, row_of(c)->proto));
  mv_result_copy(context, text);
}

static void get_event_count(mv_cursor *c, sqlite3_context *context) {
  if (heap_of(c) != NULL) {
    sqlite3_result_int64(context, heap_of(c)->event_count);
  }
}

static void get_heap_peak(mv_cursor *c, sqlite3_context *context) {
  if (heap_of(c) != NULL) {
    sqlite3_result_int64(context, heap_of(c)->peak_bytes);
  }
}

static void get_occupied_peak(mv_cursor *c, sqlite3_context *context) {
  if (heap_of(c) != NULL) {
    sqlite3_result_int64(context, heap_of(c)->occupied_peak_bytes);
  }
}

static const mv_column columns[] = {
    MV_KEY("allocation_id", "XLA's index of the allocation", get_id, id_of),
    MV_NAME("category", "Parameter, Output, Thread-local, Constant or Temporary", get_category),
    MV_INTEGER(mv_allocation, size_bytes, "size_bytes", "Bytes the allocation takes"),
    MV_COUNT(mv_allocation, buffer_count, "buffer_count", "Logical buffers that lie in it"),
    MV_CALL("parameter_number", "INTEGER", "Which parameter of the entry computation it holds, NULL when none",
            get_parameter_number),
    MV_CALL("parameter_shape_index", "TEXT", "Which part of that parameter's shape: '1,0', or '' for the whole",
            get_parameter_shape_index),
    MV_BOOL(mv_allocation, is_thread_local, "is_thread_local", "1 when each thread has one of its own"),
    MV_BOOL(mv_allocation, is_tuple, "is_tuple", "1 when it holds a tuple's index table"),
    MV_BOOL(mv_allocation, is_entry_computation_parameter, "is_entry_computation_parameter",
            "1 when it holds a parameter of the entry computation"),
    MV_BOOL(mv_allocation, is_constant, "is_constant", "1 when it holds a constant"),
    MV_BOOL(mv_allocation, maybe_live_out, "maybe_live_out", "1 when it may hold a result of the program"),
    MV_BOOL(mv_allocation, is_parameter_aliased_with_output, "is_parameter_aliased_with_output",
            "1 when a parameter's memory is used for a result (donation)"),
    MV_CALL("event_count", "INTEGER", "Events of its heap trace, NULL when it has none", get_event_count),
    MV_CALL("heap_peak_bytes", "INTEGER", "Largest sum of live blocks in it, NULL without a heap trace", get_heap_peak),
    MV_CALL("occupied_peak_bytes", "INTEGER", "Most addresses of it covered at once, NULL without a heap trace",
            get_occupied_peak),
};

const mv_table mv_table_allocations = {
    .name = "allocations",
    .doc = "One row for each buffer allocation: a stretch of memory that the compiler reserves",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
};
