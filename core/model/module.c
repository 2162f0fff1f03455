#include "model/module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NOTES = 3 };

void mv_module_note(const mv_module *m, const char *format, ...) {
  mv_notes *n = m->notes;
  n->count++;
  if (n->count > MAX_NOTES) {
    snprintf(n->text + n->size, sizeof n->text - n->size, "; and %u more", n->count - MAX_NOTES);
    return;
  }
  char line[160];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  snprintf(n->text + n->size, sizeof n->text - n->size, "%s%s", n->size > 0 ? "; " : "", line);
  n->size = strlen(n->text);
}

bool mv_module_fault(const mv_module *m, mv_wire w, const char *field, mv_status *status) {
  /* A length that reaches beyond the end of the file is a cut; beyond its message but not the file it is damage. */
  if (w.fault == MV_FAULT_CUT && w.end == m->bytes.data + m->bytes.size) {
    return mv_fail(status, MV_FORMAT, "cut short at byte %zu of field %s", m->bytes.size, field);
  }
  return mv_fail(status, MV_FORMAT, "not a valid protobuf at byte %zu, in field %s", (size_t)(w.p - m->bytes.data),
                 field);
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

bool mv_allocation_is_untraced(const mv_allocation *a) {
  return a->category == MV_CATEGORY_TEMPORARY && a->heap == MV_NONE && a->size_bytes > 0;
}

bool mv_resident_of(mv_resident *out, const mv_module *m, const mv_allocation *a) {
  if (mv_allocation_is_untraced(a)) {
    *out = (mv_resident){a->untraced_buffer, a->untraced_bytes, m->has_module ? a->untraced_unpadded_bytes : -1};
    return true;
  }
  const uint32_t largest = a->largest_buffer;
  *out = (mv_resident){largest, a->size_bytes, largest != MV_NONE ? m->buffers[largest].unpadded_bytes : -1};
  return mv_allocation_is_baseline(a);
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

const mv_position *mv_space_peak(const mv_module *m, const mv_space *s) {
  if (s->largest_heap == MV_NONE) {
    return &m->positions[s->first_position];
  }
  const mv_heap *heap = &m->heaps[s->largest_heap];
  return &m->positions[heap->first_position + heap->peak_position];
}

mv_module *mv_module_new(mv_status *status) {
  mv_module *m = calloc(1, sizeof *m);
  if (m == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  m->arena = mv_arena_new(status);
  m->derived = mv_derived_new(status);
  m->notes = m->arena != NULL ? mv_arena_zalloc(m->arena, 1, sizeof *m->notes, status) : NULL;
  if (m->derived == NULL || m->notes == NULL) {
    mv_module_free(m);
    return NULL;
  }
  m->problem = m->notes->text;
  return m;
}

void mv_module_free(mv_module *m) {
  if (m != NULL) {
    mv_derived_free(m->derived);
    mv_arena_free(m->arena);
    mv_blob_free(&m->blob);
    free(m);
  }
}

const mv_computation *mv_module_computation_of(const mv_module *m, uint32_t instruction) {
  uint32_t low = 0;
  uint32_t high = m->computation_count;
  while (low + 1 < high) { /* an empty computation begins where the next one does: the last one is right */
    const uint32_t middle = low + (high - low) / 2;
    if (m->computations[middle].first_instruction <= instruction) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return &m->computations[low];
}

size_t mv_module_footprint(const mv_module *m) {
  return sizeof *m + mv_arena_footprint(m->arena) + m->blob.capacity + mv_derived_footprint(m->derived);
}
