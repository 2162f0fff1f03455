#include "analysis/saving.h"

#include "analysis/curve.h"

typedef struct group {
  int64_t left;  /* most of what is left of the heap without the group, up to `since` */
  int64_t live;  /* bytes of its live blocks */
  size_t since;  /* position of its last event */
  bool is_open;  /* not yet added to the savings */
} group;

typedef struct stack { /* positions that no later one reaches, in order; their values fall */
  uint32_t *positions;
  size_t count;
} stack;

static void push(stack *s, mv_curve curve, size_t position) {
  const int64_t value = mv_curve_at(curve, position);
  while (s->count > 0 && mv_curve_at(curve, s->positions[s->count - 1]) <= value) {
    s->count--;
  }
  s->positions[s->count++] = (uint32_t)position;
}

/* The largest value from `first` to the position pushed last. */
static int64_t largest_from(const stack *s, mv_curve curve, size_t first) {
  size_t low = 0;
  size_t high = s->count - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->positions[middle] < first) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return mv_curve_at(curve, s->positions[low]);
}

/* The group's live bytes change at `position`, which was not pushed yet. */
static void settle(group *g, const stack *s, mv_curve curve, size_t position) {
  if (position > g->since) {
    const int64_t left = largest_from(s, curve, g->since) - g->live;
    g->left = left > g->left ? left : g->left;
    g->since = position;
  }
}

/* What a sweep needs, for all heaps of a space one after the other. */
typedef struct sweep {
  const mv_module *module;
  const mv_limits *limits;
  mv_status *status;
  group *groups;
  stack stack;
  uint32_t *ends; /* the block that ends at each position, MV_NONE where none does: an event ends one at most */
} sweep;

static bool sweep_begin(sweep *s, const uint32_t first_heap, uint32_t heap_count, size_t group_count,
                        mv_arena *scratch) {
  size_t longest = 1;
  for (uint32_t h = first_heap; h < first_heap + heap_count; h++) {
    const size_t count = (size_t)s->module->heaps[h].event_count + 1;
    longest = count > longest ? count : longest;
  }
  s->groups = mv_arena_alloc(scratch, group_count * sizeof *s->groups, s->status);
  s->stack.positions = mv_arena_alloc(scratch, longest * sizeof *s->stack.positions, s->status);
  s->ends = mv_arena_alloc(scratch, longest * sizeof *s->ends, s->status);
  return s->groups != NULL && s->stack.positions != NULL && s->ends != NULL;
}

/* `group_of` has the group of each block of the heap; NULL: each is one of its own. */
static bool sweep_heap(sweep *s, int64_t *savings, const uint32_t *group_of, const mv_heap *heap) {
  const mv_module *m = s->module;
  const mv_block *blocks = &m->blocks[heap->first_block];
  const mv_curve curve = mv_curve_of(m, heap);
  s->stack.count = 0;
  memset(s->ends, 0xFF, curve.count * sizeof *s->ends);
  for (uint32_t i = 0; i < heap->block_count; i++) {
    s->groups[group_of != NULL ? group_of[i] : i] = (group){.is_open = true};
    if ((uint64_t)blocks[i].end < curve.count) {
      s->ends[blocks[i].end] = i;
    }
  }
  uint32_t next = 0;
  for (size_t p = 0; p < curve.count; p++) {
    if (!mv_curve_step(p, s->limits, s->status)) {
      return false;
    }
    for (; next < heap->block_count && (uint64_t)blocks[next].start == p; next++) {
      group *g = &s->groups[group_of != NULL ? group_of[next] : next];
      settle(g, &s->stack, curve, p);
      g->live += m->buffers[blocks[next].root].size_bytes;
    }
    const uint32_t ended = s->ends[p];
    if (ended != MV_NONE) {
      group *g = &s->groups[group_of != NULL ? group_of[ended] : ended];
      settle(g, &s->stack, curve, p);
      g->live -= m->buffers[blocks[ended].root].size_bytes;
    }
    push(&s->stack, curve, p);
  }
  for (uint32_t i = 0; i < heap->block_count; i++) {
    const uint32_t number = group_of != NULL ? group_of[i] : i;
    group *g = &s->groups[number];
    if (g->is_open) {
      settle(g, &s->stack, curve, curve.count);
      g->is_open = false;
      savings[number] = mv_add_capped(savings[number], heap->peak_bytes - g->left);
    }
  }
  return true;
}

uint32_t mv_space_first_block(const mv_module *m, uint32_t space) {
  const mv_space *s = &m->spaces[space];
  return s->heap_count > 0 ? m->heaps[s->first_heap].first_block : 0;
}

uint32_t mv_space_block_count(const mv_module *m, uint32_t space) {
  const mv_space *s = &m->spaces[space];
  if (s->heap_count == 0) {
    return 0;
  }
  const mv_heap *last = &m->heaps[s->first_heap + s->heap_count - 1];
  return last->first_block + last->block_count - mv_space_first_block(m, space);
}

bool mv_saving_add_groups(int64_t *savings, const uint32_t *group_of, uint32_t group_count, const mv_module *m,
                          uint32_t space, const mv_limits *limits, mv_status *status) {
  const mv_space *sp = &m->spaces[space];
  sweep s = {.module = m, .limits = limits, .status = status};
  mv_arena *scratch = mv_arena_new(status);
  bool ok = scratch != NULL && sweep_begin(&s, sp->first_heap, sp->heap_count, group_count, scratch);
  for (uint32_t h = sp->first_heap; ok && h < sp->first_heap + sp->heap_count; h++) {
    const mv_heap *heap = &m->heaps[h];
    ok = sweep_heap(&s, savings, group_of + (heap->first_block - mv_space_first_block(m, space)), heap);
  }
  mv_arena_free(scratch);
  return ok;
}

typedef struct block_savings {
  int64_t *items;
} block_savings;

static bool make_block_savings(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  block_savings *savings = out;
  sweep s = {.module = m, .limits = d->limits, .status = d->status};
  savings->items = mv_arena_zalloc(d->arena, m->block_count, sizeof *savings->items, d->status);
  bool ok = savings->items != NULL && sweep_begin(&s, 0, m->heap_count, m->block_count, d->scratch);
  for (uint32_t h = 0; ok && h < m->heap_count; h++) {
    ok = sweep_heap(&s, savings->items + m->heaps[h].first_block, NULL, &m->heaps[h]);
  }
  return ok;
}

const int64_t *mv_saving_of_blocks(const mv_module *m, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(block_savings), 0, make_block_savings};
  const block_savings *savings = mv_module_derived(m, &kind, NULL, limits, status);
  return savings != NULL ? savings->items : NULL;
}

/* A binary tree over the positions of a heap. A node has the largest value below it, with all that was taken off
 * stretches that lie within it but not with what was taken off a stretch around it. */
typedef struct tree {
  int64_t *largest;
  int64_t *taken;
  size_t leaves;
} tree;

static bool tree_new(tree *t, mv_curve curve, mv_arena *arena, mv_status *status) {
  t->leaves = curve.count;
  t->largest = mv_arena_alloc(arena, 2 * t->leaves * sizeof *t->largest, status);
  t->taken = mv_arena_zalloc(arena, 2 * t->leaves, sizeof *t->taken, status);
  if (t->largest == NULL || t->taken == NULL) {
    return false;
  }
  for (size_t p = 0; p < t->leaves; p++) {
    t->largest[t->leaves + p] = mv_curve_at(curve, p);
  }
  for (size_t i = t->leaves; i-- > 1;) {
    const int64_t *below = &t->largest[2 * i];
    t->largest[i] = below[0] > below[1] ? below[0] : below[1];
  }
  return true;
}

static void tree_renew_above(tree *t, size_t leaf) {
  for (size_t i = leaf / 2; i >= 1; i /= 2) {
    const int64_t *below = &t->largest[2 * i];
    t->largest[i] = (below[0] > below[1] ? below[0] : below[1]) - t->taken[i];
  }
}

/* Take `bytes` off the values from `start` to `end` - 1. */
static void tree_take(tree *t, size_t start, size_t end, int64_t bytes) {
  size_t low = start + t->leaves;
  size_t high = end + t->leaves;
  for (; low < high; low /= 2, high /= 2) {
    if (low % 2 == 1) {
      t->largest[low] -= bytes;
      t->taken[low++] += bytes;
    }
    if (high % 2 == 1) {
      t->largest[--high] -= bytes;
      t->taken[high] += bytes;
    }
  }
  tree_renew_above(t, start + t->leaves);
  tree_renew_above(t, end - 1 + t->leaves);
}

static bool add_cumulative(int64_t *savings, const uint32_t *rank_of, const mv_module *m, const mv_heap *heap,
                           mv_arena *scratch, const mv_limits *limits, mv_status *status) {
  const mv_curve curve = mv_curve_of(m, heap);
  const size_t count = heap->block_count;
  tree t;
  mv_keyed *order = mv_sort_alloc(scratch, count, status);
  if (order == NULL || !tree_new(&t, curve, scratch, status)) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    order[i] = (mv_keyed){rank_of[i], heap->first_block + i};
  }
  mv_sort(order, count);
  int64_t peak = heap->peak_bytes;
  for (size_t i = 0; i < count; i++) {
    const mv_block *block = &m->blocks[order[i].index];
    if (!mv_curve_step(i, limits, status)) {
      return false;
    }
    const size_t end = (uint64_t)block->end < curve.count ? (size_t)block->end : curve.count;
    tree_take(&t, (size_t)block->start, end, m->buffers[block->root].size_bytes);
    if (i + 1 == count || order[i + 1].key != order[i].key) {
      const int64_t left = t.largest[1];
      savings[order[i].key] = mv_add_capped(savings[order[i].key], peak - left);
      peak = left;
    }
  }
  return true;
}

bool mv_saving_add_cumulative(int64_t *savings, const uint32_t *rank_of, const mv_module *m, uint32_t space,
                              const mv_limits *limits, mv_status *status) {
  const mv_space *s = &m->spaces[space];
  mv_arena *scratch = mv_arena_new(status);
  bool ok = scratch != NULL;
  for (uint32_t h = s->first_heap; ok && h < s->first_heap + s->heap_count; h++) {
    const uint32_t *ranks = rank_of + (m->heaps[h].first_block - mv_space_first_block(m, space));
    mv_arena_reset(scratch);
    ok = add_cumulative(savings, ranks, m, &m->heaps[h], scratch, limits, status);
  }
  mv_arena_free(scratch);
  return ok;
}
