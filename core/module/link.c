/* link.c: what refers to what.
 *
 *   logical buffer --defined_at--> instruction --shape, shape_index--> unpadded size
 *   allocation --assigned--> logical buffers
 */
#include "module/build.h"
#include "module/details.h"
#include "module/fields.h"
#include "module/parts.h"
#include "shape/shape.h"

/* The unpadded size at a location into *size, -1 where it can't be known; false when memory ran out. */
static bool unpadded_at(int64_t *size, mv_parts *parts, uint32_t instruction, const mv_location *location) {
  mv_module *m = parts->build->module;
  if (location->index_count == 0) {
    mv_instruction *i = &m->instructions[instruction];
    if (i->unpadded_bytes == MV_NOT_SIZED) {
      i->unpadded_bytes = mv_shape_scan_unpadded(mv_parts_shape_of(m, instruction), m->bytes.data + m->bytes.size);
    }
    *size = i->unpadded_bytes;
    return true;
  }
  mv_bytes shape;
  if (!mv_parts_find(&shape, parts, instruction, location)) {
    return false;
  }
  *size = shape.data != NULL ? mv_shape_scan_unpadded(shape, m->bytes.data + m->bytes.size) : -1;
  return true;
}

/* Instructions by name, for files that name them by nothing else: a table as an idmap has it, of hashes. Two names of
 * one hash are told apart by comparing; the name's hash is kept where the idmap wants an id. */
typedef struct named {
  int64_t hash;
  uint32_t instruction;
} named;

typedef struct name_index {
  named *items;
  mv_idmap map;
  bool is_built;
} name_index;

static bool find_by_name(uint32_t *out, mv_build *b, name_index *names, mv_bytes name) {
  const mv_module *m = b->module;
  if (!names->is_built) {
    names->items = mv_arena_zalloc(b->scratch, m->instruction_count, sizeof *names->items, b->status);
    if (names->items == NULL) {
      return false;
    }
    for (uint32_t i = 0; i < m->instruction_count; i++) {
      if (!mv_build_step(b)) {
        return false;
      }
      names->items[i] = (named){mv_text_hash(mv_instruction_name(m, i)), i};
    }
    if (!mv_idmap_build(&names->map, names->items, m->instruction_count, sizeof *names->items, 0, b->scratch,
                        b->status)) {
      return false;
    }
    names->is_built = true;
  }
  const uint32_t found = mv_idmap_find(&names->map, mv_text_hash(name));
  *out = found != MV_NONE && mv_bytes_equal(mv_instruction_name(m, names->items[found].instruction), name)
             ? names->items[found].instruction
             : MV_NONE;
  return true;
}

static void note_duplicates(mv_module *m, const char *what, const mv_idmap *map) {
  if (map->duplicates > 0) {
    mv_module_note(m, "%u %s have the id of an earlier one", map->duplicates, what);
  }
}

static bool link_buffers(mv_build *b) {
  mv_module *m = b->module;
  name_index names = {0};
  mv_parts parts = {.build = b};
  uint32_t unknown = 0;
  int64_t sum = b->size_sum; /* where an unpadded size is unknown the size itself is added up in its place */
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    mv_buffer *buffer = &m->buffers[i];
    if (!mv_build_step(b)) {
      return false;
    }
    if (!m->has_module) {
      continue;
    }
    mv_location location;
    mv_location_read_wire(&location, mv_module_wire(m, buffer->location));
    if (!location.has_instruction_id && location.instruction_name.size > 0) {
      if (!find_by_name(&buffer->instruction, b, &names, location.instruction_name)) {
        return false;
      }
    } else {
      buffer->instruction = mv_idmap_find(&m->instructions_by_id, location.instruction_id);
    }
    if (buffer->instruction == MV_NONE) {
      unknown++;
      continue;
    }
    int64_t unpadded;
    if (!unpadded_at(&unpadded, &parts, buffer->instruction, &location)) {
      return false;
    }
    /* A size that no sum can hold is as good as unknown. */
    if (unpadded >= 0 && unpadded <= INT64_MAX - sum) {
      sum += unpadded;
      buffer->unpadded_bytes = unpadded;
    }
  }
  if (unknown > 0) {
    mv_module_note(m, "%u buffers are defined by instructions that are not there", unknown);
  }
  return true;
}

/* The buffers of one allocation, into the shared array. */
static bool read_assigned(mv_build *b, mv_array *assigned, uint32_t index, uint32_t *unknown) {
  mv_module *m = b->module;
  mv_allocation *a = &m->allocations[index];
  a->first_assigned = (uint32_t)assigned->count;
  mv_wire w = mv_module_wire(m, a->proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_ALLOCATION_ASSIGNED || tag.type != MV_LENGTH) {
      continue;
    }
    if (!mv_build_step(b)) {
      return false;
    }
    int64_t id = 0;
    int64_t offset = 0;
    mv_wire inner = mv_build_wire(b, tag.bytes);
    mv_tag field;
    while (mv_wire_next(&inner, &field)) {
      if (field.type == MV_VARINT && field.field == MV_ASSIGNED_BUFFER) {
        id = (int64_t)field.value;
      } else if (field.type == MV_VARINT && field.field == MV_ASSIGNED_OFFSET) {
        offset = (int64_t)field.value;
      }
    }
    if (inner.fault != MV_FAULT_NONE) {
      return mv_build_fault(b, inner, "buffer_assignment.buffer_allocations.assigned");
    }
    const uint32_t buffer = mv_idmap_find(&m->buffers_by_id, id);
    if (buffer == MV_NONE) {
      ++*unknown;
      continue;
    }
    uint32_t *slot = mv_array_push(assigned, sizeof *slot, m->arena, b->status);
    if (slot == NULL) {
      return false;
    }
    *slot = buffer;
    mv_buffer *bf = &m->buffers[buffer];
    if (bf->allocation != MV_NONE) {
      mv_module_note(m, "buffer %lld is assigned twice", (long long)id);
      continue;
    }
    bf->allocation = index;
    bf->color = a->color;
    bf->offset_bytes = offset;
    if (offset < 0 || offset > a->size_bytes || bf->size_bytes > a->size_bytes - offset) {
      mv_module_note(m, "buffer %lld lies outside its allocation %lld", (long long)id, (long long)a->id);
    }
    const mv_buffer *largest = a->largest_buffer != MV_NONE ? &m->buffers[a->largest_buffer] : NULL;
    if (largest == NULL || bf->size_bytes > largest->size_bytes ||
        (bf->size_bytes == largest->size_bytes && bf->id < largest->id)) {
      a->largest_buffer = buffer;
    }
  }
  a->buffer_count = (uint32_t)assigned->count - a->first_assigned;
  return true;
}

static bool link_allocations(mv_build *b) {
  mv_module *m = b->module;
  mv_array assigned = {0};
  uint32_t unknown = 0;
  if (!mv_array_reserve(&assigned, m->buffer_count, sizeof(uint32_t), m->arena, b->status)) {
    return false;
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    if (!read_assigned(b, &assigned, i, &unknown)) {
      return false;
    }
  }
  m->assigned = assigned.items;
  m->assigned_count = (uint32_t)assigned.count;
  if (unknown > 0) {
    mv_module_note(m, "%u assigned buffers are not among the logical buffers", unknown);
  }
  return true;
}

bool mv_build_links(mv_build *b) {
  mv_module *m = b->module;
  if (!mv_idmap_build(&m->instructions_by_id, m->instructions, m->instruction_count, sizeof *m->instructions,
                      offsetof(mv_instruction, id), m->arena, b->status) ||
      !mv_idmap_build(&m->buffers_by_id, m->buffers, m->buffer_count, sizeof *m->buffers, offsetof(mv_buffer, id),
                      m->arena, b->status) ||
      !mv_idmap_build(&m->allocations_by_id, m->allocations, m->allocation_count, sizeof *m->allocations,
                      offsetof(mv_allocation, id), m->arena, b->status)) {
    return false;
  }
  note_duplicates(m, "instructions", &m->instructions_by_id);
  note_duplicates(m, "buffers", &m->buffers_by_id);
  note_duplicates(m, "allocations", &m->allocations_by_id);
  return link_buffers(b) && link_allocations(b);
}
