#include "analysis/live.h"
#include "analysis/saving.h"
#include "tables/buffer_columns.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

/* What is live in each space asked for, one list behind the other. */
static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  const mv_module *m = request->module;
  mv_array live = {0};
  for (uint32_t s = 0; s < m->space_count; s++) {
    if (request->has_color && m->spaces[s].color != request->color) {
      continue;
    }
    mv_live_list list;
    if (!mv_live_at(&list, m, s, request->at, request->arena, status) ||
        !mv_array_reserve(&live, live.count + list.count, sizeof *list.items, request->arena, status)) {
      return false;
    }
    if (list.count > 0) { /* or there may be no array yet */
      memcpy((mv_live *)live.items + live.count, list.items, list.count * sizeof *list.items);
      live.count += list.count;
    }
  }
  *out = (mv_rows){live.items, live.count, sizeof(mv_live), NULL};
  return true;
}

static int64_t color_of(const mv_module *m, const void *row) {
  return m->spaces[((const mv_live *)row)->space].color;
}

static uint64_t number_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_live *)row)->number;
}

static void refer(mv_row *row) {
  const mv_module *m = row->module;
  const mv_live *live = row->item;
  row->buffer = live->buffer != MV_NONE ? &m->buffers[live->buffer] : NULL;
  row->allocation = live->allocation != MV_NONE ? &m->allocations[live->allocation] : NULL;
  row->instruction = row->buffer != NULL ? row->buffer->instruction : MV_NONE;
  row->is_allocation = live->number < m->allocation_count;
}

static void get_saving(mv_row *row, sqlite3_context *context) {
  const mv_live *live = row->item;
  const uint32_t resident_count =
      row->module->allocation_count; /* numbers below are of what is live at every position */
  if (row->is_allocation) {
    sqlite3_result_int64(context, live->size_bytes);
    return;
  }
  mv_status status = MV_STATUS_INIT;
  const int64_t *savings = mv_saving_of_blocks(row->module, &row->host->limits, &status);
  if (savings == NULL) {
    mv_result_error(context, &status);
  } else {
    sqlite3_result_int64(context, savings[live->number - resident_count]);
  }
}

static const mv_column columns[] = {
    MV_INTEGER(mv_live, position, "position", "Program position in its heap at which it is live: the peak, or `at`"),
    MV_BUFFER_COLUMNS(mv_live, MV_SIZE(mv_live, offset_bytes, "offset_bytes", MV_OFFSET_DOC), NULL, NULL, NULL),
    MV_CALL("saving_bytes", "INTEGER", "By how much the peak of the space falls without it, all else unchanged",
            get_saving),
    MV_BUFFER_EXPLANATION_COLUMNS,
};

const mv_table mv_table_peak_buffers = {
    .name = "peak_buffers",
    .doc = "One row for each buffer that holds memory at the peak of its space, in program order; with the hidden "
           "argument `at`, at that program position instead. A temporary allocation without a heap trace is one row, "
           "without start_position and end_position",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT,
               {"at", "INTEGER", MV_HIDDEN_AT, "a program position to look at instead of the peak"}},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
    .refer = refer,
    .rows_by_color = true,
    .number_of = number_of,
};
