#include "analysis/peaks.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  const mv_module *m = request->module;
  mv_array peaks = {0};
  for (uint32_t h = 0; h < m->heap_count; h++) {
    if ((!request->has_color || m->heaps[h].color == request->color) &&
        !mv_peaks_add(&peaks, m, h, request->arena, request->limits, status)) {
      return false;
    }
  }
  *out = (mv_rows){peaks.items, peaks.count, sizeof(mv_peak), NULL};
  return true;
}

static const mv_heap *heap_of(const mv_module *m, const void *row) {
  return &m->heaps[((const mv_peak *)row)->heap];
}

static int64_t color_of(const mv_module *m, const void *row) {
  return heap_of(m, row)->color;
}

static uint64_t number_of(const mv_module *m, const void *row) {
  return heap_of(m, row)->first_position + (uint64_t)((const mv_peak *)row)->position;
}

static void get_allocation_id(mv_cursor *c, sqlite3_context *context) {
  const uint32_t allocation = heap_of(c->module, c->row)->allocation;
  if (allocation != MV_NONE) {
    sqlite3_result_int64(context, c->module->allocations[allocation].id);
  }
}

static const mv_column columns[] = {
    MV_CALL("allocation_id", "INTEGER", "Allocation whose heap this is, NULL when no buffer of it has one",
            get_allocation_id),
    MV_INTEGER(mv_peak, position, "position", "Program position; of a plateau the first"),
    MV_INTEGER(mv_peak, bytes, "bytes", "As in usage_curve"),
    MV_INTEGER(mv_peak, prominence_bytes, "prominence_bytes",
               "How far it stands above the lowest point on the way to a higher peak, or to an earlier one as high; of the "
               "highest, above the lowest point of all"),
};

const mv_table mv_table_peaks = {
    .name = "peaks",
    .doc = "One row for each local maximum of a heap's usage curve, highest first: when a peak is lowered, the next one "
           "decides",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
    .rows_by_color = true,
    .number_of = number_of,
};
