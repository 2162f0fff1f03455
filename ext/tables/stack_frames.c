#include "tables/tables.h"

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  const mv_stack_frames *frames = mv_module_frames(request->module, status);
  if (frames == NULL) {
    return false;
  }
  *out = (mv_rows){frames->items, frames->count, sizeof *frames->items, NULL};
  return true;
}

static int64_t id_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_frame *)row)->id;
}

static int64_t parent_id_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_frame *)row)->parent_id;
}

static const mv_column columns[] = {
    MV_INTEGER_KEY(mv_frame, id, "frame_id", "Id of the frame, from 1", id_of),
    MV_POSITIVE_KEY(mv_frame, parent_id, "parent_frame_id", "Frame of the caller, NULL at the outermost", parent_id_of),
    MV_BYTES(mv_frame, function, "function", "Function the frame is in"),
    MV_BYTES(mv_frame, file, "source_file", "Source file"),
    MV_POSITIVE(mv_frame, line, "source_line", "Line in source_file"),
    MV_POSITIVE(mv_frame, column, "source_column", "Column in that line"),
};

const mv_table mv_table_stack_frames = {
    .name = "stack_frames",
    .doc = "One row for each frame of a module's stack index: where instructions come from in the model's source",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_MODULE,
    .hidden = {MV_SOURCE_ARGUMENT},
    .rows = rows,
};
