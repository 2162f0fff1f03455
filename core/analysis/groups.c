#include "analysis/groups.h"

#include <stdlib.h>

#include "analysis/curve.h"
#include "analysis/saving.h"

typedef struct numbered { /* by its number in the partition */
  mv_group group;
  int64_t resident_bytes;
  const mv_key *key;
} numbered;

typedef struct grouping {
  const mv_module *module;
  uint32_t space;
  mv_member_list members;
  mv_partition partition;
  numbered *groups;
  numbered **ranked; /* in the order in which they are shown */
  const mv_limits *limits;
  mv_status *status;
  mv_arena *scratch;
} grouping;

/* Of two that save the same. */
static int compare_groups(const void *a, const void *b) {
  const numbered *x = *(const numbered *const *)a;
  const numbered *y = *(const numbered *const *)b;
  if (x->group.size_bytes != y->group.size_bytes) {
    return x->group.size_bytes < y->group.size_bytes ? 1 : -1;
  }
  return mv_key_compare(x->key, y->key);
}

static bool rank(grouping *g) {
  const uint32_t count = g->partition.count;
  mv_keyed *by_saving = mv_sort_alloc(g->scratch, count, g->status);
  g->ranked = mv_arena_alloc(g->scratch, count * sizeof *g->ranked, g->status);
  if (by_saving == NULL || g->ranked == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    by_saving[i] = (mv_keyed){~(uint64_t)g->groups[i].group.saving_bytes, i}; /* savings are 0 or more */
  }
  mv_sort(by_saving, count);
  for (uint32_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && by_saving[end].key == by_saving[i].key; end++) {
      g->ranked[end] = &g->groups[by_saving[end].index];
    }
    if (end - i > 1) {
      qsort(g->ranked + i, end - i, sizeof *g->ranked, compare_groups);
    }
  }
  return true;
}

static bool count_members(grouping *g) {
  g->groups = mv_arena_zalloc(g->scratch, g->partition.count, sizeof *g->groups, g->status);
  for (size_t i = 0; g->groups != NULL && i < g->members.count; i++) {
    const mv_member *member = &g->members.items[i];
    const uint32_t number = g->partition.group_of[i];
    numbered *r = &g->groups[number];
    if (r->key == NULL) {
      r->key = &g->members.keys[i];
      r->group.space = g->space;
    }
    r->resident_bytes = mv_add_capped(r->resident_bytes, member->block == MV_NONE ? member->size_bytes : 0);
    if (member->is_live) {
      r->group.buffer_count++;
      r->group.size_bytes = mv_add_capped(r->group.size_bytes, member->size_bytes);
      r->group.unpadded_bytes = mv_add_capped(r->group.unpadded_bytes, member->unpadded_bytes);
    }
  }
  return g->groups != NULL;
}

/* The blocks of the space are the members behind those that are resident, so theirs are the group numbers behind. */
static bool save(grouping *g) {
  const uint32_t count = g->partition.count;
  int64_t *savings = mv_arena_zalloc(g->scratch, count, sizeof *savings, g->status);
  if (savings == NULL || !mv_saving_add_groups(savings, g->partition.group_of + g->members.resident_count, count,
                                               g->module, g->space, g->limits, g->status)) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    g->groups[i].group.saving_bytes = mv_add_capped(g->groups[i].resident_bytes, savings[i]);
  }
  return true;
}

static bool save_cumulative(grouping *g) {
  const uint32_t count = g->partition.count;
  const size_t blocks = g->members.count - g->members.resident_count;
  int64_t *further = mv_arena_zalloc(g->scratch, count, sizeof *further, g->status);
  uint32_t *rank_of = mv_arena_alloc(g->scratch, count * sizeof *rank_of, g->status);
  uint32_t *ranks = mv_arena_alloc(g->scratch, blocks * sizeof *ranks, g->status);
  if (further == NULL || rank_of == NULL || ranks == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    rank_of[g->ranked[i] - g->groups] = i;
  }
  for (size_t i = 0; i < blocks; i++) {
    ranks[i] = rank_of[g->partition.group_of[g->members.resident_count + i]];
  }
  if (!mv_saving_add_cumulative(further, ranks, g->module, g->space, g->limits, g->status)) {
    return false;
  }
  int64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    numbered *group = g->ranked[i];
    sum = mv_add_capped(sum, mv_add_capped(group->resident_bytes, further[i]));
    group->group.cumulative_saving_bytes = sum;
  }
  return true;
}

static bool add_groups(mv_array *out, grouping *g, mv_group_by by, mv_arena *arena) {
  if (!mv_members_of(&g->members, g->module, g->space, by, false, g->scratch, g->limits, g->status) ||
      !mv_partition_make(&g->partition, g->members.keys, g->members.count, g->scratch, g->status) ||
      !count_members(g) || !save(g) || !rank(g) || !save_cumulative(g)) {
    return false;
  }
  for (uint32_t i = 0; i < g->partition.count; i++) {
    mv_group *group = mv_array_push(out, sizeof *group, arena, g->status);
    if (group == NULL) {
      return false;
    }
    *group = g->ranked[i]->group;
    if (!mv_key_show(&group->key, g->ranked[i]->key, by, arena, g->status)) {
      return false;
    }
  }
  return true;
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  mv_array groups = {0};
  for (uint32_t s = 0; s < m->space_count; s++) {
    grouping g = {.module = m, .space = s, .limits = d->limits, .status = d->status, .scratch = d->scratch};
    mv_arena_reset(d->scratch);
    if (!mv_curve_step(s, d->limits, d->status) || !add_groups(&groups, &g, *(const mv_group_by *)key, d->arena)) {
      return false;
    }
  }
  *(mv_group_list *)out = (mv_group_list){groups.items, groups.count};
  return true;
}

const mv_group_list *mv_module_groups(const mv_module *m, mv_group_by by, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_group_list), sizeof by, make};
  return mv_module_derived(m, &kind, &by, limits, status);
}
