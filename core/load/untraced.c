/* untraced.c: temporary allocations that no heap trace tells of.
 *
 *   peak_buffers    {allocation 3, buffers 7, 9}     what the compiler found live in it when it is fullest
 *   allocation 3    counts size(7) + size(9) at every position, at most its own size; 7 or 9 names it
 *
 * An allocation that has no such list, or a list of nothing, counts with its whole size.
 */
#include "load/build.h"
#include "load/subshape.h"
#include "model/instruction.h"
#include "shape/shape.h"
#include "wire/fields.h"

static int64_t unpadded_of(const mv_buffer *buffer) {
  return buffer->unpadded_bytes >= 0 ? buffer->unpadded_bytes : buffer->size_bytes;
}

/* Each buffer counts once, in the allocation it lies in: so no sum can overflow. */
static void add_listed(mv_build *b, mv_allocation *a, bool *is_counted, int64_t id) {
  mv_module *m = b->module;
  const uint32_t found = mv_idmap_find(&m->buffers_by_id, id);
  if (found == MV_NONE || is_counted[found] || m->buffers[found].allocation != (uint32_t)(a - m->allocations)) {
    return;
  }
  is_counted[found] = true;
  const mv_buffer *buffer = &m->buffers[found];
  const mv_buffer *largest = a->untraced_buffer != MV_NONE ? &m->buffers[a->untraced_buffer] : NULL;
  if (largest == NULL || buffer->size_bytes > largest->size_bytes ||
      (buffer->size_bytes == largest->size_bytes && buffer->id < largest->id)) {
    a->untraced_buffer = found;
  }
  a->untraced_bytes += buffer->size_bytes;
  a->untraced_unpadded_bytes += unpadded_of(buffer);
}

/* The allocation of a list; NULL when it is not there or not untraced. */
static mv_allocation *allocation_of(mv_build *b, mv_ref list) {
  int64_t id = 0;
  mv_wire w = mv_module_wire(b->module, list);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_PEAK_ALLOCATION && tag.type == MV_VARINT) {
      id = (int64_t)tag.value;
    }
  }
  const uint32_t found = mv_idmap_find(&b->module->allocations_by_id, id);
  if (found == MV_NONE || !mv_allocation_is_untraced(&b->module->allocations[found])) {
    return NULL;
  }
  return &b->module->allocations[found];
}

static bool read_list(mv_build *b, mv_ref list, bool *is_counted) {
  mv_allocation *a = allocation_of(b, list);
  mv_wire w = mv_module_wire(b->module, list);
  mv_tag tag;
  while (a != NULL && mv_wire_next(&w, &tag)) {
    if (tag.field != MV_PEAK_BUFFER_IDS) {
      continue;
    }
    if (tag.type == MV_VARINT) {
      add_listed(b, a, is_counted, (int64_t)tag.value);
    } else if (tag.type == MV_LENGTH) {
      mv_wire packed = mv_wire_of(tag.bytes);
      uint64_t id;
      while (mv_wire_next_packed(&packed, &id)) {
        if (!mv_build_step(b)) {
          return false;
        }
        add_listed(b, a, is_counted, (int64_t)id);
      }
    }
    if (!mv_build_step(b)) {
      return false;
    }
  }
  return w.fault == MV_FAULT_NONE || mv_module_fault(b->module, w, "buffer_assignment.peak_buffers", b->status);
}

static void settle(const mv_module *m, mv_allocation *a) {
  a->is_listed = a->untraced_buffer != MV_NONE;
  if (a->is_listed) {
    a->untraced_bytes = a->untraced_bytes < a->size_bytes ? a->untraced_bytes : a->size_bytes;
    return;
  }
  const mv_buffer *only = a->buffer_count == 1 && a->largest_buffer != MV_NONE ? &m->buffers[a->largest_buffer] : NULL;
  a->untraced_buffer = a->largest_buffer;
  a->untraced_bytes = a->size_bytes;
  a->untraced_unpadded_bytes = only != NULL && only->unpadded_bytes >= 0 ? only->unpadded_bytes : a->size_bytes;
}

bool mv_build_untraced(mv_build *b) {
  mv_module *m = b->module;
  uint32_t untraced = 0;
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    untraced += mv_allocation_is_untraced(&m->allocations[i]);
  }
  if (untraced == 0) {
    return true;
  }
  bool *is_counted = mv_arena_zalloc(b->scratch, m->buffer_count, sizeof *is_counted, b->status);
  if (is_counted == NULL) {
    return false;
  }
  const mv_ref *lists = b->peaks.items;
  for (size_t i = 0; i < b->peaks.count; i++) {
    if (!read_list(b, lists[i], is_counted)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    if (mv_allocation_is_untraced(&m->allocations[i])) {
      settle(m, &m->allocations[i]);
    }
  }
  return true;
}

/* Whether a buffer is known to be a tuple's index table. False too when memory ran out. */
static bool is_index_table(mv_build *b, const mv_buffer *buffer) {
  mv_module *m = b->module;
  mv_location location;
  mv_bytes shape;
  mv_buffer_location(&location, m, buffer);
  if (buffer->instruction == MV_NONE || !mv_subshape_find(&shape, b, buffer->instruction, &location)) {
    return false;
  }
  return mv_shape_scan_element_type(shape) == MV_TYPE_TUPLE;
}

/* Compilers trace no tuples' index tables, and the TPU compiler none of SparseCore's spaces, those behind the named
 * ones. */
static bool is_never_traced(mv_build *b, const mv_allocation *a) {
  const mv_module *m = b->module;
  char name[MV_SPACE_NAME];
  if (m->platform == MV_PLATFORM_TPU && mv_space_name(m->platform, a->color, name) == name) {
    return true;
  }
  for (uint32_t i = 0; a->is_tuple && i < a->buffer_count; i++) {
    if (!is_index_table(b, &m->buffers[m->assigned[a->first_assigned + i]])) {
      return false;
    }
  }
  return a->is_tuple && a->buffer_count > 0;
}

bool mv_build_note_untraced(mv_build *b) {
  mv_module *m = b->module;
  bool is_noted = false;
  bool is_listed = true;
  for (uint32_t i = 0; m->heap_count == 0 && i < m->allocation_count; i++) {
    const mv_allocation *a = &m->allocations[i];
    if (!mv_build_step(b)) {
      return false;
    }
    if (mv_allocation_is_untraced(a) && !is_never_traced(b, a)) {
      is_noted = true;
      is_listed = is_listed && a->is_listed;
    }
  }
  if (is_noted) {
    mv_module_note(m, is_listed ? "no heap trace: lifetimes are unknown, the peak counts temporaries as the compiler "
                                  "lists them at its own peak"
                                : "no heap trace: lifetimes are unknown, the peak counts temporaries at their whole "
                                  "size and is an upper bound");
  }
  return b->status->code == MV_OK;
}
