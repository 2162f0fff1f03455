/* table.c: the virtual table module behind every table. What of a query's WHERE reaches it is told in plan.h. */
#include "table.h"

#include "keys.h"
#include "plan.h"

SQLITE_EXTENSION_INIT3

typedef struct binding { /* what a module is registered with */
  const mv_table *table;
  mv_host *host;
} binding;

typedef struct table_vtab {
  sqlite3_vtab base; /* must stand first */
  const mv_table *table;
  mv_host *host;
  int source_column;
  const mv_column *columns[]; /* by number, those before it */
} table_vtab;

/* The declaration, and beside it nothing: descriptions are for people and live in the documentation. */
static char *declaration(const mv_table *table) {
  sqlite3_str *ddl = sqlite3_str_new(NULL);
  sqlite3_str_appendf(ddl, "CREATE TABLE x(");
  for (int i = 0; i < mv_table_source_column(table); i++) {
    const mv_column *column = mv_table_column(table, i);
    sqlite3_str_appendf(ddl, "\"%w\" %s, ", column->name, column->type);
  }
  sqlite3_str_appendf(ddl, "source HIDDEN%s)", table->has_at ? ", at INTEGER HIDDEN" : "");
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
  const int count = mv_table_source_column(b->table);
  table_vtab *vtab = sqlite3_malloc64(sizeof *vtab + (size_t)count * sizeof *vtab->columns);
  if (vtab == NULL) {
    return SQLITE_NOMEM;
  }
  *vtab = (table_vtab){.table = b->table, .host = b->host, .source_column = count};
  for (int i = 0; i < count; i++) {
    vtab->columns[i] = mv_table_column(b->table, i);
  }
  /* What reads files must not be reached through a hostile database's schema; what reads only the bytes it is given may
   * be. */
  sqlite3_vtab_config(db, b->host->opens_files ? SQLITE_VTAB_DIRECTONLY : SQLITE_VTAB_INNOCUOUS);
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
  c->arena = mv_arena_new(&status);
  c->detail_arena = mv_arena_new(&status);
  if (c->arena == NULL || c->detail_arena == NULL) {
    mv_arena_free(c->arena);
    mv_arena_free(c->detail_arena);
    sqlite3_free(c);
    return SQLITE_NOMEM;
  }
  *out = &c->base;
  return SQLITE_OK;
}

static void leave_module(mv_cursor *c) {
  if (c->module != NULL) {
    mv_library_release_module(c->host->library, c->held, c->entry);
    c->module = NULL;
  }
  c->rows = (mv_rows){0};
  c->row = NULL;
  c->has_details = false;
  mv_arena_reset(c->arena);
}

static void leave_source(mv_cursor *c) {
  leave_module(c);
  mv_library_release(c->host->library, c->held);
  c->held = NULL;
  sqlite3_free(c->module_name);
  sqlite3_free(c->space_name);
  c->module_name = NULL;
  c->space_name = NULL;
}

static int x_close(sqlite3_vtab_cursor *base) {
  mv_cursor *c = (mv_cursor *)base;
  leave_source(c);
  mv_arena_free(c->arena);
  mv_arena_free(c->detail_arena);
  mv_text_free(&c->text);
  sqlite3_free(c);
  return SQLITE_OK;
}

static int fail(mv_cursor *c, const mv_status *status) {
  leave_module(c);
  c->entry = c->entry_end;
  if (status->code != MV_NOMEM) {
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = mv_sqlite_message(status);
  }
  return mv_sqlite_code(status);
}

/* Whether the current entry is of the module that was asked for. A name that is not known before the module is read is
 * compared then. */
static bool is_named(const mv_cursor *c, const mv_entry *entry) {
  return c->module_name == NULL || entry->name == NULL || strcmp(c->module_name, entry->name) == 0;
}

/* An entry that gives nothing is an error when it is all that was asked for, being the only one or named by its id; in
 * a list of others, and in that of a folder, its row in hlo_modules tells. */
static bool must_report(const mv_cursor *c) {
  const mv_source *source = mv_held_source(c->held);
  return source->count == 1 && (c->table->needs != MV_NEEDS_ENTRY || !source->is_directory);
}

/* The module of the current entry into the cursor; it stays NULL where the table has nothing to show of it. */
static bool enter_module(mv_cursor *c, mv_status *status) {
  const mv_table *table = c->table;
  const mv_entry *entry = &mv_held_source(c->held)->entries[c->entry];
  mv_status local = MV_STATUS_INIT;
  mv_module *m = NULL;
  if (table->needs == MV_NEEDS_ENTRY) {
    mv_library_summarize(c->host->library, c->held, c->entry, &local);
  } else {
    m = mv_library_module(c->host->library, c->held, c->entry, &local);
    if (m != NULL && table->needs == MV_NEEDS_ALL &&
        !mv_source_index_all(mv_held_source(c->held), c->entry, m, &c->host->limits, &local)) {
      mv_library_release_module(c->host->library, c->held, c->entry);
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
  c->module = m;
  if (!is_named(c, entry)) {
    leave_module(c);
    return true;
  }
  if ((table->needs == MV_NEEDS_ASSIGNMENT && !m->has_assignment) ||
      (table->needs != MV_NEEDS_ASSIGNMENT && !m->has_module)) {
    if (must_report(c)) {
      mv_fail(status, MV_FORMAT, "%s", m->problem);
      mv_entry_prefix(status, entry);
      return false;
    }
    leave_module(c);
    return true;
  }
  c->gave_module = true;
  return true;
}

static bool select_rows(mv_cursor *c, mv_status *status) {
  const mv_table *table = c->table;
  mv_request request = {
      .module = c->module,
      .source = mv_held_source(c->held),
      .index = c->entry,
      .has_color = c->has_color,
      .color = c->color,
      .at = c->at,
      .arena = c->arena,
  };
  if (c->has_space) {
    int64_t color;
    if (c->space_name == NULL || !mv_space_color(&color, c->module->platform, c->space_name) ||
        (c->has_color && color != c->color)) {
      return true; /* no such space: no rows */
    }
    request.has_color = true;
    request.color = color;
  }
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
  return key_of == NULL || mv_rows_select(&c->rows, key_of, key, c->module, status);
}

/* On to the first row of the next entry that has one. */
static bool next_entry(mv_cursor *c, mv_status *status) {
  for (; c->entry < c->entry_end; c->entry++) {
    const mv_entry *entry = &mv_held_source(c->held)->entries[c->entry];
    c->position = 0;
    if (!is_named(c, entry)) {
      continue;
    }
    if (!enter_module(c, status)) {
      return false;
    }
    if (c->table->needs == MV_NEEDS_ENTRY ? is_named(c, entry) : c->module != NULL) {
      if (!select_rows(c, status)) {
        return false;
      }
      if (c->rows.count > 0) {
        return true;
      }
    }
    leave_module(c);
  }
  return true;
}

static void point_at_row(mv_cursor *c) {
  c->has_details = false;
  c->has_shape = false;
  c->explanation = NULL;
  if (c->entry < c->entry_end && c->position < c->rows.count) {
    const size_t at = c->rows.order != NULL ? c->rows.order[c->position] : c->position;
    c->row = (const char *)c->rows.base + at * c->rows.stride;
    if (c->table->view_of != NULL) {
      c->view = c->table->view_of(c->module, c->row);
    }
  }
}

/* Nothing of a whole source could be shown: that is an error, not an empty answer. */
static bool check_not_silent(const mv_cursor *c, mv_status *status) {
  const mv_source *source = mv_held_source(c->held);
  const mv_entry *first = NULL;
  if (c->gave_module || c->table->needs == MV_NEEDS_ENTRY) {
    return true;
  }
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

static int x_filter(sqlite3_vtab_cursor *base, int plan, const char *unused, int argc, sqlite3_value **argv) {
  (void)unused;
  mv_cursor *c = (mv_cursor *)base;
  mv_status status = MV_STATUS_INIT;
  leave_source(c);
  c->entry = 0;
  c->entry_end = 0;
  if (mv_plan_has_null(plan, argc, argv)) {
    return SQLITE_OK;
  }
  if (!mv_plan_take(c, plan, argv, &status) || !next_entry(c, &status) ||
      (c->entry == c->entry_end && !check_not_silent(c, &status))) {
    return fail(c, &status);
  }
  point_at_row(c);
  return SQLITE_OK;
}

static int x_next(sqlite3_vtab_cursor *base) {
  mv_cursor *c = (mv_cursor *)base;
  c->position++;
  if (c->position >= c->rows.count) {
    mv_status status = MV_STATUS_INIT;
    leave_module(c);
    c->entry++;
    if (!next_entry(c, &status)) {
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

static void result_source(const mv_cursor *c, sqlite3_context *context) {
  const mv_source *source = mv_held_source(c->held);
  if (source->path != NULL) {
    sqlite3_result_text(context, source->path, -1, SQLITE_TRANSIENT);
  } else {
    sqlite3_result_blob64(context, source->blob.data, source->blob.size, SQLITE_TRANSIENT);
  }
}

static void result_field(const mv_column *column, const void *row, sqlite3_context *context) {
  const char *at = (const char *)row + column->offset;
  switch (column->kind) {
    case MV_COLUMN_BOOL: sqlite3_result_int(context, *(const bool *)at); break;
    case MV_COLUMN_COUNT: sqlite3_result_int64(context, *(const uint32_t *)(const void *)at); break;
    default: {
      const int64_t value = *(const int64_t *)(const void *)at;
      if (column->kind == MV_COLUMN_SIZE && value < 0) {
        sqlite3_result_null(context);
      } else {
        sqlite3_result_int64(context, value);
      }
    }
  }
}

static int x_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
  mv_cursor *c = (mv_cursor *)base;
  const table_vtab *vtab = (const table_vtab *)base->pVtab;
  if (number < vtab->source_column) {
    const mv_column *column = vtab->columns[number];
    if (column->kind == MV_COLUMN_CALL) {
      column->get(c, context);
    } else {
      result_field(column, c->row, context);
    }
  } else if (number == vtab->source_column) {
    result_source(c, context);
  } else if (c->at >= 0) {
    sqlite3_result_int64(context, c->at);
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
    number = table->number_of(c->module, c->row);
  } else {
    number = (uint64_t)((const char *)c->row - (const char *)c->first_row) / c->rows.stride;
  }
  number += (uint64_t)c->entry << 32;
  number += (mv_held_serial(c->held) - 1) * UINT64_C(0x9E3779B97F4A7C15); /* far apart: 2^64 / golden ratio */
  number += (uint64_t)(c->at + 1) * UINT64_C(0xC2B2AE3D27D4EB4F);
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
  binding *b = arg;
  mv_host_release(b->host);
  sqlite3_free(b);
}

int mv_tables_register(mv_host *host) {
  int rc = SQLITE_OK;
  for (size_t i = 0; rc == SQLITE_OK && i < mv_table_count; i++) {
    binding *b = sqlite3_malloc(sizeof *b);
    if (b == NULL) {
      return SQLITE_NOMEM;
    }
    *b = (binding){mv_tables[i], mv_host_share(host)};
    /* Calls free_binding itself when it fails. */
    rc = sqlite3_create_module_v2(host->db, mv_tables[i]->name, &module, b, free_binding);
  }
  return rc;
}

const mv_details *mv_cursor_details(mv_cursor *c, uint32_t instruction, sqlite3_context *context) {
  if (c->has_details && c->details_of == instruction) {
    return &c->details;
  }
  mv_status status = MV_STATUS_INIT;
  mv_arena_reset(c->detail_arena);
  c->has_details = false;
  if (!mv_details_read(&c->details, c->module, instruction, c->detail_arena, &status)) {
    mv_result_error(context, &status);
    return NULL;
  }
  c->details_of = instruction;
  c->has_details = true;
  return &c->details;
}

mv_text *mv_cursor_text(mv_cursor *c) {
  mv_text_clear(&c->text);
  return &c->text;
}

static void get_module_id(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, (sqlite3_int64)c->entry + 1);
}

static void get_module(mv_cursor *c, sqlite3_context *context) {
  const char *name = mv_held_source(c->held)->entries[c->entry].name;
  if (name != NULL) {
    sqlite3_result_text(context, name, -1, SQLITE_TRANSIENT);
  }
}

static void get_space(mv_cursor *c, sqlite3_context *context) {
  char buffer[MV_SPACE_NAME];
  const char *name = mv_space_name(c->module->platform, c->table->color_of(c->module, c->row), buffer);
  sqlite3_result_text(context, name, -1, name == buffer ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

static void get_color(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, c->table->color_of(c->module, c->row));
}

const mv_column mv_common_columns[MV_COMMON_COUNT] = {
    MV_CALL("module_id", "INTEGER", "Number of the module within the source, from 1, by path and program id",
            get_module_id),
    MV_CALL("module", "TEXT", "Name of the module", get_module),
    MV_CALL("memory_space", "TEXT", "Name of the memory space: HBM, VMEM, SMEM, Host, ...", get_space),
    MV_CALL("color", "INTEGER", "XLA's number of the memory space", get_color),
};
