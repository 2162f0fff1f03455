#include "tables/buffer_columns.h"

#include "shape/shape.h"

SQLITE_EXTENSION_INIT3

void mv_get_shape_index(mv_row *row, sqlite3_context *context) {
  if (row->buffer != NULL) {
    mv_location location;
    mv_buffer_location(&location, row->module, row->buffer);
    mv_text *text = mv_row_text(row);
    mv_location_print_index(text, &location);
    mv_result_copy(context, text);
  }
}

void mv_get_element_type(mv_row *row, sqlite3_context *context) {
  const int64_t type = mv_shape_scan_element_type(mv_row_shape(row, context));
  const char *name = type != MV_TYPE_INVALID ? mv_element_type_name(type) : NULL;
  if (name != NULL) {
    sqlite3_result_text(context, name, -1, SQLITE_STATIC);
  }
}
