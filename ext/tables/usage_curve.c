#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_position *row_of(const mv_cursor *c) {
  return c->row;
}

static const mv_heap *heap_of(const mv_cursor *c) {
  const uint32_t heap = row_of(c)->heap;
  return heap != MV_NONE ? &c->module->heaps[heap] : NULL;
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  const mv_module *m = request->module;
  *out = (mv_rows){m->positions, m->position_count, sizeof *m->positions, NULL};
  if (request->has_color) { /* positions stand in order of space */
    const uint32_t space = mv_module_find_space(m, request->color);
    out->count = space != MV_NONE ? m->spaces[space].position_count : 0;
    out->base = m->positions + (space != MV_NONE ? m->spaces[space].first_position : 0);
  }
  return true;
}

static int64_t color_of(const mv_module *m, const void *row) {
  return m->spaces[((const mv_position *)row)->space].color;
}

static uint64_t number_of(const mv_module *m, const void *row) {
  return (uint64_t)((const mv_position *)row - m->positions);
}

static int64_t position_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_position *)row)->position;
}

static int64_t buffer_id_of(const mv_module *m, const void *row) {
  const uint32_t buffer = ((const mv_position *)row)->buffer;
  return buffer != MV_NONE ? m->buffers[buffer].id : INT64_MIN; /* NULL equals nothing */
}

static int64_t allocation_id_of(const mv_module *m, const void *row) {
  const uint32_t heap = ((const mv_position *)row)->heap;
  const uint32_t allocation = heap != MV_NONE ? m->heaps[heap].allocation : MV_NONE;
  return allocation != MV_NONE ? m->allocations[allocation].id : INT64_MIN;
}

static void get_allocation_id(mv_cursor *c, sqlite3_context *context) {
  const mv_heap *heap = heap_of(c);
  if (heap != NULL && heap->allocation != MV_NONE) {
    sqlite3_result_int64(context, c->module->allocations[heap->allocation].id);
  }
}

static void get_position(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, row_of(c)->position);
}

static void get_event(mv_cursor *c, sqlite3_context *context) {
  static const char *const names[] = {"ALLOC", "FREE", "SHARE_WITH"};
  if (row_of(c)->kind < sizeof names / sizeof *names) {
    sqlite3_result_text(context, names[row_of(c)->kind], -1, SQLITE_STATIC);
  }
}

static void get_buffer_id(mv_cursor *c, sqlite3_context *context) {
  if (row_of(c)->buffer != MV_NONE) {
    sqlite3_result_int64(context, c->module->buffers[row_of(c)->buffer].id);
  }
}

static void get_instruction(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, mv_module_bytes(c->module, row_of(c)->instruction));
}

static void get_unpadded(mv_cursor *c, sqlite3_context *context) {
  if (c->module->has_module) {
    sqlite3_result_int64(context, row_of(c)->unpadded_bytes);
  }
}

static void get_is_peak(mv_cursor *c, sqlite3_context *context) {
  const mv_heap *heap = heap_of(c);
  sqlite3_result_int(context, heap == NULL || heap->peak_position == row_of(c)->position);
}

static const mv_column columns[] = {
    MV_KEY("allocation_id", "Allocation whose heap this is, NULL in a space without a heap", get_allocation_id,
           allocation_id_of),
    MV_KEY("position", "Program position: 0 before the first event, k after the k-th", get_position, position_of),
    MV_NAME("event", "Event that led here: ALLOC, FREE or SHARE_WITH, NULL at 0", get_event),
    MV_KEY("buffer_id", "Buffer of the event", get_buffer_id, buffer_id_of),
    MV_CALL("instruction", "TEXT", "HLO instruction of the event", get_instruction),
    MV_INTEGER(mv_position, bytes, "bytes",
               "Live blocks of this heap, the baseline and untraced temporaries, with padding"),
    MV_CALL("unpadded_bytes", "INTEGER", "The same without padding", get_unpadded),
    MV_INTEGER(mv_position, occupied_bytes, "occupied_bytes",
               "Addresses that live blocks cover, each once, the baseline and untraced temporaries"),
    MV_CALL("is_peak", "INTEGER", "1 at the first position with the largest bytes of its heap", get_is_peak),
};

const mv_table mv_table_usage_curve = {
    .name = "usage_curve",
    .doc = "One row for each program position of a heap: the memory in use over program order",
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
