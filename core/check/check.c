/* check.c: the order of the checks is that of trust: first what points where, then what is counted through it.
 *
 *   bytes at p  =  baseline + untraced + sizes of the blocks with start <= p < end      (by adding up starts and ends)
 *   peak        =  the first largest of them;  of a space: baseline + untraced + the peaks of its heaps
 *               =  the sizes of what mv_live_at lists
 *   occupied   <=  bytes, and never more than baseline + untraced + allocation
 */
#include "check/check.h"

#include <inttypes.h>

#include "analysis/live.h"

typedef struct check {
  const mv_module *m;
  mv_arena *scratch;
  mv_status *status;
} check;

#define HOLDS(c, condition, ...) ((condition) || mv_fail((c)->status, MV_FORMAT, __VA_ARGS__))

static bool is_index(uint32_t index, uint32_t count) {
  return index < count || index == MV_NONE;
}

static bool is_inside(const mv_module *m, mv_ref ref) {
  return (uint64_t)ref.offset + ref.size <= m->bytes.size;
}

static int64_t add_capped(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static bool check_instructions(check *c) {
  const mv_module *m = c->m;
  uint32_t instructions = 0;
  for (uint32_t i = 0; i < m->computation_count; i++) {
    const mv_computation *computation = &m->computations[i];
    if (!HOLDS(c, is_inside(m, computation->name), "the name of computation %u lies outside the file", i) ||
        !HOLDS(c, computation->first_instruction == instructions, "computation %u begins at another's instruction",
               i)) {
      return false;
    }
    instructions += computation->instruction_count;
  }
  if (!HOLDS(c, instructions == m->instruction_count, "%u instructions, %u of them in computations",
             m->instruction_count, instructions)) {
    return false;
  }
  for (uint32_t i = 0; i < m->instruction_count; i++) {
    if (!HOLDS(c, is_inside(m, m->instructions[i].proto), "instruction %u lies outside the file", i)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < m->scoped_count; i++) {
    const mv_scoped *s = &m->scoped[i];
    if (!HOLDS(c, s->instruction < m->instruction_count && s->size_bytes > 0, "scoped entry %u", i) ||
        !HOLDS(c, i == 0 || m->scoped[i - 1].instruction <= s->instruction, "scoped entry %u is out of order", i)) {
      return false;
    }
  }
  return true;
}

static bool check_buffers(check *c) {
  const mv_module *m = c->m;
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    const mv_buffer *b = &m->buffers[i];
    if (!HOLDS(c,
               is_index(b->instruction, m->instruction_count) && is_index(b->allocation, m->allocation_count) &&
                   is_index(b->shares_with, m->buffer_count) && is_index(b->block_root, m->buffer_count) &&
                   is_inside(m, b->location),
               "buffer %" PRId64 " refers to what is not there", b->id) ||
        !HOLDS(c, b->size_bytes >= 0 && b->unpadded_bytes >= -1, "buffer %" PRId64 " has a size below zero", b->id) ||
        !HOLDS(c, b->start_position < 0 ? b->end_position < 0 : b->start_position < b->end_position,
               "buffer %" PRId64 " lives from %" PRId64 " to %" PRId64, b->id, b->start_position, b->end_position) ||
        !HOLDS(c, b->allocation == MV_NONE || b->color == m->allocations[b->allocation].color,
               "buffer %" PRId64 " has another color than its allocation", b->id)) {
      return false;
    }
  }
  return true;
}

static bool check_allocations(check *c) {
  const mv_module *m = c->m;
  uint32_t assigned = 0;
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    const mv_allocation *a = &m->allocations[i];
    if (!HOLDS(c,
               a->space < m->space_count && m->spaces[a->space].color == a->color && is_inside(m, a->proto) &&
                   is_index(a->heap, m->heap_count) && is_index(a->largest_buffer, m->buffer_count) &&
                   is_index(a->untraced_buffer, m->buffer_count),
               "allocation %" PRId64 " refers to what is not there", a->id) ||
        !HOLDS(c,
               a->category == MV_CATEGORY_TEMPORARY && a->heap == MV_NONE
                   ? a->untraced_bytes >= 0 && a->untraced_bytes <= a->size_bytes && a->untraced_unpadded_bytes >= 0
                   : a->untraced_bytes == 0,
               "allocation %" PRId64 " has %" PRId64 " untraced bytes", a->id, a->untraced_bytes) ||
        !HOLDS(c,
               a->size_bytes >= 0 && a->first_assigned == assigned && a->buffer_count <= m->assigned_count - assigned,
               "allocation %" PRId64 " has other buffers", a->id)) {
      return false;
    }
    assigned += a->buffer_count;
  }
  for (uint32_t i = 0; i < m->assigned_count; i++) {
    if (!HOLDS(c, m->assigned[i] < m->buffer_count, "assigned buffer %u is not there", i)) {
      return false;
    }
  }
  return HOLDS(c, assigned == m->assigned_count, "%u of %u assigned buffers", assigned, m->assigned_count);
}

/* The blocks of a heap in order; what they hold at each position into `bytes` and `unpadded`. */
static bool count_blocks(check *c, const mv_heap *heap, int64_t *bytes, int64_t *unpadded) {
  const mv_module *m = c->m;
  for (uint32_t i = heap->first_block; i < heap->first_block + heap->block_count; i++) {
    const mv_block *b = &m->blocks[i];
    if (!HOLDS(c, b->buffer < m->buffer_count && b->root < m->buffer_count, "block %u is of no buffer", i) ||
        !HOLDS(c, b->start >= 1 && b->start < b->end && b->end <= heap->event_count + 1,
               "block %u lives from %" PRId64 " to %" PRId64, i, b->start, b->end) ||
        !HOLDS(c, i == heap->first_block || m->blocks[i - 1].start <= b->start, "block %u is out of order", i)) {
      return false;
    }
    const mv_buffer *root = &m->buffers[b->root];
    const int64_t without_padding = root->unpadded_bytes >= 0 ? root->unpadded_bytes : root->size_bytes;
    bytes[b->start] += root->size_bytes;
    unpadded[b->start] += without_padding;
    if (b->end <= heap->event_count) {
      bytes[b->end] -= root->size_bytes;
      unpadded[b->end] -= without_padding;
    }
  }
  return true;
}

static bool check_heap(check *c, uint32_t index) {
  const mv_module *m = c->m;
  const mv_heap *heap = &m->heaps[index];
  if (!HOLDS(c,
             heap->event_count > 0 && heap->space < m->space_count && is_index(heap->allocation, m->allocation_count) &&
                 (uint64_t)heap->first_block + heap->block_count <= m->block_count &&
                 (uint64_t)heap->first_position + (uint64_t)heap->event_count < m->position_count,
             "heap %u refers to what is not there", index)) {
    return false;
  }
  mv_arena_reset(c->scratch);
  const size_t n = (size_t)heap->event_count + 1;
  int64_t *bytes = mv_arena_zalloc(c->scratch, n, sizeof *bytes, c->status);
  int64_t *unpadded = mv_arena_zalloc(c->scratch, n, sizeof *unpadded, c->status);
  if (bytes == NULL || unpadded == NULL || !count_blocks(c, heap, bytes, unpadded)) {
    return false;
  }
  const mv_space *s = &m->spaces[heap->space];
  const int64_t resident = mv_space_resident_bytes(s);
  const int64_t resident_unpadded = s->baseline_unpadded_bytes + s->untraced_unpadded_bytes;
  int64_t live = 0;
  int64_t live_unpadded = 0;
  int64_t peak = 0;
  int64_t peak_position = 0;
  int64_t peak_unpadded = 0;
  int64_t occupied_peak = 0;
  for (size_t p = 0; p < n; p++) {
    const mv_position *at = &m->positions[heap->first_position + p];
    live += bytes[p];
    live_unpadded += unpadded[p];
    if (live > peak) {
      peak = live;
      peak_unpadded = live_unpadded;
      peak_position = (int64_t)p;
    }
    const int64_t occupied = at->occupied_bytes - resident;
    occupied_peak = occupied > occupied_peak ? occupied : occupied_peak;
    if (!HOLDS(c,
               at->position == (int64_t)p && at->heap == index && at->space == heap->space &&
                   is_index(at->buffer, m->buffer_count) && is_inside(m, at->instruction),
               "position %zu of heap %u", p, index) ||
        !HOLDS(c, at->bytes == resident + live, "%" PRId64 " bytes at %zu of heap %u, blocks hold %" PRId64, at->bytes,
               p, index, live) ||
        !HOLDS(c, at->unpadded_bytes == add_capped(live_unpadded, resident_unpadded),
               "%" PRId64 " unpadded bytes at %zu of heap %u", at->unpadded_bytes, p, index) ||
        !HOLDS(c, occupied >= 0 && occupied <= live, "%" PRId64 " of %" PRId64 " bytes occupied at %zu of heap %u",
               occupied, live, p, index)) {
      return false;
    }
  }
  return HOLDS(c,
               heap->peak_bytes == peak && heap->peak_position == peak_position &&
                   heap->peak_unpadded_bytes == peak_unpadded && heap->occupied_peak_bytes == occupied_peak,
               "the peak of heap %u is %" PRId64 " at %" PRId64 ", not %" PRId64 " at %" PRId64, index, peak,
               peak_position, heap->peak_bytes, heap->peak_position) &&
         HOLDS(c, heap->allocation == MV_NONE || occupied_peak <= m->allocations[heap->allocation].size_bytes,
               "heap %u occupies more than its allocation", index);
}

/* The rows of the curve and the heaps of each space follow each other without a gap. */
static bool check_order(check *c) {
  const mv_module *m = c->m;
  uint64_t heaps = 0;
  uint64_t positions = 0;
  uint64_t allocations = 0;
  for (uint32_t i = 0; i < m->space_count; i++) {
    const mv_space *s = &m->spaces[i];
    if (!HOLDS(c, i == 0 || m->spaces[i - 1].color < s->color, "space %u is out of order", i) ||
        !HOLDS(c, s->heap_count == 0 || s->first_heap == heaps, "space %u begins at another's heap", i) ||
        !HOLDS(c, is_index(s->largest_heap, m->heap_count) && is_index(s->scoped_instruction, m->instruction_count),
               "space %u refers to what is not there", i)) {
      return false;
    }
    heaps += s->heap_count;
    positions += s->position_count;
    allocations += s->allocation_count;
  }
  return HOLDS(c, heaps == m->heap_count && positions == m->position_count && allocations == m->allocation_count,
               "the spaces have %" PRIu64 " of %u heaps, %" PRIu64 " of %u positions, %" PRIu64 " of %u allocations",
               heaps, m->heap_count, positions, m->position_count, allocations, m->allocation_count);
}

static bool check_space(check *c, uint32_t index) {
  const mv_module *m = c->m;
  const mv_space *s = &m->spaces[index];
  int64_t peaks = 0;
  int64_t occupied = mv_space_resident_bytes(s);
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    peaks = add_capped(peaks, m->heaps[h].peak_bytes);
    occupied = add_capped(occupied, m->heaps[h].occupied_peak_bytes);
  }
  if (!HOLDS(c, s->heap_peak_bytes == peaks && s->peak_bytes == add_capped(mv_space_resident_bytes(s), peaks),
             "the peak of space %" PRId64 " is not that of its parts", s->color) ||
      !HOLDS(c, s->occupied_peak_bytes == occupied && occupied <= s->peak_bytes,
             "space %" PRId64 " occupies %" PRId64 " of %" PRId64 " bytes", s->color, occupied, s->peak_bytes)) {
    return false;
  }
  mv_arena_reset(c->scratch);
  mv_live_list live;
  if (!mv_live_at(&live, m, index, -1, c->scratch, c->status)) {
    return false;
  }
  int64_t sum = 0;
  for (size_t i = 0; i < live.count; i++) {
    sum = add_capped(sum, live.items[i].size_bytes);
  }
  return HOLDS(c, sum == s->peak_bytes,
               "what is live at the peak of space %" PRId64 " takes %" PRId64 " bytes, the peak is %" PRId64, s->color,
               sum, s->peak_bytes);
}

static bool check_sums(check *c) {
  const mv_module *m = c->m;
  int64_t *baseline = mv_arena_zalloc(c->scratch, m->space_count, sizeof *baseline, c->status);
  int64_t *untraced = mv_arena_zalloc(c->scratch, m->space_count, sizeof *untraced, c->status);
  int64_t *total = mv_arena_zalloc(c->scratch, m->space_count, sizeof *total, c->status);
  if (baseline == NULL || untraced == NULL || total == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    const mv_allocation *a = &m->allocations[i];
    baseline[a->space] += mv_allocation_is_baseline(a) ? a->size_bytes : 0;
    untraced[a->space] += a->untraced_bytes;
    total[a->space] += a->size_bytes;
  }
  for (uint32_t i = 0; i < m->space_count; i++) {
    const mv_space *s = &m->spaces[i];
    if (!HOLDS(c,
               s->baseline_bytes == baseline[i] && s->untraced_bytes == untraced[i] &&
                   s->total_bytes + s->thread_local_bytes == total[i],
               "the allocations of space %" PRId64 " add up to something else", s->color)) {
      return false;
    }
  }
  return true;
}

static bool check_all(check *c) {
  const mv_module *m = c->m;
  if (!check_order(c) || !check_instructions(c) || !check_allocations(c) || !check_buffers(c) || !check_sums(c)) {
    return false;
  }
  for (uint32_t i = 0; i < m->heap_count; i++) {
    if (!HOLDS(c, i == 0 || m->heaps[i - 1].space <= m->heaps[i].space, "heap %u is out of order", i) ||
        !check_heap(c, i)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < m->space_count; i++) {
    if (!check_space(c, i)) {
      return false;
    }
  }
  return true;
}

bool mv_module_check(const mv_module *m, mv_status *status) {
  check c = {.m = m, .scratch = mv_arena_new(status), .status = status};
  const bool ok = c.scratch != NULL && check_all(&c);
  mv_arena_free(c.scratch);
  return ok;
}
