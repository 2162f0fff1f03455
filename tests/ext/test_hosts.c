/* What hosts do to a connection: time limits, authorizers, traces, databases with tables of the same names, views where
 * no file may be opened, memory that is to be given back. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/clock.h"
#include "ext/db.h"
#include "host.h"
#include "interrupt.h"
#include "support/files.h"
#include "support/proto_builder.h"

/* ---- Whether to stop ---- */

enum { LONG_AGO_NS = 50 * 1000 * 1000 };

/* Ask in the middle of long work: now, and with all steps. */
static bool is_wanted(sqlite3 *db) {
  mv_interrupt interrupt = {.db = db, .looked_ns = mv_now_ns() - LONG_AGO_NS};
  const bool result = mv_interrupt_is_wanted(&interrupt);
  cr_expect_null(sqlite3_next_stmt(db, NULL), "nothing stays open");
  return result;
}

static int handle(void *arg) {
  return *(const int *)arg;
}

Test(interrupt, reaches_progress_handlers) {
  static const int yes = 1;
  static const int no = 0;
  static const int steps[] = {1, 100, 1000, MV_INTERRUPT_STEPS};
  sqlite3 *db = db_open();
  cr_expect_not(is_wanted(db));
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    sqlite3_progress_handler(db, steps[i], handle, (void *)(uintptr_t)&yes);
    cr_expect(is_wanted(db), "%d", steps[i]);
    sqlite3_progress_handler(db, steps[i], handle, (void *)(uintptr_t)&no);
    cr_expect_not(is_wanted(db), "%d", steps[i]);
  }
  sqlite3_progress_handler(db, 0, NULL, NULL);
  cr_expect_not(is_wanted(db));
  db_close(db);
}

/* Not asked again within milliseconds, and what has just begun does not take all the steps. */
Test(interrupt, is_asked_for_now_and_then) {
  static const int yes = 1;
  sqlite3 *db = db_open();
  sqlite3_progress_handler(db, 1000, handle, (void *)(uintptr_t)&yes);
  mv_interrupt interrupt = {.db = db};
  cr_expect_not(mv_interrupt_is_wanted(&interrupt), "work begins");
  cr_expect_gt(interrupt.looked_ns, 0);
  const int64_t looked = interrupt.looked_ns;
  cr_expect_not(mv_interrupt_is_wanted(&interrupt));
  cr_expect(interrupt.looked_ns == looked || interrupt.looked_ns - looked >= 10 * 1000 * 1000);
  interrupt.looked_ns = mv_now_ns() + 3600 * INT64_C(1000000000); /* the clock was set back */
  interrupt.worked_ns = interrupt.looked_ns;
  cr_expect_not(mv_interrupt_is_wanted(&interrupt), "work begins again");
  cr_expect_leq(interrupt.looked_ns, mv_now_ns());
  interrupt.looked_ns -= LONG_AGO_NS;
  interrupt.worked_ns -= LONG_AGO_NS;
  cr_expect(mv_interrupt_is_wanted(&interrupt));
  sqlite3_progress_handler(db, 0, NULL, NULL);
  db_close(db);
}

static int deny(void *arg, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)a;
  (void)b;
  (void)c;
  (void)d;
  return action == *(const int *)arg ? SQLITE_DENY : SQLITE_OK;
}

static int select_only(void *arg, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)arg;
  (void)a;
  (void)b;
  (void)c;
  (void)d;
  return action == SQLITE_SELECT ? SQLITE_OK : SQLITE_DENY;
}

Test(interrupt, an_authorizer_that_denies_is_none) {
  static const int denied = SQLITE_SELECT;
  static const int yes = 1;
  sqlite3 *db = db_open();
  sqlite3_set_authorizer(db, deny, (void *)(uintptr_t)&denied);
  cr_expect_not(is_wanted(db));
  sqlite3_set_authorizer(db, select_only, NULL); /* no functions, tables or recursion: it asks for none of them */
  sqlite3_progress_handler(db, 1000, handle, (void *)(uintptr_t)&yes);
  cr_expect(is_wanted(db));
  sqlite3_progress_handler(db, 0, NULL, NULL);
  cr_expect_not(is_wanted(db));
  sqlite3_set_authorizer(db, NULL, NULL);
  db_close(db);
}

Test(interrupt, works_where_limits_leave_room_for_little) {
  sqlite3 *db = db_open();
  sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 10);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 60);
  cr_expect_not(is_wanted(db));
  db_close(db);
}

static int trace(unsigned type, void *arg, void *statement, void *sql) {
  (void)type;
  (void)statement;
  mv_text_add(arg, sql);
  return 0;
}

Test(interrupt, says_to_those_who_trace_what_it_is) {
  mv_text traced = MV_TEXT_INIT;
  sqlite3 *db = db_open();
  sqlite3_trace_v2(db, SQLITE_TRACE_STMT, trace, &traced);
  cr_expect_not(is_wanted(db));
  cr_assert_not_null(traced.data);
  cr_expect_not_null(strstr(traced.data, "/* memview asks whether to stop */"), "%s", traced.data);
  sqlite3_trace_v2(db, 0, NULL, NULL);
  db_close(db);
  mv_text_free(&traced);
}

Test(interrupt, takes_no_lock) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, "a.db", mv_bytes_of("", 0));
  sqlite3 *db = db_open();
  sqlite3 *other;
  char *attach = sqlite3_mprintf("ATTACH %Q AS a", path);
  db_do(db, attach);
  cr_assert_eq(sqlite3_open(path, &other), SQLITE_OK);
  db_do(other, "BEGIN EXCLUSIVE");
  cr_expect_not(is_wanted(db));
  db_do(other, "COMMIT");
  db_do(db, "BEGIN");
  cr_expect_not(is_wanted(db));
  cr_expect_eq(sqlite3_txn_state(db, NULL), SQLITE_TXN_NONE);
  db_do(db, "COMMIT");
  cr_expect_eq(sqlite3_close(other), SQLITE_OK);
  db_close(db);
  sqlite3_free(attach);
  remove_folder(folder);
}

/* ---- Tables that hide memview's ---- */

#define OPEN "SELECT memview_open(" MLP ")"

Test(hidden, by_an_attached_database) {
  sqlite3 *db = db_open();
  db_do(db, "ATTACH ':memory:' AS \"old one\"");
  db_expect(db, OPEN, "1");
  db_do(db, "CREATE TABLE \"old one\".Memory_Spaces(peak_bytes)");
  db_expect_error(
      db, OPEN,
      "memview: old one.Memory_Spaces hides memview's table: name the source, as in temp.Memory_Spaces(source), "
      "or DETACH old one");
  db_expect(db, "SELECT count(*) FROM memory_spaces", "0");
  db_expect(db, "SELECT count(*) FROM temp.memory_spaces", "3"); /* what was open stays open */
  db_expect(db, "SELECT count(*) FROM temp.memory_spaces(" MLP ")", "3");
  db_do(db, "DETACH \"old one\"");
  db_expect(db, OPEN, "1");
  db_expect(db, "SELECT count(*) FROM memory_spaces", "3");
  db_close(db);
}

Test(hidden, by_any_table_or_view_of_any_database) {
  static const char *const tables[] = {"hlo_modules", "memory_spaces", "allocations",  "buffers",
                                       "usage_curve", "peak_buffers",  "instructions", "stack_frames"};
  static const char *const databases[] = {"main", "temp", "old"};
  sqlite3 *db = db_open();
  db_do(db, "ATTACH ':memory:' AS old");
  for (size_t i = 0; i < 8; i++) {
    for (size_t k = 0; k < 6; k++) {
      char *sql = sqlite3_mprintf(k < 3 ? "CREATE TABLE %s.%s(a)" : "CREATE VIEW %s.%s AS SELECT 1", databases[k % 3],
                                  tables[i]);
      char *named = sqlite3_mprintf("memview: %s.%s hides memview's table: ", databases[k % 3], tables[i]);
      db_do(db, sql);
      db_expect_error(db, OPEN, named);
      sqlite3_free(sql);
      sql = sqlite3_mprintf("DROP %s %s.%s", k < 3 ? "TABLE" : "VIEW", databases[k % 3], tables[i]);
      db_do(db, sql);
      db_expect(db, OPEN, "1");
      sqlite3_free(sql);
      sqlite3_free(named);
    }
  }
  db_do(db, "CREATE TABLE a(b)");
  db_do(db, "CREATE INDEX buffers ON a(b)"); /* hides nothing */
  db_do(db, "CREATE TABLE devices(serial)"); /* nothing that depends on what is opened */
  db_expect(db, OPEN, "1");
  db_close(db);
}

Test(hidden, says_the_way_out_that_there_is) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE buffers(a)");
  db_expect_error(db, OPEN, "as in temp.buffers(source), or open it in another database");
  db_do(db, "CREATE TEMP TABLE buffers(a)");
  db_expect_error(db, OPEN, "temp.buffers hides memview's table");
  db_do(db, "DROP TABLE main.buffers");
  db_expect_error(db, OPEN, "as in main.buffers(source), or drop it");
  db_expect(db, "SELECT count(*) FROM main.buffers(" MLP ")", "73");
  db_close(db);
}

/* Who may not read the schema can't be told; opening works all the same. */
Test(hidden, under_an_authorizer) {
  static const int actions[] = {SQLITE_READ, SQLITE_PRAGMA};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < 2; i++) {
    sqlite3_stmt *s;
    cr_assert_eq(sqlite3_prepare_v2(db, OPEN, -1, &s, NULL), SQLITE_OK);
    sqlite3_set_authorizer(db, deny, (void *)(uintptr_t)&actions[i]);
    cr_expect_eq(sqlite3_step(s), SQLITE_ROW, "%s", sqlite3_errmsg(db));
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_finalize(s);
  }
  db_close(db);
}

/* ---- Views of a database ---- */

static void add_dump(sqlite3 *db) {
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  sqlite3_stmt *s;
  db_do(db, "CREATE TABLE dumps(content BLOB)");
  cr_assert_eq(sqlite3_prepare_v2(db, "INSERT INTO dumps VALUES (?)", -1, &s, NULL), SQLITE_OK);
  sqlite3_bind_blob(s, 1, bytes.data, (int)bytes.size, SQLITE_STATIC);
  cr_assert_eq(sqlite3_step(s), SQLITE_DONE);
  sqlite3_finalize(s);
  mv_text_free(&bytes);
}

Test(views, of_a_database_show_pictures_and_pages_of_blobs) {
  static const char *const calls[] = {"timeline_svg(content)",  "timeline_dot(content, 1)",
                                      "timeline_html(content)", "usage_svg(content, NULL, 'host')",
                                      "peak_svg(content)",      "memview_report(content)",
                                      "memview_html(content)",  "coalesce(memview_problem(content), 'none at all')"};
  sqlite3 *nofs = db_open_nofs();
  sqlite3 *opening = db_open();
  add_dump(nofs);
  add_dump(opening);
  sqlite3_db_config(nofs, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    char *view = sqlite3_mprintf("CREATE VIEW v%d AS SELECT %s AS made FROM dumps", (int)i, calls[i]);
    char *ask = sqlite3_mprintf("SELECT length(made) > 10 FROM v%d", (int)i);
    db_do(nofs, view);
    db_do(opening, view);
    db_expect(nofs, ask, "1");
    db_expect_error(opening, ask, "unsafe use of");
    sqlite3_free(ask);
    sqlite3_free(view);
  }
  db_do(nofs, "CREATE VIEW changing AS SELECT memview_open(content) FROM dumps");
  db_expect_error(nofs, "SELECT * FROM changing", "unsafe use of memview_open()");
  db_do(nofs, "CREATE VIEW closing AS SELECT memview_close()");
  db_expect_error(nofs, "SELECT * FROM closing", "unsafe use of memview_close()");
  db_close(opening);
  db_close(nofs);
}

/* ---- Memory ---- */

static size_t footprint(sqlite3 *db) {
  return mv_source_cache_footprint(mv_host_find(db, true)->cache);
}

static const char EACH[] =
    "SELECT sum(peak_bytes) > 0, (SELECT count(*) FROM buffers WHERE buffer_id = 3) FROM memory_spaces";

Test(memory, memview_close_gives_all_back) {
  unsetenv("MEMVIEW_CACHE_BYTES");
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_open(" MLP ")", "1");
  db_expect(db, EACH, "1|1");
  db_expect(db, "SELECT count(*) > 0 FROM buffers('" DATA "dump')", "1");
  cr_expect_gt(footprint(db), 100000);
  db_expect(db, "SELECT memview_close()", "1");
  cr_expect_eq(footprint(db), 0);
  db_expect(db, "SELECT count(*) > 0 FROM buffers('" DATA "dump')", "1");
  cr_expect_gt(footprint(db), 0);
  db_expect(db, "SELECT memview_close()", "0"); /* nothing was open, and what was kept goes all the same */
  cr_expect_eq(footprint(db), 0);
  db_close(db);
}

/* What a running query reads stays until it is done. */
Test(memory, memview_close_while_a_query_reads) {
  sqlite3 *db = db_open();
  sqlite3_stmt *s;
  cr_assert_eq(sqlite3_prepare_v2(db, "SELECT instruction, shape FROM buffers(" MLP ")", -1, &s, NULL), SQLITE_OK);
  cr_assert_eq(sqlite3_step(s), SQLITE_ROW);
  db_expect(db, "SELECT memview_close()", "0");
  int rows = 1;
  while (sqlite3_step(s) == SQLITE_ROW) {
    rows++;
  }
  cr_expect_eq(rows, 73);
  sqlite3_finalize(s);
  db_expect(db, "SELECT memview_close()", "0");
  cr_expect_eq(footprint(db), 0);
  db_close(db);
}

Test(memory, is_bounded_by_the_environment) {
  sqlite3 *db = db_open();
  setenv("MEMVIEW_CACHE_BYTES", "0", 1);
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ")", "73");
  cr_expect_eq(footprint(db), 0, "nothing is kept");
  db_expect(db, "SELECT memview_open(" MLP ")", "1");
  const size_t opened = footprint(db);
  db_expect(db, EACH, "1|1");
  cr_expect_eq(footprint(db), opened, "the list of modules of what is open, and no module");
  setenv("MEMVIEW_CACHE_BYTES", "64M", 1);
  db_expect(db, EACH, "1|1");
  const size_t kept = footprint(db);
  cr_expect_gt(kept, 10 * opened);
  setenv("MEMVIEW_CACHE_BYTES", "1K", 1); /* what is above goes with the next query */
  db_expect(db, "SELECT count(*) FROM hlo_modules", "1");
  cr_expect_lt(footprint(db), kept);
  static const char *const wrong[] = {"x", "-1", "1.5", "5X", "1GB", "99999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char *message = sqlite3_mprintf("memview: MEMVIEW_CACHE_BYTES is '%s', not a number of bytes", wrong[i]);
    setenv("MEMVIEW_CACHE_BYTES", wrong[i], 1);
    db_expect_error(db, "SELECT * FROM buffers(" MLP ")", message);
    sqlite3_free(message);
  }
  unsetenv("MEMVIEW_CACHE_BYTES");
  db_close(db);
}

/* The inner table of a join starts anew for each outer row: that must not read the file each time. */
Test(memory, of_a_small_cache_serves_a_join) {
  setenv("MEMVIEW_CACHE_BYTES", "0", 1);
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  write_file(path, folder, "a.hlo.pb", pb_view(&bytes));
  sqlite3 *db = db_open();
  char *sql =
      sqlite3_mprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) "
                      "SELECT count(b.buffer_id) FROM n LEFT JOIN buffers b ON b.source = %Q AND b.buffer_id = i",
                      path);
  sqlite3_stmt *s;
  cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
  const long long before = bytes_read();
  cr_assert_eq(sqlite3_step(s), SQLITE_ROW);
  cr_expect_gt(sqlite3_column_int(s, 0), 10);
  cr_expect_lt(bytes_read() - before, 2 * (long long)bytes.size);
  cr_expect_eq(footprint(db) > 0, true, "it is still read");
  sqlite3_finalize(s);
  sqlite3_free(sql);
  db_close(db);
  remove_folder(folder);
  mv_text_free(&bytes);
  unsetenv("MEMVIEW_CACHE_BYTES");
}
