#include "analysis/origin.h"

#include "model/instruction.h"
#include "shape/shape.h"
#include "wire/fields.h"

/* ---- The largest operand ---- */

static int64_t type_of(mv_wire shape) {
  int64_t type = 0;
  mv_tag tag;
  if (mv_wire_take_int(&shape, MV_SHAPE_ELEMENT_TYPE, &type)) {
    return type;
  }
  while (mv_wire_next(&shape, &tag)) {
    if (tag.field == MV_SHAPE_ELEMENT_TYPE && tag.type == MV_VARINT) {
      type = mv_proto_enum(tag.value);
    }
  }
  return type;
}

/* Unpadded bytes of all leaves of a shape; what is unknown counts nothing. */
static int64_t leaf_bytes(mv_bytes shape) {
  mv_wire open[MV_SHAPE_DEPTH];
  size_t depth = 0;
  int64_t total = 0;
  mv_tag tag = {.field = MV_SHAPE_TUPLE_SHAPES, .type = MV_LENGTH, .bytes = shape};
  for (bool is_shape = true;;) {
    if (is_shape && type_of(mv_wire_of(tag.bytes)) == MV_TYPE_TUPLE) {
      if (depth < MV_SHAPE_DEPTH) {
        open[depth++] = mv_wire_of(tag.bytes);
      }
    } else if (is_shape) {
      const int64_t bytes = mv_shape_scan_unpadded(tag.bytes);
      total = bytes > INT64_MAX - 2 - total ? INT64_MAX - 2 : total + (bytes > 0 ? bytes : 0);
    }
    while (depth > 0 && !mv_wire_next(&open[depth - 1], &tag)) {
      depth--;
    }
    if (depth == 0) {
      return total;
    }
    is_shape = tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH;
  }
}

static int64_t bytes_of(mv_origins *o, uint32_t instruction) {
  int64_t *kept = &o->bytes[instruction];
  if (*kept == 0) {
    *kept = 2 + leaf_bytes(mv_instruction_shape(o->module, instruction));
  }
  return *kept;
}

static bool remember_sizes(mv_origins *o, mv_status *status) {
  if (o->largest == NULL) {
    o->bytes = mv_arena_zalloc(o->arena, o->graph->node_count, sizeof *o->bytes, status);
    o->largest = o->bytes != NULL ? mv_arena_zalloc(o->arena, o->graph->node_count, sizeof *o->largest, status) : NULL;
  }
  return o->largest != NULL;
}

/* The operand with most bytes, the first of equals; MV_NONE when there is none. */
static bool largest_operand(uint32_t *out, mv_origins *o, uint32_t instruction, mv_status *status) {
  const mv_node *node = &o->graph->nodes[instruction];
  const uint32_t *operands = &o->graph->operands[node->first_operand];
  const uint32_t count = node[1].first_operand - node->first_operand;
  if (count <= 1) {
    *out = count == 1 ? operands[0] : MV_NONE;
    return true;
  }
  if (!remember_sizes(o, status)) {
    return false;
  }
  uint32_t *kept = &o->largest[instruction];
  if (*kept == 0) {
    uint32_t best = 0;
    int64_t most = -1;
    for (uint32_t k = 0; k < count; k++) {
      const int64_t bytes = operands[k] != MV_NONE ? bytes_of(o, operands[k]) : -1;
      if (bytes > most) {
        most = bytes;
        best = k;
      }
    }
    *kept = best + 1;
  }
  *out = operands[*kept - 1];
  return true;
}

/* ---- One step up ---- */

typedef struct value {
  uint32_t instruction;
  size_t depth;                                       /* steps into the shape */
  int64_t index[MV_LOCATION_DEPTH + MV_CHAIN_LENGTH]; /* the first step last */
} value;

static void push(value *v, int64_t step) {
  v->index[v->depth++] = step; /* at most one each step of the chain */
}

/* The first step into the shape, taken off. */
static int64_t pop(value *v) {
  return v->index[--v->depth];
}

static bool begins_with(const value *v, int64_t step) {
  return v->depth > 0 && v->index[v->depth - 1] == step;
}

/* An async-start's shape is (operands, result, ...). */
static void step_into_async(value *v, const mv_graph *g) {
  const uint32_t start = v->instruction;
  if (begins_with(v, 0)) {
    pop(v);
    v->instruction = v->depth > 0 ? mv_graph_operand(g, start, (uint64_t)pop(v)) : MV_NONE;
    return;
  }
  if (begins_with(v, 1)) {
    pop(v);
  } else {
    v->depth = 0;
  }
  v->instruction = mv_graph_called_root(g, start, 0);
}

static void step_out(value *v, const mv_graph *g) {
  const mv_node *parameter = &g->nodes[v->instruction];
  const mv_graph_computation *computation = &g->computations[parameter->computation];
  if (computation->caller == MV_NONE) {
    v->instruction = MV_NONE;
    return;
  }
  uint64_t k = parameter->number;
  switch (g->nodes[computation->caller].opcode) {
    case MV_OPCODE_WHILE: k = 0; break;
    case MV_OPCODE_CONDITIONAL: k = (uint64_t)computation->caller_slot + 1; break; /* behind the branch index */
    default: break;
  }
  v->instruction = mv_graph_argument(g, computation->caller, k);
}

/* To where a value comes from: MV_NONE when that is nowhere. Fails when memory ran out. */
static bool step_up(value *v, mv_origins *o, mv_status *status) {
  const mv_graph *g = o->graph;
  const uint32_t i = v->instruction;
  switch (g->nodes[i].opcode) {
    case MV_OPCODE_GET_TUPLE_ELEMENT:
      push(v, g->nodes[i].number);
      v->instruction = mv_graph_operand(g, i, 0);
      return true;
    case MV_OPCODE_TUPLE:
      v->instruction = v->depth > 0 ? mv_graph_operand(g, i, (uint64_t)pop(v)) : MV_NONE;
      return true;
    case MV_OPCODE_ASYNC_START: step_into_async(v, g); return true;
    case MV_OPCODE_ASYNC_DONE:
      push(v, 1);
      v->instruction = mv_graph_operand(g, i, 0);
      return true;
    case MV_OPCODE_COPY_DONE:
      push(v, 0);
      v->instruction = mv_graph_operand(g, i, 0);
      return true;
    case MV_OPCODE_ASYNC_UPDATE:
    case MV_OPCODE_OPT_BARRIER: v->instruction = mv_graph_operand(g, i, 0); return true;
    case MV_OPCODE_FUSION:
    case MV_OPCODE_CALL:
    case MV_OPCODE_WHILE:
    case MV_OPCODE_CONDITIONAL: v->instruction = mv_graph_called_root(g, i, 0); return true;
    case MV_OPCODE_PARAMETER: step_out(v, g); return true;
    default: v->depth = 0; return largest_operand(&v->instruction, o, i, status);
  }
}

/* ---- The chain ---- */

/* Of a fusion with several results: the instruction inside it that makes this one, when it has a name; else MV_NONE. */
static uint32_t element_of(const value *v, const mv_graph *g) {
  if (g->nodes[v->instruction].opcode != MV_OPCODE_FUSION || v->depth != 1) {
    return MV_NONE;
  }
  const uint32_t root = mv_graph_called_root(g, v->instruction, 0);
  if (root == MV_NONE || g->nodes[root].opcode != MV_OPCODE_TUPLE) {
    return MV_NONE;
  }
  const uint32_t element = mv_graph_operand(g, root, (uint64_t)v->index[0]);
  return element != MV_NONE && g->nodes[element].is_named && g->nodes[element].opcode != MV_OPCODE_PARAMETER ? element
                                                                                                             : MV_NONE;
}

/* An op that was wrapped to run asynchronously has its name on the wrapper. MV_NONE when it is none. */
static uint32_t wrapper_of(const mv_graph *g, uint32_t i) {
  const mv_graph_computation *c = &g->computations[g->nodes[i].computation];
  return c->caller != MV_NONE && g->nodes[c->caller].opcode == MV_OPCODE_ASYNC_START && !g->nodes[i].is_named &&
                 c->root == i && g->nodes[c->caller].is_named
             ? c->caller
             : MV_NONE;
}

/* The computation of a fusion; MV_NONE of any other instruction. */
static uint32_t inside_of(const mv_graph *g, uint32_t i) {
  return g->nodes[i].opcode == MV_OPCODE_FUSION && mv_graph_called_root(g, i, 0) != MV_NONE ? mv_graph_called(g, i, 0)
                                                                                            : MV_NONE;
}

bool mv_origin_find(mv_origin *out, mv_origins *o, uint32_t instruction, const mv_location *location,
                    mv_status *status) {
  const mv_graph *g = o->graph;
  *out = (mv_origin){wrapper_of(g, instruction), MV_ATTRIBUTION_OWN};
  if (out->instruction != MV_NONE) {
    return true;
  }
  *out = (mv_origin){MV_NONE, MV_ATTRIBUTION_NONE};
  const uint32_t inside = inside_of(g, instruction);
  bool has_crossed = false; /* an operation that computes; all that one fusion does counts as one */
  value v;
  v.instruction = instruction;
  v.depth = 0;
  for (size_t k = location->index_count; k-- > 0;) {
    push(&v, location->index[k]);
  }
  for (int step = 0; step < MV_CHAIN_LENGTH && v.instruction != MV_NONE; step++) {
    const mv_node *node = &g->nodes[v.instruction];
    const uint8_t moved = has_crossed ? MV_ATTRIBUTION_COMPUTED : MV_ATTRIBUTION_MOVED;
    const bool is_inside = node->computation == inside; /* of the fusion where the chain began */
    const uint32_t element = element_of(&v, g);
    if (element != MV_NONE) {
      *out = (mv_origin){element, step == 0 ? MV_ATTRIBUTION_ELEMENT : moved};
      return true;
    }
    if (node->is_named || mv_graph_is_argument(g, v.instruction)) {
      *out = (mv_origin){v.instruction, step == 0 ? MV_ATTRIBUTION_OWN : is_inside ? MV_ATTRIBUTION_FUSED : moved};
      return true;
    }
    if ((mv_opcode_properties(node->opcode) & MV_OPCODE_MOVES) == 0) {
      if (has_crossed && !is_inside) {
        return true;
      }
      has_crossed = true;
    }
    if (!step_up(&v, o, status)) {
      return false;
    }
  }
  return true;
}
