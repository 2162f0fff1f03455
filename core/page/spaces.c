#include "model/instruction.h"
#include "page/writer.h"
#include "render/palette.h"

static int64_t allocation_place(uint32_t allocation) {
  return allocation != MV_NONE ? (int64_t)allocation : -1;
}

static void overview_size(mv_page_writer *w, const char *name, int64_t value) {
  mv_json_key(w->text, name);
  mv_page_size(w, value);
}

static void add_overview(mv_page_writer *w, const mv_space *s) {
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
  mv_page_named_text(w, "peak_instruction", mv_module_bytes(m, peak->instruction));
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
    mv_page_named_text(w, "scoped_instruction", mv_instruction_name(m, s->scoped_instruction));
  }
  mv_json_end(w->text, '}');
}

/* The allocations of a space that are live at every position: the baseline and what is untraced. */
static bool is_row(mv_resident *out, const mv_page_writer *w, uint32_t allocation, uint32_t space) {
  const mv_allocation *a = &w->module->allocations[allocation];
  return a->space == space && mv_resident_of(out, w->module, a);
}

static void add_baseline(mv_page_writer *w, uint32_t space) {
  const mv_module *m = w->module;
  mv_resident r;
  mv_json_key(w->text, "baseline");
  mv_json_begin(w->text, '{');
  mv_page_column(w, "allocation");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_json_i64(w->text, i);
    }
  }
  mv_page_end_column(w);
  mv_page_column(w, "buffer");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_page_buffer(w, r.buffer);
    }
  }
  mv_page_end_column(w);
  mv_page_column(w, "size");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_page_size(w, r.size_bytes);
    }
  }
  mv_page_end_column(w);
  mv_page_column(w, "unpadded");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_page_size(w, r.unpadded_bytes);
    }
  }
  mv_page_end_column(w);
  mv_page_column(w, "colour");
  for (uint32_t i = 0; i < m->allocation_count && mv_page_goes_on(w, i); i++) {
    if (is_row(&r, w, i, space)) {
      mv_json_i64(w->text, r.buffer != MV_NONE ? mv_palette_of(m, &m->buffers[r.buffer]) : 0);
    }
  }
  mv_page_end_column(w);
  mv_json_end(w->text, '}');
}

/* A field of the curve at each position, as its difference from the one before; of clamped values, so that the sums
 * come out exactly. */
static void add_curve(mv_page_writer *w, const mv_heap *heap, const char *name, size_t offset) {
  int64_t before = 0;
  mv_page_column(w, name);
  for (int64_t i = 0; i <= heap->event_count && mv_page_goes_on(w, (size_t)i); i++) {
    int64_t value;
    memcpy(&value, (const char *)&w->module->positions[heap->first_position + i] + offset, sizeof value);
    value = mv_page_clamp(w, value);
    mv_json_i64(w->text, value - before);
    before = value;
  }
  mv_page_end_column(w);
}

static void add_events(mv_page_writer *w, const mv_heap *heap) {
  const mv_position *p = &w->module->positions[heap->first_position];
  mv_page_column(w, "event");
  for (int64_t i = 1; i <= heap->event_count && mv_page_goes_on(w, (size_t)i); i++) {
    mv_json_i64(w->text, p[i].kind);
  }
  mv_page_end_column(w);
  mv_page_column(w, "instruction");
  for (int64_t i = 1; i <= heap->event_count && mv_page_goes_on(w, (size_t)i); i++) {
    mv_page_text(w, mv_module_bytes(w->module, p[i].instruction));
  }
  mv_page_end_column(w);
}

/* What a column of the blocks shows. */
typedef enum block_field { BUFFER, ROOT, START, END, SIZE, UNPADDED, OFFSET, ALLOCATION } block_field;

static void add_block_field(mv_page_writer *w, const mv_block *block, block_field field) {
  const mv_buffer *root = &w->module->buffers[block->root];
  switch (field) {
    case BUFFER: mv_page_buffer(w, block->buffer); break;
    case ROOT: mv_json_id(w->text, root->id); break;
    case START: mv_json_i64(w->text, block->start); break;
    case END: mv_json_i64(w->text, block->end); break;
    case SIZE: mv_page_size(w, root->size_bytes); break;
    case UNPADDED: mv_page_size(w, root->unpadded_bytes); break;
    case OFFSET: mv_page_size(w, root->offset_bytes); break;
    case ALLOCATION: mv_json_i64(w->text, allocation_place(root->allocation)); break;
  }
}

static void add_blocks(mv_page_writer *w, const mv_heap *heap) {
  static const char *const names[] = {"buffer", "root", "start", "end", "size", "unpadded", "offset", "allocation"};
  mv_json_key(w->text, "blocks");
  mv_json_begin(w->text, '{');
  for (block_field field = BUFFER; field <= ALLOCATION; field++) {
    mv_page_column(w, names[field]);
    for (uint32_t i = 0; i < heap->block_count && mv_page_goes_on(w, i); i++) {
      add_block_field(w, &w->module->blocks[heap->first_block + i], field);
    }
    mv_page_end_column(w);
  }
  mv_arena_reset(w->details);
  const uint8_t *swatches = mv_palette_of_heap(w->module, heap, w->limits, w->details, w->status);
  mv_page_column(w, "colour");
  for (uint32_t i = 0; swatches != NULL && i < heap->block_count && mv_page_goes_on(w, i); i++) {
    mv_json_i64(w->text, swatches[i]);
  }
  mv_page_end_column(w);
  mv_json_end(w->text, '}');
}

static void add_heap(mv_page_writer *w, const mv_heap *heap) {
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

void mv_page_spaces(mv_page_writer *w) {
  const mv_module *m = w->module;
  mv_json_key(w->text, "spaces");
  mv_json_begin(w->text, '[');
  for (uint32_t i = 0; i < m->space_count && mv_page_goes_on(w, i); i++) {
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
    for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count && mv_page_is_ok(w); h++) {
      add_heap(w, &m->heaps[h]);
    }
    mv_json_end(w->text, ']');
    mv_json_end(w->text, '}');
  }
  mv_json_end(w->text, ']');
}
