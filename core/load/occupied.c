#include "load/occupied.h"

#include "base/bits.h"

enum {
  CHECK_EVERY = 1 << 16,   /* items between two questions whether the host wants to stop */
  WORD = 64,               /* leaves */
  WORDS_PER_RANGE = 8,     /* to change before a tree is cheaper; in real heaps less than one */
  MAX_WORDS = 1 << 24,     /* in all: the host can't stop it meanwhile */
  GRANULES_PER_RANGE = 32, /* up to which a table of all is cheaper than sorting; in real heaps some 10 to 15 */
};

/* A leaf is the stretch between two neighbouring cuts. */
typedef struct span {
  uint32_t low;
  uint32_t high;
  uint32_t live; /* times the range is covered */
} span;

typedef struct word { /* a bit for each leaf */
  uint64_t once;
  uint64_t twice; /* these are in `once` too */
} word;

/* The tree is stored as a heap: node i has children 2i and 2i + 1, leaves start at `leaves`, a power of two. */
typedef struct node {
  int64_t covered; /* addresses under this node that are covered by ranges on it or below it */
  int64_t width;
  uint32_t count; /* ranges that cover the whole node and not the whole of its parent */
} node;

struct mv_occupied {
  int64_t bytes;
  int64_t *cuts;
  uint32_t cut_count;
  uint32_t leaves;
  span *spans;
  size_t count;
  word *words;
  int64_t budget; /* of words, and of runs of leaves in them */
  node *nodes;    /* NULL while the words do */
  const mv_limits *limits;
  mv_arena *arena;
};

static bool step(const mv_occupied *o, size_t i, mv_status *status) {
  return i % CHECK_EVERY != 0 || mv_check_interrupt(o->limits, status);
}

static bool cut_by_sorting(mv_occupied *o, const mv_range *ranges, mv_status *status) {
  const size_t ends = 2 * o->count;
  mv_keyed *keys = mv_sort_alloc(o->arena, ends, status);
  if (keys == NULL) {
    return false;
  }
  for (size_t i = 0; i < o->count; i++) {
    if (!step(o, i, status)) {
      return false;
    }
    o->spans[i].live = 0;
    keys[2 * i] = (mv_keyed){mv_sort_key(ranges[i].low), (uint32_t)(2 * i)};
    keys[2 * i + 1] = (mv_keyed){mv_sort_key(ranges[i].high), (uint32_t)(2 * i + 1)};
  }
  mv_sort(keys, ends);
  for (size_t i = 0; i < ends; i++) {
    if (!step(o, i, status)) {
      return false;
    }
    if (i == 0 || keys[i].key != keys[i - 1].key) {
      o->cuts[o->cut_count++] = mv_sort_value(keys[i].key);
    }
    span *s = &o->spans[keys[i].index / 2];
    *(keys[i].index % 2 == 0 ? &s->low : &s->high) = o->cut_count - 1;
  }
  return true;
}

/* Allocators place blocks at multiples of some alignment, and again and again at the same ones. */
static bool cut_by_marking(mv_occupied *o, const mv_range *ranges, unsigned shift, size_t granules, mv_status *status) {
  uint64_t *marks = mv_arena_zalloc(o->arena, granules / WORD + 1, sizeof *marks, status);
  uint32_t *cut_at = mv_arena_alloc(o->arena, (granules + 1) * sizeof *cut_at, status);
  if (marks == NULL || cut_at == NULL) {
    return false;
  }
  for (size_t i = 0; i < o->count; i++) {
    if (!step(o, i, status)) {
      return false;
    }
    const size_t low = (size_t)(ranges[i].low >> shift);
    const size_t high = (size_t)(ranges[i].high >> shift);
    marks[low / WORD] |= UINT64_C(1) << low % WORD;
    marks[high / WORD] |= UINT64_C(1) << high % WORD;
  }
  for (size_t w = 0; w <= granules / WORD; w++) {
    for (uint64_t rest = marks[w]; rest != 0; rest &= rest - 1) {
      const size_t granule = w * WORD + mv_lowest_bit(rest);
      cut_at[granule] = o->cut_count;
      o->cuts[o->cut_count++] = (int64_t)granule << shift;
    }
  }
  for (size_t i = 0; i < o->count; i++) {
    if (!step(o, i, status)) {
      return false;
    }
    o->spans[i] = (span){cut_at[ranges[i].low >> shift], cut_at[ranges[i].high >> shift], 0};
  }
  return true;
}

static bool cut(mv_occupied *o, const mv_range *ranges, mv_status *status) {
  uint64_t bits = UINT64_C(1) << 63;
  uint64_t last = 0;
  for (size_t i = 0; i < o->count; i++) {
    bits |= (uint64_t)ranges[i].low | (uint64_t)ranges[i].high;
    last = (uint64_t)ranges[i].high > last ? (uint64_t)ranges[i].high : last;
  }
  const unsigned shift = mv_lowest_bit(bits);
  return last >> shift < GRANULES_PER_RANGE * o->count
             ? cut_by_marking(o, ranges, shift, (size_t)(last >> shift), status)
             : cut_by_sorting(o, ranges, status);
}

mv_occupied *mv_occupied_new(const mv_range *ranges, size_t count, const mv_limits *limits, mv_arena *arena,
                             mv_status *status) {
  mv_occupied *o = mv_arena_zalloc(arena, 1, sizeof *o, status);
  if (o == NULL) {
    return NULL;
  }
  if (count >= UINT32_MAX / 8) {
    mv_fail(status, MV_LIMIT, "too many blocks in one heap");
    return NULL;
  }
  o->count = count;
  o->limits = limits;
  o->arena = arena;
  o->budget = (int64_t)count < MAX_WORDS / WORDS_PER_RANGE ? (int64_t)count * WORDS_PER_RANGE : MAX_WORDS;
  o->spans = mv_arena_alloc(arena, count * sizeof *o->spans, status);
  o->cuts = mv_arena_alloc(arena, 2 * count * sizeof *o->cuts, status);
  if (o->spans == NULL || o->cuts == NULL || !cut(o, ranges, status)) {
    return NULL;
  }
  o->words = mv_arena_zalloc(arena, o->cut_count / WORD + 1, sizeof *o->words, status);
  return o->words != NULL ? o : NULL;
}

/* Bytes of the leaves in a word, run by run. */
static int64_t bytes_of(mv_occupied *o, uint32_t word_index, uint64_t leaves) {
  const int64_t *cuts = o->cuts + (size_t)word_index * WORD;
  int64_t bytes = 0;
  for (uint64_t carried; leaves != 0; leaves &= carried, o->budget--) {
    const unsigned low = mv_lowest_bit(leaves);
    carried = leaves + (UINT64_C(1) << low); /* through the run, into the bit behind it */
    bytes += cuts[carried != 0 ? mv_lowest_bit(carried) : WORD] - cuts[low];
  }
  return bytes;
}

/* Leaves that stay covered, or were so before, don't count. False, with the words in disorder, when a leaf
 * would be covered a third time or the budget is spent. An end needs no check: its begin had as much to do. */
static bool change_words(mv_occupied *o, span s, bool begins) {
  if (s.low == s.high) {
    return true;
  }
  const uint32_t last = (s.high - 1) / WORD;
  int64_t bytes = o->cuts[s.high] - o->cuts[s.low];
  uint64_t mask = UINT64_MAX << s.low % WORD;
  for (uint32_t i = s.low / WORD; i <= last; i++, mask = UINT64_MAX) {
    mask &= i == last ? UINT64_MAX >> (WORD - 1 - (s.high - 1) % WORD) : UINT64_MAX;
    word *w = &o->words[i];
    const uint64_t shared = mask & (begins ? w->once : w->twice);
    if (begins && ((shared & w->twice) != 0 || o->budget <= 0)) {
      return false;
    }
    w->twice ^= shared;
    w->once ^= mask ^ shared;
    bytes -= bytes_of(o, i, shared);
    o->budget--;
  }
  o->bytes += begins ? bytes : -bytes;
  return true;
}

static void refresh(mv_occupied *o, uint32_t i) {
  node *n = &o->nodes[i];
  if (n->count > 0) {
    n->covered = n->width;
  } else {
    n->covered = i < o->leaves ? o->nodes[2 * i].covered + o->nodes[2 * i + 1].covered : 0;
  }
}

/* The nodes that together are leaves [low, high), walking up from both ends; then their ancestors anew. */
static void change_tree(mv_occupied *o, span s, uint32_t by) {
  uint32_t low = s.low + o->leaves;
  uint32_t high = s.high + o->leaves;
  if (low >= high) {
    return;
  }
  const uint32_t first = low;
  const uint32_t last = high - 1;
  for (; low < high; low /= 2, high /= 2) {
    if (low % 2 == 1) {
      o->nodes[low].count += by;
      refresh(o, low++);
    }
    if (high % 2 == 1) {
      o->nodes[--high].count += by;
      refresh(o, high);
    }
  }
  uint32_t a = first / 2;
  uint32_t b = last / 2;
  for (; a > 0; a /= 2, b /= 2) {
    refresh(o, a);
    if (b != a) {
      refresh(o, b);
    }
  }
  o->bytes = o->nodes[1].covered;
}

/* A tree of what is covered now. */
static bool plant(mv_occupied *o, mv_status *status) {
  o->leaves = 1;
  while (o->leaves + 1 < o->cut_count) {
    o->leaves *= 2;
  }
  o->nodes = mv_arena_zalloc(o->arena, 2 * (size_t)o->leaves, sizeof *o->nodes, status);
  if (o->nodes == NULL) {
    return false;
  }
  for (uint32_t i = 0; i + 1 < o->cut_count; i++) {
    o->nodes[o->leaves + i].width = o->cuts[i + 1] - o->cuts[i];
  }
  for (uint32_t i = o->leaves - 1; i > 0; i--) {
    if (!step(o, i, status)) {
      return false;
    }
    o->nodes[i].width = o->nodes[2 * i].width + o->nodes[2 * i + 1].width;
  }
  for (size_t i = 0; i < o->count; i++) {
    if (!step(o, i, status)) {
      return false;
    }
    if (o->spans[i].live > 0) {
      change_tree(o, o->spans[i], o->spans[i].live);
    }
  }
  return true;
}

bool mv_occupied_add(mv_occupied *o, size_t i, mv_status *status) {
  span *s = &o->spans[i];
  s->live++;
  if (o->nodes != NULL) {
    change_tree(o, *s, 1);
    return true;
  }
  return change_words(o, *s, true) || plant(o, status);
}

void mv_occupied_remove(mv_occupied *o, size_t i) {
  span *s = &o->spans[i];
  s->live--;
  if (o->nodes != NULL) {
    change_tree(o, *s, UINT32_MAX); /* - 1 */
  } else {
    change_words(o, *s, false);
  }
}

int64_t mv_occupied_bytes(const mv_occupied *o) {
  return o->bytes;
}
