#include "row.h"

#include "analysis/devices.h"

SQLITE_EXTENSION_INIT3

const mv_instruction_details *mv_row_details(mv_row *row, sqlite3_context *context) {
  if (row->has_details) {
    return &row->details;
  }
  mv_status status = MV_STATUS_INIT;
  mv_arena_reset(row->arena);
  if (!mv_instruction_details_read(&row->details, row->module, row->instruction, row->arena, &status)) {
    mv_result_error(context, &status);
    return NULL;
  }
  row->has_details = true;
  return &row->details;
}

const mv_explanation *mv_row_explanation(mv_row *row, sqlite3_context *context) {
  const mv_module *m = row->module;
  if (row->explanation == NULL && (row->is_allocation || row->buffer != NULL)) {
    mv_status status = MV_STATUS_INIT;
    const mv_limits *limits = &row->host->limits;
    row->explanation = row->is_allocation
                           ? mv_explain_allocation(m, (uint32_t)(row->allocation - m->allocations), limits, &status)
                           : mv_explain_buffer(m, (uint32_t)(row->buffer - m->buffers), limits, &status);
    if (row->explanation == NULL) {
      mv_entry_prefix(&status, row->entry);
      mv_result_error(context, &status);
    }
  }
  return row->explanation;
}

mv_bytes mv_row_shape(mv_row *row, sqlite3_context *context) {
  const mv_instruction_details *details = row->has_shape ? NULL : mv_row_details(row, context);
  if (details != NULL) {
    row->has_shape = true;
    row->shape = row->buffer != NULL ? mv_buffer_shape(row->module, row->buffer, details->shape) : details->shape;
  }
  return row->has_shape ? row->shape : mv_bytes_of(NULL, 0);
}

const char *mv_row_device(int64_t *memory_bytes, const mv_row *row, mv_platform platform) {
  const mv_entry *entry = row->entry;
  const char *device = row->host->device;
  *memory_bytes = entry->device_memory_bytes;
  if (entry->device != NULL) {
    return entry->device;
  }
  return device != NULL && (platform == MV_PLATFORM_UNKNOWN || platform == mv_device_platform(device)) ? device : NULL;
}

mv_text *mv_row_text(mv_row *row) {
  mv_text_clear(&row->text);
  return &row->text;
}
