#include "column.h"

SQLITE_EXTENSION_INIT3

/* NULL where the row has none, or with the error set as the result. */
static const void *origin_of(const mv_column *column, mv_row *row, sqlite3_context *context) {
  const mv_module *m = row->module;
  switch (column->origin) {
    case MV_OF_ITEM: return row->item;
    case MV_OF_ROW: return row;
    case MV_OF_ENTRY: return row->entry;
    case MV_OF_BUFFER: return row->buffer;
    case MV_OF_SHARING_ROOT:
      return row->buffer != NULL && row->buffer->shares_with != MV_NONE ? &m->buffers[row->buffer->shares_with] : NULL;
    case MV_OF_PLACE:
      return row->buffer != NULL && row->buffer->block_root != MV_NONE ? &m->buffers[row->buffer->block_root]
                                                                       : row->buffer;
    case MV_OF_ALLOCATION: return row->allocation;
    case MV_OF_HEAP: return row->heap;
    case MV_OF_POSITION: return row->position;
    case MV_OF_COMPUTATION: return row->instruction != MV_NONE ? mv_module_computation_of(m, row->instruction) : NULL;
    case MV_OF_DETAILS: return mv_row_details(row, context);
    case MV_OF_EXPLANATION: return mv_row_explanation(row, context);
  }
  return NULL;
}

static void result_string(sqlite3_context *context, const char *text) {
  if (text != NULL) {
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
  }
}

static void result_name(sqlite3_context *context, const char *name) {
  if (name != NULL) {
    sqlite3_result_text(context, name, -1, SQLITE_STATIC);
  }
}

static int64_t integer_at(const void *at) {
  return *(const int64_t *)at;
}

void mv_column_result(const mv_column *column, mv_row *row, sqlite3_context *context) {
  if (column->kind == MV_COLUMN_CALL) {
    column->get(row, context);
    return;
  }
  const char *origin = origin_of(column, row, context);
  if (origin == NULL || (column->is_of_shapes && !row->module->has_module) ||
      (column->condition != 0 && !*(const bool *)(origin + column->condition))) {
    return;
  }
  const void *at = origin + column->offset;
  switch (column->kind) {
    case MV_COLUMN_CALL: break;
    case MV_COLUMN_INTEGER: sqlite3_result_int64(context, integer_at(at)); break;
    case MV_COLUMN_SIZE:
      if (integer_at(at) >= 0) {
        sqlite3_result_int64(context, integer_at(at));
      }
      break;
    case MV_COLUMN_POSITIVE:
      if (integer_at(at) > 0) {
        sqlite3_result_int64(context, integer_at(at));
      }
      break;
    case MV_COLUMN_DIFFERENCE: {
      const int64_t less = integer_at(origin + column->subtrahend);
      if (less >= 0) {
        sqlite3_result_int64(context, integer_at(at) - less);
      }
      break;
    }
    case MV_COLUMN_COUNT: sqlite3_result_int64(context, *(const uint32_t *)at); break;
    case MV_COLUMN_BOOL: sqlite3_result_int(context, *(const bool *)at); break;
    case MV_COLUMN_NAME: result_name(context, column->names(*(const uint8_t *)at)); break;
    case MV_COLUMN_BYTES: mv_result_bytes(context, *(const mv_bytes *)at); break;
    case MV_COLUMN_TEXT: mv_result_known_bytes(context, *(const mv_bytes *)at); break;
    case MV_COLUMN_REF: mv_result_bytes(context, mv_module_bytes(row->module, *(const mv_ref *)at)); break;
    case MV_COLUMN_STRING: result_string(context, *(const char *const *)at); break;
    case MV_COLUMN_PATH: mv_result_bytes(context, mv_bytes_of_string(*(const char *const *)at)); break;
  }
}
