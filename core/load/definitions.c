/* definitions.c: what a logical buffer is defined by.
 *
 *   logical buffer --defined_at--> instruction --shape, shape_index--> unpadded size
 */
#include "load/build.h"
#include "load/subshape.h"
#include "model/instruction.h"

/* The unpadded size at a location into *size, -1 where it can't be known; false when memory ran out. */
static bool unpadded_at(int64_t *size, mv_build *b, uint32_t instruction, const mv_location *location) {
  const mv_module *m = b->module;
  if (location->index_count == 0) {
    *size = m->instructions[instruction].unpadded_bytes;
    return true;
  }
  mv_bytes shape;
  if (!mv_subshape_find(&shape, b, instruction, location)) {
    return false;
  }
  mv_shape_size size_of_shape = {.unpadded_bytes = -1};
  if (shape.data != NULL && !mv_build_size(&size_of_shape, b, shape)) {
    return false;
  }
  *size = size_of_shape.unpadded_bytes;
  return true;
}

/* Instructions by name, for files that name them by nothing else: a map of the names' hashes. Of two names with one
 * hash the first alone is found. */
static bool make_names(mv_build *b) {
  const mv_module *m = b->module;
  mv_idmap *names = mv_arena_zalloc(b->scratch, 1, sizeof *names, b->status);
  if (names == NULL || !mv_build_index_fusions(b)) {
    return false;
  }
  for (uint32_t i = 0; i < m->instruction_count; i++) {
    if (!mv_build_step(b) || !mv_idmap_add(names, mv_text_hash(mv_instruction_name(m, i)), i, b->scratch, b->status)) {
      return false;
    }
  }
  b->names = names;
  return mv_idmap_finish(names, b->scratch, b->status);
}

static bool find_by_name(uint32_t *out, mv_build *b, mv_bytes name) {
  if (b->names == NULL && !make_names(b)) {
    return false;
  }
  const uint32_t found = mv_idmap_find(b->names, mv_text_hash(name));
  *out = found != MV_NONE && mv_bytes_equal(mv_instruction_name(b->module, found), name) ? found : MV_NONE;
  return true;
}

bool mv_build_define(mv_build *b, mv_buffer *buffer, mv_bytes proto) {
  mv_location location;
  mv_location_read(&location, proto);
  const bool ok = !location.has_instruction_id && location.instruction_name.size > 0
                      ? find_by_name(&buffer->instruction, b, location.instruction_name)
                      : mv_build_find_instruction(&buffer->instruction, b, location.instruction_id);
  if (!ok) {
    return false;
  }
  if (buffer->instruction == MV_NONE) {
    b->undefined_buffers++;
    return true;
  }
  return unpadded_at(&buffer->unpadded_bytes, b, buffer->instruction, &location);
}

/* Each buffer once, however often it is listed. */
static void check_place(mv_module *m, const mv_buffer *buffer) {
  const mv_allocation *a = &m->allocations[buffer->allocation];
  const int64_t offset = buffer->offset_bytes;
  if (offset < 0 || offset > a->size_bytes || buffer->size_bytes > a->size_bytes - offset) {
    mv_module_note(m, "buffer %lld lies outside its allocation %lld", (long long)buffer->id, (long long)a->id);
  }
}

bool mv_build_settle_buffers(mv_build *b) {
  mv_module *m = b->module;
  /* A size that no sum can hold is as good as unknown. Where an unpadded size is unknown the size itself is added up in
   * its place, so they count together. */
  int64_t sum = b->size_sum;
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    mv_buffer *buffer = &m->buffers[i];
    if (!mv_build_step(b)) {
      return false;
    }
    if (buffer->unpadded_bytes > INT64_MAX - sum) {
      buffer->unpadded_bytes = -1;
    }
    sum += buffer->unpadded_bytes > 0 ? buffer->unpadded_bytes : 0;
    if (buffer->allocation != MV_NONE) {
      check_place(m, buffer);
    }
  }
  return true;
}
