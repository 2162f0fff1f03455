#include "analysis/diff.h"

#include <stdlib.h>

#include "analysis/curve.h"
#include "analysis/saving.h"

/* The names of both lists as keys: number = which of that name it is within its list. */
static bool number_names(mv_key *keys, const char *const *names, size_t count, mv_arena *scratch, mv_status *status) {
  mv_partition p;
  uint32_t *seen = mv_arena_zalloc(scratch, count, sizeof *seen, status);
  for (size_t i = 0; i < count; i++) {
    keys[i] = (mv_key){mv_bytes_of_string(names[i]), 0};
  }
  if (seen == NULL || !mv_partition_make(&p, keys, count, scratch, status)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    keys[i].number = seen[p.group_of[i]]++;
  }
  return true;
}

static bool pair_names(mv_pair **out, size_t *count, const char *const *before, size_t before_count,
                       const char *const *after, size_t after_count, mv_arena *arena, mv_arena *scratch,
                       mv_status *status) {
  const size_t both = before_count + after_count;
  mv_partition p;
  mv_key *keys = mv_arena_alloc(scratch, both * sizeof *keys, status);
  mv_pair *pairs = mv_arena_alloc(arena, both * sizeof *pairs, status);
  size_t *pair_of = mv_arena_alloc(scratch, both * sizeof *pair_of, status); /* of each name of `before` */
  if (keys == NULL || pairs == NULL || pair_of == NULL || !number_names(keys, before, before_count, scratch, status) ||
      !number_names(keys + before_count, after, after_count, scratch, status) ||
      !mv_partition_make(&p, keys, both, scratch, status)) {
    return false;
  }
  *count = 0;
  for (size_t i = 0; i < both; i++) {
    const uint32_t first = p.first[p.group_of[i]];
    if (keys[i].text.data == NULL) {
      continue;
    }
    if (i < before_count) {
      pair_of[i] = *count;
      pairs[(*count)++] = (mv_pair){i, MV_NO_PARTNER};
    } else if (first < before_count) {
      pairs[pair_of[first]].after = i - before_count;
    } else {
      pairs[(*count)++] = (mv_pair){MV_NO_PARTNER, i - before_count};
    }
  }
  *out = pairs;
  return true;
}

bool mv_names_pair(mv_pair **out, size_t *count, const char *const *before, size_t before_count,
                   const char *const *after, size_t after_count, mv_arena *arena, mv_status *status) {
  mv_arena *scratch = mv_arena_new(status);
  const bool ok =
      scratch != NULL && pair_names(out, count, before, before_count, after, after_count, arena, scratch, status);
  mv_arena_free(scratch);
  return ok;
}

typedef struct differ {
  mv_array *out;
  const mv_module *modules[2];
  mv_group_by by;
  mv_arena *arena;
  mv_arena *scratch;
  const mv_limits *limits;
  mv_status *status;
} differ;

typedef struct side_by_side {
  const mv_key *key;
  int64_t count[2];
  int64_t bytes[2];
} side_by_side;

/* A change can't be more than 63 bits hold: each side is 0 or more. */
static int64_t change_of(const side_by_side *s) {
  return s->bytes[1] - s->bytes[0];
}

static int compare_changes(const void *a, const void *b) {
  const side_by_side *x = a;
  const side_by_side *y = b;
  const int64_t i = llabs(change_of(x));
  const int64_t j = llabs(change_of(y));
  return i != j ? (i < j ? 1 : -1) : mv_key_compare(x->key, y->key);
}

/* The members of both sides with their keys, one list behind the other: those from *before_count on are after. */
static bool collect(differ *d, const uint32_t spaces[2], mv_member_list *all, size_t *before_count) {
  mv_member_list lists[2] = {{0}};
  for (int side = 0; side < 2; side++) {
    if (spaces[side] != MV_NONE &&
        !mv_members_of(&lists[side], d->modules[side], spaces[side], d->by, true, d->scratch, d->limits, d->status)) {
      return false;
    }
  }
  *all = (mv_member_list){.count = lists[0].count + lists[1].count};
  *before_count = lists[0].count;
  all->items = mv_arena_alloc(d->scratch, all->count * sizeof *all->items, d->status);
  all->keys = mv_arena_alloc(d->scratch, all->count * sizeof *all->keys, d->status);
  for (int side = 0; all->items != NULL && all->keys != NULL && side < 2; side++) {
    const size_t at = side == 0 ? 0 : lists[0].count;
    if (lists[side].count > 0) {
      memcpy(all->items + at, lists[side].items, lists[side].count * sizeof *all->items);
      memcpy(all->keys + at, lists[side].keys, lists[side].count * sizeof *all->keys);
    }
  }
  return all->items != NULL && all->keys != NULL;
}

static bool emit(differ *d, const side_by_side *s, const char *memory_space) {
  mv_difference *row = mv_array_push(d->out, sizeof *row, d->arena, d->status);
  if (row == NULL) {
    return false;
  }
  *row = (mv_difference){
      .memory_space = memory_space,
      .before_buffer_count = s->count[0],
      .after_buffer_count = s->count[1],
      .before_bytes = s->count[0] > 0 ? s->bytes[0] : -1,
      .after_bytes = s->count[1] > 0 ? s->bytes[1] : -1,
      .change_bytes = change_of(s),
  };
  return mv_key_show(&row->key, s->key, d->by, d->arena, d->status);
}

/* One space; on a side that lacks it `spaces` is MV_NONE. */
static bool diff_space(differ *d, const uint32_t spaces[2], const char *memory_space) {
  mv_member_list all;
  mv_partition p;
  size_t before_count;
  mv_arena_reset(d->scratch);
  if (!collect(d, spaces, &all, &before_count) || !mv_partition_make(&p, all.keys, all.count, d->scratch, d->status)) {
    return false;
  }
  side_by_side *rows = mv_arena_zalloc(d->scratch, p.count, sizeof *rows, d->status);
  if (rows == NULL) {
    return false;
  }
  for (size_t i = 0; i < all.count; i++) {
    side_by_side *row = &rows[p.group_of[i]];
    const int side = i >= before_count;
    row->key = &all.keys[p.first[p.group_of[i]]];
    row->count[side]++;
    row->bytes[side] = mv_add_capped(row->bytes[side], all.items[i].size_bytes);
  }
  if (p.count > 1) {
    qsort(rows, p.count, sizeof *rows, compare_changes);
  }
  for (uint32_t i = 0; i < p.count; i++) {
    if (!emit(d, &rows[i], memory_space)) {
      return false;
    }
  }
  return true;
}

/* The names of a module's spaces; NULL when memory ran out. */
static const char **space_names(differ *d, const mv_module *m) {
  const size_t count = m != NULL ? m->space_count : 0;
  const char **names = mv_arena_alloc(d->arena, count * sizeof *names, d->status);
  for (size_t i = 0; names != NULL && i < count; i++) {
    char buffer[MV_SPACE_NAME];
    const char *name = mv_space_name(m->platform, m->spaces[i].color, buffer);
    names[i] = mv_arena_string(d->arena, mv_bytes_of_string(name), d->status);
  }
  return d->status->code == MV_OK ? names : NULL;
}

static bool diff_all(differ *d) {
  const mv_module *before = d->modules[0];
  const mv_module *after = d->modules[1];
  const char **before_names = space_names(d, before);
  const char **after_names = space_names(d, after);
  mv_pair *pairs;
  size_t count;
  if (before_names == NULL || after_names == NULL ||
      !mv_names_pair(&pairs, &count, before_names, before != NULL ? before->space_count : 0, after_names,
                     after != NULL ? after->space_count : 0, d->arena, d->status)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    const bool is_before = pairs[i].before != MV_NO_PARTNER;
    const uint32_t spaces[2] = {is_before ? (uint32_t)pairs[i].before : MV_NONE,
                                pairs[i].after != MV_NO_PARTNER ? (uint32_t)pairs[i].after : MV_NONE};
    if (!mv_curve_step(i, d->limits, d->status) ||
        !diff_space(d, spaces, is_before ? before_names[pairs[i].before] : after_names[pairs[i].after])) {
      return false;
    }
  }
  return true;
}

bool mv_diff_add(mv_array *out, const mv_module *before, const mv_module *after, mv_group_by by, mv_arena *arena,
                 const mv_limits *limits, mv_status *status) {
  differ d = {
      .out = out,
      .modules = {before, after},
      .by = by,
      .arena = arena,
      .scratch = mv_arena_new(status),
      .limits = limits,
      .status = status,
  };
  const bool ok = d.scratch != NULL && diff_all(&d);
  mv_arena_free(d.scratch);
  return ok;
}
