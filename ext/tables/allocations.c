#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

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

static void refer(mv_row *row) {
  const mv_allocation *a = row->item;
  row->allocation = a;
  row->heap = a->heap != MV_NONE ? &row->module->heaps[a->heap] : NULL;
}

static void get_parameter_shape_index(mv_row *row, sqlite3_context *context) {
  if (row->allocation->is_entry_computation_parameter) {
    mv_text *text = mv_row_text(row);
    mv_location_print_parameter_index(text, mv_module_bytes(row->module, row->allocation->proto));
    mv_result_copy(context, text);
  }
}

static const mv_column columns[] = {
    MV_INTEGER_KEY(mv_allocation, id, "allocation_id", "XLA's index of the allocation", id_of),
    MV_NAME_OF(mv_allocation, category, mv_category_name, "category", MV_NOCASE,
               "Parameter, Output, Thread-local, Constant or Temporary"),
    MV_INTEGER(mv_allocation, size_bytes, "size_bytes", "Bytes the allocation takes"),
    MV_COUNT(mv_allocation, buffer_count, "buffer_count", "Logical buffers that lie in it"),
    MV_INTEGER_IF(mv_allocation, parameter_number, is_entry_computation_parameter, "parameter_number",
                  "Which parameter of the entry computation it holds, NULL when none"),
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
    MV_INTEGER(mv_heap, event_count, "event_count", "Events of its heap trace, NULL when it has none"),
    MV_INTEGER(mv_heap, peak_bytes, "heap_peak_bytes", "Largest sum of live blocks in it, NULL without a heap trace"),
    MV_INTEGER(mv_heap, occupied_peak_bytes, "occupied_peak_bytes",
               "Most addresses of it covered at once, NULL without a heap trace"),
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
    .refer = refer,
};
