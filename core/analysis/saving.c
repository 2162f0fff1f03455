#include "analysis/saving.h"

#include "analysis/curve.h"

typedef struct group {
  int64_t left; /* most of what is left of the heap without the group, up to `since` */
  int64_t live; /* bytes of its live blocks */
  size_t since; /* position of its last event */
  bool is_open; /* not yet added to the savings */
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
    ok = mv_curve_step(h, limits, status) &&
         sweep_heap(&s, savings, group_of + (heap->first_block - mv_space_first_block(m, space)), heap);
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
    ok = mv_curve_step(h, d->limits, d->status) &&
         sweep_heap(&s, savings->items + m->heaps[h].first_block, NULL, &m->heaps[h]);
  }
  return ok;
}

const int64_t *mv_saving_of_blocks(const mv_module *m, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(block_savings), 0, make_block_savings};
  const block_savings *savings = mv_module_derived(m, &kind, NULL, limits, status);
  return savings != NULL ? savings->items : NULL;
}

/* What is left of a heap while blocks are taken off it: the changes from position to position, and a binary tree over
 * stretches of them. The largest value of all is the root's. */
enum { STRETCH = 16 };

typedef struct node {
  int64_t sum;     /* of the changes below it */
  int64_t largest; /* value below it, where it begins at 0 */
} node;

typedef struct remains {
  int64_t *changes; /* of each position, and zeros up to the end of the last stretch */
  node *nodes;      /* the children of i are 2 i and 2 i + 1; those of stretches come last */
  size_t count;     /* positions */
  size_t leaves;    /* a power of two */
} remains;

static void renew_leaf(remains *r, size_t leaf) {
  const int64_t *changes = &r->changes[leaf * STRETCH];
  node n = {changes[0], changes[0]};
  for (int i = 1; i < STRETCH; i++) {
    n.sum += changes[i];
    n.largest = n.sum > n.largest ? n.sum : n.largest;
  }
  r->nodes[r->leaves + leaf] = n;
}

static void renew_node(remains *r, size_t i) {
  const node *below = &r->nodes[2 * i];
  const int64_t right = below[0].sum + below[1].largest;
  r->nodes[i] = (node){below[0].sum + below[1].sum, below[0].largest > right ? below[0].largest : right};
}

static void renew_all(remains *r) {
  for (size_t leaf = 0; leaf < r->leaves; leaf++) {
    renew_leaf(r, leaf);
  }
  for (size_t i = r->leaves; i-- > 1;) {
    renew_node(r, i);
  }
}

static void renew_at(remains *r, size_t position) {
  renew_leaf(r, position / STRETCH);
  for (size_t i = (r->leaves + position / STRETCH) / 2; i >= 1; i /= 2) {
    renew_node(r, i);
  }
}

static bool remains_new(remains *r, mv_curve curve, mv_arena *arena, mv_status *status) {
  r->count = curve.count;
  for (r->leaves = 1; r->leaves * STRETCH < curve.count;) {
    r->leaves *= 2;
  }
  r->changes = mv_arena_zalloc(arena, r->leaves, STRETCH * sizeof *r->changes, status);
  r->nodes = mv_arena_alloc(arena, 2 * r->leaves * sizeof *r->nodes, status);
  if (r->changes == NULL || r->nodes == NULL) {
    return false;
  }
  for (size_t p = 1; p < curve.count; p++) {
    r->changes[p] = mv_curve_at(curve, p) - mv_curve_at(curve, p - 1);
  }
  return true;
}

/* Take the blocks from `first` to `end` - 1 off; of many the whole tree is made anew. */
static bool take_off(remains *r, const mv_module *m, const mv_keyed *blocks, size_t first, size_t end,
                     const mv_limits *limits, mv_status *status) {
  const bool are_many = end - first > r->leaves / 8;
  for (size_t i = first; i < end; i++) {
    const mv_block *block = &m->blocks[blocks[i].index];
    const int64_t size = m->buffers[block->root].size_bytes;
    const bool is_freed = (uint64_t)block->end < r->count;
    if (!mv_curve_step(i, limits, status)) {
      return false;
    }
    r->changes[block->start] -= size;
    if (is_freed) {
      r->changes[block->end] += size;
    }
    if (!are_many) {
      renew_at(r, (size_t)block->start);
      renew_at(r, is_freed ? (size_t)block->end : (size_t)block->start);
    }
  }
  if (are_many) {
    renew_all(r);
  }
  return true;
}

static bool add_cumulative(int64_t *savings, const uint32_t *rank_of, const mv_module *m, const mv_heap *heap,
                           mv_arena *scratch, const mv_limits *limits, mv_status *status) {
  const size_t count = heap->block_count;
  remains r;
  mv_keyed *order = mv_sort_alloc(scratch, count, status);
  if (order == NULL || !remains_new(&r, mv_curve_of(m, heap), scratch, status)) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    order[i] = (mv_keyed){rank_of[i], heap->first_block + i};
  }
  mv_sort(order, count);
  renew_all(&r);
  for (size_t i = 0, end; i < count; i = end) {
    const uint64_t rank = order[i].key;
    const int64_t before = r.nodes[1].largest;
    for (end = i + 1; end < count && order[end].key == rank;) {
      end++;
    }
    if (!take_off(&r, m, order, i, end, limits, status)) {
      return false;
    }
    savings[rank] = mv_add_capped(savings[rank], before - r.nodes[1].largest);
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
    ok = mv_curve_step(h, limits, status) && add_cumulative(savings, ranks, m, &m->heaps[h], scratch, limits, status);
  }
  mv_arena_free(scratch);
  return ok;
}
