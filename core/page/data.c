#include "page/data.h"

#include "model/instruction.h"
#include "page/writer.h"
#include "render/palette.h"

static void add_allocations(mv_page_writer *w) {
  const mv_module *m = w->module;
  mv_json_key(w->text, "allocations");
  mv_json_begin(w->text, '{');
  mv_page_column(w, "id");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    mv_json_id(w->text, m->allocations[i].id);
  }
  mv_page_end_column(w);
  mv_page_column(w, "category");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    mv_json_i64(w->text, m->allocations[i].category);
  }
  mv_page_end_column(w);
  mv_page_column(w, "size");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    mv_page_size(w, m->allocations[i].size_bytes);
  }
  mv_page_end_column(w);
  mv_page_column(w, "parameter_number");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    const mv_allocation *a = &m->allocations[i];
    mv_json_id(w->text, a->is_entry_computation_parameter ? a->parameter_number : -1);
  }
  mv_page_end_column(w);
  mv_json_end(w->text, '}');
  mv_json_key(w->text, "categories");
  mv_json_begin(w->text, '[');
  for (uint8_t category = MV_CATEGORY_PARAMETER; category <= MV_CATEGORY_TEMPORARY; category++) {
    mv_json_string(w->text, mv_bytes_of_string(mv_category_name(category)));
  }
  mv_json_end(w->text, ']');
}

static void add_scratch(mv_page_writer *w) {
  if (w->scratch.failed) {
    mv_fail_nomem(w->status);
  } else {
    mv_page_text(w, mv_bytes_of(w->scratch.data, w->scratch.size));
  }
}

/* The shape of a buffer as XLA prints it; none where there is no such part or it is no shape. */
static void add_shape(mv_page_writer *w, const mv_buffer *buffer) {
  const mv_bytes proto = mv_buffer_shape(w->module, buffer, mv_instruction_shape(w->module, buffer->instruction));
  mv_bytes text = {0};
  if (proto.data != NULL && !mv_shape_memo_text(&text, &w->shapes, proto, w->status)) {
    return;
  }
  mv_page_text(w, text);
}

static void add_buffers(mv_page_writer *w) {
  const mv_module *m = w->module;
  const uint32_t *list = w->buffers.items;
  const size_t count = w->buffers.count;
  mv_json_key(w->text, "buffers");
  mv_json_begin(w->text, '{');
  mv_page_column(w, "id");
  for (size_t i = 0; i < count && mv_page_goes_on(w, i); i++) {
    mv_json_id(w->text, m->buffers[list[i]].id);
  }
  mv_page_end_column(w);
  mv_page_column(w, "instruction");
  for (size_t i = 0; i < count && mv_page_goes_on(w, i); i++) {
    mv_json_i64(w->text, mv_page_place(w, m->buffers[list[i]].instruction, w->instruction_places, &w->instructions));
  }
  mv_page_end_column(w);
  mv_page_column(w, "shape_index");
  for (size_t i = 0; i < count && mv_page_goes_on(w, i); i++) {
    mv_location location;
    mv_buffer_location(&location, m, &m->buffers[list[i]]);
    mv_text_clear(&w->scratch);
    mv_location_print_index(&w->scratch, &location);
    add_scratch(w);
  }
  mv_page_end_column(w);
  mv_page_column(w, "shape");
  for (size_t i = 0; i < count && mv_page_goes_on(w, i); i++) {
    add_shape(w, &m->buffers[list[i]]);
  }
  mv_page_end_column(w);
  mv_json_end(w->text, '}');
}

/* An instruction's texts are decoded together, so its columns are filled side by side first. */
typedef struct instruction_row {
  int64_t name;
  int64_t opcode;
  int64_t op_name;
  int64_t file;
  int64_t line;
  int64_t frame;
  int64_t computation;
} instruction_row;

static bool read_instruction(instruction_row *row, mv_page_writer *w, uint32_t instruction) {
  const mv_module *m = w->module;
  mv_strings *s = &w->strings;
  mv_instruction_details d;
  mv_arena_reset(w->details);
  if (!mv_instruction_details_read(&d, m, instruction, w->details, w->status)) {
    return false;
  }
  row->line = d.source_line > 0 ? d.source_line : -1;
  row->frame = d.stack_frame_id > 0 ? d.stack_frame_id - 1 : -1;
  const mv_computation *computation = mv_module_computation_of(m, instruction);
  return mv_strings_number(&row->name, s, d.name, w->status) &&
         mv_strings_number(&row->opcode, s, d.opcode, w->status) &&
         mv_strings_number(&row->op_name, s, d.op_name, w->status) &&
         mv_strings_number(&row->file, s, d.source_file, w->status) &&
         mv_strings_number(&row->computation, s, mv_module_bytes(m, computation->name), w->status);
}

static void add_instructions(mv_page_writer *w) {
  static const struct {
    const char *name;
    size_t offset;
  } columns[] = {
      {"name", offsetof(instruction_row, name)},
      {"opcode", offsetof(instruction_row, opcode)},
      {"op_name", offsetof(instruction_row, op_name)},
      {"file", offsetof(instruction_row, file)},
      {"line", offsetof(instruction_row, line)},
      {"frame", offsetof(instruction_row, frame)},
      {"computation", offsetof(instruction_row, computation)},
  };
  const uint32_t *list = w->instructions.items;
  const size_t count = w->instructions.count;
  instruction_row *rows = mv_arena_zalloc(w->arena, count, sizeof *rows, w->status);
  for (size_t i = 0; i < count && mv_page_goes_on(w, i); i++) {
    read_instruction(&rows[i], w, list[i]);
  }
  if (!mv_page_is_ok(w)) {
    return;
  }
  mv_json_key(w->text, "instructions");
  mv_json_begin(w->text, '{');
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
    mv_page_column(w, columns[c].name);
    for (size_t i = 0; i < count && mv_page_goes_on(w, i); i++) {
      int64_t value;
      memcpy(&value, (const char *)&rows[i] + columns[c].offset, sizeof value);
      mv_json_i64(w->text, value);
    }
    mv_page_end_column(w);
  }
  mv_json_end(w->text, '}');
}

static void add_frames(mv_page_writer *w) {
  const mv_stack_frames *frames = mv_module_frames(w->module, w->status);
  if (frames == NULL) {
    return;
  }
  mv_json_key(w->text, "frames");
  mv_json_begin(w->text, '{');
  mv_page_column(w, "parent");
  for (uint32_t i = 0; i < frames->count && mv_page_goes_on(w, i); i++) {
    mv_json_i64(w->text, frames->items[i].parent_id - 1);
  }
  mv_page_end_column(w);
  mv_page_column(w, "function");
  for (uint32_t i = 0; i < frames->count && mv_page_goes_on(w, i); i++) {
    mv_page_text(w, frames->items[i].function);
  }
  mv_page_end_column(w);
  mv_page_column(w, "file");
  for (uint32_t i = 0; i < frames->count && mv_page_goes_on(w, i); i++) {
    mv_page_text(w, frames->items[i].file);
  }
  mv_page_end_column(w);
  mv_page_column(w, "line");
  for (uint32_t i = 0; i < frames->count && mv_page_goes_on(w, i); i++) {
    mv_json_i64(w->text, frames->items[i].line);
  }
  mv_page_end_column(w);
  mv_page_column(w, "column");
  for (uint32_t i = 0; i < frames->count && mv_page_goes_on(w, i); i++) {
    mv_json_i64(w->text, frames->items[i].column);
  }
  mv_page_end_column(w);
  mv_json_end(w->text, '}');
}

static void add_swatches(mv_page_writer *w) {
  mv_json_key(w->text, "colours");
  mv_json_begin(w->text, '[');
  for (size_t i = 0; i < MV_PALETTE_SIZE; i++) {
    const mv_swatch *c = &mv_palette[i];
    mv_json_begin(w->text, '[');
    mv_json_i64(w->text, c->light_fill);
    mv_json_i64(w->text, c->light_stroke);
    mv_json_i64(w->text, c->dark_fill);
    mv_json_i64(w->text, c->dark_stroke);
    mv_json_end(w->text, ']');
  }
  mv_json_end(w->text, ']');
}

static uint32_t *new_places(mv_page_writer *w, uint32_t count) {
  uint32_t *places = mv_arena_alloc(w->arena, (size_t)count * sizeof *places, w->status);
  for (uint32_t i = 0; places != NULL && i < count; i++) {
    places[i] = MV_NONE;
  }
  return places;
}

static void add_module(mv_page_writer *w) {
  const char *platform = mv_platform_name(w->module->platform);
  mv_json_begin(w->text, '{');
  mv_page_named_text(w, "platform", mv_bytes_of_string(platform));
  add_swatches(w);
  mv_page_spaces(w);
  add_allocations(w);
  if (mv_page_is_ok(w)) {
    add_buffers(w);
  }
  if (mv_page_is_ok(w)) {
    add_instructions(w);
  }
  if (mv_page_is_ok(w)) {
    add_frames(w);
  }
  if (mv_page_is_ok(w)) {
    mv_json_key(w->text, "strings");
    mv_strings_write(w->text, &w->strings);
    mv_json_key(w->text, "is_clamped");
    mv_json_bool(w->text, w->is_clamped);
    mv_json_end(w->text, '}');
  }
}

bool mv_page_data(mv_text *text, const mv_module *m, const mv_limits *limits, mv_status *status) {
  mv_page_writer w = {.text = text, .module = m, .limits = limits, .status = status, .scratch = MV_TEXT_INIT};
  w.arena = mv_arena_new(status);
  w.details = mv_arena_new(status);
  if (w.arena != NULL && w.details != NULL) {
    w.strings = mv_strings_of(w.arena);
    w.buffer_places = new_places(&w, m->buffer_count);
    w.instruction_places = new_places(&w, m->instruction_count);
    if (w.buffer_places != NULL && w.instruction_places != NULL) {
      add_module(&w);
    }
  }
  mv_text_free(&w.scratch);
  mv_shape_memo_free(&w.shapes);
  mv_arena_free(w.details);
  mv_arena_free(w.arena);
  if (text->failed) {
    mv_fail_nomem(status);
  }
  return status->code == MV_OK;
}
