/* spaces.c: the memory spaces of a module: which there are, their heaps, and what their allocations add up to. */
#include "load/build.h"
#include "wire/fields.h"

/* The allocation of a trace is that of the first event's buffer: the trace's own buffer_allocation_index can be stale.
 * Traces without events tell nothing and are left out. */
static bool find_heaps(mv_build *b) {
  mv_module *m = b->module;
  const mv_ref *traces = b->traces.items;
  m->heaps = mv_arena_zalloc(m->arena, b->traces.count, sizeof *m->heaps, b->status);
  if (m->heaps == NULL) {
    return false;
  }
  for (size_t t = 0; t < b->traces.count; t++) {
    mv_heap heap = {.allocation = MV_NONE, .proto = traces[t]};
    bool is_known = false;
    mv_wire w = mv_module_wire(m, traces[t]);
    mv_tag tag;
    while (heap.event_count == 0 && mv_wire_next(&w, &tag)) {
      if (tag.field != MV_TRACE_EVENTS || tag.type != MV_LENGTH) {
        continue;
      }
      heap.event_count = 1; /* at least: counted when it is replayed */
      int64_t id = 0;
      mv_wire event = mv_wire_of(tag.bytes);
      mv_tag field;
      while (mv_wire_next(&event, &field)) {
        if (field.field == MV_EVENT_BUFFER_ID && field.type == MV_VARINT) {
          id = (int64_t)field.value;
        }
      }
      const uint32_t buffer = mv_idmap_find(&m->buffers_by_id, id);
      if (buffer != MV_NONE) {
        is_known = true;
        heap.color = m->buffers[buffer].color;
        heap.allocation = m->buffers[buffer].allocation;
      }
    }
    if (w.fault != MV_FAULT_NONE) {
      return mv_build_fault(b, w, "buffer_assignment.heap_simulator_traces");
    }
    if (heap.event_count == 0) {
      continue;
    }
    if (!is_known) {
      mv_module_note(m, "the heap trace number %zu begins with a buffer that is not there", t);
    }
    m->heaps[m->heap_count++] = heap;
  }
  return true;
}

/* The colors of allocations and of heaps, each once, ascending. */
static bool make_spaces(mv_build *b) {
  mv_module *m = b->module;
  const size_t n = (size_t)m->allocation_count + m->heap_count;
  mv_keyed *keys = mv_sort_alloc(b->scratch, n, b->status);
  if (keys == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    keys[i] = (mv_keyed){mv_sort_key(m->allocations[i].color), i};
  }
  for (uint32_t i = 0; i < m->heap_count; i++) {
    keys[m->allocation_count + i] = (mv_keyed){mv_sort_key(m->heaps[i].color), m->allocation_count + i};
  }
  mv_sort(keys, n);
  m->spaces = mv_arena_zalloc(m->arena, n, sizeof *m->spaces, b->status);
  m->space_allocations = mv_arena_zalloc(m->arena, m->allocation_count, sizeof *m->space_allocations, b->status);
  if (m->spaces == NULL || m->space_allocations == NULL) {
    return false;
  }
  uint32_t listed = 0;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || keys[i].key != keys[i - 1].key) {
      m->spaces[m->space_count++] = (mv_space){.color = mv_sort_value(keys[i].key),
                                               .first_allocation = listed,
                                               .largest_heap = MV_NONE,
                                               .scoped_bytes = -1,
                                               .scoped_instruction = MV_NONE};
    }
    const uint32_t space = m->space_count - 1;
    if (keys[i].index < m->allocation_count) {
      m->allocations[keys[i].index].space = space;
      m->space_allocations[listed++] = keys[i].index;
      m->spaces[space].allocation_count++;
    } else {
      m->heaps[keys[i].index - m->allocation_count].space = space;
    }
  }
  return true;
}

/* Heaps in order of space, those of one space as the file has them. */
static bool order_heaps(mv_build *b) {
  mv_module *m = b->module;
  const size_t n = m->heap_count;
  mv_keyed *keys = mv_sort_alloc(b->scratch, n, b->status);
  mv_heap *copy = keys != NULL ? mv_arena_zalloc(b->scratch, n, sizeof *copy, b->status) : NULL;
  if (copy == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = (mv_keyed){m->heaps[i].space, i};
    copy[i] = m->heaps[i];
  }
  mv_sort(keys, n);
  for (uint32_t i = 0; i < n; i++) {
    m->heaps[i] = copy[keys[i].index];
    mv_space *s = &m->spaces[m->heaps[i].space];
    if (s->heap_count++ == 0) {
      s->first_heap = i;
    }
    if (m->heaps[i].allocation != MV_NONE && m->allocations[m->heaps[i].allocation].heap == MV_NONE) {
      m->allocations[m->heaps[i].allocation].heap = i;
    }
  }
  return true;
}

static void add_allocations(mv_module *m) {
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    const mv_allocation *a = &m->allocations[i];
    mv_space *s = &m->spaces[a->space];
    const int64_t size = a->size_bytes;
    if (a->is_thread_local) {
      s->thread_local_bytes += size;
    } else {
      s->total_bytes += size;
    }
    s->argument_bytes += a->is_entry_computation_parameter ? size : 0;
    s->output_bytes += a->maybe_live_out ? size : 0;
    s->constant_bytes += a->is_constant ? size : 0;
    s->temporary_bytes += a->category == MV_CATEGORY_TEMPORARY ? size : 0;
    if (mv_allocation_is_baseline(a)) {
      s->baseline_bytes += size;
      s->baseline_unpadded_bytes += mv_allocation_unpadded_bytes(m, a);
    }
  }
}

void mv_build_space_scoped(mv_module *m) {
  for (uint32_t i = 0; i < m->space_count; i++) {
    m->spaces[i].scoped_bytes = -1;
    m->spaces[i].scoped_instruction = MV_NONE;
  }
  for (uint32_t i = 0; i < m->scoped_count; i++) {
    const mv_scoped *scoped = &m->scoped[i];
    const uint32_t space = mv_module_find_space(m, scoped->color);
    if (space != MV_NONE && scoped->size_bytes > m->spaces[space].scoped_bytes) {
      m->spaces[space].scoped_bytes = scoped->size_bytes;
      m->spaces[space].scoped_instruction = scoped->instruction;
    }
  }
}

bool mv_build_spaces(mv_build *b) {
  if (!find_heaps(b) || !make_spaces(b) || !order_heaps(b)) {
    return false;
  }
  add_allocations(b->module);
  mv_build_space_scoped(b->module);
  return true;
}
