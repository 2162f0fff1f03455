/* The functions, and what they say to arguments that are none. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ext/db.h"

Test(functions, bytes_of_shapes) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT padded_bytes(s), unpadded_bytes(s), padding_bytes(s) FROM (SELECT "
            "'f32[1000,64]{1,0:T(8,128)}' AS s)",
            "512000|256000|256000");
  db_expect(db, "SELECT padded_bytes('(f32[2]{0}, (s8[3]{0}, token[]))'), unpadded_bytes('f32[]')", "11|4");
  db_expect(db, "SELECT typeof(padded_bytes('f32[]'))", "integer");
  db_close(db);
}

Test(functions, null_gives_null) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT padded_bytes(NULL), unpadded_bytes(NULL), padding_bytes(NULL)", "NULL|NULL|NULL");
  db_close(db);
}

Test(functions, what_is_no_shape_is_an_error) {
  static const char *const wrong[] = {
      "''",         "'f32'",    "'f32[8'",          "'f32[8]{0'",         "'f32[-1]'",       "'f32[8] x'",
      "'x f32[8]'", "'g32[8]'", "'f32[8]{0:T(0)}'", "'f32[8]{1}'",        "'f32[8,8]{0,0}'", "'(f32[8]'",
      "5",          "1.5",      "x'6633325b385d'",  "'f32[8]' || char(0)"};
  static const char *const functions[] = {"padded_bytes", "unpadded_bytes", "padding_bytes"};
  sqlite3 *db = db_open();
  for (size_t f = 0; f < 3; f++) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      char *sql = sqlite3_mprintf("SELECT %s(%s)", functions[f], wrong[i]);
      char *answer = db_ask(db, sql);
      cr_expect(strncmp(answer, "error: memview: ", 16) == 0 && strchr(answer, '\n') == NULL, "%s gives %s", sql,
                answer);
      free(answer);
      sqlite3_free(sql);
    }
    char *sql = sqlite3_mprintf("SELECT %s()", functions[f]);
    db_expect_error(db, sql, "wrong number of arguments");
    sqlite3_free(sql);
    sql = sqlite3_mprintf("SELECT %s('f32[]', 'f32[]')", functions[f]);
    db_expect_error(db, sql, "wrong number of arguments");
    sqlite3_free(sql);
  }
  db_close(db);
}

Test(functions, many_calls_in_one_statement) {
  sqlite3 *db = db_open();
  db_expect(db,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
            "SELECT sum(unpadded_bytes('s8[' || i || ']{0}')) FROM n",
            "200010000");
  db_close(db);
}

Test(functions, version) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_version()", MV_VERSION);
  db_close(db);
}

Test(functions, report_has_every_module_and_space) {
  sqlite3 *db = db_open();
  char *report = db_ask(db, "SELECT memview_report('" DATA "dump')");
  cr_expect_not_null(strstr(report, "jit_mlp_step"), "%s", report);
  cr_expect_not_null(strstr(report, "jit_pallas_step"), "%s", report);
  cr_expect_not_null(strstr(report, "VMEM"), "%s", report);
  cr_expect_not_null(strstr(report, "scoped VMEM: 4.34 MiB in blocked_matmul.2"), "%s", report);
  free(report);
  db_expect_error(db, "SELECT memview_report('/no/such')", "memview: '/no/such': can't be opened");
  db_expect_error(db, "SELECT memview_report(NULL)", "memview: the source is NULL");
  db_expect_error(db, "SELECT memview_report('a', 'b')",
                  "the style of a report is 'b': it must be 'text' or 'markdown'");
  db_expect_error(db, "SELECT memview_report('a', 'text', 1)", "wrong number of arguments");
  db_expect(db, "SELECT memview_report('" DATA "dump', 'markdown') LIKE '### jit%### jit%'", "1");
  db_close(db);
}

Test(functions, report_of_a_module_without_an_assignment) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT memview_report('" DATA "dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb') "
            "LIKE '%problem: no buffer assignment%'",
            "1");
  db_close(db);
}
