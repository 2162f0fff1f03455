/* Arguments whose memory a result of the same shape and layout could take over.
 *
 * Of the arguments and the results of one shape, as many as there are of both are paired, in order of allocation.
 */
#include "analysis/findings_build.h"
#include "analysis/partition.h"
#include "model/instruction.h"
#include "shape/memo.h"

typedef struct candidate {
  uint32_t allocation;
  uint32_t buffer;
  bool is_result;
} candidate;

typedef struct candidates {
  candidate *items;
  mv_key *keys; /* their shapes, printed */
  size_t count;
} candidates;

/* The buffer that is the argument itself; MV_NONE in an allocation that is no argument or is donated already. */
static uint32_t argument_of(const mv_module *m, const mv_graph *g, const mv_allocation *a) {
  if (a->category != MV_CATEGORY_PARAMETER || a->is_parameter_aliased_with_output || a->maybe_live_out || a->is_tuple) {
    return MV_NONE;
  }
  for (uint32_t k = a->first_assigned; k < a->first_assigned + a->buffer_count; k++) {
    const uint32_t buffer = m->assigned[k];
    if (m->buffers[buffer].instruction != MV_NONE && mv_graph_is_argument(g, m->buffers[buffer].instruction)) {
      return buffer;
    }
  }
  return MV_NONE;
}

static bool put_shape(candidates *c, mv_findings_build *b, mv_shape_memo *memo, candidate item) {
  const mv_module *m = b->module;
  const mv_buffer *buffer = &m->buffers[item.buffer];
  const mv_bytes proto = mv_buffer_shape(m, buffer, mv_instruction_shape(m, buffer->instruction));
  mv_bytes text = {0};
  if (proto.data == NULL) {
    return true;
  }
  if (!mv_shape_memo_text(&text, memo, proto, b->status)) {
    return false;
  }
  if (text.data == NULL) {
    return true;
  }
  const char *kept = mv_arena_string(b->scratch, text, b->status);
  c->items[c->count] = item;
  c->keys[c->count++] = (mv_key){mv_bytes_of(kept, text.size), 0};
  return kept != NULL;
}

static bool collect(candidates *c, mv_findings_build *b, const mv_graph *g, mv_shape_memo *memo) {
  const mv_module *m = b->module;
  const mv_space *s = &m->spaces[b->space];
  c->items = mv_arena_alloc(b->scratch, s->allocation_count * sizeof *c->items, b->status);
  c->keys = mv_arena_alloc(b->scratch, s->allocation_count * sizeof *c->keys, b->status);
  if (c->items == NULL || c->keys == NULL) {
    return false;
  }
  for (uint32_t k = 0; k < s->allocation_count; k++) {
    const uint32_t i = m->space_allocations[s->first_allocation + k];
    const mv_allocation *a = &m->allocations[i];
    candidate item = {i, argument_of(m, g, a), false};
    if (a->category == MV_CATEGORY_OUTPUT && !a->is_tuple && mv_allocation_is_baseline(a)) {
      item.is_result = true;
      if (!mv_leaving_buffer(&item.buffer, m, i, b->limits, b->status)) {
        return false;
      }
    }
    if (!mv_findings_step(b) ||
        (item.buffer != MV_NONE && m->buffers[item.buffer].instruction != MV_NONE && !put_shape(c, b, memo, item))) {
      return false;
    }
  }
  return true;
}

static bool add_donation(mv_findings_build *b, const candidate *c, mv_bytes shape) {
  const mv_module *m = b->module;
  const mv_explanation *e = mv_explain_allocation(m, c->allocation, b->limits, b->status);
  if (e == NULL) {
    return false;
  }
  const int64_t bytes = m->allocations[c->allocation].size_bytes;
  mv_bytes key = e->attributed_op_name;
  key = key.data != NULL ? key : mv_instruction_name(m, m->buffers[c->buffer].instruction);
  mv_text_add(&b->text, "argument ");
  mv_findings_put_name(&b->text, key);
  mv_text_add(&b->text, ", ");
  mv_findings_put_amount(b, bytes);
  mv_text_add(&b->text, ", has the shape and layout of a result, ");
  mv_findings_put_name(&b->text, shape);
  mv_text_add(&b->text,
              ", and is not donated: it could be, if the caller does not use it afterwards (usually donate_argnums "
              "of jax.jit); the amount is an upper bound");
  return mv_findings_add(
      b,
      (mv_finding){
          .kind = MV_FINDING_DONATION, .buffer = c->buffer, .allocation = c->allocation, .bytes = bytes, .key = key});
}

static bool pair(mv_findings_build *b, const candidates *c) {
  mv_partition shapes;
  if (!mv_partition_make(&shapes, c->keys, c->count, b->scratch, b->status)) {
    return false;
  }
  uint32_t *results = mv_arena_zalloc(b->scratch, shapes.count, sizeof *results, b->status);
  if (results == NULL) {
    return false;
  }
  for (size_t i = 0; i < c->count; i++) {
    results[shapes.group_of[i]] += c->items[i].is_result;
  }
  for (size_t i = 0; i < c->count; i++) {
    uint32_t *left = &results[shapes.group_of[i]];
    if (!c->items[i].is_result && *left > 0) {
      --*left;
      if (!mv_findings_step(b) || !add_donation(b, &c->items[i], c->keys[i].text)) {
        return false;
      }
    }
  }
  return true;
}

bool mv_findings_add_donations(mv_findings_build *b) {
  const mv_graph *g = mv_module_graph(b->module, b->limits, b->status);
  mv_shape_memo memo = {0};
  candidates c = {0};
  const bool ok = g != NULL && collect(&c, b, g, &memo) && pair(b, &c);
  mv_shape_memo_free(&memo);
  return ok;
}
