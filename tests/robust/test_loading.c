/* The extension as hosts load it: twice into one connection, beside itself, taken away while statements are open. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const char SUM[] = "SELECT sum(peak_bytes) FROM memory_spaces('" MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb')";

static sqlite3 *open_db(const char *name) {
  sqlite3 *db = NULL;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  cr_assert_eq(sqlite3_open_v2(name, &db, flags, NULL), SQLITE_OK);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
  return db;
}

static void load(sqlite3 *db, const char *entry) {
  char *error = NULL;
  cr_assert_eq(sqlite3_load_extension(db, MV_EXTENSION, entry, &error), SQLITE_OK, "%s", error);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
  return stmt;
}

static sqlite3_int64 number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = prepare(db, sql);
  cr_assert_eq(sqlite3_step(stmt), SQLITE_ROW, "%s: %s", sql, sqlite3_errmsg(db));
  const sqlite3_int64 value = sqlite3_column_int64(stmt, 0);
  sqlite3_finalize(stmt);
  return value;
}

/* The peaks of tests/data/tpu-v5e-mlp.hlo.pb, as a connection with nothing special about it sees them. */
static sqlite3_int64 expected_sum(void) {
  sqlite3 *db = open_db(":memory:");
  load(db, NULL);
  const sqlite3_int64 sum = number(db, SUM);
  cr_assert_gt(sum, 0);
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  return sum;
}

static const char OPEN[] = "SELECT memview_open('" MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb')";
static const char SUM_OF_OPENED[] = "SELECT sum(peak_bytes) FROM memory_spaces";

Test(loading, again_keeps_what_was_opened) {
  static const char *const entries[] = {NULL, "sqlite3_extension_init", "sqlite3_memview_init"};
  const sqlite3_int64 sum = expected_sum();
  for (size_t i = 0; i < 9; i++) {
    sqlite3 *db = open_db(":memory:");
    load(db, entries[i / 3]);
    cr_expect_eq(number(db, OPEN), 1);
    load(db, entries[i % 3]);
    cr_expect_eq(number(db, SUM_OF_OPENED), sum);
    cr_expect_eq(number(db, "SELECT memview_close()"), 1);
    cr_expect_eq(sqlite3_close(db), SQLITE_OK);
  }
}

/* The function load_extension is called by a statement, under which SQLite lets no function be replaced. */
Test(loading, by_sql_and_again_by_sql) {
  const sqlite3_int64 sum = expected_sum();
  sqlite3 *db = open_db(":memory:");
  sqlite3_enable_load_extension(db, 1); /* for SQL too, unlike SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION */
  number(db, "SELECT load_extension('" MV_EXTENSION "')");
  cr_expect_eq(number(db, OPEN), 1);
  number(db, "SELECT load_extension('" MV_EXTENSION "')");
  number(db, "SELECT load_extension('" MV_EXTENSION "', 'sqlite3_memview_init') FROM memory_spaces");
  cr_expect_eq(number(db, SUM_OF_OPENED), sum);
  cr_expect_eq(sqlite3_close(db), SQLITE_OK);
}

Test(loading, another_entry_point_is_refused_while_a_statement_runs) {
  sqlite3 *db = open_db(":memory:");
  load(db, NULL);
  sqlite3_stmt *running = prepare(db, SUM);
  cr_assert_eq(sqlite3_step(running), SQLITE_ROW);
  char *error = NULL;
  cr_expect_eq(sqlite3_load_extension(db, MV_EXTENSION, "sqlite3_memview_nofs_init", &error), SQLITE_ERROR);
  cr_expect_not_null(strstr(error, "active statements"), "%s", error);
  sqlite3_free(error);
  sqlite3_finalize(running);
  cr_expect_eq(number(db, OPEN), 1, "tables and functions are of one entry point");
  cr_expect_gt(number(db, SUM_OF_OPENED), 0);
  cr_expect_eq(sqlite3_close(db), SQLITE_OK);
}

Test(loading, and_back_to_the_first_entry_point) {
  const sqlite3_int64 sum = expected_sum();
  sqlite3 *db = open_db(":memory:");
  load(db, NULL);
  load(db, "sqlite3_memview_nofs_init");
  load(db, NULL);
  cr_expect_eq(number(db, SUM), sum);
  cr_expect_eq(sqlite3_close(db), SQLITE_OK);
}

Test(loading, again_while_a_statement_runs) {
  const sqlite3_int64 sum = expected_sum();
  sqlite3 *db = open_db(":memory:");
  load(db, NULL);
  sqlite3_stmt *running = prepare(db, "SELECT * FROM buffers('" MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb')");
  cr_assert_eq(sqlite3_step(running), SQLITE_ROW);
  load(db, NULL);
  cr_expect_eq(number(db, OPEN), 1);
  cr_expect_eq(number(db, SUM_OF_OPENED), sum);
  int rows = 1;
  while (sqlite3_step(running) == SQLITE_ROW) {
    rows++;
  }
  cr_expect_gt(rows, 10);
  sqlite3_finalize(running);
  cr_expect_eq(number(db, SUM), sum);
  cr_expect_eq(sqlite3_close(db), SQLITE_OK);
}

Test(loading, the_entry_point_without_files_takes_the_place_of_the_other) {
  sqlite3 *db = open_db(":memory:");
  load(db, NULL);
  load(db, "sqlite3_memview_nofs_init");
  sqlite3_stmt *stmt = prepare(db, SUM);
  cr_expect_eq(sqlite3_step(stmt), SQLITE_ERROR);
  cr_expect_str_eq(sqlite3_errmsg(db), "memview: files are not opened here: pass the bytes as a BLOB");
  sqlite3_finalize(stmt);
  cr_expect_eq(sqlite3_close(db), SQLITE_OK);
}

Test(loading, closing_with_open_statements_waits_for_them) {
  sqlite3 *db = open_db(":memory:");
  load(db, NULL);
  sqlite3_stmt *running = prepare(db, "SELECT * FROM buffers('" MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb')");
  sqlite3_stmt *waiting = prepare(db, SUM);
  cr_assert_eq(sqlite3_step(running), SQLITE_ROW);
  cr_expect_eq(sqlite3_close(db), SQLITE_BUSY);
  cr_expect_eq(sqlite3_close_v2(db), SQLITE_OK);
  cr_expect_eq(sqlite3_step(running), SQLITE_ROW);
  cr_expect_eq(sqlite3_step(waiting), SQLITE_ROW);
  sqlite3_finalize(waiting);
  cr_expect_eq(sqlite3_step(running), SQLITE_ROW);
  sqlite3_finalize(running); /* the last one takes the connection, and the cache with it */
}

Test(loading, and_unloading_a_hundred_times) {
  const sqlite3_int64 sum = expected_sum();
  for (int i = 0; i < 100; i++) {
    sqlite3 *db = open_db(":memory:");
    load(db, NULL);
    if (i % 10 == 0) {
      cr_expect_eq(number(db, SUM), sum);
    }
    cr_expect_eq(sqlite3_close(db), SQLITE_OK);
  }
}

Test(loading, connections_that_share_a_cache) {
  const sqlite3_int64 sum = expected_sum();
  sqlite3 *one = open_db("file:cache?mode=memory&cache=shared");
  sqlite3 *other = open_db("file:cache?mode=memory&cache=shared");
  load(one, NULL);
  load(other, NULL);
  char *error = NULL;
  cr_assert_eq(sqlite3_exec(one,
                            "CREATE TABLE peaks AS SELECT peak_bytes FROM memory_spaces('" MV_TEST_DATA
                            "/tpu-v5e-mlp.hlo.pb')",
                            NULL, NULL, &error),
               SQLITE_OK, "%s", error);
  cr_expect_eq(number(other, "SELECT sum(peak_bytes) FROM peaks"), sum);
  cr_expect_eq(number(other, SUM), sum);
  cr_expect_eq(sqlite3_close(one), SQLITE_OK);
  cr_expect_eq(number(other, SUM), sum);
  cr_expect_eq(sqlite3_close(other), SQLITE_OK);
}
