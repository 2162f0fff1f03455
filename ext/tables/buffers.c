#include "tables/buffer_columns.h"
#include "tables/tables.h"

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  const mv_module *m = request->module;
  *out = (mv_rows){m->buffers, m->buffer_count, sizeof *m->buffers, NULL};
  return true;
}

static int64_t color_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_buffer *)row)->color;
}

static int64_t id_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_buffer *)row)->id;
}

static int64_t allocation_id_of(const mv_module *m, const void *row) {
  const mv_buffer *buffer = row;
  return buffer->allocation != MV_NONE ? m->allocations[buffer->allocation].id : INT64_MIN; /* NULL equals nothing */
}

static int64_t instruction_key_of(const mv_module *m, const void *row) {
  return mv_instruction_name_key(m, ((const mv_buffer *)row)->instruction);
}

static void refer(mv_row *row) {
  const mv_buffer *b = row->item;
  row->buffer = b;
  row->allocation = b->allocation != MV_NONE ? &row->module->allocations[b->allocation] : NULL;
  row->instruction = b->instruction;
}

static const mv_column columns[] = {
    MV_BUFFER_COLUMNS(mv_buffer, MV_PLACE_COLUMN, id_of, allocation_id_of, instruction_key_of),
    MV_BUFFER_EXPLANATION_COLUMNS,
};

const mv_table mv_table_buffers = {
    .name = "buffers",
    .doc = "One row for each logical buffer: a value, or a part of one, that takes memory",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
    .refer = refer,
};
