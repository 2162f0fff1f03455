#include "load/subshape.h"

#include "model/instruction.h"
#include "shape/shape.h"
#include "wire/fields.h"

enum { SMALL = 256 }; /* bytes of a shape that is walked each time, with all that is in it */

typedef struct mv_subshape {
  mv_bytes proto;
  mv_ref *elements; /* NULL until they are listed */
  struct mv_subshape **children;
  uint32_t count;
} mv_subshape;

/* As mv_instruction_shape has it, which must look at all fields, the last one being the one that counts. */
static mv_bytes shape_of(const mv_build *b, uint32_t instruction) {
  if (b->has_repeated_shapes) {
    return mv_instruction_shape(b->module, instruction);
  }
  mv_wire w = mv_module_wire(b->module, b->module->instructions[instruction].proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_INSTRUCTION_SHAPE && tag.type == MV_LENGTH) {
      return tag.bytes;
    }
  }
  return mv_bytes_of(NULL, 0);
}

static mv_subshape *new_part(mv_build *b, mv_bytes proto) {
  mv_subshape *part = mv_arena_zalloc(b->scratch, 1, sizeof *part, b->status);
  if (part != NULL) {
    part->proto = proto;
  }
  return part;
}

static bool list_elements(mv_build *b, mv_subshape *part) {
  mv_array elements = {0};
  mv_wire w = mv_wire_of(part->proto);
  mv_tag tag;
  if (!mv_array_reserve(&elements, 1, sizeof(mv_ref), b->scratch, b->status)) { /* listed, though it may be of none */
    return false;
  }
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_SHAPE_TUPLE_SHAPES || tag.type != MV_LENGTH) {
      continue;
    }
    mv_ref *element = mv_array_push(&elements, sizeof *element, b->scratch, b->status);
    if (element == NULL || !mv_build_step(b)) {
      return false;
    }
    *element = (mv_ref){(uint32_t)(tag.bytes.data - b->module->bytes.data), (uint32_t)tag.bytes.size};
  }
  part->elements = elements.items;
  part->count = (uint32_t)elements.count;
  return true;
}

/* The part at `slot`, made at the first call. */
static mv_subshape *part_at(mv_build *b, mv_subshape **slot, mv_bytes proto) {
  if (*slot == NULL) {
    *slot = new_part(b, proto);
  }
  return *slot;
}

static void walk(mv_bytes *out, mv_bytes shape, const mv_location *location, size_t step) {
  if (!mv_shape_walk(out, shape, location->index + step, location->index_count - step)) {
    *out = mv_bytes_of(NULL, 0);
  }
}

static bool find_listed(mv_bytes *out, mv_build *b, mv_subshape *part, const mv_location *location) {
  for (size_t step = 0; part != NULL; step++) {
    if (part->proto.size < SMALL || step == location->index_count) {
      walk(out, part->proto, location, step);
      return true;
    }
    if (part->elements == NULL && !list_elements(b, part)) {
      return false;
    }
    const int64_t index = location->index[step];
    if (index < 0 || index >= (int64_t)part->count) {
      return true;
    }
    const mv_bytes proto = mv_module_bytes(b->module, part->elements[index]);
    if (step + 1 == location->index_count) {
      *out = proto;
      return true;
    }
    if (part->children == NULL) {
      part->children = mv_arena_zalloc(b->scratch, part->count, sizeof *part->children, b->status);
      if (part->children == NULL) {
        return false;
      }
    }
    part = part_at(b, &part->children[index], proto);
  }
  return false;
}

bool mv_subshape_find(mv_bytes *out, mv_build *b, uint32_t instruction, const mv_location *location) {
  *out = mv_bytes_of(NULL, 0);
  if (b->last_shape.data == NULL || b->last_instruction != instruction) { /* buffers of one instruction follow each other */
    b->last_shape = shape_of(b, instruction);
    b->last_instruction = instruction;
  }
  if (b->last_shape.size < SMALL) {
    walk(out, b->last_shape, location, 0);
    return true;
  }
  if (b->subshapes == NULL) {
    b->subshapes = mv_arena_zalloc(b->scratch, b->module->instruction_count, sizeof *b->subshapes, b->status);
    if (b->subshapes == NULL) {
      return false;
    }
  }
  return find_listed(out, b, part_at(b, &b->subshapes[instruction], b->last_shape), location);
}
