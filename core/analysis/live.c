#include "analysis/live.h"

/* The baseline and what is untraced. They are live as long as the program runs, in a space without a heap too: until
 * the last event of any heap. */
static void add_residents(mv_live_list *list, const mv_module *m, uint32_t space, int64_t at) {
  const mv_space *s = &m->spaces[space];
  const int64_t position = at < 0 ? mv_space_peak(m, s)->position : at;
  if (position > m->longest_trace) {
    return; /* behind the end of the program */
  }
  for (uint32_t k = 0; k < s->allocation_count; k++) {
    const uint32_t i = m->space_allocations[s->first_allocation + k];
    const mv_allocation *a = &m->allocations[i];
    mv_resident resident;
    if (!mv_resident_of(&resident, m, a)) {
      continue;
    }
    const bool is_baseline = mv_allocation_is_baseline(a);
    list->items[list->count++] = (mv_live){
        .space = space,
        .allocation = i,
        .buffer = resident.buffer,
        .number = i,
        .position = position,
        .size_bytes = resident.size_bytes,
        .unpadded_bytes = resident.unpadded_bytes,
        .offset_bytes = -1,
        .start_position = is_baseline ? 0 : -1,
        .end_position = is_baseline ? s->longest_trace + 1 : -1,
    };
  }
}

mv_live mv_live_of_block(const mv_module *m, const mv_block *block) {
  const mv_buffer *root = &m->buffers[block->root];
  return (mv_live){
      .space = m->heaps[block->heap].space,
      .allocation = root->allocation,
      .buffer = block->buffer,
      .number = m->allocation_count + (uint64_t)(block - m->blocks),
      .position = block->start,
      .size_bytes = root->size_bytes,
      .unpadded_bytes = root->unpadded_bytes,
      .offset_bytes = root->offset_bytes,
      .start_position = block->start,
      .end_position = block->end,
  };
}

static void add_blocks(mv_live_list *list, const mv_module *m, const mv_heap *heap, int64_t at) {
  const int64_t position = at < 0 ? heap->peak_position : at;
  for (uint32_t i = heap->first_block; i < heap->first_block + heap->block_count; i++) {
    const mv_block *block = &m->blocks[i];
    if (block->start > position) {
      break; /* blocks are in order of start */
    }
    if (position < block->end) {
      mv_live *row = &list->items[list->count++];
      *row = mv_live_of_block(m, block);
      row->position = position;
    }
  }
}

bool mv_live_at(mv_live_list *out, const mv_module *m, uint32_t space, int64_t at, mv_arena *arena,
                mv_status *status) {
  const mv_space *s = &m->spaces[space];
  size_t most = s->allocation_count;
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    most += m->heaps[h].block_count;
  }
  *out = (mv_live_list){0};
  out->items = mv_arena_alloc(arena, most * sizeof *out->items, status);
  if (out->items == NULL) {
    return false;
  }
  add_residents(out, m, space, at);
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    add_blocks(out, m, &m->heaps[h], at);
  }
  return true;
}
