/* assignment.c: one walk over a BufferAssignmentProto: logical buffers, allocations, places of the heap traces.
 *
 * What refers to something else by id (assigned buffers, defining instructions) is resolved in link.c, when all is
 * there: the order of fields in a protobuf is not fixed.
 */
#include "module/build.h"
#include "module/fields.h"

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
  };
  mv_wire w = mv_build_wire(b, proto);
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
      buffer->location = mv_ref_of(b->module, tag.bytes);
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_build_fault(b, w, "buffer_assignment.logical_buffers");
  }
  buffer->size_bytes = checked_size(b, "buffer", buffer->id, buffer->size_bytes);
  return true;
}

static uint8_t category_of(const mv_allocation *a) {
  return a->is_entry_computation_parameter ? MV_CATEGORY_PARAMETER
         : a->maybe_live_out               ? MV_CATEGORY_OUTPUT
         : a->is_thread_local              ? MV_CATEGORY_THREAD_LOCAL
         : a->is_constant                  ? MV_CATEGORY_CONSTANT
                                           : MV_CATEGORY_TEMPORARY;
}

static bool read_allocation(mv_build *b, mv_bytes proto) {
  mv_allocation *a = mv_array_push(&b->allocations, sizeof *a, b->module->arena, b->status);
  if (a == NULL || !mv_build_step(b)) {
    return false;
  }
  *a = (mv_allocation){
      .proto = mv_ref_of(b->module, proto), .space = MV_NONE, .heap = MV_NONE, .largest_buffer = MV_NONE};
  mv_wire w = mv_build_wire(b, proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type != MV_VARINT) {
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
    return mv_build_fault(b, w, "buffer_assignment.buffer_allocations");
  }
  a->size_bytes = checked_size(b, "allocation", a->id, a->size_bytes);
  a->category = category_of(a);
  return true;
}

bool mv_build_assignment(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  m->has_assignment = true;
  m->assignment_proto = mv_ref_of(m, proto);
  /* A buffer takes some 20 bytes, its assignment as many and its events more; room that stays unused is never touched. */
  if (!mv_array_reserve(&b->buffers, b->buffers.count + proto.size / 64 + 16, sizeof(mv_buffer), m->arena, b->status) ||
      !mv_array_reserve(&b->allocations, b->allocations.count + proto.size / 256 + 16, sizeof(mv_allocation), m->arena,
                        b->status)) {
    return false;
  }
  mv_wire w = mv_build_wire(b, proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type != MV_LENGTH) {
      continue;
    }
    bool ok = true;
    if (tag.field == MV_ASSIGNMENT_BUFFERS) {
      ok = read_buffer(b, tag.bytes);
    } else if (tag.field == MV_ASSIGNMENT_ALLOCATIONS) {
      ok = read_allocation(b, tag.bytes);
    } else if (tag.field == MV_ASSIGNMENT_TRACES) {
      mv_ref *trace = mv_array_push(&b->traces, sizeof *trace, b->scratch, b->status);
      ok = trace != NULL;
      if (ok) {
        *trace = mv_ref_of(m, tag.bytes);
      }
    }
    if (!ok) {
      return false;
    }
  }
  return w.fault == MV_FAULT_NONE || mv_build_fault(b, w, "buffer_assignment");
}
