#include "page/data.h"

#include "base/json_write.h"
#include "model/instruction.h"
#include "page/strings.h"
#include "render/palette.h"
#include "shape/memo.h"

#define MAX_EXACT (INT64_C(1) << 53) /* the largest integer up to which a JavaScript number holds all */

enum { CHECK_EVERY = 256 }; /* rows */

typedef struct writer {
  mv_text *text;
  const mv_module *module;
  const mv_limits *limits;
  mv_status *status;
  mv_arena *arena;   /* of the whole module */
  mv_arena *details; /* of one instruction or heap */
  mv_strings strings;
  mv_shape_memo shapes;
  mv_text scratch;              /* a text that is made: a shape's index */
  uint32_t *buffer_places;      /* place in the page's buffers by that in the module's; MV_NONE: not listed */
  uint32_t *instruction_places; /* likewise */
  mv_array buffers;             /* uint32_t: the module's buffers that are listed, in order of place */
  mv_array instructions;        /* likewise */
  bool is_clamped;
} writer;

static bool is_ok(const writer *w) {
  return w->status->code == MV_OK && !w->text->failed;
}

/* Whether row i is to be written: what went wrong before ends it, and now and then the host is asked. */
static bool goes_on(writer *w, size_t i) {
  return (i % CHECK_EVERY != 0 || mv_check_interrupt(w->limits, w->status)) && is_ok(w);
}

static void column(writer *w, const char *name) {
  mv_json_key(w->text, name);
  mv_json_begin(w->text, '[');
}

static void end_column(writer *w) {
  mv_json_end(w->text, ']');
}

static int64_t clamp(writer *w, int64_t value) {
  if (value > MAX_EXACT || value < -MAX_EXACT) {
    w->is_clamped = true;
    return value > 0 ? MAX_EXACT : -MAX_EXACT;
  }
  return value;
}

static void add_size(writer *w, int64_t value) {
  mv_json_i64(w->text, clamp(w, value));
}

static void add_text(writer *w, mv_bytes bytes) {
  int64_t number = -1;
  if (mv_strings_number(&number, &w->strings, bytes, w->status)) {
    mv_json_i64(w->text, number);
  }
}

/* The place of an item in a list of the page, which grows when the item is new. */
static int64_t place_of(writer *w, uint32_t item, uint32_t *places, mv_array *list) {
  if (item == MV_NONE) {
    return -1;
  }
  if (places[item] == MV_NONE) {
    uint32_t *slot = mv_array_push(list, sizeof *slot, w->arena, w->status);
    if (slot == NULL) {
      return -1;
    }
    *slot = item;
    places[item] = (uint32_t)list->count - 1;
  }
  return places[item];
}

static void add_buffer(writer *w, uint32_t buffer) {
  mv_json_i64(w->text, place_of(w, buffer, w->buffer_places, &w->buffers));
}

static int64_t allocation_place(uint32_t allocation) {
  return allocation != MV_NONE ? (int64_t)allocation : -1;
}

/* --- spaces --- */

static void overview_size(writer *w, const char *name, int64_t value) {
  mv_json_key(w->text, name);
  add_size(w, value);
}

static void overview_text(writer *w, const char *name, mv_bytes value) {
  mv_json_key(w->text, name);
  if (value.size > 0) {
    mv_json_string(w->text, value);
  } else {
    mv_json_null(w->text);
  }
}

static void add_overview(writer *w, const mv_space *s) {
  const mv_module *m = w->module;
  const mv_position *peak = mv_space_peak(m, s);
  mv_json_key(w->text, "overview");
  mv_json_begin(w->text, '{');
  overview_size(w, "peak_bytes", s->peak_bytes);
  if (m->has_module) {
    overview_size(w, "peak_unpadded_bytes", s->peak_unpadded_bytes);
    overview_size(w, "padding_bytes", s->peak_bytes - s->peak_unpadded_bytes);
  }
  overview_size(w, "peak_position", peak->position);
  overview_text(w, "peak_instruction", mv_module_bytes(m, peak->instruction));
  overview_size(w, "baseline_bytes", s->baseline_bytes);
  overview_size(w, "untraced_bytes", s->untraced_bytes);
  overview_size(w, "heap_peak_bytes", s->heap_peak_bytes);
  overview_size(w, "occupied_peak_bytes", s->occupied_peak_bytes);
  overview_size(w, "total_bytes", s->total_bytes);
  overview_size(w, "fragmentation_bytes", s->total_bytes - s->occupied_peak_bytes);
  overview_size(w, "argument_bytes", s->argument_bytes);
  overview_size(w, "output_bytes", s->output_bytes);
  overview_size(w, "constant_bytes", s->constant_bytes);
  overview_size(w, "temporary_bytes", s->temporary_bytes);
  overview_size(w, "thread_local_bytes", s->thread_local_bytes);
  if (s->scoped_bytes >= 0) {
    overview_size(w, "scoped_bytes", s->scoped_bytes);
    overview_text(w, "scoped_instruction", mv_instruction_name(m, s->scoped_instruction));
  }
  mv_json_end(w->text, '}');
}

/* The allocations of a space that are live at every position: the baseline and what is untraced. */
static bool is_row(mv_resident *out, const writer *w, uint32_t allocation, uint32_t space) {
  const mv_allocation *a = &w->module->allocations[allocation];
  return a->space == space && mv_resident_of(out, w->module, a);
}

static void add_baseline(writer *w, uint32_t space) {
  const mv_module *m = w->module;
  mv_resident r;
  mv_json_key(w->text, "baseline");
  mv_json_begin(w->text, '{');
  column(w, "allocation");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_json_i64(w->text, i);
    }
  }
  end_column(w);
  column(w, "buffer");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      add_buffer(w, r.buffer);
    }
  }
  end_column(w);
  column(w, "size");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      add_size(w, r.size_bytes);
    }
  }
  end_column(w);
  column(w, "unpadded");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      add_size(w, r.unpadded_bytes);
    }
  }
  end_column(w);
  column(w, "colour");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_json_i64(w->text, r.buffer != MV_NONE ? mv_palette_of(m, &m->buffers[r.buffer]) : 0);
    }
  }
  end_column(w);
  mv_json_end(w->text, '}');
}

/* A field of the curve at each position, as its difference from the one before; of clamped values, so that the sums
 * come out exactly. */
static void add_curve(writer *w, const mv_heap *heap, const char *name, size_t offset) {
  int64_t before = 0;
  column(w, name);
  for (int64_t i = 0; i <= heap->event_count && goes_on(w, (size_t)i); i++) {
    int64_t value;
    memcpy(&value, (const char *)&w->module->positions[heap->first_position + i] + offset, sizeof value);
    value = clamp(w, value);
    mv_json_i64(w->text, value - before);
    before = value;
  }
  end_column(w);
}

static void add_events(writer *w, const mv_heap *heap) {
  const mv_position *p = &w->module->positions[heap->first_position];
  column(w, "event");
  for (int64_t i = 1; i <= heap->event_count && goes_on(w, (size_t)i); i++) {
    mv_json_i64(w->text, p[i].kind);
  }
  end_column(w);
  column(w, "instruction");
  for (int64_t i = 1; i <= heap->event_count && goes_on(w, (size_t)i); i++) {
    add_text(w, mv_module_bytes(w->module, p[i].instruction));
  }
  end_column(w);
}

/* What a column of the blocks shows. */
typedef enum block_field { BUFFER, ROOT, START, END, SIZE, UNPADDED, OFFSET, ALLOCATION } block_field;

static void add_block_field(writer *w, const mv_block *block, block_field field) {
  const mv_buffer *root = &w->module->buffers[block->root];
  switch (field) {
    case BUFFER: add_buffer(w, block->buffer); break;
    case ROOT: mv_json_id(w->text, root->id); break;
    case START: mv_json_i64(w->text, block->start); break;
    case END: mv_json_i64(w->text, block->end); break;
    case SIZE: add_size(w, root->size_bytes); break;
    case UNPADDED: add_size(w, root->unpadded_bytes); break;
    case OFFSET: add_size(w, root->offset_bytes); break;
    case ALLOCATION: mv_json_i64(w->text, allocation_place(root->allocation)); break;
  }
}

static void add_blocks(writer *w, const mv_heap *heap) {
  static const char *const names[] = {"buffer", "root", "start", "end", "size", "unpadded", "offset", "allocation"};
  mv_json_key(w->text, "blocks");
  mv_json_begin(w->text, '{');
  for (block_field field = BUFFER; field <= ALLOCATION; field++) {
    column(w, names[field]);
    for (uint32_t i = 0; i < heap->block_count && goes_on(w, i); i++) {
      add_block_field(w, &w->module->blocks[heap->first_block + i], field);
    }
    end_column(w);
  }
  mv_arena_reset(w->details);
  const uint8_t *swatches = mv_palette_of_heap(w->module, heap, w->limits, w->details, w->status);
  column(w, "colour");
  for (uint32_t i = 0; swatches != NULL && i < heap->block_count && goes_on(w, i); i++) {
    mv_json_i64(w->text, swatches[i]);
  }
  end_column(w);
  mv_json_end(w->text, '}');
}

static void add_heap(writer *w, const mv_heap *heap) {
  mv_json_begin(w->text, '{');
  mv_json_key(w->text, "allocation");
  mv_json_i64(w->text, allocation_place(heap->allocation));
  mv_json_key(w->text, "events");
  mv_json_i64(w->text, heap->event_count);
  mv_json_key(w->text, "peak_position");
  mv_json_i64(w->text, heap->peak_position);
  add_curve(w, heap, "bytes", offsetof(mv_position, bytes));
  if (w->module->has_module) {
    add_curve(w, heap, "unpadded", offsetof(mv_position, unpadded_bytes));
  }
  add_curve(w, heap, "occupied", offsetof(mv_position, occupied_bytes));
  add_events(w, heap);
  add_blocks(w, heap);
  mv_json_end(w->text, '}');
}

static void add_spaces(writer *w) {
  const mv_module *m = w->module;
  mv_json_key(w->text, "spaces");
  mv_json_begin(w->text, '[');
  for (uint32_t i = 0; i < m->space_count && goes_on(w, i); i++) {
    const mv_space *s = &m->spaces[i];
    char buffer[MV_SPACE_NAME];
    mv_json_begin(w->text, '{');
    mv_json_key(w->text, "name");
    mv_json_string(w->text, mv_bytes_of_string(mv_space_name(m->platform, s->color, buffer)));
    mv_json_key(w->text, "color");
    mv_json_id(w->text, s->color);
    add_overview(w, s);
    add_baseline(w, i);
    mv_json_key(w->text, "heaps");
    mv_json_begin(w->text, '[');
    for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count && is_ok(w); h++) {
      add_heap(w, &m->heaps[h]);
    }
    mv_json_end(w->text, ']');
    mv_json_end(w->text, '}');
  }
  mv_json_end(w->text, ']');
}

/* --- what the spaces refer to --- */

static void add_allocations(writer *w) {
  const mv_module *m = w->module;
  mv_json_key(w->text, "allocations");
  mv_json_begin(w->text, '{');
  column(w, "id");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    mv_json_id(w->text, m->allocations[i].id);
  }
  end_column(w);
  column(w, "category");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    mv_json_i64(w->text, m->allocations[i].category);
  }
  end_column(w);
  column(w, "size");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    add_size(w, m->allocations[i].size_bytes);
  }
  end_column(w);
  column(w, "parameter_number");
  for (uint32_t i = 0; i < m->allocation_count && goes_on(w, i); i++) {
    const mv_allocation *a = &m->allocations[i];
    mv_json_id(w->text, a->is_entry_computation_parameter ? a->parameter_number : -1);
  }
  end_column(w);
  mv_json_end(w->text, '}');
  mv_json_key(w->text, "categories");
  mv_json_begin(w->text, '[');
  for (uint8_t category = MV_CATEGORY_PARAMETER; category <= MV_CATEGORY_TEMPORARY; category++) {
    mv_json_string(w->text, mv_bytes_of_string(mv_category_name(category)));
  }
  mv_json_end(w->text, ']');
}

static void add_scratch(writer *w) {
  if (w->scratch.failed) {
    mv_fail_nomem(w->status);
  } else {
    add_text(w, mv_bytes_of(w->scratch.data, w->scratch.size));
  }
}

/* The shape of a buffer as XLA prints it; none where there is no such part or it is no shape. */
static void add_shape(writer *w, const mv_buffer *buffer) {
  const mv_bytes proto = mv_buffer_shape(w->module, buffer, mv_instruction_shape(w->module, buffer->instruction));
  mv_bytes text = {0};
  if (proto.data != NULL && !mv_shape_memo_text(&text, &w->shapes, proto, w->status)) {
    return;
  }
  add_text(w, text);
}

static void add_buffers(writer *w) {
  const mv_module *m = w->module;
  const uint32_t *list = w->buffers.items;
  const size_t count = w->buffers.count;
  mv_json_key(w->text, "buffers");
  mv_json_begin(w->text, '{');
  column(w, "id");
  for (size_t i = 0; i < count && goes_on(w, i); i++) {
    mv_json_id(w->text, m->buffers[list[i]].id);
  }
  end_column(w);
  column(w, "instruction");
  for (size_t i = 0; i < count && goes_on(w, i); i++) {
    mv_json_i64(w->text, place_of(w, m->buffers[list[i]].instruction, w->instruction_places, &w->instructions));
  }
  end_column(w);
  column(w, "shape_index");
  for (size_t i = 0; i < count && goes_on(w, i); i++) {
    mv_location location;
    mv_buffer_location(&location, m, &m->buffers[list[i]]);
    mv_text_clear(&w->scratch);
    mv_location_print_index(&w->scratch, &location);
    add_scratch(w);
  }
  end_column(w);
  column(w, "shape");
  for (size_t i = 0; i < count && goes_on(w, i); i++) {
    add_shape(w, &m->buffers[list[i]]);
  }
  end_column(w);
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

static bool read_instruction(instruction_row *row, writer *w, uint32_t instruction) {
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

static void add_instructions(writer *w) {
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
  for (size_t i = 0; i < count && goes_on(w, i); i++) {
    read_instruction(&rows[i], w, list[i]);
  }
  if (!is_ok(w)) {
    return;
  }
  mv_json_key(w->text, "instructions");
  mv_json_begin(w->text, '{');
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
    column(w, columns[c].name);
    for (size_t i = 0; i < count && goes_on(w, i); i++) {
      int64_t value;
      memcpy(&value, (const char *)&rows[i] + columns[c].offset, sizeof value);
      mv_json_i64(w->text, value);
    }
    end_column(w);
  }
  mv_json_end(w->text, '}');
}

static void add_frames(writer *w) {
  const mv_stack_frames *frames = mv_module_frames(w->module, w->status);
  if (frames == NULL) {
    return;
  }
  mv_json_key(w->text, "frames");
  mv_json_begin(w->text, '{');
  column(w, "parent");
  for (uint32_t i = 0; i < frames->count && goes_on(w, i); i++) {
    mv_json_i64(w->text, frames->items[i].parent_id - 1);
  }
  end_column(w);
  column(w, "function");
  for (uint32_t i = 0; i < frames->count && goes_on(w, i); i++) {
    add_text(w, frames->items[i].function);
  }
  end_column(w);
  column(w, "file");
  for (uint32_t i = 0; i < frames->count && goes_on(w, i); i++) {
    add_text(w, frames->items[i].file);
  }
  end_column(w);
  column(w, "line");
  for (uint32_t i = 0; i < frames->count && goes_on(w, i); i++) {
    mv_json_i64(w->text, frames->items[i].line);
  }
  end_column(w);
  column(w, "column");
  for (uint32_t i = 0; i < frames->count && goes_on(w, i); i++) {
    mv_json_i64(w->text, frames->items[i].column);
  }
  end_column(w);
  mv_json_end(w->text, '}');
}

static void add_swatches(writer *w) {
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

static uint32_t *new_places(writer *w, uint32_t count) {
  uint32_t *places = mv_arena_alloc(w->arena, (size_t)count * sizeof *places, w->status);
  for (uint32_t i = 0; places != NULL && i < count; i++) {
    places[i] = MV_NONE;
  }
  return places;
}

static void add_module(writer *w) {
  const char *platform = mv_platform_name(w->module->platform);
  mv_json_begin(w->text, '{');
  overview_text(w, "platform", mv_bytes_of_string(platform));
  add_swatches(w);
  add_spaces(w);
  add_allocations(w);
  if (is_ok(w)) {
    add_buffers(w);
  }
  if (is_ok(w)) {
    add_instructions(w);
  }
  if (is_ok(w)) {
    add_frames(w);
  }
  if (is_ok(w)) {
    mv_json_key(w->text, "strings");
    mv_strings_write(w->text, &w->strings);
    mv_json_key(w->text, "is_clamped");
    mv_json_bool(w->text, w->is_clamped);
    mv_json_end(w->text, '}');
  }
}

bool mv_page_data(mv_text *text, const mv_module *m, const mv_limits *limits, mv_status *status) {
  writer w = {.text = text, .module = m, .limits = limits, .status = status, .scratch = MV_TEXT_INIT};
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
