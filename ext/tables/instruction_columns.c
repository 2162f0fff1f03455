#include "tables/instruction_columns.h"

SQLITE_EXTENSION_INIT3

int64_t mv_instruction_name_key(const mv_module *m, uint32_t instruction) {
  const mv_bytes name = mv_instruction_name(m, instruction);
  return name.size > 0 ? mv_text_hash(name) : INT64_MIN; /* shown as NULL, which equals nothing */
}

void mv_get_shape(mv_row *row, sqlite3_context *context) {
  const mv_bytes proto = mv_row_shape(row, context);
  if (proto.data == NULL) {
    return;
  }
  mv_status status = MV_STATUS_INIT;
  mv_bytes text;
  if (!mv_shape_memo_text(&text, &row->host->shapes, proto, &status)) {
    mv_result_error(context, &status);
  } else if (text.data != NULL) {
    sqlite3_result_text(context, (const char *)text.data, -1, SQLITE_TRANSIENT);
  }
}

void mv_get_source_stack(mv_row *row, sqlite3_context *context) {
  const mv_instruction_details *details = mv_row_details(row, context);
  if (details == NULL || details->stack_frame_id <= 0) {
    return;
  }
  mv_status status = MV_STATUS_INIT;
  mv_text *text = mv_row_text(row);
  if (!mv_stack_print(text, row->module, details->stack_frame_id, &status)) {
    mv_result_error(context, &status);
  } else if (text->size > 0 || text->failed) {
    mv_result_copy(context, text);
  }
}
