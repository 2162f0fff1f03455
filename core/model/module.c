#include "model/module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/derived.h"

enum { MAX_NOTES = 3 };

void mv_module_note(mv_module *m, const char *format, ...) {
  m->problem_count++;
  if (m->problem_count > MAX_NOTES) {
    snprintf(m->problem + m->problem_size, sizeof m->problem - m->problem_size, "; and %u more",
             m->problem_count - MAX_NOTES);
    return;
  }
  char line[160];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  snprintf(m->problem + m->problem_size, sizeof m->problem - m->problem_size, "%s%s", m->problem_size > 0 ? "; " : "",
           line);
  m->problem_size = strlen(m->problem);
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
  return sizeof *m + mv_arena_footprint(m->arena) + mv_derived_footprint(m->derived) + m->blob.capacity;
}
