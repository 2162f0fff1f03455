#include "load/subshape.h"

#include "model/instruction.h"
#include "shape/shape.h"
#include "wire/fields.h"

enum { SMALL = 256 }; /* bytes; a shape below this is walked each time */

typedef struct mv_subshape {
  mv_bytes proto;
  mv_ref *elements; /* NULL until they are listed */
  struct mv_subshape **children;
  uint32_t count;
} mv_subshape;

/* As mv_instruction_shape, which must read all fields because the last one counts; here the first is the last. */
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

static mv_subshape *new_subshape(mv_build *b, mv_bytes proto) {
  mv_subshape *node = mv_arena_zalloc(b->scratch, 1, sizeof *node, b->status);
  if (node != NULL) {
    node->proto = proto;
  }
  return node;
}

static bool list_elements(mv_build *b, mv_subshape *node) {
  mv_array elements = {0};
  mv_wire w = mv_wire_of(node->proto);
  mv_tag tag;
  if (!mv_array_reserve(&elements, 1, sizeof(mv_ref), b->scratch, b->status)) { /* not NULL for an empty tuple either */
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
  node->elements = elements.items;
  node->count = (uint32_t)elements.count;
  return true;
}

/* The subshape at `slot`, made at the first call. */
static mv_subshape *subshape_at(mv_build *b, mv_subshape **slot, mv_bytes proto) {
  if (*slot == NULL) {
    *slot = new_subshape(b, proto);
  }
  return *slot;
}

static void walk_to(mv_bytes *out, mv_bytes shape, const mv_location *location, size_t step) {
  if (!mv_shape_walk(out, shape, location->index + step, location->index_count - step)) {
    *out = mv_bytes_of(NULL, 0);
  }
}

static bool find_listed(mv_bytes *out, mv_build *b, mv_subshape *node, const mv_location *location) {
  for (size_t step = 0; node != NULL; step++) {
    if (node->proto.size < SMALL || step == location->index_count) {
      walk_to(out, node->proto, location, step);
      return true;
    }
    if (node->elements == NULL && !list_elements(b, node)) {
      return false;
    }
    const int64_t index = location->index[step];
    if (index < 0 || index >= (int64_t)node->count) {
      return true;
    }
    const mv_bytes proto = mv_module_bytes(b->module, node->elements[index]);
    if (step + 1 == location->index_count) {
      *out = proto;
      return true;
    }
    if (node->children == NULL) {
      node->children = mv_arena_zalloc(b->scratch, node->count, sizeof *node->children, b->status);
      if (node->children == NULL) {
        return false;
      }
    }
    node = subshape_at(b, &node->children[index], proto);
  }
  return false;
}

bool mv_subshape_find(mv_bytes *out, mv_build *b, uint32_t instruction, const mv_location *location) {
  *out = mv_bytes_of(NULL, 0);
  /* Buffers of one instruction follow each other. */
  if (b->last_shape.data == NULL || b->last_instruction != instruction) {
    b->last_shape = shape_of(b, instruction);
    b->last_instruction = instruction;
  }
  if (b->last_shape.size < SMALL) {
    walk_to(out, b->last_shape, location, 0);
    return true;
  }
  if (b->subshapes == NULL) {
    b->subshapes = mv_arena_zalloc(b->scratch, b->module->instruction_count, sizeof *b->subshapes, b->status);
    if (b->subshapes == NULL) {
      return false;
    }
  }
  return find_listed(out, b, subshape_at(b, &b->subshapes[instruction], b->last_shape), location);
}
