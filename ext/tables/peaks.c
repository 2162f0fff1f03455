#include "analysis/peaks.h"
#include "tables/tables.h"

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  const mv_peak_list *list = mv_module_peaks(request->module, request->limits, status);
  if (list != NULL) {
    *out = (mv_rows){list->items, list->count, sizeof *list->items, NULL};
  }
  return list != NULL;
}

static const mv_heap *heap_of(const mv_module *m, const void *row) {
  return &m->heaps[((const mv_peak *)row)->heap];
}

static int64_t color_of(const mv_module *m, const void *row) {
  return heap_of(m, row)->color;
}

static void refer(mv_row *row) {
  const uint32_t allocation = heap_of(row->module, row->item)->allocation;
  row->allocation = allocation != MV_NONE ? &row->module->allocations[allocation] : NULL;
}

static const mv_column columns[] = {
    MV_INTEGER(mv_allocation, id, "allocation_id", "Allocation whose heap this is, NULL when no buffer of it has one"),
    MV_INTEGER(mv_peak, position, "position", "Program position; of a plateau the first"),
    MV_INTEGER(mv_peak, bytes, "bytes", "As in usage_curve"),
    MV_INTEGER(
        mv_peak, prominence_bytes, "prominence_bytes",
        "How far it stands above the lowest point on the way to a higher peak, or to an earlier one as high; of the "
        "highest, above the lowest point of all"),
};

const mv_table mv_table_peaks = {
    .name = "peaks",
    .doc =
        "One row for each local maximum of a heap's usage curve, highest first: when a peak is lowered, the next one "
        "decides",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
    .refer = refer,
};
