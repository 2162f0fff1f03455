#include "ext/db.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/text.h"

static sqlite3 *opened(int (*init)(sqlite3 *, char **, const void *)) {
  sqlite3 *db;
  char *error = NULL;
  cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  cr_assert_eq(init(db, &error, NULL), SQLITE_OK, "%s", error);
  return db;
}

sqlite3 *db_open(void) {
  return opened(sqlite3_memview_init);
}

sqlite3 *db_open_nofs(void) {
  return opened(sqlite3_memview_nofs_init);
}

void db_close(sqlite3 *db) {
  cr_expect_eq(sqlite3_close(db), SQLITE_OK, "a statement was left open");
}

static void add_row(mv_text *out, sqlite3_stmt *statement) {
  if (out->size > 0) {
    mv_text_char(out, '\n');
  }
  for (int i = 0; i < sqlite3_column_count(statement); i++) {
    const char *value = (const char *)sqlite3_column_text(statement, i);
    mv_text_add(out, i > 0 ? "|" : "");
    mv_text_add(out, value != NULL ? value : "NULL");
  }
}

char *db_ask(sqlite3 *db, const char *sql) {
  mv_text out = MV_TEXT_INIT;
  mv_text_add(&out, "");
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
    add_row(&out, statement);
    rc = SQLITE_OK;
  }
  if (rc != SQLITE_DONE) {
    mv_text_clear(&out);
    mv_text_format(&out, "error: %s", sqlite3_errmsg(db));
  }
  sqlite3_finalize(statement);
  cr_assert_not(out.failed);
  return out.data;
}

void db_expect(sqlite3 *db, const char *sql, const char *expected) {
  char *actual = db_ask(db, sql);
  cr_expect_str_eq(actual, expected, "%s\n gives: %s\n   not: %s", sql, actual, expected);
  free(actual);
}

void db_expect_error(sqlite3 *db, const char *sql, const char *part) {
  char *actual = db_ask(db, sql);
  cr_expect(strncmp(actual, "error: ", 7) == 0 && strstr(actual, part) != NULL, "%s\n gives: %s\n   not: %s", sql,
            actual, part);
  free(actual);
}

void db_do(sqlite3 *db, const char *sql) {
  char *error = NULL;
  cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &error), SQLITE_OK, "%s: %s", sql, error);
}

int db_steps(sqlite3 *db, const char *sql, int *rows) {
  sqlite3_stmt *statement;
  cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
  *rows = 0;
  int rc;
  while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
    ++*rows;
  }
  cr_assert_eq(rc, SQLITE_DONE, "%s: %s", sql, sqlite3_errmsg(db));
  const int steps = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
  sqlite3_finalize(statement);
  return steps;
}

char *db_plan(sqlite3 *db, const char *sql) {
  char *explain = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
  char *plan = db_ask(db, explain);
  sqlite3_free(explain);
  return plan;
}
