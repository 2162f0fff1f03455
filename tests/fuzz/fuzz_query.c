/* Bytes as the source of every table and function, through SQL.
 *
 * Each table is read whole; then every column that is found by an index is asked for values of its own, with the index
 * and without: both must give as many rows. A failure must say why.
 */
#include <sqlite3.h>

#include "functions.h"
#include "fuzz.h"
#include "support/tables.h"
#include "table.h"

SQLITE_EXTENSION_INIT3

int sqlite3_memview_nofs_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

typedef struct input {
  sqlite3 *db;
  mv_bytes bytes;
} input;

/* Run a statement whose first parameter is the source; the last row's first column, or -1. `sql` is freed. */
static int64_t run(const input *in, char *sql, int64_t value) {
  sqlite3_stmt *stmt = NULL;
  int64_t result = -1;
  FUZZ_CHECK(sql != NULL, "no memory");
  FUZZ_CHECK(sqlite3_prepare_v2(in->db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(in->db));
  sqlite3_bind_blob64(stmt, 1, in->bytes.data, in->bytes.size, SQLITE_STATIC);
  sqlite3_bind_int64(stmt, 2, value);
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
      const void *data = sqlite3_column_blob(stmt, i);
      fuzz_touch(mv_bytes_of(data, (size_t)sqlite3_column_bytes(stmt, i)));
    }
    result = sqlite3_column_int64(stmt, 0);
  }
  FUZZ_CHECK(rc == SQLITE_DONE || rc == SQLITE_ERROR || rc == SQLITE_TOOBIG, "%s: %d, %s", sql, rc,
             sqlite3_errmsg(in->db));
  FUZZ_CHECK(rc != SQLITE_ERROR || strstr(sqlite3_errmsg(in->db), "memview: ") != NULL ||
                 strstr(sqlite3_errmsg(in->db), "integer overflow") != NULL,
             "%s: %s", sql, sqlite3_errmsg(in->db));
  sqlite3_finalize(stmt);
  sqlite3_free(sql);
  return rc == SQLITE_DONE ? result : -1;
}

/* A column equal to a value that it has, found by the index and by comparing. */
static void compare(const input *in, const char *table, const char *column) {
  const char *const pick[] = {"min", "max"};
  for (size_t i = 0; i < 2; i++) {
    const int64_t value = run(in, sqlite3_mprintf("SELECT %s(\"%w\") FROM \"%w\"(?1)", pick[i], column, table), 0);
    const int64_t indexed =
        run(in, sqlite3_mprintf("SELECT count(*) FROM \"%w\"(?1) WHERE \"%w\" = ?2", table, column), value);
    const int64_t compared =
        run(in, sqlite3_mprintf("SELECT count(*) FROM \"%w\"(?1) WHERE +\"%w\" = ?2", table, column), value);
    FUZZ_CHECK(indexed == compared, "%s.%s = %lld: %lld rows by index, %lld by comparing", table, column,
               (long long)value, (long long)indexed, (long long)compared);
  }
}

static void query_table(const input *in, const mv_table *table) {
  const char *arguments = table_arguments(table);
  if (run(in, sqlite3_mprintf("SELECT count(*), * FROM \"%w\"%s GROUP BY rowid", table->name, arguments), 0) < 0 ||
      mv_table_source_count(table) != 1) {
    return;
  }
  compare(in, table->name, "module_id");
  if (table->has_space) {
    compare(in, table->name, "color");
  }
  for (size_t i = 0; i < table->column_count; i++) {
    if (table->columns[i].key != NULL) {
      compare(in, table->name, table->columns[i].name);
    }
  }
  if (table_has(table, MV_HIDDEN_AT)) {
    run(in, sqlite3_mprintf("SELECT * FROM \"%w\"(?1, ?2)", table->name), 1);
  }
  for (int by = 0; table_has(table, MV_HIDDEN_BY) && by <= MV_BY_CATEGORY; by++) {
    const char *name = mv_group_by_name((mv_group_by)by);
    run(in, sqlite3_mprintf("SELECT * FROM \"%w\"(?1, '%s')", table->name, name), 0);
  }
}

/* Of a function that takes a source, with the source alone and with all its other arguments NULL. */
static void query_function(const input *in, const mv_function *f) {
  if (strstr(f->arguments, "source") == NULL) {
    return;
  }
  for (int argc = 1; argc <= f->most; argc++) {
    if (argc < f->least) {
      continue;
    }
    char *arguments = sqlite3_mprintf("?1");
    for (int i = 1; i < argc; i++) {
      arguments = sqlite3_mprintf("%z, NULL", arguments);
    }
    run(in, sqlite3_mprintf("SELECT length(\"%w\"(%z))", f->name, arguments), 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {.bytes = mv_bytes_of(data, size)};
  char *error = NULL;
  FUZZ_CHECK(sqlite3_open(":memory:", &in.db) == SQLITE_OK, "no connection");
  FUZZ_CHECK(sqlite3_memview_nofs_init(in.db, &error, NULL) == SQLITE_OK, "%s", error);
  for (size_t i = 0; i < mv_table_count; i++) {
    query_table(&in, mv_tables[i]);
  }
  for (size_t i = 0; i < mv_function_count; i++) {
    query_function(&in, &mv_functions[i]);
  }
  FUZZ_CHECK(sqlite3_close(in.db) == SQLITE_OK, "the connection can't be closed");
  return 0;
}
