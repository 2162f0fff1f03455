#include "hidden.h"

#include "table.h"

SQLITE_EXTENSION_INIT3

/* The name of a table or view of the database that hides one of memview's, {NULL} without one. What reads no source,
 * `devices`, answers nothing about what was opened: a database may have its own. */
static bool find(mv_text *out, const mv_host *host, const char *database, mv_status *status) {
  const bool is_temp = sqlite3_stricmp(database, "temp") == 0;
  sqlite3_str *sql = sqlite3_str_new(host->connection.db);
  sqlite3_str_appendf(sql, "SELECT name FROM \"%w\".%s WHERE type IN ('table', 'view') AND name COLLATE NOCASE IN (",
                      database, is_temp ? "sqlite_temp_master" : "sqlite_master");
  const char *separator = "";
  for (size_t i = 0; i < host->table_count; i++) {
    if (host->tables[i]->needs != MV_NEEDS_NOTHING) {
      sqlite3_str_appendf(sql, "%s%Q", separator, host->tables[i]->name);
      separator = ", ";
    }
  }
  sqlite3_str_appendf(sql, ") LIMIT 1");
  char *text = sqlite3_str_finish(sql);
  if (text == NULL) {
    return mv_fail_nomem(status);
  }
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(host->connection.db, text, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(statement, 0); /* NULL where an authorizer says so */
    mv_text_add(out, name != NULL ? name : "");
  }
  sqlite3_finalize(statement);
  sqlite3_free(text);
  return !out->failed || mv_fail_nomem(status);
}

/* `other` is a database where the name is free; a way out of NULL is DETACH. */
static bool check(const mv_host *host, const char *database, const char *other, const char *way_out,
                  mv_status *status) {
  mv_text name = MV_TEXT_INIT;
  bool ok = find(&name, host, database, status);
  if (ok && name.size > 0) {
    ok = mv_fail(status, MV_ARGUMENT, "%s.%s hides memview's table: name the source, as in %s.%s(source), or %s%s",
                 database, name.data, other, name.data, way_out != NULL ? way_out : "DETACH ",
                 way_out != NULL ? "" : database);
  }
  mv_text_free(&name);
  return ok;
}

bool mv_hidden_check(mv_host *host, mv_status *status) {
  bool ok = check(host, "temp", "main", "drop it", status);
  sqlite3_stmt *databases = NULL;
  const bool is_listed =
      ok && sqlite3_prepare_v2(host->connection.db, "PRAGMA database_list", -1, &databases, NULL) == SQLITE_OK;
  while (ok && is_listed && sqlite3_step(databases) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(databases, 1);
    if (name == NULL || sqlite3_stricmp(name, "temp") == 0) {
      continue;
    }
    const bool is_main = sqlite3_column_int(databases, 0) == 0;
    ok = check(host, name, "temp", is_main ? "open it in another database" : NULL, status);
  }
  sqlite3_finalize(databases);
  return ok;
}
