#include "analysis/findings.h"

#include "analysis/devices.h"
#include "tables/tables.h"

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

static void refer(mv_row *row) {
  const mv_finding *finding = row->item;
  const mv_module *m = row->module;
  row->buffer = finding->buffer != MV_NONE ? &m->buffers[finding->buffer] : NULL;
  row->allocation = finding->allocation != MV_NONE ? &m->allocations[finding->allocation] : NULL;
}

static const mv_column columns[] = {
    MV_NAME_OF(
        mv_finding, kind, mv_finding_name, "kind", MV_NOCASE,
        "'group': a layer without which the peak falls by 5 % or more; 'padding': a buffer of 1 % of the peak or more "
        "that takes twice what its elements need, or more; 'copy': a buffer that is live at the peak together with "
        "what it copies; 'donation': an argument with the shape and layout of a result, which could take "
        "over its memory; 'unused': an allocation more than 1 % larger than what is ever occupied of it at once; "
        "'overlap': a peak above what is allocated; 'over capacity': a space that needs more than the device has, "
        "where the device is known"),
    MV_INTEGER(
        mv_finding, bytes, "bytes",
        "Bytes it is about, the most there is to save: of a group its saving_bytes, of padding the padding. They do "
        "not add up"),
    MV_INTEGER(mv_buffer, id, "buffer_id", "The buffer, NULL where it is no single one"),
    MV_INTEGER(mv_allocation, id, "allocation_id", "Its allocation, NULL where it is no single one"),
    MV_TEXT(mv_finding, key, "key",
            "The layer of a group, the attributed_op_name of a buffer, of a copy that of what it copies"),
    MV_BYTES(mv_finding, text, "text", "One sentence: what it is, how much, what usually helps, how sure that is"),
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
    .refer = refer,
};
