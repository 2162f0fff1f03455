#include "tables/tables.h"

#include "analysis/devices.h"
#include "shape/shape.h"

SQLITE_EXTENSION_INIT3

const mv_table *const mv_tables[] = {
    &mv_table_hlo_modules, &mv_table_memory_spaces, &mv_table_allocations, &mv_table_buffers,
    &mv_table_usage_curve, &mv_table_peak_buffers,  &mv_table_peak_groups, &mv_table_peaks,
    &mv_table_findings,    &mv_table_memory_diff,   &mv_table_instructions, &mv_table_stack_frames,
    &mv_table_devices,
};
const size_t mv_table_count = sizeof mv_tables / sizeof *mv_tables;

void mv_result_size(sqlite3_context *context, int64_t value) {
  if (value >= 0) {
    sqlite3_result_int64(context, value);
  }
}

void mv_result_positive(sqlite3_context *context, int64_t value) {
  if (value > 0) {
    sqlite3_result_int64(context, value);
  }
}

void mv_result_key(sqlite3_context *context, mv_bytes key) {
  if (key.data != NULL && key.size == 0) {
    sqlite3_result_text(context, "", 0, SQLITE_STATIC);
  } else {
    mv_result_bytes(context, key);
  }
}

const char *mv_cursor_device(int64_t *memory_bytes, const mv_cursor *c, mv_platform platform) {
  return mv_device_of(memory_bytes, mv_cursor_entry(c), c->host->device, platform);
}

int64_t mv_instruction_name_key(const mv_module *m, uint32_t instruction) {
  const mv_bytes name = mv_instruction_name(m, instruction);
  return name.size > 0 ? mv_text_hash(name) : INT64_MIN; /* shown as NULL, which equals nothing */
}

void mv_result_shape(sqlite3_context *context, mv_cursor *c, mv_bytes proto) {
  if (proto.data == NULL) {
    return;
  }
  mv_status status = MV_STATUS_INIT;
  mv_bytes text;
  if (!mv_shape_memo_text(&text, &c->host->shapes, proto, &status)) {
    mv_result_error(context, &status);
  } else if (text.data != NULL) {
    sqlite3_result_text(context, (const char *)text.data, -1, SQLITE_TRANSIENT);
  }
}
