/* users.c: the users of each instruction in the order that graph.h tells.
 *
 * Most lists are short and sorted in place. A long one, such as that of a loop's state, is sorted by radix, once for
 * each thing that it is ordered by, the least important first: then no file makes it slow.
 */
#include "base/sort.h"
#include "model/graph_build.h"

enum { SHORT = 16 };

typedef struct sorter {
  mv_graph_build *b;
  mv_keyed *keys; /* twice the longest list */
  mv_use *copy;
} sorter;

static uint64_t group_of(const mv_graph_build *b, mv_use use) {
  const mv_node *user = &b->nodes[use.user];
  return user->opcode == MV_OPCODE_GET_TUPLE_ELEMENT ? (uint64_t)user->number + 1 : 0;
}

static bool comes_before(const mv_graph_build *b, mv_use x, mv_use y) {
  const uint64_t group_x = group_of(b, x);
  const uint64_t group_y = group_of(b, y);
  if (group_x != group_y) {
    return group_x < group_y;
  }
  if (b->nodes[x.user].position != b->nodes[y.user].position) {
    return b->nodes[x.user].position > b->nodes[y.user].position;
  }
  if (b->ids[x.user] != b->ids[y.user]) {
    return b->ids[x.user] < b->ids[y.user];
  }
  return x.operand < y.operand;
}

static void sort_short(const mv_graph_build *b, mv_use *uses, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const mv_use use = uses[i];
    uint32_t at = i;
    for (; at > 0 && comes_before(b, use, uses[at - 1]); at--) {
      uses[at] = uses[at - 1];
    }
    uses[at] = use;
  }
}

/* They come in by user and operand number. */
static void sort_long(const sorter *s, mv_use *uses, uint32_t count) {
  const mv_graph_build *b = s->b;
  for (int by = 0; by < 3; by++) {
    for (uint32_t i = 0; i < count; i++) {
      const mv_use use = uses[i];
      s->keys[i] = (mv_keyed){by == 0   ? mv_sort_key(b->ids[use.user])
                              : by == 1 ? MV_NONE - b->nodes[use.user].position
                                        : group_of(b, use),
                              i};
    }
    mv_sort(s->keys, count);
    memcpy(s->copy, uses, count * sizeof *uses);
    for (uint32_t i = 0; i < count; i++) {
      uses[i] = s->copy[s->keys[i].index];
    }
  }
}

static bool sort_lists(mv_graph_build *b, mv_use *uses, uint32_t longest) {
  sorter s = {.b = b};
  if (longest > SHORT) {
    s.keys = mv_arena_alloc(b->scratch, 2 * (size_t)longest * sizeof *s.keys, b->status);
    s.copy = mv_arena_alloc(b->scratch, (size_t)longest * sizeof *s.copy, b->status);
    if (s.keys == NULL || s.copy == NULL) {
      return false;
    }
  }
  for (uint32_t i = 0; i < b->graph->node_count; i++) {
    const uint32_t first = b->nodes[i].first_user;
    const uint32_t count = b->nodes[i + 1].first_user - first;
    if (!mv_graph_step(b)) {
      return false;
    }
    if (count > SHORT) {
      sort_long(&s, uses + first, count);
    } else if (count > 1) {
      sort_short(b, uses + first, count);
    }
  }
  return true;
}

bool mv_graph_link_users(mv_graph_build *b) {
  const uint32_t n = b->graph->node_count;
  const uint32_t *operands = b->graph->operands;
  mv_node *nodes = b->nodes;
  uint32_t *counts = mv_arena_zalloc(b->scratch, n, sizeof *counts, b->status);
  if (counts == NULL) {
    return false;
  }
  for (uint32_t k = 0; k < nodes[n].first_operand; k++) {
    if (operands[k] != MV_NONE) {
      counts[operands[k]]++;
    }
  }
  uint32_t total = 0;
  uint32_t longest = 0;
  for (uint32_t i = 0; i < n; i++) {
    nodes[i].first_user = total;
    total += counts[i];
    longest = counts[i] > longest ? counts[i] : longest;
    counts[i] = nodes[i].first_user; /* from here on: where its next use goes */
  }
  nodes[n].first_user = total;
  mv_use *uses = mv_arena_alloc(b->arena, (size_t)total * sizeof *uses, b->status);
  if (uses == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!mv_graph_step(b)) {
      return false;
    }
    for (uint32_t k = nodes[i].first_operand; k < nodes[i + 1].first_operand; k++) {
      if (operands[k] != MV_NONE) {
        uses[counts[operands[k]]++] = (mv_use){i, k - nodes[i].first_operand};
        nodes[operands[k]].indexed_users += nodes[i].opcode == MV_OPCODE_GET_TUPLE_ELEMENT;
      }
    }
  }
  b->graph->users = uses;
  return sort_lists(b, uses, longest);
}
