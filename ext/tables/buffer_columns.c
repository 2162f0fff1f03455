/* buffer_columns.c: the columns that buffers and peak_buffers have in common. */
#include "shape/shape.h"
#include "tables/tables.h"
#include "wire/wire.h"

SQLITE_EXTENSION_INIT3

static const mv_instruction_details *details_of(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  return mv_cursor_details(c, buffer != NULL ? buffer->instruction : MV_NONE, context);
}

void mv_get_buffer_id(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  if (buffer != NULL) {
    sqlite3_result_int64(context, buffer->id);
  }
}

void mv_get_buffer_allocation_id(mv_cursor *c, sqlite3_context *context) {
  const uint32_t allocation = c->view.allocation;
  if (allocation != MV_NONE) {
    sqlite3_result_int64(context, c->module->allocations[allocation].id);
  }
}

void mv_get_buffer_category(mv_cursor *c, sqlite3_context *context) {
  const uint32_t allocation = c->view.allocation;
  if (allocation != MV_NONE) {
    const char *name = mv_category_name(c->module->allocations[allocation].category);
    sqlite3_result_text(context, name, -1, SQLITE_STATIC);
  }
}

void mv_get_buffer_instruction(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details != NULL) {
    mv_result_bytes(context, details->name);
  }
}

void mv_get_buffer_opcode(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details != NULL) {
    mv_result_bytes(context, details->opcode);
  }
}

void mv_get_buffer_shape_index(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  if (buffer == NULL) {
    return;
  }
  mv_location location;
  mv_buffer_location(&location, c->module, buffer);
  mv_text *text = mv_cursor_text(c);
  mv_location_print_index(text, &location);
  mv_result_copy(context, text);
}

void mv_get_buffer_computation(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  if (buffer != NULL && buffer->instruction != MV_NONE) {
    mv_result_bytes(context,
                    mv_module_bytes(c->module, mv_module_computation_of(c->module, buffer->instruction)->name));
  }
}

static mv_bytes shape_of(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  const mv_instruction_details *details = c->has_shape ? NULL : details_of(c, context);
  if (details != NULL) {
    c->has_shape = true;
    c->shape = mv_bytes_of(NULL, 0);
    if (buffer != NULL) {
      c->shape = mv_buffer_shape(c->module, buffer, details->shape);
    }
  }
  return c->has_shape ? c->shape : mv_bytes_of(NULL, 0);
}

void mv_get_buffer_shape(mv_cursor *c, sqlite3_context *context) {
  mv_result_shape(context, c, shape_of(c, context));
}

void mv_get_buffer_element_type(mv_cursor *c, sqlite3_context *context) {
  enum { SHAPE_ELEMENT_TYPE = 2 };
  const mv_bytes shape = shape_of(c, context);
  mv_wire w = mv_wire_of(shape);
  mv_tag tag;
  while (shape.data != NULL && mv_wire_next(&w, &tag)) {
    if (tag.field == SHAPE_ELEMENT_TYPE && tag.type == MV_VARINT) {
      const char *name = mv_element_type_name((int64_t)tag.value);
      if (name != NULL) {
        sqlite3_result_text(context, name, -1, SQLITE_STATIC);
      }
    }
  }
}

void mv_get_buffer_size(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, c->view.size_bytes);
}

void mv_get_buffer_unpadded(mv_cursor *c, sqlite3_context *context) {
  mv_result_size(context, c->view.unpadded_bytes);
}

void mv_get_buffer_padding(mv_cursor *c, sqlite3_context *context) {
  if (c->view.unpadded_bytes >= 0) { /* may be negative: a packed type can take less than its unpacked elements */
    sqlite3_result_int64(context, c->view.size_bytes - c->view.unpadded_bytes);
  }
}

void mv_get_buffer_offset(mv_cursor *c, sqlite3_context *context) {
  mv_result_size(context, c->view.offset_bytes);
}

void mv_get_buffer_start(mv_cursor *c, sqlite3_context *context) {
  mv_result_size(context, c->view.start_position);
}

void mv_get_buffer_end(mv_cursor *c, sqlite3_context *context) {
  mv_result_size(context, c->view.end_position);
}

void mv_get_buffer_block_count(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  if (buffer != NULL) {
    sqlite3_result_int64(context, buffer->block_count);
  }
}

void mv_get_buffer_shares_with(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer *buffer = c->view.buffer;
  if (buffer != NULL && buffer->shares_with != MV_NONE) {
    sqlite3_result_int64(context, c->module->buffers[buffer->shares_with].id);
  }
}

void mv_get_buffer_op_name(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details != NULL) {
    mv_result_bytes(context, details->op_name);
  }
}

void mv_get_buffer_source_file(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details != NULL) {
    mv_result_bytes(context, details->source_file);
  }
}

void mv_get_buffer_source_line(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details != NULL) {
    mv_result_positive(context, details->source_line);
  }
}

void mv_get_buffer_source_stack(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details == NULL || details->stack_frame_id <= 0) {
    return;
  }
  mv_status status = MV_STATUS_INIT;
  mv_text *text = mv_cursor_text(c);
  if (!mv_stack_print(text, c->module, details->stack_frame_id, &status)) {
    mv_result_error(context, &status);
  } else if (text->size > 0 || text->failed) {
    mv_result_copy(context, text);
  }
}

void mv_get_buffer_stack_frame_id(mv_cursor *c, sqlite3_context *context) {
  const mv_instruction_details *details = details_of(c, context);
  if (details != NULL) {
    mv_result_positive(context, details->stack_frame_id);
  }
}

/* Of the row; NULL with the result set: to the error, or to nothing where there is nothing to explain. */
static const mv_explanation *explanation_of(mv_cursor *c, sqlite3_context *context) {
  const mv_buffer_view *view = &c->view;
  if (c->explanation == NULL && (view->is_allocation || view->buffer != NULL)) {
    mv_status status = MV_STATUS_INIT;
    c->explanation =
        view->is_allocation
            ? mv_explain_allocation(c->module, view->allocation, &c->host->limits, &status)
            : mv_explain_buffer(c->module, (uint32_t)(view->buffer - c->module->buffers), &c->host->limits, &status);
    if (c->explanation == NULL) {
      mv_entry_prefix(&status, mv_cursor_entry(c));
      mv_result_error(context, &status);
    }
  }
  return c->explanation;
}

void mv_get_buffer_attributed_op_name(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    mv_result_bytes(context, explanation->attributed_op_name);
  }
}

void mv_get_buffer_attribution(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    sqlite3_result_text(context, mv_attribution_name(explanation->attribution), -1, SQLITE_STATIC);
  }
}

void mv_get_buffer_used_by(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    mv_result_bytes(context, explanation->used_by);
  }
}

void mv_get_buffer_phase(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    sqlite3_result_text(context, mv_phase_name(explanation->phase), -1, SQLITE_STATIC);
  }
}

void mv_get_buffer_scope(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    mv_result_known_bytes(context, explanation->scope);
  }
}

void mv_get_buffer_layer(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    mv_result_known_bytes(context, explanation->layer);
  }
}

void mv_get_buffer_user_source_file(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    mv_result_bytes(context, explanation->user_source_file);
  }
}

void mv_get_buffer_user_source_line(mv_cursor *c, sqlite3_context *context) {
  const mv_explanation *explanation = explanation_of(c, context);
  if (explanation != NULL) {
    mv_result_positive(context, explanation->user_source_line);
  }
}
