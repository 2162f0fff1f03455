#include "analysis/diff.h"
#include "tables/tables.h"

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  mv_array differences = {0};
  const bool ok =
      mv_diff_add(&differences, request->module, request->after, request->by, request->arena, request->limits, status);
  *out = (mv_rows){differences.items, differences.count, sizeof(mv_difference), NULL};
  return ok;
}

static const mv_column columns[] = {
    MV_FIELD(MV_COLUMN_STRING, const char *, mv_entry, name, "module", "TEXT",
             "Name of the module: the n-th of a name before stands against the n-th after", .plan = MV_PLAN_MODULE),
    MV_STRING_AS(mv_difference, memory_space, "memory_space", MV_NOCASE, "Name of the memory space"),
    MV_TEXT(mv_difference, key, "key", "What the buffers have in common, NULL where that is unknown"),
    MV_INTEGER(mv_difference, before_buffer_count, "before_buffer_count", "Buffers live at the peak before"),
    MV_INTEGER(mv_difference, after_buffer_count, "after_buffer_count", "Buffers live at the peak after"),
    MV_SIZE(mv_difference, before_bytes, "before_bytes",
            "Bytes of them before, NULL where the key is only after. For each memory space they add up to its peak"),
    MV_SIZE(mv_difference, after_bytes, "after_bytes", "Bytes of them after, NULL where the key is only before"),
    MV_INTEGER(mv_difference, change_bytes, "change_bytes",
               "after_bytes - before_bytes; for each memory space they add up to the difference of the peaks"),
};

const mv_table mv_table_memory_diff = {
    .name = "memory_diff",
    .doc = "One row for each group of buffers at the peak of a memory space in two sources, what changed most first. "
           "Modules and memory spaces are paired by name; what only one source has stands against nothing",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_PAIR,
    .hidden = {{"before", "", MV_HIDDEN_SOURCE, "the source to compare with"},
               {"after", "", MV_HIDDEN_SOURCE, "the source that is compared; what memview_open opened unless given"},
               MV_BY_ARGUMENT},
    .rows = rows,
};
