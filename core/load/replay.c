/* replay.c: the heap simulator's traces, event by event.
 *
 *   position  0    1    2    3    4
 *   a              [=========)         begins at its ALLOC, ends where its count returns to 0
 *   b                   [=========)
 *   bytes     0    a   a+b   b    0    the peak is the first largest
 *
 * A buffer that shares memory (SHARE_WITH) hangs below its canonical buffer; references are counted on the root of
 * that chain. When a SHARE_WITH takes a root's count from 0 to 1, memory that was freed is used again: a block begins
 * there too, named by the buffer that began it, with the root's size and offset.
 *
 * An ALLOC of what is live counts one more reference, and events of buffers that are not listed change nothing: real
 * traces do both, and XLA's own ComputePeakMemory reads them so. Traces that do what no allocator does (free what is
 * not live, share with itself) are noted, and the event is skipped. Nothing can go below zero or overflow within a
 * heap: a root is live once at a time, and all sizes of a file fit in 63 bits.
 */
#include "load/build.h"
#include "load/occupied.h"
#include "wire/fields.h"

enum { NEVER = -1 }; /* the end of a block that was not freed yet */

/* What a replay knows of a buffer. */
typedef struct sharer {
  uint32_t parent;     /* towards the root; itself when it is one */
  uint32_t references; /* on a root */
  uint32_t block;      /* of a live root: into mv_module.blocks */
} sharer;

typedef struct faults {
  uint32_t unknown_kinds;
  uint32_t not_live;
  uint32_t already_live;
  uint32_t self_shared;
} faults;

typedef struct replay {
  mv_build *build;
  mv_module *module;
  mv_heap *heap;
  uint32_t heap_index;
  sharer *sharers; /* one for each buffer; at rest between two heaps */
  mv_array blocks;
  mv_array positions;
  int64_t bytes;  /* not beside the next one, or both are copied at once: see mv_tag */
  mv_array ended; /* uint32_t: block that ended at each position of the heap, MV_NONE where none did */
  int64_t unpadded_bytes;
  faults faults;
} replay;

static uint32_t root_of(replay *r, uint32_t buffer) {
  sharer *s = r->sharers;
  while (s[buffer].parent != buffer) {
    s[buffer].parent = s[s[buffer].parent].parent; /* halves the path each time it is walked */
    buffer = s[buffer].parent;
  }
  return buffer;
}

static int64_t unpadded_of(const mv_buffer *buffer) {
  return buffer->unpadded_bytes >= 0 ? buffer->unpadded_bytes : buffer->size_bytes;
}

static bool begin_block(replay *r, uint32_t buffer, uint32_t root, int64_t position) {
  mv_block *block = mv_array_push(&r->blocks, sizeof *block, r->module->arena, r->build->status);
  if (block == NULL) {
    return false;
  }
  const mv_buffer *owner = &r->module->buffers[root];
  *block = (mv_block){.buffer = buffer, .root = root, .heap = r->heap_index, .start = position, .end = NEVER};
  r->sharers[root].block = (uint32_t)r->blocks.count - 1;
  r->bytes += owner->size_bytes;
  r->unpadded_bytes += unpadded_of(owner);
  return true;
}

static void end_block(replay *r, uint32_t root, int64_t position) {
  const mv_buffer *owner = &r->module->buffers[root];
  mv_block *blocks = r->blocks.items;
  blocks[r->sharers[root].block].end = position;
  ((uint32_t *)r->ended.items)[position] = r->sharers[root].block;
  r->bytes -= owner->size_bytes;
  r->unpadded_bytes -= unpadded_of(owner);
}

static bool apply(replay *r, uint8_t kind, uint32_t buffer, uint32_t canonical, int64_t position) {
  sharer *s = r->sharers;
  if (buffer == MV_NONE || (kind == MV_EVENT_SHARE_WITH && canonical == MV_NONE)) {
    return true;
  }
  switch (kind) {
    case MV_EVENT_ALLOC: {
      const uint32_t root = root_of(r, buffer);
      if (s[root].references > 0) {
        s[root].references++;
        return true;
      }
      s[buffer].parent = buffer;
      s[buffer].references = 1;
      return begin_block(r, buffer, buffer, position);
    }
    case MV_EVENT_FREE: {
      const uint32_t root = root_of(r, buffer);
      if (s[root].references == 0) {
        r->faults.not_live++;
      } else if (--s[root].references == 0) {
        end_block(r, root, position);
      }
      return true;
    }
    case MV_EVENT_SHARE_WITH: {
      const uint32_t root = root_of(r, canonical);
      if (root == buffer) {
        r->faults.self_shared++;
        return true;
      }
      if (s[buffer].parent == buffer && s[buffer].references > 0) {
        r->faults.already_live++;
        return true;
      }
      s[buffer].parent = root;
      r->module->buffers[buffer].shares_with = root;
      return s[root].references++ > 0 || begin_block(r, buffer, root, position);
    }
    default: r->faults.unknown_kinds++; return true;
  }
}

static bool replay_event(replay *r, mv_bytes proto, int64_t position) {
  mv_module *m = r->module;
  int64_t kind = 0;
  int64_t id = 0;
  int64_t canonical = 0;
  mv_bytes instruction = {0};
  mv_bytes computation;
  mv_wire w = mv_wire_of(proto);
  mv_wire_take_int(&w, MV_EVENT_KIND, &kind);
  mv_wire_take_int(&w, MV_EVENT_BUFFER_ID, &id);
  mv_wire_take_bytes(&w, MV_EVENT_COMPUTATION_NAME, &computation);
  mv_wire_take_bytes(&w, MV_EVENT_INSTRUCTION_NAME, &instruction);
  mv_wire_take_int(&w, MV_EVENT_CANONICAL_ID, &canonical);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT) {
      switch (tag.field) {
        case MV_EVENT_KIND: kind = (int64_t)tag.value; break;
        case MV_EVENT_BUFFER_ID: id = (int64_t)tag.value; break;
        case MV_EVENT_CANONICAL_ID: canonical = (int64_t)tag.value; break;
        default: break;
      }
    } else if (tag.field == MV_EVENT_INSTRUCTION_NAME && tag.type == MV_LENGTH) {
      instruction = tag.bytes;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(r->build->module, w, "buffer_assignment.heap_simulator_traces.events", r->build->status);
  }
  const uint8_t short_kind = (uint64_t)kind < UINT8_MAX ? (uint8_t)kind : UINT8_MAX;
  const uint32_t buffer = mv_idmap_find(&m->buffers_by_id, id);
  const uint32_t root = kind == MV_EVENT_SHARE_WITH ? mv_idmap_find(&m->buffers_by_id, canonical) : MV_NONE;
  uint32_t *ended = mv_array_push(&r->ended, sizeof *ended, r->build->scratch, r->build->status);
  mv_position *row = mv_array_push(&r->positions, sizeof *row, m->arena, r->build->status);
  if (ended == NULL || row == NULL) {
    return false;
  }
  *ended = MV_NONE;
  if (!apply(r, short_kind, buffer, root, position)) {
    return false;
  }
  *row = (mv_position){
      .position = position,
      .bytes = r->bytes,
      .unpadded_bytes = r->unpadded_bytes,
      .instruction = mv_ref_of(m, instruction),
      .buffer = buffer,
      .space = r->heap->space,
      .heap = r->heap_index,
      .kind = short_kind,
  };
  if (r->bytes > r->heap->peak_bytes) {
    r->heap->peak_bytes = r->bytes;
    r->heap->peak_unpadded_bytes = r->unpadded_bytes;
    r->heap->peak_position = position;
  }
  return true;
}

mv_position mv_position_before(uint32_t space, uint32_t heap) {
  return (mv_position){.buffer = MV_NONE, .space = space, .heap = heap, .kind = MV_EVENT_START};
}

/* The addresses a block covers, as far as they lie in the allocation of `end` bytes. */
static mv_range range_of(const mv_buffer *root, int64_t end) {
  const int64_t low = root->offset_bytes > 0 ? root->offset_bytes : 0;
  if (low >= end) {
    return (mv_range){0, 0};
  }
  return (mv_range){low, root->size_bytes < end - low ? low + root->size_bytes : end};
}

/* At each position at most one block begins or ends. */
static bool cover(replay *r) {
  mv_heap *heap = r->heap;
  mv_status *status = r->build->status;
  mv_position *positions = (mv_position *)r->positions.items + heap->first_position;
  const uint32_t *ended = r->ended.items;
  const mv_block *blocks = (const mv_block *)r->blocks.items + heap->first_block;
  const size_t n = heap->block_count;
  mv_range *ranges = mv_arena_alloc(r->build->scratch, n * sizeof *ranges, status);
  if (ranges == NULL) {
    return false;
  }
  const mv_buffer *buffers = r->module->buffers;
  const int64_t end = heap->allocation != MV_NONE ? r->module->allocations[heap->allocation].size_bytes : INT64_MAX;
  for (size_t i = 0; i < n; i++) {
    if (!mv_build_step(r->build)) {
      return false;
    }
    ranges[i] = range_of(&buffers[blocks[i].root], end);
  }
  mv_occupied *occupied = mv_occupied_new(ranges, n, r->build->limits, r->build->scratch, status);
  if (occupied == NULL) {
    return false;
  }
  size_t begun = 0;
  int64_t next = n > 0 ? blocks[0].start : NEVER;
  for (int64_t p = 1; p <= heap->event_count; p++) {
    if (!mv_build_step(r->build)) {
      return false;
    }
    if (p == next) {
      if (!mv_occupied_add(occupied, begun++, status)) {
        return false;
      }
      next = begun < n ? blocks[begun].start : NEVER;
    }
    if (ended[p] != MV_NONE) {
      mv_occupied_remove(occupied, ended[p] - heap->first_block);
    }
    const int64_t bytes = mv_occupied_bytes(occupied);
    positions[p].occupied_bytes = bytes;
    if (bytes > heap->occupied_peak_bytes) {
      heap->occupied_peak_bytes = bytes;
    }
  }
  return true;
}

/* The block a buffer began gives the buffer its lifetime; of several the first. */
static void give_lifetimes(replay *r) {
  mv_module *m = r->module;
  const mv_block *blocks = (const mv_block *)r->blocks.items + r->heap->first_block;
  for (uint32_t i = 0; i < r->heap->block_count; i++) {
    mv_buffer *buffer = &m->buffers[blocks[i].buffer];
    if (buffer->block_count++ > 0) {
      continue;
    }
    buffer->start_position = blocks[i].start;
    buffer->end_position = blocks[i].end;
    buffer->offset_bytes = m->buffers[blocks[i].root].offset_bytes;
  }
}

static void note_faults(replay *r) {
  const struct {
    uint32_t count;
    const char *what;
  } kinds[] = {
      {r->faults.unknown_kinds, "are of an unknown kind"},
      {r->faults.not_live, "free what is not live"},
      {r->faults.already_live, "make a buffer share that has live memory of its own"},
      {r->faults.self_shared, "share a buffer with itself"},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].count > 0) {
      mv_module_note(r->module, "%u events of the heap of %lld events %s", kinds[i].count,
                     (long long)r->heap->event_count, kinds[i].what);
    }
  }
}

/* The next heap finds all buffers at rest. */
static void rest(replay *r) {
  const mv_position *positions = (const mv_position *)r->positions.items + r->heap->first_position;
  for (int64_t p = 1; p <= r->heap->event_count; p++) {
    const uint32_t buffer = positions[p].buffer;
    if (buffer != MV_NONE) {
      r->sharers[buffer] = (sharer){.parent = buffer};
    }
  }
  for (size_t i = r->heap->first_block; i < r->blocks.count; i++) { /* roots that no event names but as canonical */
    const uint32_t root = ((const mv_block *)r->blocks.items)[i].root;
    r->sharers[root] = (sharer){.parent = root};
  }
}

static bool begin_heap(replay *r) {
  r->heap->first_position = (uint32_t)r->positions.count;
  r->heap->first_block = (uint32_t)r->blocks.count;
  r->heap->event_count = 0;
  r->bytes = 0;
  r->unpadded_bytes = 0;
  r->faults = (faults){0};
  r->ended.count = 0;
  uint32_t *ended = mv_array_push(&r->ended, sizeof *ended, r->build->scratch, r->build->status);
  mv_position *row = mv_array_push(&r->positions, sizeof *row, r->module->arena, r->build->status);
  if (ended == NULL || row == NULL) {
    return false;
  }
  *ended = MV_NONE;
  *row = mv_position_before(r->heap->space, r->heap_index);
  return true;
}

static bool replay_heap(replay *r) {
  mv_module *m = r->module;
  mv_heap *heap = r->heap;
  if (!begin_heap(r)) {
    return false;
  }
  mv_wire w = mv_module_wire(m, heap->proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_TRACE_EVENTS || tag.type != MV_LENGTH) {
      continue;
    }
    if (r->positions.count >= MV_NONE / 2) {
      return mv_fail(r->build->status, MV_LIMIT, "more heap events than can be counted");
    }
    if (!mv_build_step(r->build) || !replay_event(r, tag.bytes, ++heap->event_count)) {
      return false;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(r->build->module, w, "buffer_assignment.heap_simulator_traces", r->build->status);
  }
  heap->block_count = (uint32_t)r->blocks.count - heap->first_block;
  mv_block *blocks = (mv_block *)r->blocks.items + heap->first_block;
  for (uint32_t i = 0; i < heap->block_count; i++) {
    blocks[i].end = blocks[i].end == NEVER ? heap->event_count + 1 : blocks[i].end;
  }
  rest(r);
  note_faults(r);
  if (!mv_check_interrupt(r->build->limits, r->build->status)) {
    return false;
  }
  give_lifetimes(r);
  return cover(r);
}

/* Two heaps may hold the same buffer, so what fits one by one may not fit together. */
static int64_t add_capped(int64_t a, int64_t b, bool *is_capped) {
  *is_capped = *is_capped || a > INT64_MAX - b;
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* What the spaces get from their heaps, and what they take throughout in every row of the curve. */
static void finish_spaces(mv_module *m) {
  bool is_capped = false;
  for (uint32_t i = 0; i < m->space_count; i++) {
    mv_space *s = &m->spaces[i];
    s->first_position = s->heap_count > 0 ? m->heaps[s->first_heap].first_position : m->position_count;
    const int64_t resident = mv_space_resident_bytes(s);
    const int64_t resident_unpadded = s->baseline_unpadded_bytes + s->untraced_unpadded_bytes;
    s->occupied_peak_bytes = resident;
    s->peak_unpadded_bytes = resident_unpadded;
    if (s->heap_count == 0) {
      m->positions[m->position_count++] = mv_position_before(i, MV_NONE);
      s->position_count = 1;
    }
    for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
      const mv_heap *heap = &m->heaps[h];
      s->heap_peak_bytes = add_capped(s->heap_peak_bytes, heap->peak_bytes, &is_capped);
      s->peak_unpadded_bytes = add_capped(s->peak_unpadded_bytes, heap->peak_unpadded_bytes, &is_capped);
      s->occupied_peak_bytes = add_capped(s->occupied_peak_bytes, heap->occupied_peak_bytes, &is_capped);
      s->position_count += (uint32_t)heap->event_count + 1;
      s->longest_trace = heap->event_count > s->longest_trace ? heap->event_count : s->longest_trace;
      m->longest_trace = s->longest_trace > m->longest_trace ? s->longest_trace : m->longest_trace;
      if (s->largest_heap == MV_NONE || heap->peak_bytes > m->heaps[s->largest_heap].peak_bytes) {
        s->largest_heap = h;
      }
    }
    s->peak_bytes = add_capped(resident, s->heap_peak_bytes, &is_capped);
    for (uint32_t p = s->first_position; p < s->first_position + s->position_count; p++) {
      m->positions[p].bytes += resident;
      m->positions[p].unpadded_bytes = add_capped(m->positions[p].unpadded_bytes, resident_unpadded, &is_capped);
      m->positions[p].occupied_bytes += resident;
    }
  }
  if (is_capped) {
    mv_module_note(m, "sizes that add up to more than 63 bits hold are shown as 2^63 - 1");
  }
}

static void give_baseline_lifetimes(mv_module *m) {
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    const mv_allocation *a = &m->allocations[i];
    if (!mv_allocation_is_baseline(a) || a->largest_buffer == MV_NONE) {
      continue;
    }
    mv_buffer *largest = &m->buffers[a->largest_buffer];
    if (largest->start_position < 0) {
      largest->start_position = 0;
      largest->end_position = m->spaces[a->space].longest_trace + 1;
    }
  }
}

bool mv_build_heaps(mv_build *b) {
  mv_module *m = b->module;
  size_t bytes = 0;
  for (uint32_t i = 0; i < m->heap_count; i++) {
    bytes += m->heaps[i].proto.size;
  }
  replay r = {.build = b, .module = m};
  r.sharers = mv_arena_alloc(b->scratch, m->buffer_count * sizeof *r.sharers, b->status);
  /* An event takes 25 to 45 bytes; every other one begins a block. */
  const size_t positions = bytes / 24 + 2 * (size_t)m->space_count + 2 * (size_t)m->heap_count;
  if (r.sharers == NULL || !mv_array_reserve(&r.positions, positions, sizeof(mv_position), m->arena, b->status) ||
      !mv_array_reserve(&r.blocks, positions / 2 + 1, sizeof(mv_block), m->arena, b->status)) {
    return false;
  }
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    r.sharers[i] = (sharer){.parent = i};
  }
  for (uint32_t i = 0; i < m->heap_count; i++) {
    r.heap = &m->heaps[i];
    r.heap_index = i;
    if (!replay_heap(&r)) {
      return false;
    }
  }
  if (!mv_array_reserve(&r.positions, r.positions.count + m->space_count, sizeof(mv_position), m->arena, b->status)) {
    return false;
  }
  m->positions = r.positions.items;
  m->position_count = (uint32_t)r.positions.count;
  m->blocks = r.blocks.items;
  m->block_count = (uint32_t)r.blocks.count;
  finish_spaces(m);
  give_baseline_lifetimes(m);
  return true;
}
