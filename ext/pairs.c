#include "pairs.h"

#include "model/graph.h"

SQLITE_EXTENSION_INIT3

enum { BEFORE, AFTER, SIDES };

static mv_entry *entry_of(const mv_cursor *c, int side, size_t index) {
  return &mv_source_ref_source(c->refs[side])->entries[index];
}

/* The names of a source's modules; NULL for what can't be read and does not tell its name: the first of these is
 * *nameless. Modules without a name, as of a BufferAssignmentProto alone, are called "". */
static const char **names_of(mv_cursor *c, int side, const mv_entry **nameless, mv_status *status) {
  const mv_source *source = mv_source_ref_source(c->refs[side]);
  const char **names = mv_arena_alloc(c->source_arena, source->count * sizeof *names, status);
  *nameless = NULL;
  for (size_t i = 0; names != NULL && i < source->count; i++) {
    const mv_entry *entry = entry_of(c, side, i);
    mv_status local = MV_STATUS_INIT;
    if (entry->name == NULL && !mv_source_cache_summarize(c->host->cache, c->refs[side], i, &local)) {
      if (mv_status_is_passing(&local)) {
        *status = local;
        return NULL;
      }
      *nameless = *nameless == NULL ? entry : *nameless;
      names[i] = NULL;
      continue;
    }
    names[i] = entry->name != NULL ? entry->name : "";
  }
  return names;
}

static bool is_wanted(const mv_cursor *c, const char *name) {
  return c->module_name == NULL || strcmp(c->module_name, name) == 0;
}

bool mv_pairs_make(size_t *count, mv_cursor *c, mv_status *status) {
  const mv_entry *nameless[SIDES];
  const char **names[SIDES];
  for (int side = 0; side < SIDES; side++) {
    names[side] = names_of(c, side, &nameless[side], status);
    if (names[side] == NULL) {
      return false;
    }
  }
  if (!mv_names_pair(&c->pairs, count, names[BEFORE], mv_source_ref_source(c->refs[BEFORE])->count, names[AFTER],
                     mv_source_ref_source(c->refs[AFTER])->count, c->source_arena, status)) {
    return false;
  }
  for (size_t i = 0; i < *count; i++) {
    const size_t at[SIDES] = {c->pairs[i].before, c->pairs[i].after};
    for (int side = 0; side < SIDES; side++) {
      if (at[side] != MV_NO_PARTNER || nameless[side] == NULL) {
        continue;
      }
      const char *name = names[1 - side][at[1 - side]];
      if (is_wanted(c, name)) {
        const char *problem = nameless[side]->problem != NULL ? nameless[side]->problem : "can't be read";
        mv_fail(status, MV_FORMAT, "%s; it may be the module '%s' of the other source", problem, name);
        mv_entry_prefix(status, nameless[side]);
        return false;
      }
    }
  }
  return true;
}

/* One side's module into *out, which stays NULL where there is none; *is_there becomes false where there should be. */
static bool enter_side(const mv_module **out, mv_cursor *c, int side, size_t index, bool *is_there, mv_status *status) {
  if (index == MV_NO_PARTNER || !*is_there) {
    return true;
  }
  mv_status local = MV_STATUS_INIT;
  const mv_module *m = mv_cursor_load(c, side, index, &local);
  if (m != NULL && !m->has_assignment) {
    mv_fail(&local, MV_FORMAT, "%s", m->problem);
    m = NULL;
  }
  *out = m;
  *is_there = m != NULL;
  if (m == NULL && (mv_status_is_passing(&local) || mv_source_ref_source(c->refs[side])->count == 1)) {
    *status = local;
    mv_entry_prefix(status, entry_of(c, side, index));
    return false;
  }
  return true;
}

bool mv_pair_enter(mv_cursor *c, bool *is_there, mv_status *status) {
  const mv_pair pair = c->pairs[c->entry];
  c->row.entry = pair.before != MV_NO_PARTNER ? entry_of(c, BEFORE, pair.before) : entry_of(c, AFTER, pair.after);
  const char *name = c->row.entry->name;
  *is_there = is_wanted(c, name != NULL ? name : "");
  if (!enter_side(&c->row.module, c, BEFORE, pair.before, is_there, status) ||
      !enter_side(&c->after, c, AFTER, pair.after, is_there, status)) {
    return false;
  }
  c->gave_module = c->gave_module || *is_there;
  return true;
}

const mv_entry *mv_pair_blame(const mv_cursor *c) {
  const mv_pair pair = c->pairs[c->entry];
  mv_status ignored = MV_STATUS_INIT;
  const bool is_before =
      c->after == NULL || (c->row.module != NULL && mv_module_graph(c->row.module, &c->host->limits, &ignored) == NULL);
  return is_before ? entry_of(c, BEFORE, pair.before) : entry_of(c, AFTER, pair.after);
}
