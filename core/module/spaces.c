/* spaces.c: the memory spaces of a module: which there are, their heaps, and what their allocations add up to. */
#include <stdio.h>

#include "module/build.h"
#include "module/fields.h"

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
      mv_wire event = mv_build_wire(b, tag.bytes);
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
  mv_keyed *keys = mv_arena_zalloc(b->scratch, n, 2 * sizeof *keys, b->status);
  if (keys == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    keys[i] = (mv_keyed){mv_sort_key(m->allocations[i].color), i};
  }
  for (uint32_t i = 0; i < m->heap_count; i++) {
    keys[m->allocation_count + i] = (mv_keyed){mv_sort_key(m->heaps[i].color), m->allocation_count + i};
  }
  mv_sort(keys, keys + n, n);
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
  mv_keyed *keys = mv_arena_zalloc(b->scratch, n, 2 * sizeof *keys, b->status);
  mv_heap *copy = keys != NULL ? mv_arena_zalloc(b->scratch, n, sizeof *copy, b->status) : NULL;
  if (copy == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = (mv_keyed){m->heaps[i].space, i};
    copy[i] = m->heaps[i];
  }
  mv_sort(keys, keys + n, n);
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

bool mv_allocation_is_baseline(const mv_allocation *a) {
  return !a->is_thread_local && (a->is_entry_computation_parameter || a->is_constant || a->maybe_live_out);
}

int64_t mv_allocation_unpadded_bytes(const mv_module *m, const mv_allocation *a) {
  if (a->largest_buffer == MV_NONE || m->buffers[a->largest_buffer].unpadded_bytes < 0) {
    return a->size_bytes;
  }
  return m->buffers[a->largest_buffer].unpadded_bytes;
}

uint32_t mv_module_find_space(const mv_module *m, int64_t color) {
  uint32_t low = 0;
  uint32_t high = m->space_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (m->spaces[middle].color < color) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < m->space_count && m->spaces[low].color == color ? low : MV_NONE;
}

const char *mv_space_name(mv_platform platform, int64_t color, char *buffer) {
  static const char *const tpu[] = {"HBM", "VMEM", "SFLAG", "CMEM", "SMEM", "Host", "SparseCore"};
  static const char *const gpu[] = {"HBM", "Collective", "Temp", NULL, NULL, "Host", NULL, "Collective"};
  const char *name = NULL;
  if (platform == MV_PLATFORM_CPU) {
    name = color == 0 ? "Host" : NULL;
  } else if (platform == MV_PLATFORM_GPU) {
    name = color >= 0 && color < (int64_t)(sizeof gpu / sizeof *gpu) ? gpu[color] : NULL;
  } else if (color >= 0 && color < (int64_t)(sizeof tpu / sizeof *tpu)) {
    name = tpu[color];
  }
  if (name == NULL) {
    snprintf(buffer, MV_SPACE_NAME, "S(%lld)", (long long)color);
    name = buffer;
  }
  return name;
}

/* Without the case of ASCII letters, as SQLite's NOCASE compares, whatever the locale is. */
static bool is_same_name(const char *a, const char *b) {
  for (; *a != '\0' && *b != '\0'; a++, b++) {
    const char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 'a' + 'A') : *a;
    const char y = *b >= 'a' && *b <= 'z' ? (char)(*b - 'a' + 'A') : *b;
    if (x != y) {
      return false;
    }
  }
  return *a == *b;
}

size_t mv_space_colors(int64_t colors[MV_SPACE_COLORS], mv_platform platform, const char *name) {
  char buffer[MV_SPACE_NAME];
  enum { NAMED = 8 }; /* colors that may have a name of their own */
  size_t count = 0;
  for (int64_t color = 0; color < NAMED && count < MV_SPACE_COLORS; color++) {
    if (is_same_name(mv_space_name(platform, color, buffer), name)) {
      colors[count++] = color;
    }
  }
  long long number;
  if (count == 0 && sscanf(name, "%*1[Ss](%lld", &number) == 1 &&
      is_same_name(mv_space_name(platform, number, buffer), name)) {
    colors[count++] = number;
  }
  return count;
}

const char *mv_category_name(uint8_t category) {
  static const char *const names[] = {"Parameter", "Output", "Thread-local", "Constant", "Temporary"};
  return names[category];
}
