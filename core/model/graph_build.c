/* graph_build.c: the graph, made in these steps:
 *
 *   read_instructions   each instruction once: opcode, op_name, number, and the ids of what it reads and calls
 *   resolve             ids -> instructions and computations
 *   read_schedule       positions
 *   link_computations   roots, callers, parameters, the entry
 *   link_late           operands of async-updates
 *   mv_graph_link_users users of each instruction, in order (users.c)
 */
#include "model/graph_build.h"
#include "model/metadata.h"
#include "wire/fields.h"

/* ---- Instructions ---- */

/* Whether XLA made the name up of an instruction's: no path, and a number at the end. */
static bool is_made_up(mv_bytes name) {
  enum { LONGEST = 4096 };
  size_t n = name.size;
  while (n > 0 && name.data[n - 1] >= '0' && name.data[n - 1] <= '9') {
    n--;
  }
  return n > 0 && n < name.size && name.data[n - 1] == '.' && name.size <= LONGEST && memchr(name.data, '/', n) == NULL;
}

/* The ids of one occurrence of a field. */
static bool push_ids(mv_graph_build *b, mv_array *ids, const mv_tag *tag) {
  mv_numbers numbers = mv_numbers_of(tag);
  int64_t id;
  while (mv_numbers_next(&numbers, &id)) {
    int64_t *slot = mv_array_push(ids, sizeof *slot, b->scratch, b->status);
    if (slot == NULL || !mv_graph_step(b)) {
      return false;
    }
    *slot = id;
  }
  return numbers.packed.fault == MV_FAULT_NONE ||
         mv_module_fault(b->module, numbers.packed, "hlo_module.computations.instructions", b->status);
}

static uint32_t number_of(uint64_t value) {
  return value < MV_NONE ? (uint32_t)value : MV_NONE;
}

static bool read_instruction(mv_graph_build *b, uint32_t i) {
  const mv_module *m = b->module;
  mv_node *node = &b->nodes[i];
  mv_bytes opcode = {0};
  mv_bytes metadata = {0};
  mv_bytes target = {0};
  mv_bytes unused;
  uint64_t parameter_number = 0;
  uint64_t tuple_index = 0;
  *node = (mv_node){.first_operand = (uint32_t)b->operand_ids.count, .first_called = (uint32_t)b->called_ids.count};
  b->ids[i] = 0;
  mv_wire w = mv_module_wire(m, m->instructions[i].proto);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_NAME, &unused);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_OPCODE, &opcode);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_SHAPE, &unused);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_METADATA, &metadata);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    switch (mv_proto_key(tag.field, tag.type)) {
      case mv_proto_key(MV_INSTRUCTION_OPCODE, MV_LENGTH): opcode = tag.bytes; break;
      case mv_proto_key(MV_INSTRUCTION_METADATA, MV_LENGTH): metadata = tag.bytes; break;
      case mv_proto_key(MV_INSTRUCTION_CUSTOM_CALL_TARGET, MV_LENGTH): target = tag.bytes; break;
      case mv_proto_key(MV_INSTRUCTION_PARAMETER_NUMBER, MV_VARINT): parameter_number = tag.value; break;
      case mv_proto_key(MV_INSTRUCTION_TUPLE_INDEX, MV_VARINT): tuple_index = tag.value; break;
      case mv_proto_key(MV_INSTRUCTION_ID, MV_VARINT): b->ids[i] = (int64_t)tag.value; break;
      case mv_proto_key(MV_INSTRUCTION_OPERAND_IDS, MV_LENGTH):
      case mv_proto_key(MV_INSTRUCTION_OPERAND_IDS, MV_VARINT):
        if (!push_ids(b, &b->operand_ids, &tag)) {
          return false;
        }
        break;
      case mv_proto_key(MV_INSTRUCTION_CALLED_IDS, MV_LENGTH):
      case mv_proto_key(MV_INSTRUCTION_CALLED_IDS, MV_VARINT):
        if (!push_ids(b, &b->called_ids, &tag)) {
          return false;
        }
        break;
      default: break;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "hlo_module.computations.instructions", b->status);
  }
  node->opcode = (uint8_t)mv_opcode_of(opcode, target);
  node->number = number_of(node->opcode == MV_OPCODE_PARAMETER ? parameter_number : tuple_index);
  if (metadata.size > 0) {
    mv_metadata read;
    mv_metadata_read(&read, m, metadata);
    node->has_source_file = read.source_file.size > 0;
    node->stack_frame = read.stack_frame_id > 0 ? (uint32_t)read.stack_frame_id : 0;
    if (read.op_name.size > 0) {
      node->op_name = (mv_ref){(uint32_t)(read.op_name.data - m->bytes.data), (uint32_t)read.op_name.size};
      node->is_named = node->opcode == MV_OPCODE_PARAMETER || !is_made_up(read.op_name);
    }
  }
  return true;
}

static bool read_instructions(mv_graph_build *b) {
  const mv_module *m = b->module;
  const size_t n = m->instruction_count;
  /* Most instructions read one or two others, and of the computations most are called once. */
  if (!mv_array_reserve(&b->operand_ids, 2 * n + 16, sizeof(int64_t), b->scratch, b->status) ||
      !mv_array_reserve(&b->called_ids, 2 * (size_t)m->computation_count + 16, sizeof(int64_t), b->scratch,
                        b->status)) {
    return false;
  }
  for (uint32_t c = 0; c < m->computation_count; c++) {
    const mv_computation *computation = &m->computations[c];
    if (!mv_idmap_add(&b->computations_by_id, computation->id, c, b->scratch, b->status)) {
      return false;
    }
    for (uint32_t k = 0; k < computation->instruction_count; k++) {
      const uint32_t i = computation->first_instruction + k;
      if (!mv_graph_step(b) || !read_instruction(b, i) ||
          !mv_idmap_add(&b->instructions_by_id, b->ids[i], i, b->scratch, b->status)) {
        return false;
      }
      b->nodes[i].computation = c;
      b->nodes[i].position = k;
    }
  }
  if (b->operand_ids.count >= MV_NONE || b->called_ids.count >= MV_NONE) {
    return mv_fail(b->status, MV_LIMIT, "more than %u operands", MV_NONE - 1);
  }
  b->nodes[n] =
      (mv_node){.first_operand = (uint32_t)b->operand_ids.count, .first_called = (uint32_t)b->called_ids.count};
  return mv_idmap_finish(&b->computations_by_id, b->scratch, b->status) &&
         mv_idmap_finish(&b->instructions_by_id, b->scratch, b->status);
}

static uint32_t *resolve(mv_graph_build *b, const mv_array *ids, mv_idmap *map) {
  uint32_t *out = mv_arena_alloc(b->arena, ids->count * sizeof *out, b->status);
  for (size_t i = 0; out != NULL && i < ids->count; i++) {
    if (!mv_graph_step(b)) {
      return NULL;
    }
    out[i] = mv_idmap_find(map, ((const int64_t *)ids->items)[i]);
  }
  return out;
}

/* ---- The schedule ---- */

static bool read_sequence(mv_graph_build *b, mv_bytes proto) {
  uint32_t position = 0;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    mv_numbers numbers = mv_numbers_of(&tag);
    int64_t id;
    while (tag.field == MV_SEQUENCE_INSTRUCTION_IDS && mv_numbers_next(&numbers, &id)) {
      const uint32_t i = mv_idmap_find(&b->instructions_by_id, id);
      if (!mv_graph_step(b)) {
        return false;
      }
      if (i != MV_NONE) {
        b->nodes[i].position = position;
      }
      position++;
    }
    w.fault = numbers.packed.fault != MV_FAULT_NONE ? numbers.packed.fault : w.fault;
  }
  return w.fault == MV_FAULT_NONE || mv_module_fault(b->module, w, "hlo_module.schedule", b->status);
}

static bool read_sequences(mv_graph_build *b, mv_bytes proto) {
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_MAP_VALUE && tag.type == MV_LENGTH && !read_sequence(b, tag.bytes)) {
      return false;
    }
  }
  return w.fault == MV_FAULT_NONE || mv_module_fault(b->module, w, "hlo_module.schedule", b->status);
}

static bool read_schedule(mv_graph_build *b) {
  mv_wire w = mv_module_wire(b->module, b->module->schedule);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (!mv_graph_step(b) ||
        (tag.field == MV_SCHEDULE_SEQUENCES && tag.type == MV_LENGTH && !read_sequences(b, tag.bytes))) {
      return false;
    }
  }
  return w.fault == MV_FAULT_NONE || mv_module_fault(b->module, w, "hlo_module.schedule", b->status);
}

/* ---- Computations ---- */

static uint32_t find_entry(mv_graph_build *b) {
  const mv_module *m = b->module;
  const uint32_t by_id = mv_idmap_find(&b->computations_by_id, m->entry_computation_id);
  if (by_id != MV_NONE) {
    return by_id;
  }
  const mv_bytes name = mv_module_bytes(m, m->entry_computation_name);
  for (uint32_t c = 0; c < m->computation_count; c++) {
    if (mv_bytes_equal(mv_module_bytes(m, m->computations[c].name), name)) {
      return c;
    }
  }
  return m->computation_count > 0 ? m->computation_count - 1 : MV_NONE;
}

/* Parameters are numbered from 0 without gaps: a number beyond their count is none. */
static bool link_parameters(mv_graph_build *b, mv_graph_computation *computations) {
  const mv_module *m = b->module;
  uint32_t total = 0;
  for (uint32_t i = 0; i < m->instruction_count; i++) {
    total += b->nodes[i].opcode == MV_OPCODE_PARAMETER;
  }
  uint32_t *parameters = mv_arena_alloc(b->arena, total * sizeof *parameters, b->status);
  if (parameters == NULL) {
    return false;
  }
  uint32_t used = 0;
  for (uint32_t c = 0; c < m->computation_count; c++) {
    const uint32_t first = m->computations[c].first_instruction;
    const uint32_t end = first + m->computations[c].instruction_count;
    mv_graph_computation *out = &computations[c];
    out->first_parameter = used;
    for (uint32_t i = first; i < end; i++) {
      out->parameter_count += b->nodes[i].opcode == MV_OPCODE_PARAMETER;
    }
    for (uint32_t k = 0; k < out->parameter_count; k++) {
      parameters[used++] = MV_NONE;
    }
    for (uint32_t i = first; i < end; i++) {
      if (b->nodes[i].opcode == MV_OPCODE_PARAMETER && b->nodes[i].number < out->parameter_count) {
        parameters[out->first_parameter + b->nodes[i].number] = i;
      }
    }
  }
  b->graph->parameters = parameters;
  return true;
}

static bool link_computations(mv_graph_build *b) {
  const mv_module *m = b->module;
  mv_graph_computation *computations = mv_arena_zalloc(b->arena, m->computation_count, sizeof *computations, b->status);
  if (computations == NULL) {
    return false;
  }
  for (uint32_t c = 0; c < m->computation_count; c++) {
    computations[c].root = mv_idmap_find(&b->instructions_by_id, m->computations[c].root_id);
    computations[c].caller = MV_NONE;
  }
  for (uint32_t i = 0; i < m->instruction_count; i++) {
    if ((mv_opcode_properties(b->nodes[i].opcode) & MV_OPCODE_HAS_CALLEES) == 0) {
      continue;
    }
    for (uint32_t k = b->nodes[i].first_called; k < b->nodes[i + 1].first_called; k++) {
      const uint32_t c = b->graph->called[k];
      if (c != MV_NONE && computations[c].caller == MV_NONE) {
        computations[c].caller = i;
        computations[c].caller_slot = k - b->nodes[i].first_called;
      }
    }
  }
  b->graph->computations = computations;
  b->graph->entry = find_entry(b);
  return link_parameters(b, computations);
}

/* ---- Late operands ---- */

/* The async-start whose computation gets the operands of `i` behind its first; MV_NONE when it gets none. */
static uint32_t late_start(const mv_graph_build *b, uint32_t i) {
  const mv_node *node = &b->nodes[i];
  if (node->opcode != MV_OPCODE_ASYNC_UPDATE || node[1].first_operand - node->first_operand < 2) {
    return MV_NONE;
  }
  const uint32_t start = b->graph->operands[node->first_operand];
  return start != MV_NONE && b->nodes[start].opcode == MV_OPCODE_ASYNC_START ? start : MV_NONE;
}

static bool link_late(mv_graph_build *b) {
  const uint32_t n = b->module->instruction_count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    count += late_start(b, i) != MV_NONE;
  }
  mv_late_operands *late = mv_arena_alloc(b->arena, count * sizeof *late, b->status);
  mv_keyed *keys = late != NULL ? mv_sort_alloc(b->scratch, count, b->status) : NULL;
  if (keys == NULL) {
    return false;
  }
  uint32_t used = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (late_start(b, i) != MV_NONE) {
      keys[used++] = (mv_keyed){late_start(b, i), i};
    }
  }
  mv_sort(keys, count);
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t start = (uint32_t)keys[k].key;
    const mv_late_operands *before = k > 0 && late[k - 1].start == start ? &late[k - 1] : NULL;
    const mv_node *source = &b->nodes[before != NULL ? before->update : start];
    const uint32_t more = source[1].first_operand - source->first_operand;
    late[k] = (mv_late_operands){start, before != NULL ? before->first_number + more - 1 : more, keys[k].index};
  }
  b->graph->late = late;
  b->graph->late_count = count;
  return true;
}

/* ---- All of it ---- */

static bool build(mv_graph_build *b) {
  const size_t n = b->module->instruction_count;
  /* Each is set when it is read: to clear all of them at once takes longer than a host may have to wait. */
  b->nodes = mv_arena_alloc(b->arena, (n + 1) * sizeof *b->nodes, b->status);
  b->ids = mv_arena_alloc(b->scratch, n * sizeof *b->ids, b->status);
  if (b->nodes == NULL || b->ids == NULL || !read_instructions(b)) {
    return false;
  }
  b->graph->nodes = b->nodes;
  b->graph->node_count = (uint32_t)n;
  b->graph->operands = resolve(b, &b->operand_ids, &b->instructions_by_id);
  b->graph->called = resolve(b, &b->called_ids, &b->computations_by_id);
  return b->graph->operands != NULL && b->graph->called != NULL && read_schedule(b) && link_computations(b) &&
         link_late(b) && mv_graph_link_users(b);
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  mv_graph_build b = {
      .module = m, .limits = d->limits, .status = d->status, .arena = d->arena, .scratch = d->scratch, .graph = out};
  return build(&b);
}

const mv_graph *mv_module_graph(const mv_module *m, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_graph), 0, make};
  return mv_module_derived(m, &kind, NULL, limits, status);
}

/* ---- Questions ---- */
