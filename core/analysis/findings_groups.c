/* The layers that save most, and what usually helps against what they hold.
 *
 * Facts are counted in bytes of a layer's buffers at the peak: each buffer counts for the first rule whose facts it has.
 * The two rules with most bytes give the advice.
 */
#include <inttypes.h>

#include "analysis/findings_build.h"
#include "analysis/groups.h"
#include "analysis/scope.h"
#include "model/instruction.h"
#include "shape/shape.h"

enum {
  PERCENT_OF_PEAK = 5,
  PERCENT_OF_GROUP = 10,   /* from which a rule's advice is given */
  RULES_SHOWN = 2,
  SCORES_LENGTH = 128,     /* positions of a sequence whose scores are worth a word */
  SCORES_RANK = 4,
  VOCABULARY_SIZE = 8192,
};

/* What is said of a buffer. */
enum {
  FACT_COMPILER_PLACED = 1, /* the space is filled by the compiler alone */
  FACT_ARGUMENT = 2,
  FACT_SCORES_SHAPE = 4,   /* its last two dimensions are equal and its largest: [batch, heads, queries, keys] */
  FACT_ATTENTION_NAME = 8, /* an op of attention made it; or needs it, where the shape leaves no doubt */
  FACT_VOCABULARY_SHAPE = 16, /* a dimension as large as a vocabulary */
  FACT_LOSS_NAME = 32,        /* an op of a model's head or its loss made it or needs it */
  FACT_KEPT = 64,             /* made in the forward pass, needed in the backward pass */
  FACT_BACKWARD = 128,
  FACT_UPDATE = 256,
  FACT_SCORES_RANK = 512, /* it has batch and heads too, which activations as wide as a sequence is long don't have */
};

typedef struct rule {
  unsigned facts;     /* all of them must hold */
  const char *what;   /* NULL: nothing worth a word */
  const char *advice; /* behind "usually", before "helps" */
} rule;

/* In order of trust. */
static const rule rules[] = {
    {FACT_COMPILER_PLACED, NULL,
     "only a smaller block of a hand-written kernel, as the compiler fills this space by itself,"},
    {FACT_ARGUMENT, "arguments",
     "sharding them over more devices, donating them, or (of optimizer state) a smaller type or optimizer"},
    {FACT_SCORES_SHAPE | FACT_ATTENTION_NAME, "attention scores, quadratic in the length of the sequence",
     "attention in blocks (flash attention)"},
    {FACT_VOCABULARY_SHAPE | FACT_LOSS_NAME, "logits and their gradients, as wide as the vocabulary",
     "computing the loss in chunks of tokens, or sharding batch or vocabulary"},
    {FACT_KEPT, "forward values kept for the backward pass", "rematerialisation (jax.checkpoint)"},
    {FACT_UPDATE, "values of the optimizer", "donating parameters and optimizer state, or a smaller optimizer"},
    {FACT_BACKWARD, "values of the backward pass", "a smaller batch, or gradients accumulated over several"},
    {0, NULL, "a smaller batch, or one sharded over more devices"},
};
enum { RULES = sizeof rules / sizeof *rules };

/* Parts of names, lower case. */
static const char *const attention_names[] = {"attention", "attn", "softmax", "bhqk"};
static const char *const loss_names[] = {"head",    "logit",     "loss",  "softmax", "logsumexp",
                                         "entropy", "unembed", "vocab", "one_hot", "take_along_axis"};

static uint8_t lower(uint8_t c) {
  return c >= 'A' && c <= 'Z' ? (uint8_t)(c + ('a' - 'A')) : c;
}

static bool contains(mv_bytes name, const char *part) {
  const size_t size = strlen(part);
  for (size_t i = 0; i + size <= name.size; i++) {
    size_t k = 0;
    while (k < size && lower(name.data[i + k]) == (uint8_t)part[k]) {
      k++;
    }
    if (k == size) {
      return true;
    }
  }
  return false;
}

static bool contains_any(mv_bytes name, const char *const *parts, size_t count) {
  enum { LONGEST = 4096 }; /* looked at */
  const mv_bytes start = mv_bytes_of(name.data, name.size < LONGEST ? name.size : LONGEST);
  for (size_t i = 0; i < count; i++) {
    if (contains(start, parts[i])) {
      return true;
    }
  }
  return false;
}

#define NAMES(name, parts) contains_any(name, parts, sizeof(parts) / sizeof *(parts))

/* ---- Facts ---- */

static bool shape_facts(unsigned *out, mv_findings_build *b, const mv_live *live, mv_arena *arena) {
  const mv_module *m = b->module;
  const mv_buffer *buffer = &m->buffers[live->buffer];
  const mv_bytes proto = mv_buffer_shape(m, buffer, mv_instruction_shape(m, buffer->instruction));
  mv_shape shape;
  mv_status status = MV_STATUS_INIT;
  *out = 0;
  if (proto.data == NULL || !mv_shape_decode(&shape, proto, arena, &status)) {
    if (mv_status_is_passing(&status)) {
      *b->status = status;
    }
    return !mv_status_is_passing(&status);
  }
  int64_t largest = 0;
  for (size_t i = 0; i < shape.rank; i++) {
    largest = shape.dimensions[i] > largest ? shape.dimensions[i] : largest;
  }
  if (shape.rank >= SCORES_RANK - 1 && largest >= SCORES_LENGTH && shape.dimensions[shape.rank - 1] == largest &&
      shape.dimensions[shape.rank - 2] == largest) {
    *out |= FACT_SCORES_SHAPE | (shape.rank >= SCORES_RANK ? FACT_SCORES_RANK : 0);
  }
  if (shape.rank >= 2 && largest >= VOCABULARY_SIZE) {
    *out |= FACT_VOCABULARY_SHAPE;
  }
  return true;
}

static bool is_compiler_placed(const mv_findings_build *b) {
  const int64_t color = b->module->spaces[b->space].color;
  enum { HBM = 0, HOST = 5 };
  return b->module->platform == MV_PLATFORM_TPU && color != HBM && color != HOST;
}

static bool facts_of(unsigned *out, mv_findings_build *b, size_t row, mv_arena *arena) {
  const mv_live *live = &b->live.items[row];
  const mv_explanation *e = b->explanations[row];
  const mv_module *m = b->module;
  unsigned facts = 0;
  if (live->buffer != MV_NONE && m->buffers[live->buffer].instruction != MV_NONE && !shape_facts(&facts, b, live, arena)) {
    return false;
  }
  if (is_compiler_placed(b)) {
    facts |= FACT_COMPILER_PLACED;
  }
  if (live->allocation != MV_NONE && m->allocations[live->allocation].category == MV_CATEGORY_PARAMETER) {
    facts |= FACT_ARGUMENT;
  }
  if (e != NULL) {
    const mv_phase user = mv_scope_phase(e->used_by);
    const bool is_forward = mv_scope_phase(e->attributed_op_name) == MV_PHASE_FORWARD || e->phase == MV_PHASE_FORWARD;
    facts |= is_forward && (user == MV_PHASE_BACKWARD || user == MV_PHASE_RECOMPUTE) ? FACT_KEPT : 0;
    facts |= e->phase == MV_PHASE_BACKWARD || e->phase == MV_PHASE_RECOMPUTE ? FACT_BACKWARD : 0;
    facts |= e->phase == MV_PHASE_UPDATE ? FACT_UPDATE : 0;
    const bool is_scores = (facts & FACT_SCORES_RANK) != 0;
    facts |= NAMES(e->attributed_op_name, attention_names) || (is_scores && NAMES(e->used_by, attention_names))
                 ? FACT_ATTENTION_NAME
                 : 0;
    facts |= NAMES(e->attributed_op_name, loss_names) || NAMES(e->used_by, loss_names) ? FACT_LOSS_NAME : 0;
  }
  *out = facts;
  return true;
}

static size_t rule_of(unsigned facts) {
  size_t i = 0;
  while ((rules[i].facts & ~facts) != 0) { /* the last one holds of everything */
    i++;
  }
  return i;
}

/* ---- The layers ---- */

/* Bytes at the peak of each layer, by rule. */
typedef struct layer {
  mv_bytes key;
  int64_t by_rule[RULES];
} layer;

static bool is_same(mv_bytes a, mv_bytes b) {
  return a.size == b.size && (a.data == b.data || ((a.data == NULL) == (b.data == NULL) && mv_bytes_equal(a, b)));
}

/* The rows at the peak by layer. Few layers are told of, each of 5 % of the peak or more: they are compared one by one,
 * by their first bytes mostly. */
static bool count_rows(layer *layers, size_t count, mv_findings_build *b) {
  mv_arena *arena = mv_arena_new(b->status);
  bool ok = arena != NULL;
  for (size_t i = 0; ok && i < b->live.count; i++) {
    const mv_bytes key = b->explanations[i] != NULL ? b->explanations[i]->layer : mv_bytes_of(NULL, 0);
    size_t k = 0;
    while (k < count && !is_same(layers[k].key, key)) {
      k++;
    }
    unsigned facts;
    ok = mv_findings_step(b);
    if (ok && k < count) {
      mv_arena_reset(arena);
      ok = facts_of(&facts, b, i, arena);
      if (ok) {
        layers[k].by_rule[rule_of(facts)] += b->live.items[i].size_bytes;
      }
    }
  }
  mv_arena_free(arena);
  return ok;
}

/* The number of the rule with most bytes but for `taken`; RULES when none has enough. */
static size_t next_rule(const layer *l, size_t taken, int64_t size) {
  size_t best = RULES;
  for (size_t i = 0; i < RULES; i++) {
    if (i != taken && mv_findings_is_share(l->by_rule[i], size, PERCENT_OF_GROUP) &&
        (best == RULES || l->by_rule[i] > l->by_rule[best])) {
      best = i;
    }
  }
  return best;
}

static bool add_group(mv_findings_build *b, const mv_group *g, const layer *l) {
  mv_text *text = &b->text;
  mv_text_add(text, "without ");
  if (g->key.data != NULL && g->key.size == 0) {
    mv_text_add(text, "what is in no layer");
  } else if (g->key.data == NULL) {
    mv_text_add(text, "what nothing names");
  } else {
    mv_findings_put_name(text, g->key);
  }
  mv_text_add(text, " the peak falls by ");
  mv_findings_put_amount(b, g->saving_bytes);
  size_t shown[RULES_SHOWN];
  shown[0] = next_rule(l, RULES, g->size_bytes);
  shown[1] = shown[0] < RULES ? next_rule(l, shown[0], g->size_bytes) : RULES;
  bool is_first = true;
  for (size_t i = 0; i < RULES_SHOWN && shown[i] < RULES; i++) {
    if (rules[shown[i]].what != NULL) {
      if (is_first) {
        mv_text_format(text, "; of its %" PRId64 " buffer%s there ", g->buffer_count, g->buffer_count == 1 ? "" : "s");
      } else {
        mv_text_add(text, ", ");
      }
      mv_findings_put_percent(text, l->by_rule[shown[i]], g->size_bytes);
      mv_text_format(text, "%s %s", is_first ? " by size are" : "", rules[shown[i]].what);
      is_first = false;
    }
  }
  for (size_t i = 0; i < RULES_SHOWN && shown[i] < RULES; i++) {
    mv_text_format(text, "%s%s%s", i == 0 ? "; usually " : ", then ", rules[shown[i]].advice, i == 0 ? " helps" : "");
  }
  mv_text_add(text, "; exact for this schedule, a new compilation makes another");
  return mv_findings_add(b, (mv_finding){.kind = MV_FINDING_GROUP,
                                         .buffer = MV_NONE,
                                         .allocation = MV_NONE,
                                         .bytes = g->saving_bytes,
                                         .key = g->key});
}

bool mv_findings_add_groups(mv_findings_build *b) {
  const mv_group_list *groups = mv_module_groups(b->module, MV_BY_LAYER, b->limits, b->status);
  if (groups == NULL) {
    return false;
  }
  const int64_t peak = b->module->spaces[b->space].peak_bytes;
  size_t first = 0;
  while (first < groups->count && groups->items[first].space != b->space) {
    first++;
  }
  size_t count = 0; /* those that save most stand first */
  while (first + count < groups->count && groups->items[first + count].space == b->space &&
         mv_findings_is_share(groups->items[first + count].saving_bytes, peak, PERCENT_OF_PEAK)) {
    count++;
  }
  if (count == 0) {
    return true;
  }
  layer *layers = mv_arena_zalloc(b->scratch, count, sizeof *layers, b->status);
  for (size_t i = 0; layers != NULL && i < count; i++) {
    layers[i].key = groups->items[first + i].key;
  }
  if (layers == NULL || !count_rows(layers, count, b)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    if (!add_group(b, &groups->items[first + i], &layers[i])) {
      return false;
    }
  }
  return true;
}
