/* assignment.c: what a BufferAssignmentProto holds: logical buffers, allocations, places of the heap traces and of the
 * lists of what is live at a peak.
 *
 * The order of fields in a protobuf is not fixed, and what is referred to must be there first. So the buffers are read
 * when the module is indexed, and the allocations, which name them, when all buffers are there.
 */
#include "load/build.h"
#include "wire/fields.h"

/* All sizes of a file together must fit in 63 bits: then no sum over some of them can overflow, and a size that would
 * break this is no size. */
static int64_t checked_size(mv_build *b, const char *what, int64_t id, int64_t size) {
  if (size >= 0 && size <= INT64_MAX - b->size_sum) {
    b->size_sum += size;
    return size;
  }
  mv_module_note(b->module, "%s %lld has the impossible size %lld, taken as 0", what, (long long)id, (long long)size);
  return 0;
}

static bool read_buffer(mv_build *b, mv_bytes proto) {
  mv_buffer *buffer = mv_array_push(&b->buffers, sizeof *buffer, b->module->arena, b->status);
  if (buffer == NULL || !mv_build_step(b)) {
    return false;
  }
  *buffer = (mv_buffer){
      .unpadded_bytes = -1,
      .offset_bytes = -1,
      .start_position = -1,
      .end_position = -1,
      .instruction = MV_NONE,
      .allocation = MV_NONE,
      .shares_with = MV_NONE,
      .block_root = MV_NONE,
  };
  mv_bytes location = {0};
  mv_wire w = mv_wire_of(proto);
  mv_wire_take_int(&w, MV_BUFFER_ID, &buffer->id);
  mv_wire_take_int(&w, MV_BUFFER_SIZE, &buffer->size_bytes);
  mv_wire_take_bytes(&w, MV_BUFFER_DEFINED_AT, &location);
  mv_wire_take_int(&w, MV_BUFFER_COLOR, &buffer->color);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT) {
      switch (tag.field) {
        case MV_BUFFER_ID: buffer->id = (int64_t)tag.value; break;
        case MV_BUFFER_SIZE: buffer->size_bytes = (int64_t)tag.value; break;
        case MV_BUFFER_COLOR: buffer->color = (int64_t)tag.value; break;
        default: break;
      }
    } else if (tag.field == MV_BUFFER_DEFINED_AT && tag.type == MV_LENGTH) {
      location = tag.bytes;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "buffer_assignment.logical_buffers", b->status);
  }
  buffer->size_bytes = checked_size(b, "buffer", buffer->id, buffer->size_bytes);
  buffer->location = mv_ref_of(b->module, location);
  return mv_idmap_add(&b->module->buffers_by_id, buffer->id, (uint32_t)b->buffers.count - 1, b->module->arena,
                      b->status) &&
         (!b->module->has_module || mv_build_define(b, buffer, location));
}

static uint8_t category_of(const mv_allocation *a) {
  return a->is_entry_computation_parameter ? MV_CATEGORY_PARAMETER
         : a->maybe_live_out               ? MV_CATEGORY_OUTPUT
         : a->is_thread_local              ? MV_CATEGORY_THREAD_LOCAL
         : a->is_constant                  ? MV_CATEGORY_CONSTANT
                                           : MV_CATEGORY_TEMPORARY;
}

/* One Assigned of allocation number `index`. */
static bool read_assigned(mv_build *b, uint32_t index, mv_bytes proto) {
  mv_module *m = b->module;
  int64_t id = 0;
  int64_t offset = 0;
  int64_t unused;
  mv_wire w = mv_wire_of(proto);
  mv_wire_take_int(&w, MV_ASSIGNED_BUFFER, &id);
  mv_wire_take_int(&w, MV_ASSIGNED_OFFSET, &offset);
  mv_wire_take_int(&w, MV_ASSIGNED_SIZE, &unused);
  mv_wire_take_int(&w, MV_ASSIGNED_ELEMENT_TYPE, &unused);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT && tag.field == MV_ASSIGNED_BUFFER) {
      id = (int64_t)tag.value;
    } else if (tag.type == MV_VARINT && tag.field == MV_ASSIGNED_OFFSET) {
      offset = (int64_t)tag.value;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "buffer_assignment.buffer_allocations.assigned", b->status);
  }
  const uint32_t found = mv_idmap_find(&m->buffers_by_id, id);
  if (found == MV_NONE) {
    b->unknown_assigned++;
    return true;
  }
  uint32_t *slot = mv_array_push(&b->assigned, sizeof *slot, m->arena, b->status);
  if (slot == NULL || !mv_build_step(b)) {
    return false;
  }
  *slot = found;
  mv_buffer *buffer = &m->buffers[found];
  if (buffer->allocation != MV_NONE) {
    mv_module_note(m, "buffer %lld is assigned twice", (long long)id);
    return true;
  }
  buffer->allocation = index;
  buffer->offset_bytes = offset;
  return true;
}

/* What the buffers of an allocation have of it, and it of them. */
static void place_buffers(const mv_module *m, uint32_t index, const uint32_t *assigned) {
  mv_allocation *a = &m->allocations[index];
  for (uint32_t i = 0; i < a->buffer_count; i++) {
    mv_buffer *buffer = &m->buffers[assigned[i]];
    if (buffer->allocation != index) {
      continue;
    }
    buffer->color = a->color;
    const mv_buffer *largest = a->largest_buffer != MV_NONE ? &m->buffers[a->largest_buffer] : NULL;
    if (largest == NULL || buffer->size_bytes > largest->size_bytes ||
        (buffer->size_bytes == largest->size_bytes && buffer->id < largest->id)) {
      a->largest_buffer = assigned[i];
    }
  }
}

static bool read_allocation(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  mv_allocation *a = mv_array_push(&b->allocations, sizeof *a, m->arena, b->status);
  if (a == NULL || !mv_build_step(b)) {
    return false;
  }
  m->allocations = b->allocations.items;
  m->allocation_count = (uint32_t)b->allocations.count;
  const uint32_t index = m->allocation_count - 1;
  *a = (mv_allocation){.proto = mv_ref_of(m, proto),
                       .first_assigned = (uint32_t)b->assigned.count,
                       .space = MV_NONE,
                       .heap = MV_NONE,
                       .largest_buffer = MV_NONE,
                       .untraced_buffer = MV_NONE};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type != MV_VARINT) {
      if (tag.field == MV_ALLOCATION_ASSIGNED && tag.type == MV_LENGTH && !read_assigned(b, index, tag.bytes)) {
        return false;
      }
      continue;
    }
    switch (tag.field) {
      case MV_ALLOCATION_INDEX: a->id = (int64_t)tag.value; break;
      case MV_ALLOCATION_SIZE: a->size_bytes = (int64_t)tag.value; break;
      case MV_ALLOCATION_IS_THREAD_LOCAL: a->is_thread_local = tag.value != 0; break;
      case MV_ALLOCATION_IS_ENTRY_PARAMETER: a->is_entry_computation_parameter = tag.value != 0; break;
      case MV_ALLOCATION_PARAMETER_NUMBER: a->parameter_number = (int64_t)tag.value; break;
      case MV_ALLOCATION_MAYBE_LIVE_OUT: a->maybe_live_out = tag.value != 0; break;
      case MV_ALLOCATION_COLOR: a->color = (int64_t)tag.value; break;
      case MV_ALLOCATION_IS_TUPLE: a->is_tuple = tag.value != 0; break;
      case MV_ALLOCATION_IS_CONSTANT: a->is_constant = tag.value != 0; break;
      case MV_ALLOCATION_IS_PARAMETER_ALIASED: a->is_parameter_aliased_with_output = tag.value != 0; break;
      default: break;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "buffer_assignment.buffer_allocations", b->status);
  }
  a->size_bytes = checked_size(b, "allocation", a->id, a->size_bytes);
  a->category = category_of(a);
  a->buffer_count = (uint32_t)b->assigned.count - a->first_assigned;
  if (a->buffer_count > 0) {
    place_buffers(m, index, (const uint32_t *)b->assigned.items + a->first_assigned);
  }
  return mv_idmap_add(&m->allocations_by_id, a->id, index, m->arena, b->status);
}

bool mv_build_buffers(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  m->has_assignment = true;
  m->assignment_proto = mv_ref_of(m, proto);
  /* A buffer takes some 20 bytes, its assignment as many and its events more: 57 to 80 in all. */
  if (!mv_array_reserve(&b->buffers, b->buffers.count + proto.size / 56 + 16, sizeof(mv_buffer), m->arena, b->status)) {
    return false;
  }
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_ASSIGNMENT_BUFFERS && tag.type == MV_LENGTH && !read_buffer(b, tag.bytes)) {
      return false;
    }
  }
  m->buffers = b->buffers.items;
  m->buffer_count = (uint32_t)b->buffers.count;
  return w.fault == MV_FAULT_NONE || mv_module_fault(b->module, w, "buffer_assignment", b->status);
}

bool mv_build_allocations(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  if (!mv_array_reserve(&b->allocations, b->allocations.count + proto.size / 512 + 16, sizeof(mv_allocation), m->arena,
                        b->status) ||
      !mv_array_reserve(&b->assigned, m->buffer_count, sizeof(uint32_t), m->arena, b->status)) {
    return false;
  }
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type != MV_LENGTH) {
      continue;
    }
    if (tag.field == MV_ASSIGNMENT_ALLOCATIONS) {
      if (!read_allocation(b, tag.bytes)) {
        return false;
      }
    } else if (tag.field == MV_ASSIGNMENT_TRACES || tag.field == MV_ASSIGNMENT_PEAK_BUFFERS) {
      mv_array *list = tag.field == MV_ASSIGNMENT_TRACES ? &b->traces : &b->peaks;
      mv_ref *ref = mv_array_push(list, sizeof *ref, b->scratch, b->status);
      if (ref == NULL) {
        return false;
      }
      *ref = mv_ref_of(m, tag.bytes);
    }
  }
  m->assigned = b->assigned.items;
  m->assigned_count = (uint32_t)b->assigned.count;
  return w.fault == MV_FAULT_NONE || mv_module_fault(b->module, w, "buffer_assignment", b->status);
}
