/* last_use.c: the search, with what it has met.
 *
 * An index into a shape is a chain of steps, the first step first; equal chains are one chain, so that two values are
 * equal when their instructions and chains are:
 *
 *   (1, 0)  ->  step 1 -> step 0 -> nothing
 *
 * The order in which values count as met is part of the rule: all uses of a value when it is looked at, that which
 * runs first before the others. An op that needs the value ends the search as soon as nothing is left that was to be
 * looked at before it, so whatever would come behind it is forgotten.
 */
#include "analysis/last_use.h"

#include "model/instruction.h"

enum {
  MAX_VALUES = 1000,
  MAX_STEPS = MV_LOCATION_DEPTH + MAX_VALUES + 1, /* a value brings one new step at most */
  MAX_USES = 4096, /* that are looked at in one search, of each value those that run last */
  VALUE_SLOTS = 4096,
  STEP_SLOTS = 4096,
  NO_STEP = 0,
  NO_ROOM = UINT16_MAX,
};

typedef struct step {
  int64_t at;
  uint16_t next;
  uint16_t slot; /* that it is found in */
} step;

typedef struct value {
  uint32_t instruction;
  uint16_t index; /* its first step */
  uint16_t slot;
} value;

struct mv_last_use {
  const mv_module *module;
  const mv_graph *graph;
  value values[MAX_VALUES];
  uint16_t stack[MAX_VALUES]; /* values that are still to be looked at */
  step steps[MAX_STEPS];      /* steps[NO_STEP] ends a chain */
  uint16_t value_slots[VALUE_SLOTS]; /* 1 + value; 0: free */
  uint16_t step_slots[STEP_SLOTS];
  uint16_t value_count;
  uint16_t step_count;
  uint16_t stack_count;
  uint32_t uses_left;
  uint32_t found; /* what the search ends with when the stack is empty */
  mv_use uses[MAX_USES];
  mv_keyed keys[2 * MAX_USES];
};

mv_last_use *mv_last_use_new(const mv_module *module, const mv_graph *graph, mv_arena *arena, mv_status *status) {
  mv_last_use *s = mv_arena_alloc(arena, sizeof *s, status);
  if (s != NULL) {
    s->module = module;
    s->graph = graph;
    s->value_count = 0;
    s->step_count = 1;
    memset(s->value_slots, 0, sizeof s->value_slots);
    memset(s->step_slots, 0, sizeof s->step_slots);
  }
  return s;
}

static void forget(mv_last_use *s) {
  for (uint16_t i = 0; i < s->value_count; i++) {
    s->value_slots[s->values[i].slot] = 0;
  }
  for (uint16_t i = 1; i < s->step_count; i++) {
    s->step_slots[s->steps[i].slot] = 0;
  }
  s->value_count = 0;
  s->step_count = 1;
}

static uint32_t slot_of(uint64_t a, uint64_t b) {
  const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
  const uint64_t h = (a * factor ^ b) * factor;
  return (uint32_t)(h >> 32);
}

/* The chain with one more step in front; NO_ROOM when there are too many. */
static uint16_t with_step(mv_last_use *s, int64_t at, uint16_t next) {
  uint32_t slot = slot_of((uint64_t)at, next) % STEP_SLOTS;
  for (; s->step_slots[slot] != 0; slot = (slot + 1) % STEP_SLOTS) {
    const uint16_t known = s->step_slots[slot];
    if (s->steps[known].at == at && s->steps[known].next == next) {
      return known;
    }
  }
  if (s->step_count == MAX_STEPS || s->value_count == MAX_VALUES) {
    return NO_ROOM; /* then no value comes in any more */
  }
  s->steps[s->step_count] = (step){at, next, (uint16_t)slot};
  s->step_slots[slot] = s->step_count;
  return s->step_count++;
}

/* Look at a value later, unless it was met before. */
static void meet(mv_last_use *s, uint32_t instruction, uint16_t index) {
  if (index == NO_ROOM || s->value_count == MAX_VALUES) {
    return;
  }
  uint32_t slot = slot_of(instruction, index) % VALUE_SLOTS;
  for (; s->value_slots[slot] != 0; slot = (slot + 1) % VALUE_SLOTS) {
    const value *known = &s->values[s->value_slots[slot] - 1];
    if (known->instruction == instruction && known->index == index) {
      return;
    }
  }
  s->values[s->value_count] = (value){instruction, index, (uint16_t)slot};
  s->stack[s->stack_count++] = s->value_count++;
  s->value_slots[slot] = s->value_count;
}

/* An op needs the value. */
static void end_with(mv_last_use *s, uint32_t instruction) {
  s->found = instruction;
  s->stack_count = 0;
}

/* ---- Where one use leads ---- */

/* Into the k-th computation that `caller` calls, as its parameter `number`. False when there is none. */
static bool enter(mv_last_use *s, uint32_t caller, uint64_t k, uint64_t number, uint16_t index) {
  const mv_graph *g = s->graph;
  const uint32_t parameter = mv_graph_called_root(g, caller, k) != MV_NONE
                                 ? mv_graph_parameter(g, mv_graph_called(g, caller, k), number)
                                 : MV_NONE;
  if (parameter != MV_NONE) {
    meet(s, parameter, index);
  }
  return parameter != MV_NONE;
}

static void need(mv_last_use *s, uint32_t user) {
  if (s->graph->nodes[user].is_named) {
    end_with(s, user);
  } else {
    meet(s, user, NO_STEP);
  }
}

/* A further operand of an async-update is one of the async-start's computation. */
static void hand_over(mv_last_use *s, mv_use use, uint16_t index) {
  const mv_graph *g = s->graph;
  const uint32_t start = mv_graph_operand(g, use.user, 0);
  if (start == MV_NONE || g->nodes[start].opcode != MV_OPCODE_ASYNC_START) {
    return;
  }
  const mv_node *node = &g->nodes[start];
  if (node->is_named) {
    end_with(s, start);
  } else if (!enter(s, start, 0, (uint64_t)(node[1].first_operand - node->first_operand) + use.operand - 1, index)) {
    meet(s, use.user, NO_STEP);
  }
}

static void follow(mv_last_use *s, mv_use use, uint16_t index) {
  const mv_node *user = &s->graph->nodes[use.user];
  switch (user->opcode) {
    case MV_OPCODE_GET_TUPLE_ELEMENT:
      if (index == NO_STEP || s->steps[index].at == user->number) {
        meet(s, use.user, index == NO_STEP ? NO_STEP : s->steps[index].next);
      }
      break;
    case MV_OPCODE_TUPLE: meet(s, use.user, with_step(s, use.operand, index)); break;
    case MV_OPCODE_ASYNC_UPDATE:
      if (use.operand == 0) {
        meet(s, use.user, index);
      } else {
        hand_over(s, use, index);
      }
      break;
    case MV_OPCODE_OPT_BARRIER: meet(s, use.user, index); break;
    case MV_OPCODE_ASYNC_DONE: meet(s, use.user, index == NO_STEP ? NO_STEP : s->steps[index].next); break;
    case MV_OPCODE_COPY_START: meet(s, use.user, with_step(s, 0, NO_STEP)); break;
    case MV_OPCODE_BITCAST:
    case MV_OPCODE_RESHAPE:
    case MV_OPCODE_COPY:
    case MV_OPCODE_COPY_DONE:
    case MV_OPCODE_DOMAIN: meet(s, use.user, NO_STEP); break;
    case MV_OPCODE_WHILE: enter(s, use.user, 0, 0, index); break;
    case MV_OPCODE_CALL: enter(s, use.user, 0, use.operand, index); break;
    case MV_OPCODE_CONDITIONAL:
      if (use.operand == 0) {
        need(s, use.user); /* which branch it takes */
      } else {
        enter(s, use.user, use.operand - 1, 0, index);
      }
      break;
    case MV_OPCODE_FUSION:
    case MV_OPCODE_ASYNC_START:
      if (user->is_named) {
        end_with(s, use.user);
      } else {
        enter(s, use.user, 0, use.operand, index);
      }
      break;
    default: need(s, use.user);
  }
}

/* Whether a use ends the search whatever the others are, when it is the one that runs last. */
static bool ends_search(const mv_last_use *s, mv_use use) {
  const mv_node *user = &s->graph->nodes[use.user];
  if (!user->is_named) {
    return false;
  }
  switch (user->opcode) {
    case MV_OPCODE_FUSION:
    case MV_OPCODE_ASYNC_START: return true;
    case MV_OPCODE_CONDITIONAL: return use.operand == 0;
    case MV_OPCODE_WHILE:
    case MV_OPCODE_CALL: return false;
    default: return (mv_opcode_properties(user->opcode) & MV_OPCODE_IS_ALIAS) == 0;
  }
}

/* Out of a computation whose root has the value: to its caller, or out of the program. */
static void leave(mv_last_use *s, uint32_t instruction, uint16_t index) {
  const mv_graph *g = s->graph;
  const uint32_t c = g->nodes[instruction].computation;
  const mv_graph_computation *computation = &g->computations[c];
  if (computation->root != instruction) {
    return;
  }
  if (c == g->entry) {
    end_with(s, MV_RESULT);
  } else if (computation->caller != MV_NONE) {
    const uint8_t opcode = g->nodes[computation->caller].opcode;
    if (opcode == MV_OPCODE_ASYNC_START) { /* whose shape is (operands, result, ...) */
      meet(s, computation->caller, with_step(s, 1, index));
    } else if (opcode != MV_OPCODE_WHILE || computation->caller_slot == 0) { /* a while's condition ends in it */
      meet(s, computation->caller, index);
    }
  }
}

/* ---- The uses of a value, that which runs last first ---- */

typedef struct uses {
  const mv_use *items;
  uint32_t count;
} uses;

/* The get-tuple-elements of one tuple index among `count`, which are in its order. */
static uses of_index(const mv_graph *g, const mv_use *items, uint32_t count, int64_t index) {
  uint32_t ends[2];
  for (int i = 0; i < 2; i++) {
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      const int64_t number = g->nodes[items[middle].user].number;
      if (i == 0 ? number < index : number <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    ends[i] = low;
  }
  return (uses){items + ends[0], ends[1] - ends[0]};
}

/* Two instructions of one place in their schedules are of different computations, or left out of one: the smaller id
 * comes first. */
static bool runs_later(const mv_last_use *s, uint32_t a, uint32_t b) {
  const uint32_t at_a = s->graph->nodes[a].position;
  const uint32_t at_b = s->graph->nodes[b].position;
  return at_a != at_b ? at_a > at_b : mv_instruction_id(s->module, a) < mv_instruction_id(s->module, b);
}

static uses merge(mv_last_use *s, uses a, uses b, uint32_t most) {
  uint32_t i = 0;
  uint32_t k = 0;
  uint32_t count = 0;
  while (count < most && (i < a.count || k < b.count)) {
    const bool takes_a = k == b.count || (i < a.count && runs_later(s, a.items[i].user, b.items[k].user));
    s->uses[count++] = takes_a ? a.items[i++] : b.items[k++];
  }
  return (uses){s->uses, count};
}

/* Sort s->keys, whose index is an item of `all`, by position; false when some positions are equal. */
static bool sort_keys(mv_last_use *s, uses all) {
  bool differ = true;
  for (uint32_t i = 0; i < all.count; i++) {
    s->keys[i].key = MV_NONE - s->graph->nodes[all.items[s->keys[i].index].user].position;
  }
  mv_sort(s->keys, all.count);
  for (uint32_t i = 1; i < all.count; i++) {
    differ = differ && s->keys[i].key != s->keys[i - 1].key;
  }
  return differ;
}

static uses sort_by_position(mv_last_use *s, uses all) {
  for (uint32_t i = 0; i < all.count; i++) {
    s->keys[i].index = i;
  }
  if (!sort_keys(s, all)) { /* as runs_later has it; the sorts are stable */
    for (uint32_t i = 0; i < all.count; i++) {
      s->keys[i] = (mv_keyed){mv_sort_key(mv_instruction_id(s->module, all.items[i].user)), i};
    }
    mv_sort(s->keys, all.count);
    sort_keys(s, all);
  }
  for (uint32_t i = 0; i < all.count; i++) {
    s->uses[i] = all.items[s->keys[i].index];
  }
  return (uses){s->uses, all.count};
}

static uses uses_of(mv_last_use *s, const value *v) {
  const mv_graph *g = s->graph;
  const mv_node *node = &g->nodes[v->instruction];
  uses all = {g->users + node->first_user, node[1].first_user - node->first_user};
  const uint32_t most = s->uses_left;
  if (node->indexed_users == 0) {
    all.count = all.count < most ? all.count : most;
  } else if (v->index == NO_STEP) {
    all.count = all.count < most ? all.count : most;
    all = sort_by_position(s, all);
  } else {
    const uses others = {all.items, all.count - node->indexed_users};
    const uses elements = of_index(g, all.items + others.count, node->indexed_users, s->steps[v->index].at);
    all = others.count == 0 ? elements : merge(s, others, elements, most);
    all.count = all.count < most ? all.count : most;
  }
  s->uses_left -= all.count;
  return all;
}

uint32_t mv_last_use_find(mv_last_use *s, uint32_t instruction, const mv_location *location) {
  s->stack_count = 0;
  s->uses_left = MAX_USES;
  s->found = MV_NONE;
  uint16_t index = NO_STEP;
  for (size_t k = location->index_count; k-- > 0;) {
    index = with_step(s, location->index[k], index);
  }
  meet(s, instruction, index);
  while (s->stack_count > 0) {
    const value v = s->values[s->stack[--s->stack_count]];
    const uses found = uses_of(s, &v);
    if (found.count > 0 && ends_search(s, found.items[0])) {
      end_with(s, found.items[0].user);
      continue;
    }
    leave(s, v.instruction, v.index);
    for (uint32_t k = found.count; k-- > 0;) {
      follow(s, found.items[k], v.index);
    }
  }
  forget(s);
  return s->found;
}
