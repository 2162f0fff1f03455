#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

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

static void refer(mv_row *row) {
  const mv_module *m = row->module;
  const mv_position *p = row->item;
  row->position = p;
  row->heap = p->heap != MV_NONE ? &m->heaps[p->heap] : NULL;
  row->buffer = p->buffer != MV_NONE ? &m->buffers[p->buffer] : NULL;
  row->allocation =
      row->heap != NULL && row->heap->allocation != MV_NONE ? &m->allocations[row->heap->allocation] : NULL;
}

static void get_is_peak(mv_row *row, sqlite3_context *context) {
  sqlite3_result_int(context, row->heap == NULL || row->heap->peak_position == row->position->position);
}

static const mv_column columns[] = {
    MV_INTEGER_KEY(mv_allocation, id, "allocation_id", "Allocation whose heap this is, NULL in a space without a heap",
                   allocation_id_of),
    MV_INTEGER_KEY(mv_position, position, "position", "Program position: 0 before the first event, k after the k-th",
                   position_of),
    MV_NAME_OF(mv_position, kind, mv_event_name, "event", MV_NOCASE,
               "Event that led here: ALLOC, FREE or SHARE_WITH, NULL at 0"),
    MV_INTEGER_KEY(mv_buffer, id, "buffer_id", "Buffer of the event", buffer_id_of),
    MV_REF(mv_position, instruction, "instruction", "HLO instruction of the event"),
    MV_INTEGER(mv_position, bytes, "bytes",
               "Live blocks of this heap, the baseline and untraced temporaries, with padding"),
    MV_INTEGER_OF_SHAPES(mv_position, unpadded_bytes, "unpadded_bytes", "The same without padding"),
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
    .refer = refer,
    .rows_by_color = true,
    .number_of = number_of,
};
