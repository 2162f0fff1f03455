#include "walk.h"

#include "at.h"
#include "keys.h"
#include "pairs.h"

SQLITE_EXTENSION_INIT3

void mv_walk_leave(mv_cursor *c) {
  c->row.module = NULL;
  c->after = NULL;
  c->rows = (mv_rows){0};
  mv_row_set(&c->row, NULL);
  mv_arena_reset(c->arena);
}

/* Whether the current entry is of the module that was asked for. A name that is not known before the module is read is
 * compared then. */
static bool is_named(const mv_cursor *c, const mv_entry *entry) {
  return c->module_name == NULL || entry->name == NULL || strcmp(c->module_name, entry->name) == 0;
}

/* An entry that gives nothing is an error when it is all that was asked for, being the only one or named by its id; in
 * a list of others, and in that of a folder, its row in hlo_modules tells. */
static bool must_report(const mv_cursor *c) {
  const mv_source *source = mv_source_ref_source(c->refs[0]);
  return source->count == 1 && (c->table->needs != MV_NEEDS_ENTRY || !source->is_directory);
}

/* The module of the current entry into the cursor; it stays NULL where the table has nothing to show of it. */
static bool enter_module(mv_cursor *c, mv_status *status) {
  const mv_table *table = c->table;
  const mv_entry *entry = c->row.entry;
  mv_status local = MV_STATUS_INIT;
  const mv_module *m = NULL;
  if (table->needs == MV_NEEDS_ENTRY) {
    mv_source_cache_summarize(c->host->cache, c->refs[0], c->entry, &local);
  } else {
    m = mv_cursor_load(c, 0, c->entry, &local);
    if (m != NULL && table->needs == MV_NEEDS_ALL &&
        !mv_source_index_all(mv_source_ref_source(c->refs[0]), c->entry, m, &c->host->limits, &local)) {
      m = NULL;
    }
  }
  if (m == NULL && local.code == MV_OK) {
    return true;
  }
  if (m == NULL) {
    const bool is_passing = mv_status_is_passing(&local);
    if (is_passing || must_report(c)) {
      *status = local;
      mv_entry_prefix(status, entry);
      return false;
    }
    return true;
  }
  c->row.module = m;
  if (!is_named(c, entry)) {
    mv_walk_leave(c);
    return true;
  }
  if ((table->needs == MV_NEEDS_ASSIGNMENT && !m->has_assignment) ||
      (table->needs != MV_NEEDS_ASSIGNMENT && !m->has_module)) {
    if (must_report(c)) {
      const bool lacks_module = table->needs != MV_NEEDS_ASSIGNMENT && m->has_assignment;
      mv_fail(status, MV_FORMAT, "%s", lacks_module ? "has no HLO module: sizes and lifetimes only" : m->problem);
      mv_entry_prefix(status, entry);
      return false;
    }
    mv_walk_leave(c);
    return true;
  }
  c->gave_module = true;
  return true;
}

/* The colors that the name of a memory space and a color leave over; returns how many. */
static size_t asked_colors(int64_t colors[MV_SPACE_COLORS], const mv_cursor *c) {
  const mv_module *m = c->row.module;
  const size_t count = m != NULL && c->space_name != NULL ? mv_space_colors(colors, m->platform, c->space_name) : 0;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (!c->has_color || colors[i] == c->color) {
      colors[kept++] = colors[i];
    }
  }
  return kept;
}

/* Of the rows of all memory spaces keep those of some: of several that have one name. */
static bool keep_colors(mv_cursor *c, const int64_t *colors, size_t count, mv_status *status) {
  const mv_rows all = c->rows;
  uint32_t *order = mv_arena_alloc(c->arena, all.count * sizeof *order, status);
  if (order == NULL) {
    return false;
  }
  c->rows.order = order;
  c->rows.count = 0;
  for (size_t i = 0; i < all.count; i++) {
    const int64_t color = c->table->color_of(c->row.module, (const char *)all.base + i * all.stride);
    for (size_t k = 0; k < count; k++) {
      if (color == colors[k]) {
        order[c->rows.count++] = (uint32_t)i;
      }
    }
  }
  return true;
}

static bool select_rows(mv_cursor *c, mv_status *status) {
  const mv_table *table = c->table;
  int64_t colors[MV_SPACE_COLORS];
  size_t color_count = 0;
  mv_request request = {
      .module = c->row.module,
      .after = c->after,
      .source = c->refs[0] != NULL ? mv_source_ref_source(c->refs[0]) : NULL,
      .index = c->entry,
      .device = c->host->device,
      .has_color = c->has_color,
      .color = c->color,
      .at = c->at,
      .by = c->by,
      .limits = &c->host->limits,
      .arena = c->arena,
  };
  if (c->has_space) {
    color_count = asked_colors(colors, c);
    if (color_count == 0) {
      return true; /* no such space: no rows */
    }
    request.has_color = color_count == 1;
    request.color = colors[0];
  }
  mv_at_note_end(c, &request);
  mv_key_function *key_of = NULL;
  int64_t key = 0;
  if (c->key_column >= 0) {
    key_of = mv_table_column(table, c->key_column)->key;
    key = c->key;
    request.has_color = false; /* SQLite checks the color of what the key finds */
  } else if (request.has_color && !table->rows_by_color) {
    key_of = table->color_of;
    key = request.color;
  }
  if (!table->rows(&c->rows, &request, status)) {
    return false;
  }
  c->first_row = c->rows.base;
  if (color_count > 1 && key_of == NULL) {
    return keep_colors(c, colors, color_count, status);
  }
  return key_of == NULL || mv_rows_select(&c->rows, key_of, key, c->row.module, status);
}

/* Enter what the rows of the current entry are made of; *is_there is false where the table has nothing to show of it.
 */
static bool enter(mv_cursor *c, bool *is_there, mv_status *status) {
  *is_there = true;
  c->row.module_id = (int64_t)c->entry + 1;
  if (c->table->needs == MV_NEEDS_NOTHING) {
    return true;
  }
  if (c->table->needs == MV_NEEDS_PAIR) {
    return mv_pair_enter(c, is_there, status);
  }
  const mv_entry *entry = &mv_source_ref_source(c->refs[0])->entries[c->entry];
  c->row.entry = entry;
  *is_there = is_named(c, entry);
  if (!*is_there) {
    return true;
  }
  if (!enter_module(c, status)) {
    return false;
  }
  *is_there = c->table->needs == MV_NEEDS_ENTRY ? is_named(c, entry) : c->row.module != NULL;
  return true;
}

bool mv_walk_next(mv_cursor *c, mv_status *status) {
  for (; c->entry < c->entry_end; c->entry++) {
    bool is_there;
    c->position = 0;
    if (!enter(c, &is_there, status)) {
      return false;
    }
    if (is_there) {
      if (!select_rows(c, status)) {
        const mv_entry *entry = c->table->needs == MV_NEEDS_PAIR ? mv_pair_blame(c) : c->row.entry;
        if (entry != NULL) {
          mv_entry_prefix(status, entry);
        }
        return false;
      }
      if (c->rows.count > 0) {
        return true;
      }
    }
    mv_walk_leave(c);
  }
  return true;
}
