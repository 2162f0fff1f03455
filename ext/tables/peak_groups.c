#include "analysis/groups.h"
#include "tables/tables.h"

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  const mv_group_list *list = mv_module_groups(request->module, request->by, request->limits, status);
  if (list != NULL) {
    *out = (mv_rows){list->items, list->count, sizeof *list->items, NULL};
  }
  return list != NULL;
}

static int64_t color_of(const mv_module *m, const void *row) {
  return m->spaces[((const mv_group *)row)->space].color;
}

static const mv_column columns[] = {
    MV_TEXT(mv_group, key, "key", "What its buffers have in common, NULL where that is unknown"),
    MV_INTEGER(mv_group, buffer_count, "buffer_count", "Its buffers that are live at the peak"),
    MV_INTEGER(mv_group, size_bytes, "size_bytes", "Bytes they take, with padding"),
    MV_INTEGER_OF_SHAPES(mv_group, unpadded_bytes, "unpadded_bytes", "Bytes their elements need, without padding"),
    MV_DIFFERENCE_OF_SHAPES(mv_group, size_bytes, unpadded_bytes, "padding_bytes", "size_bytes - unpadded_bytes"),
    MV_INTEGER(mv_group, saving_bytes, "saving_bytes",
               "By how much the peak of the space falls without all buffers of the group, also those not live at the "
               "peak, all else unchanged. Savings of groups do not add up"),
    MV_INTEGER(mv_group, cumulative_saving_bytes, "cumulative_saving_bytes",
               "By how much it falls without this group and all of its space that stand above it"),
};

const mv_table mv_table_peak_groups = {
    .name = "peak_groups",
    .doc = "One row for each group of buffers of a memory space, those that save most first: what to change when the "
           "peak is too high",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT, MV_BY_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
};
