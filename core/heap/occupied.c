#include "heap/occupied.h"

enum { LOOK_EVERY = 1 << 16 }; /* items between two looks at the host's wish to stop */

/* A leaf is the stretch between two neighbouring cuts. The tree is stored as a heap: node i has children 2i and 2i + 1,
 * leaves start at `leaves`, a power of two. */
typedef struct node {
  int64_t covered; /* addresses under this node that are covered by ranges on it or below it */
  int64_t width;
  uint32_t count; /* ranges that cover the whole node and not the whole of its parent */
} node;

typedef struct span { /* of leaves */
  uint32_t low;
  uint32_t high;
} span;

struct mv_occupied {
  node *nodes;
  span *spans;
  uint32_t leaves;
};

mv_occupied *mv_occupied_new(const mv_range *ranges, size_t count, const mv_limits *limits, mv_arena *arena,
                             mv_status *status) {
  mv_occupied *o = mv_arena_zalloc(arena, 1, sizeof *o, status);
  const size_t ends = 2 * count;
  if (o == NULL) {
    return NULL;
  }
  if (count >= UINT32_MAX / 8) {
    mv_fail(status, MV_LIMIT, "too many blocks in one heap");
    return NULL;
  }
  o->spans = mv_arena_alloc(arena, count * sizeof *o->spans, status);
  mv_keyed *keys = mv_arena_alloc(arena, 2 * ends * sizeof *keys, status);
  if (o->spans == NULL || keys == NULL) {
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    if (i % LOOK_EVERY == 0 && !mv_check_interrupt(limits, status)) {
      return NULL;
    }
    keys[2 * i] = (mv_keyed){mv_sort_key(ranges[i].low), (uint32_t)(2 * i)};
    keys[2 * i + 1] = (mv_keyed){mv_sort_key(ranges[i].high), (uint32_t)(2 * i + 1)};
  }
  mv_sort(keys, keys + ends, ends);
  uint32_t cuts = 0;
  for (size_t i = 0; i < ends; i++) {
    cuts += i == 0 || keys[i].key != keys[i - 1].key;
  }
  o->leaves = 1;
  while (o->leaves + 1 < cuts) {
    o->leaves *= 2;
  }
  o->nodes = mv_arena_zalloc(arena, 2 * (size_t)o->leaves, sizeof *o->nodes, status);
  if (o->nodes == NULL) {
    return NULL;
  }
  uint32_t cut = 0;
  for (size_t i = 0; i < ends; i++) {
    if (i % LOOK_EVERY == 0 && !mv_check_interrupt(limits, status)) {
      return NULL;
    }
    if (i > 0 && keys[i].key != keys[i - 1].key) {
      o->nodes[o->leaves + cut].width = mv_sort_value(keys[i].key) - mv_sort_value(keys[i - 1].key);
      cut++;
    }
    span *s = &o->spans[keys[i].index / 2];
    *(keys[i].index % 2 == 0 ? &s->low : &s->high) = cut;
  }
  for (uint32_t i = o->leaves - 1; i > 0; i--) {
    if (i % LOOK_EVERY == 0 && !mv_check_interrupt(limits, status)) {
      return NULL;
    }
    o->nodes[i].width = o->nodes[2 * i].width + o->nodes[2 * i + 1].width;
  }
  return o;
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
static void change(mv_occupied *o, size_t range, uint32_t by) {
  uint32_t low = o->spans[range].low + o->leaves;
  uint32_t high = o->spans[range].high + o->leaves;
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
}

void mv_occupied_add(mv_occupied *o, size_t i) {
  change(o, i, 1);
}

void mv_occupied_remove(mv_occupied *o, size_t i) {
  change(o, i, UINT32_MAX); /* - 1 */
}

int64_t mv_occupied_bytes(const mv_occupied *o) {
  return o->nodes[1].covered;
}
