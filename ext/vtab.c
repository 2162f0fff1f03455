/* vtab.c: the virtual table module behind every table. What of a query's WHERE reaches it is told in plan.h. */
#include "vtab.h"

#include "arguments.h"
#include "at.h"
#include "by.h"
#include "plan.h"
#include "walk.h"

SQLITE_EXTENSION_INIT3

typedef struct binding { /* what a module is registered with */
  const mv_table *table;
  mv_host *host;
} binding;

typedef struct table_vtab {
  sqlite3_vtab base; /* must stand first */
  const mv_table *table;
  mv_host *host;
  int visible; /* columns before the hidden arguments */
  const mv_column *columns[];
} table_vtab;

/* The declaration, and beside it nothing: descriptions are for people and live in the documentation. */
static char *declaration(const mv_table *table) {
  sqlite3_str *ddl = sqlite3_str_new(NULL);
  sqlite3_str_appendf(ddl, "CREATE TABLE x(");
  for (int i = 0; i < mv_table_visible_count(table); i++) {
    const mv_column *column = mv_table_column(table, i);
    sqlite3_str_appendf(ddl, "%s\"%w\" %s", i > 0 ? ", " : "", column->name, column->type);
  }
  for (int i = 0; i < mv_table_hidden_count(table); i++) {
    sqlite3_str_appendf(ddl, ", \"%w\" %s HIDDEN", table->hidden[i].name, table->hidden[i].type);
  }
  sqlite3_str_appendf(ddl, ")");
  return sqlite3_str_finish(ddl);
}

static int x_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error) {
  (void)argc;
  (void)argv;
  (void)error;
  const binding *b = aux;
  char *ddl = declaration(b->table);
  if (ddl == NULL) {
    return SQLITE_NOMEM;
  }
  int rc = sqlite3_declare_vtab(db, ddl);
  sqlite3_free(ddl);
  if (rc != SQLITE_OK) {
    return rc;
  }
  const int count = mv_table_visible_count(b->table);
  table_vtab *vtab = sqlite3_malloc64(sizeof *vtab + (size_t)count * sizeof *vtab->columns);
  if (vtab == NULL) {
    return SQLITE_NOMEM;
  }
  *vtab = (table_vtab){.table = b->table, .host = b->host, .visible = count};
  for (int i = 0; i < count; i++) {
    vtab->columns[i] = mv_table_column(b->table, i);
  }
  /* What reads files must not be reached through a hostile database's schema; what reads only the bytes it is given may
   * be. */
  const bool opens_files = b->host->connection.opens_files && mv_table_source_count(b->table) > 0;
  sqlite3_vtab_config(db, opens_files ? SQLITE_VTAB_DIRECTONLY : SQLITE_VTAB_INNOCUOUS);
  *out = &vtab->base;
  return SQLITE_OK;
}

static int x_disconnect(sqlite3_vtab *base) {
  sqlite3_free(base);
  return SQLITE_OK;
}

static int x_best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  return mv_plan_choose(((table_vtab *)base)->table, info);
}

static int x_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  const table_vtab *vtab = (table_vtab *)base;
  mv_status status = MV_STATUS_INIT;
  mv_cursor *c = sqlite3_malloc(sizeof *c);
  if (c == NULL) {
    return SQLITE_NOMEM;
  }
  *c = (mv_cursor){.table = vtab->table, .host = vtab->host, .key_column = -1};
  c->row = (mv_row){.host = c->host, .instruction = MV_NONE};
  c->source_arena = mv_arena_new(&status);
  c->arena = mv_arena_new(&status);
  c->row.arena = mv_arena_new(&status);
  if (c->source_arena == NULL || c->arena == NULL || c->row.arena == NULL) {
    mv_arena_free(c->source_arena);
    mv_arena_free(c->arena);
    mv_arena_free(c->row.arena);
    sqlite3_free(c);
    return SQLITE_NOMEM;
  }
  *out = &c->base;
  return SQLITE_OK;
}

/* What a cursor keeps from leaving the cache. */
typedef struct pinned {
  mv_source_ref *refs[MV_MAX_SOURCES];
  mv_loaded loaded[MV_MAX_SOURCES];
} pinned;

/* Take it over from the cursor, which has nothing then. */
static pinned take_pinned(mv_cursor *c) {
  pinned p;
  for (int i = 0; i < MV_MAX_SOURCES; i++) {
    p.refs[i] = c->refs[i];
    p.loaded[i] = c->loaded[i];
    c->refs[i] = NULL;
    c->loaded[i] = (mv_loaded){0};
  }
  return p;
}

static void release(mv_host *host, pinned p) {
  for (int i = 0; i < MV_MAX_SOURCES; i++) {
    if (p.loaded[i].module != NULL) {
      mv_source_cache_release_module(host->cache, p.refs[i], p.loaded[i].entry);
    }
    mv_source_cache_release(host->cache, p.refs[i]);
  }
}

static void forget_constraints(mv_cursor *c) {
  sqlite3_free(c->module_name);
  sqlite3_free(c->space_name);
  c->module_name = NULL;
  c->space_name = NULL;
}

static int x_close(sqlite3_vtab_cursor *base) {
  mv_cursor *c = (mv_cursor *)base;
  release(c->host, take_pinned(c));
  forget_constraints(c);
  mv_arena_free(c->source_arena);
  mv_arena_free(c->arena);
  mv_arena_free(c->row.arena);
  mv_text_free(&c->row.text);
  sqlite3_free(c);
  return SQLITE_OK;
}

static int fail(mv_cursor *c, const mv_status *status) {
  mv_walk_leave(c);
  c->entry = c->entry_end;
  if (!mv_status_is_passing(status)) { /* those have SQLite's own words */
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = mv_sqlite_message(status);
  }
  return mv_sqlite_code(status);
}

static void point_at_row(mv_cursor *c) {
  const mv_table *table = c->table;
  mv_row *row = &c->row;
  if (c->entry >= c->entry_end || c->position >= c->rows.count) {
    mv_row_set(row, NULL);
    return;
  }
  const size_t at = c->rows.order != NULL ? c->rows.order[c->position] : c->position;
  mv_row_set(row, (const char *)c->rows.base + at * c->rows.stride);
  if (table->has_space) {
    row->color = table->color_of(row->module, row->item);
  }
  if (table->refer != NULL) {
    table->refer(row);
  }
}

/* Nothing of a whole source could be shown: that is an error, not an empty answer. */
static bool check_source_not_silent(const mv_cursor *c, const mv_source *source, mv_status *status) {
  const mv_entry *first = NULL;
  for (size_t i = 0; i < source->count; i++) {
    if (c->is_filtered && source->entries[i].is_readable) {
      return true; /* a filter that leaves nothing of a good source says nothing */
    }
    if (first == NULL && source->entries[i].problem != NULL) {
      first = &source->entries[i];
    }
  }
  return first == NULL || mv_fail(status, MV_FORMAT, "'%s': nothing to show in %zu entries, the first: '%s': %s",
                                  source->path != NULL ? source->path : "", source->count,
                                  first->path != NULL ? first->path : "", first->problem);
}

static bool check_not_silent(const mv_cursor *c, mv_status *status) {
  if (c->gave_module || c->table->needs == MV_NEEDS_ENTRY) {
    return true;
  }
  for (int i = 0; i < MV_MAX_SOURCES; i++) {
    if (c->refs[i] != NULL && !check_source_not_silent(c, mv_source_ref_source(c->refs[i]), status)) {
      return false;
    }
  }
  return true;
}

/* The first row of what the arguments ask for. */
static int start(mv_cursor *c, int plan, int argc, sqlite3_value **argv) {
  mv_status status = MV_STATUS_INIT;
  if (mv_plan_has_null(c->table, plan, argc, argv)) {
    return SQLITE_OK;
  }
  if (!mv_arguments_take(c, plan, argv, &status) || !mv_walk_next(c, &status)) {
    return fail(c, &status);
  }
  if (c->entry == c->entry_end && !(check_not_silent(c, &status) && mv_at_check_end(c, &status))) {
    return fail(c, &status);
  }
  point_at_row(c);
  return SQLITE_OK;
}

/* What the cursor had before is given back last: the inner table of a join starts anew for each outer row, mostly in
 * the same module, and a small cache keeps nothing that is not in use. */
static int x_filter(sqlite3_vtab_cursor *base, int plan, const char *unused, int argc, sqlite3_value **argv) {
  (void)unused;
  mv_cursor *c = (mv_cursor *)base;
  const pinned before = take_pinned(c);
  mv_walk_leave(c);
  forget_constraints(c);
  c->pairs = NULL;
  c->entry = 0;
  c->entry_end = 0;
  mv_arena_reset(c->source_arena);
  const int rc = start(c, plan, argc, argv);
  release(c->host, before);
  return rc;
}

static int x_next(sqlite3_vtab_cursor *base) {
  mv_cursor *c = (mv_cursor *)base;
  c->position++;
  if (c->position >= c->rows.count) {
    mv_status status = MV_STATUS_INIT;
    mv_walk_leave(c);
    c->entry++;
    if (!mv_walk_next(c, &status)) {
      return fail(c, &status);
    }
  }
  point_at_row(c);
  return SQLITE_OK;
}

static int x_eof(sqlite3_vtab_cursor *base) {
  const mv_cursor *c = (const mv_cursor *)base;
  return c->entry >= c->entry_end;
}

static void result_source(const mv_source *source, sqlite3_context *context) {
  if (source->path != NULL) {
    sqlite3_result_text(context, source->path, -1, SQLITE_TRANSIENT);
  } else {
    sqlite3_result_blob64(context, source->blob.data, source->blob.size, SQLITE_TRANSIENT);
  }
}

/* The hidden argument of this number as it was given, or what stood in for it. */
static void result_hidden(const mv_cursor *c, int number, sqlite3_context *context) {
  int source = 0;
  for (int i = 0; i < number; i++) {
    source += c->table->hidden[i].kind == MV_HIDDEN_SOURCE;
  }
  switch (c->table->hidden[number].kind) {
    case MV_HIDDEN_SOURCE: result_source(mv_source_ref_source(c->refs[source]), context); break;
    case MV_HIDDEN_AT: mv_at_result(c, context); break;
    case MV_HIDDEN_BY: mv_by_result(c, context); break;
  }
}

static int x_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
  mv_cursor *c = (mv_cursor *)base;
  const table_vtab *vtab = (const table_vtab *)base->pVtab;
  if (number < vtab->visible) {
    mv_column_result(vtab->columns[number], &c->row, context);
  } else {
    result_hidden(c, number - vtab->visible, context);
  }
  return SQLITE_OK;
}

/* The same for the same row in every plan, and another for any other row: for an OR, SQLite runs one plan a term and
 * leaves out rows whose id it had. Rows of several sources and positions may meet in such a query. */
static int x_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out) {
  const mv_cursor *c = (const mv_cursor *)base;
  const mv_table *table = c->table;
  uint64_t number;
  if (table->number_of != NULL) {
    number = table->number_of(c->row.module, c->row.item);
  } else {
    number = (uint64_t)((const char *)c->row.item - (const char *)c->first_row) / c->rows.stride;
  }
  number += (uint64_t)c->entry << 32;
  static const uint64_t far[MV_MAX_SOURCES] = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0x165667B19E3779F9)};
  for (int i = 0; i < MV_MAX_SOURCES; i++) {
    number += c->refs[i] != NULL ? (mv_source_ref_serial(c->refs[i]) - 1) * far[i] : 0;
  }
  number += (uint64_t)(c->at + 1) * UINT64_C(0xC2B2AE3D27D4EB4F);
  number += (uint64_t)c->by * UINT64_C(0x27D4EB2F165667C5);
  *out = (sqlite3_int64)number;
  return SQLITE_OK;
}

/* No xCreate: the tables are there without CREATE VIRTUAL TABLE. */
static const sqlite3_module module = {
    .iVersion = 0,
    .xConnect = x_connect,
    .xBestIndex = x_best_index,
    .xDisconnect = x_disconnect,
    .xOpen = x_open,
    .xClose = x_close,
    .xFilter = x_filter,
    .xNext = x_next,
    .xEof = x_eof,
    .xColumn = x_column,
    .xRowid = x_rowid,
};

static void free_binding(void *arg) {
  mv_host *host = ((binding *)arg)->host;
  sqlite3_free(arg);
  mv_host_release(host); /* last: see mv_process_remove */
}

int mv_tables_register(mv_host *host, const mv_table *const *tables, size_t count) {
  int rc = SQLITE_OK;
  host->tables = tables;
  host->table_count = count;
  for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
    binding *b = sqlite3_malloc(sizeof *b);
    if (b == NULL) {
      return SQLITE_NOMEM;
    }
    *b = (binding){tables[i], mv_host_share(host)};
    /* Calls free_binding itself when it fails. */
    rc = sqlite3_create_module_v2(host->connection.db, tables[i]->name, &module, b, free_binding);
  }
  return rc;
}
