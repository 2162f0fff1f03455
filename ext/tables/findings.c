#include "analysis/findings.h"

#include "analysis/devices.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_finding *row_of(const mv_cursor *c) {
  return c->row;
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  mv_finding_list list;
  int64_t memory_bytes;
  const mv_entry *entry = &request->source->entries[request->index];
  const char *device = mv_device_of(&memory_bytes, entry, request->device, request->module->platform);
  if (!mv_findings_of(&list, request->module, device, memory_bytes, request->arena, request->limits, status)) {
    return false;
  }
  *out = (mv_rows){list.items, list.count, sizeof *list.items, NULL};
  return true;
}

static int64_t color_of(const mv_module *m, const void *row) {
  return m->spaces[((const mv_finding *)row)->space].color;
}

static void get_kind(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_text(context, mv_finding_name(row_of(c)->kind), -1, SQLITE_STATIC);
}

static void get_buffer_id(mv_cursor *c, sqlite3_context *context) {
  if (row_of(c)->buffer != MV_NONE) {
    sqlite3_result_int64(context, c->module->buffers[row_of(c)->buffer].id);
  }
}

static void get_allocation_id(mv_cursor *c, sqlite3_context *context) {
  if (row_of(c)->allocation != MV_NONE) {
    sqlite3_result_int64(context, c->module->allocations[row_of(c)->allocation].id);
  }
}

static void get_key(mv_cursor *c, sqlite3_context *context) {
  mv_result_key(context, row_of(c)->key);
}

static void get_text(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, row_of(c)->text);
}

static const mv_column columns[] = {
    MV_NAME("kind",
            "'group': a layer without which the peak falls by 5 % or more; 'padding': a buffer of 1 % of the peak or more "
            "that takes twice what its elements need, or more; 'copy': a buffer that is live at the peak together with "
            "what it copies; 'donation': an argument with the shape and layout of a result, which could take "
            "over its memory; 'unused': an allocation more than 1 % larger than what is ever occupied of it at once; "
            "'overlap': a peak above what is allocated; 'over capacity': a space that needs more than the device has, where "
            "the device is known",
            get_kind),
    MV_INTEGER(mv_finding, bytes, "bytes",
               "Bytes it is about, the most there is to save: of a group its saving_bytes, of padding the padding. They do "
               "not add up"),
    MV_CALL("buffer_id", "INTEGER", "The buffer, NULL where it is no single one", get_buffer_id),
    MV_CALL("allocation_id", "INTEGER", "Its allocation, NULL where it is no single one", get_allocation_id),
    MV_CALL("key", "TEXT", "The layer of a group, the attributed_op_name of a buffer, of a copy that of what it copies",
            get_key),
    MV_CALL("text", "TEXT", "One sentence: what it is, how much, what usually helps, how sure that is", get_text),
};

const mv_table mv_table_findings = {
    .name = "findings",
    .doc = "One row for each thing an expert would say of a module's memory, most bytes first",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
};
