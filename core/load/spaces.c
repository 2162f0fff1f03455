/* spaces.c: the memory spaces of a module: which there are, their heaps, and what their allocations add up to. */
#include "load/build.h"
#include "wire/fields.h"

/* The buffer of a trace's first event that is listed, MV_NONE when none is. */
static bool first_buffer(uint32_t *out, mv_build *b, mv_ref trace) {
  mv_wire w = mv_module_wire(b->module, trace);
  mv_tag tag;
  *out = MV_NONE;
  while (*out == MV_NONE && mv_wire_next(&w, &tag)) {
    if (tag.field != MV_TRACE_EVENTS || tag.type != MV_LENGTH) {
      continue;
    }
    int64_t id = 0;
    mv_wire event = mv_wire_of(tag.bytes);
    mv_tag field;
    while (mv_wire_next(&event, &field)) {
      if (field.field == MV_EVENT_BUFFER_ID && field.type == MV_VARINT) {
        id = (int64_t)field.value;
      }
    }
    *out = mv_idmap_find(&b->module->buffers_by_id, id);
    if (!mv_build_step(b)) {
      return false;
    }
  }
  return w.fault == MV_FAULT_NONE ||
         mv_module_fault(b->module, w, "buffer_assignment.heap_simulator_traces", b->status);
}

/* The allocation of a trace is that of the first listed buffer: the trace's own buffer_allocation_index can be stale.
 * Traces that name no listed buffer tell nothing and are left out. */
static bool find_heaps(mv_build *b) {
  mv_module *m = b->module;
  const mv_ref *traces = b->traces.items;
  m->heaps = mv_arena_zalloc(m->arena, b->traces.count, sizeof *m->heaps, b->status);
  if (m->heaps == NULL) {
    return false;
  }
  for (size_t t = 0; t < b->traces.count; t++) {
    uint32_t buffer;
    if (!first_buffer(&buffer, b, traces[t])) {
      return false;
    }
    if (buffer != MV_NONE) {
      m->heaps[m->heap_count++] = (mv_heap){
          .color = m->buffers[buffer].color,
          .allocation = m->buffers[buffer].allocation,
          .proto = traces[t],
      };
    }
  }
  return true;
}

static mv_space space_of(int64_t color, uint32_t first_allocation) {
  return (mv_space){.color = color,
                    .first_allocation = first_allocation,
                    .largest_heap = MV_NONE,
                    .scoped_bytes = -1,
                    .scoped_instruction = MV_NONE};
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
      m->spaces[m->space_count++] = space_of(mv_sort_value(keys[i].key), listed);
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

/* All sizes of a file fit in 63 bits, and no buffer or allocation counts twice here: nothing can overflow. */
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
    mv_resident resident;
    if (mv_resident_of(&resident, m, a)) {
      const int64_t unpadded = resident.unpadded_bytes >= 0 ? resident.unpadded_bytes : resident.size_bytes;
      const bool is_baseline = mv_allocation_is_baseline(a);
      *(is_baseline ? &s->baseline_bytes : &s->untraced_bytes) += resident.size_bytes;
      *(is_baseline ? &s->baseline_unpadded_bytes : &s->untraced_unpadded_bytes) += unpadded;
    }
  }
}

bool mv_build_spaces(mv_build *b) {
  if (!find_heaps(b) || !make_spaces(b) || !order_heaps(b) || !mv_build_untraced(b)) {
    return false;
  }
  add_allocations(b->module);
  return true;
}

/* The colors of scoped memory that no space has, each once, ascending, into `colors`. */
static bool find_missing_colors(mv_array *colors, mv_build *b) {
  const mv_module *m = b->module;
  size_t n = 0;
  mv_keyed *keys = mv_sort_alloc(b->scratch, m->scoped_count, b->status);
  if (keys == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < m->scoped_count; i++) {
    if (mv_module_find_space(m, m->scoped[i].color) == MV_NONE) {
      keys[n++] = (mv_keyed){mv_sort_key(m->scoped[i].color), i};
    }
  }
  mv_sort(keys, n);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && keys[i].key == keys[i - 1].key) {
      continue;
    }
    int64_t *color = mv_array_push(colors, sizeof *color, b->scratch, b->status);
    if (color == NULL) {
      return false;
    }
    *color = mv_sort_value(keys[i].key);
  }
  return true;
}

/* Spaces without an allocation, among the others in order of color; each has its one row of the curve. */
static bool add_spaces(mv_build *b, const int64_t *colors, uint32_t count) {
  mv_module *m = b->module;
  mv_space *spaces = mv_arena_zalloc(m->arena, (size_t)m->space_count + count, sizeof *spaces, b->status);
  mv_position *positions =
      spaces != NULL ? mv_arena_zalloc(m->arena, (size_t)m->position_count + count, sizeof *positions, b->status)
                     : NULL;
  uint32_t *places = positions != NULL ? mv_arena_zalloc(b->scratch, m->space_count, sizeof *places, b->status) : NULL;
  if (places == NULL) {
    return false;
  }
  if (m->position_count > 0) {
    memcpy(positions, m->positions, m->position_count * sizeof *positions);
  }
  uint32_t next = 0;
  for (uint32_t old = 0; old < m->space_count || next < count;) {
    const uint32_t place = old + next;
    if (next == count || (old < m->space_count && m->spaces[old].color < colors[next])) {
      spaces[place] = m->spaces[old];
      places[old++] = place;
    } else {
      const uint32_t position = m->position_count + next;
      positions[position] = mv_position_before(place, MV_NONE);
      spaces[place] = space_of(colors[next++], m->allocation_count);
      spaces[place].first_position = position;
      spaces[place].position_count = 1;
    }
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    m->allocations[i].space = places[m->allocations[i].space];
  }
  for (uint32_t i = 0; i < m->heap_count; i++) {
    m->heaps[i].space = places[m->heaps[i].space];
  }
  for (uint32_t i = 0; i < m->position_count; i++) {
    positions[i].space = places[positions[i].space];
  }
  m->spaces = spaces;
  m->space_count += count;
  m->positions = positions;
  m->position_count += count;
  return true;
}

bool mv_build_space_scoped(mv_build *b) {
  mv_module *m = b->module;
  if (!m->has_assignment) {
    return true;
  }
  mv_array missing = {0};
  if (m->scoped_count > 0 && (!find_missing_colors(&missing, b) ||
                              (missing.count > 0 && !add_spaces(b, missing.items, (uint32_t)missing.count)))) {
    return false;
  }
  for (uint32_t i = 0; i < m->space_count; i++) {
    m->spaces[i].scoped_bytes = -1;
    m->spaces[i].scoped_instruction = MV_NONE;
  }
  for (uint32_t i = 0; i < m->scoped_count; i++) {
    const mv_scoped *scoped = &m->scoped[i];
    mv_space *space = &m->spaces[mv_module_find_space(m, scoped->color)];
    if (scoped->size_bytes > space->scoped_bytes) {
      space->scoped_bytes = scoped->size_bytes;
      space->scoped_instruction = scoped->instruction;
    }
  }
  return true;
}
