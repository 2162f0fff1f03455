#include "analysis/explanation.h"

#include "analysis/last_use.h"
#include "analysis/origin.h"
#include "analysis/scope_memo.h"
#include "analysis/user_source.h"
#include "model/instruction.h"

#define NOT_ASKED (MV_NONE - 2) /* no instruction, MV_RESULT or MV_NONE */

/* What has been explained of a module, in the arena of its derived data. */
typedef struct mv_explainer {
  const mv_module *module;
  const mv_graph *graph;
  mv_arena *arena;
  const mv_explanation **of_buffers; /* NULL until asked for */
  const mv_explanation **of_allocations;
  uint32_t *last_uses; /* of buffers; NOT_ASKED */
  mv_origins origins;
  mv_last_use *search;
  mv_scope_memo scopes;
  mv_user_frames frames;
  bool *follows_backward;  /* of the entry's instructions; NULL until asked for */
  const mv_limits *limits; /* of the current call, as is the status */
  mv_status *status;
  uint32_t steps;
} mv_explainer;

static bool step(mv_explainer *e) {
  enum { LOOK_EVERY = 32 }; /* a search may take a tenth of a millisecond */
  return ++e->steps % LOOK_EVERY != 0 || mv_check_interrupt(e->limits, e->status);
}

/* ---- The op_names of arguments ---- */

static bool mark_arguments(mv_explainer *e) {
  const mv_graph *g = e->graph;
  const uint32_t count = g->entry != MV_NONE ? g->computations[g->entry].parameter_count : 0;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t parameter = mv_graph_parameter(g, g->entry, k);
    if (parameter == MV_NONE || !g->nodes[parameter].is_named) {
      continue;
    }
    mv_scope *scope =
        mv_scope_memo_find(&e->scopes, mv_module_bytes(e->module, g->nodes[parameter].op_name), e->status);
    if (scope == NULL || !step(e)) {
      return false;
    }
    scope->is_argument = true;
  }
  return true;
}

/* ---- What follows the backward pass ---- */

static bool is_backward(bool *out, mv_explainer *e, uint32_t instruction) {
  const mv_node *node = &e->graph->nodes[instruction];
  *out = false;
  if (node->is_named) {
    const mv_scope *scope = mv_scope_memo_find(&e->scopes, mv_module_bytes(e->module, node->op_name), e->status);
    if (scope == NULL) {
      return false;
    }
    *out = scope->phase == MV_PHASE_BACKWARD || scope->phase == MV_PHASE_RECOMPUTE;
  }
  return true;
}

/* Whether a computation holds something backward, kept in `known` as 1: no, 2: yes. */
static bool holds_backward(bool *out, mv_explainer *e, uint32_t computation, uint8_t *known) {
  const mv_computation *c = &e->module->computations[computation];
  for (uint32_t k = 0; known[computation] == 0 && k < c->instruction_count; k++) {
    bool found;
    if (!step(e) || !is_backward(&found, e, c->first_instruction + k)) {
      return false;
    }
    known[computation] = found ? 2 : 0;
  }
  known[computation] = known[computation] == 0 ? 1 : known[computation];
  *out = known[computation] == 2;
  return true;
}

/* Whether an instruction of the entry reads one before it that follows the backward pass, is of it, or holds some. */
static bool follows(bool *out, mv_explainer *e, uint32_t i, const bool *marks, uint8_t *known) {
  const mv_graph *g = e->graph;
  const uint32_t first = e->module->computations[g->entry].first_instruction;
  for (uint32_t k = g->nodes[i].first_operand; k < g->nodes[i + 1].first_operand; k++) {
    const uint32_t operand = g->operands[k];
    if (operand < i && operand >= first && marks[operand - first]) {
      *out = true;
      return true;
    }
  }
  if (!is_backward(out, e, i)) {
    return false;
  }
  const bool wraps = (mv_opcode_properties(g->nodes[i].opcode) & MV_OPCODE_WRAPS) != 0;
  return *out || !wraps || mv_graph_called_root(g, i, 0) == MV_NONE ||
         holds_backward(out, e, mv_graph_called(g, i, 0), known);
}

/* Operands stand before their users in a file: one pass. */
static bool mark_followers(mv_explainer *e) {
  const mv_computation *entry = &e->module->computations[e->graph->entry];
  bool *marks = mv_arena_zalloc(e->arena, entry->instruction_count, sizeof *marks, e->status);
  uint8_t *known = mv_arena_zalloc(e->arena, e->module->computation_count, sizeof *known, e->status);
  if (marks == NULL || known == NULL) {
    return false;
  }
  for (uint32_t k = 0; k < entry->instruction_count; k++) {
    if (!step(e) || !follows(&marks[k], e, entry->first_instruction + k, marks, known)) {
      return false;
    }
  }
  e->follows_backward = marks;
  return true;
}

/* Whether an instruction, or what calls it in the entry, follows the backward pass. */
static bool is_update(bool *out, mv_explainer *e, uint32_t instruction) {
  const mv_graph *g = e->graph;
  *out = false;
  if (e->follows_backward == NULL && !mark_followers(e)) {
    return false;
  }
  for (int depth = 0; depth < MV_CHAIN_LENGTH && instruction != MV_NONE; depth++) {
    const uint32_t c = g->nodes[instruction].computation;
    if (c == g->entry) {
      *out = e->follows_backward[instruction - e->module->computations[c].first_instruction];
      return true;
    }
    instruction = g->computations[c].caller;
  }
  return true;
}

/* XLA names what it computes once more to save memory: 'fusion.3.remat2', 'copy.remat.1'. */
static bool is_remat(mv_bytes name) {
  static const char mark[] = ".remat";
  const size_t size = sizeof mark - 1;
  for (size_t i = 0; i + size <= name.size; i++) {
    if (memcmp(name.data + i, mark, size) == 0) {
      size_t end = i + size;
      while (end < name.size && name.data[end] >= '0' && name.data[end] <= '9') {
        end++;
      }
      if (end == name.size || name.data[end] == '.') {
        return true;
      }
    }
  }
  return false;
}

/* ---- Texts ---- */

static mv_bytes op_name_of(const mv_explainer *e, uint32_t instruction) {
  return mv_module_bytes(e->module, e->graph->nodes[instruction].op_name);
}

/* 'p[0]' and, where the allocation is a part of a tuple, 'p[0]{1,2}'. */
static bool with_parameter_index(mv_bytes *out, mv_explainer *e, mv_bytes name, const mv_allocation *a) {
  enum { LONGEST = 1024 }; /* a copy for each part of a tuple: of no longer name */
  mv_text text = MV_TEXT_INIT;
  *out = name;
  if (name.size > LONGEST) {
    return true;
  }
  mv_location_print_parameter_index(&text, mv_module_bytes(e->module, a->proto));
  if (text.size == 0 && !text.failed) {
    return true;
  }
  char *whole = text.failed ? NULL : mv_arena_alloc(e->arena, name.size + text.size + 2, e->status);
  if (whole != NULL) {
    if (name.size > 0) {
      memcpy(whole, name.data, name.size);
    }
    whole[name.size] = '{';
    memcpy(whole + name.size + 1, text.data, text.size);
    whole[name.size + 1 + text.size] = '}';
    *out = mv_bytes_of(whole, name.size + text.size + 2);
  }
  mv_text_free(&text);
  return whole != NULL || mv_fail_nomem(e->status);
}

/* Phase, scope and layer of a name that was given to a buffer of `instruction`, which may be MV_NONE. */
static bool tell_scope(mv_explanation *out, mv_explainer *e, bool is_argument, uint32_t instruction) {
  mv_scope *scope = mv_scope_memo_find(&e->scopes, out->attributed_op_name, e->status);
  if (scope == NULL) {
    return false;
  }
  if (is_argument || scope->is_argument) {
    out->phase = MV_PHASE_ARGUMENT;
    out->scope = out->attributed_op_name;
    if (!mv_scope_memo_name_layer(&e->scopes, scope, e->status)) {
      return false;
    }
    out->layer = scope->name_layer;
    return true;
  }
  if (!mv_scope_memo_path(&e->scopes, scope, e->status)) {
    return false;
  }
  out->scope = scope->path;
  out->layer = scope->path_layer;
  out->phase = (uint8_t)scope->phase;
  if (instruction == MV_NONE) {
    return true;
  }
  if (is_remat(mv_instruction_name(e->module, instruction))) {
    out->phase = MV_PHASE_RECOMPUTE;
  } else if (scope->phase == MV_PHASE_OTHER) {
    bool updates;
    if (!is_update(&updates, e, instruction)) {
      return false;
    }
    out->phase = updates ? MV_PHASE_UPDATE : MV_PHASE_OTHER;
  }
  return true;
}

static bool tell_source(mv_explanation *out, mv_explainer *e, uint32_t instruction, uint32_t last_use) {
  mv_place place;
  if (!mv_user_source_find(&place, &e->frames, instruction, e->status)) {
    return false;
  }
  if (place.file.size == 0 && last_use < e->graph->node_count &&
      !mv_user_source_find(&place, &e->frames, last_use, e->status)) {
    return false;
  }
  if (place.file.size > 0) {
    out->user_source_file = place.file;
    out->user_source_line = place.line;
  }
  return true;
}

/* ---- One buffer ---- */

static void read_location(mv_location *out, const mv_explainer *e, uint32_t buffer) {
  mv_buffer_location(out, e->module, &e->module->buffers[buffer]);
}

/* The instruction that needs a buffer last, MV_RESULT or MV_NONE. */
static uint32_t last_use_of(mv_explainer *e, uint32_t buffer, const mv_location *location) {
  uint32_t *kept = &e->last_uses[buffer];
  if (*kept == NOT_ASKED) {
    const uint32_t instruction = e->module->buffers[buffer].instruction;
    *kept = instruction != MV_NONE ? mv_last_use_find(e->search, instruction, location) : MV_NONE;
  }
  return *kept;
}

/* The entry's parameter that a baseline allocation holds, MV_NONE when it holds none. */
static uint32_t parameter_of(const mv_explainer *e, const mv_allocation *a) {
  return a->category == MV_CATEGORY_PARAMETER && mv_allocation_is_baseline(a) && a->parameter_number >= 0 &&
                 e->graph->entry != MV_NONE
             ? mv_graph_parameter(e->graph, e->graph->entry, (uint64_t)a->parameter_number)
             : MV_NONE;
}

/* Explain a buffer, or MV_NONE; as a part of the argument `parameter` of `allocation`, unless that is MV_NONE. */
static bool describe(mv_explanation *out, mv_explainer *e, uint32_t buffer, uint32_t parameter,
                     const mv_allocation *allocation) {
  const mv_graph *g = e->graph;
  const uint32_t instruction = buffer != MV_NONE ? e->module->buffers[buffer].instruction : MV_NONE;
  mv_location location;
  if (buffer != MV_NONE) {
    read_location(&location, e, buffer);
  }
  const uint32_t last_use = buffer != MV_NONE ? last_use_of(e, buffer, &location) : MV_NONE;
  const bool has_user = last_use < g->node_count;
  mv_origin origin = {MV_NONE, MV_ATTRIBUTION_NONE};
  if (parameter != MV_NONE) {
    origin = (mv_origin){parameter, MV_ATTRIBUTION_ARGUMENT};
  } else if (instruction != MV_NONE && !mv_origin_find(&origin, &e->origins, instruction, &location, e->status)) {
    return false;
  }
  if (origin.attribution == MV_ATTRIBUTION_COMPUTED && (has_user || !g->nodes[origin.instruction].is_named)) {
    origin = (mv_origin){MV_NONE, MV_ATTRIBUTION_NONE};
  }
  if (origin.attribution == MV_ATTRIBUTION_NONE && has_user) {
    origin = (mv_origin){last_use, MV_ATTRIBUTION_USER};
  }
  if (last_use == MV_RESULT) {
    out->used_by = mv_bytes_of_string("result");
  } else if (has_user) {
    out->used_by = op_name_of(e, last_use);
  }
  if (origin.instruction == MV_NONE) {
    return true;
  }
  mv_bytes name = op_name_of(e, origin.instruction);
  if (!g->nodes[origin.instruction].is_named) {
    name = mv_instruction_name(e->module, origin.instruction);
  }
  if (origin.attribution == MV_ATTRIBUTION_ARGUMENT && !with_parameter_index(&name, e, name, allocation)) {
    return false;
  }
  out->attributed_op_name = name;
  out->attribution = origin.attribution;
  return tell_scope(out, e, mv_graph_is_argument(g, origin.instruction), instruction) &&
         (origin.attribution == MV_ATTRIBUTION_ARGUMENT || tell_source(out, e, origin.instruction, last_use));
}

/* ---- All that was asked for ---- */

static bool fill(mv_explainer *e) {
  const mv_module *m = e->module;
  e->of_buffers = mv_arena_zalloc(e->arena, m->buffer_count, sizeof *e->of_buffers, e->status);
  e->of_allocations = mv_arena_zalloc(e->arena, m->allocation_count, sizeof *e->of_allocations, e->status);
  e->last_uses = mv_arena_alloc(e->arena, m->buffer_count * sizeof *e->last_uses, e->status);
  e->search = mv_last_use_new(m, e->graph, e->arena, e->status);
  if (e->of_buffers == NULL || e->of_allocations == NULL || e->last_uses == NULL || e->search == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    e->last_uses[i] = NOT_ASKED;
  }
  e->origins = (mv_origins){.module = m, .graph = e->graph, .arena = e->arena};
  e->scopes = (mv_scope_memo){.arena = e->arena};
  e->frames = (mv_user_frames){.module = e->module, .graph = e->graph, .arena = e->arena};
  return mark_arguments(e);
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  const mv_graph *graph = mv_module_graph(m, d->limits, d->status);
  if (graph == NULL) {
    return false;
  }
  mv_explainer *e = out;
  *e = (mv_explainer){.module = m, .graph = graph, .arena = d->arena, .limits = d->limits, .status = d->status};
  return fill(e);
}

/* The module's explainer for one call. What it was asked for it keeps: a value that grows with the questions. */
static mv_explainer *explainer_of(const mv_module *m, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_explainer), 0, make};
  mv_explainer *e = (mv_explainer *)mv_module_derived(m, &kind, NULL, limits, status);
  if (e != NULL) {
    e->limits = limits;
    e->status = status;
  }
  return e;
}

const mv_explanation *mv_explain_buffer(const mv_module *m, uint32_t buffer, const mv_limits *limits,
                                        mv_status *status) {
  mv_explainer *e = explainer_of(m, limits, status);
  if (e == NULL || e->of_buffers[buffer] != NULL) {
    return e != NULL ? e->of_buffers[buffer] : NULL;
  }
  const mv_buffer *b = &m->buffers[buffer];
  const mv_allocation *a = b->allocation != MV_NONE ? &m->allocations[b->allocation] : NULL;
  const bool is_argument = a != NULL && b->instruction != MV_NONE && mv_graph_is_argument(e->graph, b->instruction);
  mv_explanation *out = mv_arena_zalloc(e->arena, 1, sizeof *out, status);
  if (out == NULL || !step(e) || !describe(out, e, buffer, is_argument ? parameter_of(e, a) : MV_NONE, a)) {
    return NULL;
  }
  e->of_buffers[buffer] = out;
  return out;
}

/* Of the buffers of an allocation the largest that leaves the program, of equals the smallest id; MV_NONE when none
 * does. False when the host wants to stop. */
static bool leaving_buffer(uint32_t *out, mv_explainer *e, const mv_allocation *a) {
  const mv_module *m = e->module;
  *out = MV_NONE;
  for (uint32_t k = a->first_assigned; k < a->first_assigned + a->buffer_count; k++) {
    const uint32_t i = m->assigned[k];
    const mv_buffer *b = &m->buffers[i];
    if (!step(e)) {
      return false;
    }
    if (*out == MV_NONE || b->size_bytes > m->buffers[*out].size_bytes ||
        (b->size_bytes == m->buffers[*out].size_bytes && b->id < m->buffers[*out].id)) {
      mv_location location;
      read_location(&location, e, i);
      *out = last_use_of(e, i, &location) == MV_RESULT ? i : *out;
    }
  }
  return true;
}

const mv_explanation *mv_explain_allocation(const mv_module *m, uint32_t allocation, const mv_limits *limits,
                                            mv_status *status) {
  mv_explainer *e = explainer_of(m, limits, status);
  if (e == NULL || e->of_allocations[allocation] != NULL) {
    return e != NULL ? e->of_allocations[allocation] : NULL;
  }
  const mv_allocation *a = &m->allocations[allocation];
  mv_resident resident;
  mv_resident_of(&resident, m, a);
  uint32_t buffer = resident.buffer; /* that names the row */
  if (a->category == MV_CATEGORY_OUTPUT && mv_allocation_is_baseline(a)) {
    uint32_t leaving;
    if (!leaving_buffer(&leaving, e, a)) {
      return NULL;
    }
    buffer = leaving != MV_NONE ? leaving : buffer;
  }
  mv_explanation *out = mv_arena_zalloc(e->arena, 1, sizeof *out, status);
  if (out == NULL || !step(e) || !describe(out, e, buffer, parameter_of(e, a), a)) {
    return NULL;
  }
  e->of_allocations[allocation] = out;
  return out;
}

bool mv_leaving_buffer(uint32_t *out, const mv_module *m, uint32_t allocation, const mv_limits *limits,
                       mv_status *status) {
  mv_explainer *e = explainer_of(m, limits, status);
  return e != NULL && leaving_buffer(out, e, &m->allocations[allocation]);
}
