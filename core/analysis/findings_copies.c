/* Copies that are live together with what they copy.
 *
 *   p['w']  <--  copy-start  <--  bitcast  <--  convert        live at the peak: the first and the last
 *
 * From each large buffer at the peak a chain leads upwards through what only copies, until it meets another buffer of
 * the same space that is live at the peak.
 */
#include <stdlib.h>

#include "analysis/findings_build.h"
#include "base/hash.h"
#include "base/sort.h"
#include "model/instruction.h"

enum {
  CHAIN_LENGTH = 100, /* steps: a file's operands may go in circles */
  VALUE_DEPTH = MV_LOCATION_DEPTH + CHAIN_LENGTH,
  COLLISIONS = 16, /* values of one hash that are compared: a file can make them collide */
};

/* A value of the program, where it is defined: an instruction, and an index into its shape with the first step last. */
typedef struct value {
  uint32_t instruction;
  size_t depth;
  int64_t index[VALUE_DEPTH];
} value;

typedef struct live_value {
  uint32_t row; /* of b->live */
  uint32_t buffer;
} live_value;

/* What is live at the peak, by the hash of its value. */
typedef struct live_values {
  live_value *items;
  mv_keyed *keys;
  size_t count;
} live_values;

static void read_value(value *out, const mv_module *m, uint32_t buffer) {
  mv_location location;
  mv_buffer_location(&location, m, &m->buffers[buffer]);
  out->instruction = m->buffers[buffer].instruction;
  out->depth = 0;
  for (size_t k = location.index_count; k-- > 0;) {
    out->index[out->depth++] = location.index[k];
  }
}

static uint64_t hash_of(const value *v) {
  return mv_hash(mv_bytes_of(v->index, v->depth * sizeof *v->index)) ^ (v->instruction * UINT64_C(0x9E3779B97F4A7C15));
}

/* ---- What is live ---- */

static void add_value(live_values *values, const mv_module *m, uint32_t buffer, uint32_t row) {
  value v;
  read_value(&v, m, buffer);
  values->keys[values->count] = (mv_keyed){hash_of(&v), (uint32_t)values->count};
  values->items[values->count++] = (live_value){row, buffer};
}

/* The parameter itself need not be the buffer that names an argument's allocation. */
static uint32_t parameter_in(const mv_findings_build *b, const mv_graph *g, uint32_t allocation) {
  const mv_allocation *a = &b->module->allocations[allocation];
  for (uint32_t k = a->first_assigned; k < a->first_assigned + a->buffer_count; k++) {
    const uint32_t buffer = b->module->assigned[k];
    const uint32_t instruction = b->module->buffers[buffer].instruction;
    if (instruction != MV_NONE && mv_graph_is_argument(g, instruction)) {
      return buffer;
    }
  }
  return MV_NONE;
}

static bool collect(live_values *out, mv_findings_build *b, const mv_graph *g) {
  const mv_module *m = b->module;
  *out = (live_values){0};
  out->items = mv_arena_alloc(b->scratch, b->live.count * sizeof *out->items, b->status);
  out->keys = mv_sort_alloc(b->scratch, b->live.count, b->status);
  if (out->items == NULL || out->keys == NULL) {
    return false;
  }
  for (size_t i = 0; i < b->live.count; i++) {
    const mv_live *row = &b->live.items[i];
    uint32_t buffer = row->buffer;
    if (row->number < m->allocation_count && m->allocations[row->allocation].category == MV_CATEGORY_PARAMETER) {
      const uint32_t parameter = parameter_in(b, g, row->allocation);
      buffer = parameter != MV_NONE ? parameter : buffer;
    }
    if (!mv_findings_step(b)) {
      return false;
    }
    if (buffer != MV_NONE && m->buffers[buffer].instruction != MV_NONE) {
      add_value(out, m, buffer, (uint32_t)i);
    }
  }
  mv_sort(out->keys, out->count);
  return true;
}

/* The row of `live` that holds a value, MV_NONE when none does. */
static uint32_t find(const live_values *values, const mv_module *m, const value *v) {
  const uint64_t hash = hash_of(v);
  size_t low = 0;
  for (size_t high = values->count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (values->keys[middle].key < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (int tries = 0; tries < COLLISIONS && low < values->count && values->keys[low].key == hash; tries++, low++) {
    const live_value *item = &values->items[values->keys[low].index];
    value other;
    read_value(&other, m, item->buffer);
    if (other.instruction == v->instruction && other.depth == v->depth &&
        (v->depth == 0 || memcmp(other.index, v->index, v->depth * sizeof *v->index) == 0)) {
      return item->row;
    }
  }
  return MV_NONE;
}

/* ---- The chain ---- */

/* How a copy differs from what it copies. */
typedef struct change {
  bool is_copied; /* it has memory of its own */
  bool has_type;
  bool has_order; /* of its dimensions */
} change;

/* To where a value is copied from; its instruction becomes MV_NONE when it is no copy. */
static void step_up(value *v, change *c, const mv_graph *g) {
  const uint32_t i = v->instruction;
  const mv_node *node = &g->nodes[i];
  uint32_t to = MV_NONE;
  switch (node->opcode) {
    case MV_OPCODE_COPY:
    case MV_OPCODE_CONVERT:
    case MV_OPCODE_TRANSPOSE:
    case MV_OPCODE_RESHAPE:
      c->is_copied = true;
      c->has_type = c->has_type || node->opcode == MV_OPCODE_CONVERT;
      c->has_order = c->has_order || node->opcode == MV_OPCODE_TRANSPOSE;
      to = mv_graph_operand(g, i, 0);
      break;
    case MV_OPCODE_BITCAST:
    case MV_OPCODE_OPT_BARRIER: to = mv_graph_operand(g, i, 0); break;
    case MV_OPCODE_COPY_START: /* (destination, source, context) */
      if (v->depth > 0 && v->index[v->depth - 1] <= 1) {
        c->is_copied = c->is_copied || v->index[v->depth - 1] == 0;
        v->depth--;
        to = mv_graph_operand(g, i, 0);
      }
      break;
    case MV_OPCODE_COPY_DONE:
      v->index[v->depth++] = 0;
      to = mv_graph_operand(g, i, 0);
      break;
    case MV_OPCODE_GET_TUPLE_ELEMENT:
      v->index[v->depth++] = node->number;
      to = mv_graph_operand(g, i, 0);
      break;
    case MV_OPCODE_TUPLE:
      if (v->depth > 0) {
        to = mv_graph_operand(g, i, (uint64_t)v->index[--v->depth]);
      }
      break;
    case MV_OPCODE_FUSION: to = mv_graph_called_root(g, i, 0); break;
    case MV_OPCODE_PARAMETER: {
      const uint32_t caller = g->computations[node->computation].caller;
      if (caller != MV_NONE && g->nodes[caller].opcode == MV_OPCODE_FUSION) {
        to = mv_graph_argument(g, caller, node->number);
      }
      break;
    }
    default: break;
  }
  v->instruction = to;
}

/* The row that `row` is a copy of, MV_NONE when there is none. */
static bool find_original(uint32_t *out, change *c, mv_findings_build *b, const mv_graph *g, const live_values *values,
                          size_t row) {
  value v;
  *c = (change){0};
  *out = MV_NONE;
  read_value(&v, b->module, b->live.items[row].buffer);
  for (int step = 0; step < CHAIN_LENGTH && v.instruction != MV_NONE; step++) {
    step_up(&v, c, g);
    const uint32_t found = v.instruction != MV_NONE && c->is_copied ? find(values, b->module, &v) : MV_NONE;
    if (found != MV_NONE && found != row) {
      *out = found;
      return true;
    }
    if (!mv_findings_step(b)) {
      return false;
    }
  }
  return true;
}

static bool add_copy(mv_findings_build *b, size_t row, uint32_t original, change c) {
  const mv_live *live = &b->live.items[row];
  const mv_module *m = b->module;
  const mv_bytes key = mv_findings_name(b, original);
  mv_findings_put_name(&b->text, mv_instruction_name(m, m->buffers[live->buffer].instruction));
  mv_text_add(&b->text, " copies ");
  mv_findings_put_name(&b->text, key);
  mv_text_add(&b->text, c.has_type ? " in another type" : c.has_order ? " with its dimensions in another order" : "");
  mv_text_add(&b->text, ", ");
  mv_findings_put_amount(b, live->size_bytes);
  mv_text_add(&b->text, ", and both are live at the peak; usually it helps ");
  mv_text_add(&b->text, c.has_type ? "to keep the data in the type it is used in, or to convert a layer at a time"
                                   : "to make the data in the layout it is used in, or to donate what is copied");
  mv_text_add(&b->text, "; certain, if what is copied isn't needed as it is");
  return mv_findings_add(b, (mv_finding){.kind = MV_FINDING_COPY,
                                         .buffer = live->buffer,
                                         .allocation = live->allocation,
                                         .bytes = live->size_bytes,
                                         .key = key});
}

bool mv_findings_add_copies(mv_findings_build *b) {
  const mv_module *m = b->module;
  const mv_graph *g = mv_module_graph(m, b->limits, b->status);
  live_values values;
  if (g == NULL || !collect(&values, b, g)) {
    return false;
  }
  for (size_t i = 0; i < b->live.count; i++) {
    const mv_live *live = &b->live.items[i];
    if (live->buffer == MV_NONE || m->buffers[live->buffer].instruction == MV_NONE) {
      continue;
    }
    uint32_t original;
    change c;
    if (!find_original(&original, &c, b, g, &values, i) || (original != MV_NONE && !add_copy(b, i, original, c))) {
      return false;
    }
  }
  return true;
}
