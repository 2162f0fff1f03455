/* What SQLite makes of queries as people and dashboards write them: a plan there is, it uses the equalities, and its
 * answer is right. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ext/db.h"

#define V6E "'" MV_TEST_DATA "/tpu-v6e-mlp.hlo.pb'"
#define CPU "'" MV_TEST_DATA "/cpu-mlp.hlo.pb'"
#define DUMP "'" MV_TEST_DATA "/dump'"

/* The same rows by the equality and by a filter that no table can use. */
static void expect_same(sqlite3 *db, const char *table, const char *column, const char *value, bool must_be_found) {
  char *by_key = sqlite3_mprintf("SELECT * FROM %s WHERE %s = %s", table, column, value);
  char *by_scan = sqlite3_mprintf("SELECT * FROM %s WHERE +%s = %s", table, column, value);
  char *expected = db_ask(db, by_scan);
  cr_expect(!must_be_found || strlen(expected) > 0, "%s", by_scan);
  db_expect(db, by_key, expected);
  free(expected);
  sqlite3_free(by_key);
  sqlite3_free(by_scan);
}

/* The same rows by the equality and by the same comparison where no table sees it, with the column's affinity. SQLite
 * does not look again at what these columns were found by. */
static void expect_exact(sqlite3 *db, const char *table, const char *column, const char *value) {
  char *by_plan = sqlite3_mprintf("SELECT count(*), total(%s) FROM %s WHERE %s = %s", column, table, column, value);
  char *by_scan = sqlite3_mprintf("SELECT count(*), total(%s) FROM %s WHERE CASE WHEN %s = %s THEN 1 END", column,
                                  table, column, value);
  char *expected = db_ask(db, by_scan);
  db_expect(db, by_plan, expected);
  free(expected);
  sqlite3_free(by_plan);
  sqlite3_free(by_scan);
}

/* An equality must not look at every row: the steps are counted. */
static void expect_found(sqlite3 *db, const char *table, const char *column, const char *value) {
  char *by_key = sqlite3_mprintf("SELECT * FROM %s WHERE %s = %s", table, column, value);
  char *by_scan = sqlite3_mprintf("SELECT * FROM %s WHERE +%s = %s", table, column, value);
  int rows;
  int rows_by_scan;
  const int steps = db_steps(db, by_key, &rows);
  const int steps_by_scan = db_steps(db, by_scan, &rows_by_scan);
  cr_expect_eq(rows, rows_by_scan, "%s", by_key);
  cr_expect_gt(rows, 0, "%s", by_key);
  cr_expect_lt(steps, 50 + 50 * rows, "%s takes %d steps, a scan %d", by_key, steps, steps_by_scan);
  cr_expect_lt(steps, steps_by_scan, "%s", by_key);
  sqlite3_free(by_key);
  sqlite3_free(by_scan);
}

Test(plans, equality_on_an_id_does_not_scan) {
  sqlite3 *db = db_open();
  expect_found(db, "buffers(" MLP ")", "buffer_id", "150");
  expect_found(db, "buffers(" MLP ")", "allocation_id", "26");
  expect_found(db, "allocations(" MLP ")", "allocation_id", "7");
  expect_found(db, "usage_curve(" MLP ")", "position", "20");
  expect_found(db, "usage_curve(" MLP ")", "allocation_id", "25");
  expect_found(db, "instructions(" MLP ")", "instruction_id", "261993005057");
  expect_found(db, "stack_frames(" MLP ")", "frame_id", "3");
  expect_found(db, "stack_frames(" MLP ")", "parent_frame_id", "2");
  db_close(db);
}

Test(plans, equality_on_a_memory_space_does_not_scan) {
  static const char *const tables[] = {"memory_spaces(" MLP ")", "allocations(" MLP ")", "buffers(" MLP ")",
                                       "usage_curve(" MLP ")", "peak_buffers(" MLP ")"};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    expect_same(db, tables[i], "color", "2", true);
    expect_same(db, tables[i], "memory_space", "'SFLAG'", true);
    expect_same(db, tables[i], "memory_space", "'sflag'", false);
    expect_same(db, tables[i], "color", "77", false);
    expect_same(db, tables[i], "memory_space", "'S(77)'", false);
    expect_same(db, tables[i], "memory_space", "'Collective'", false);
    if (strncmp(tables[i], "memory", 6) != 0) {
      expect_found(db, tables[i], "color", "2");
      expect_found(db, tables[i], "memory_space", "'SFLAG'");
    }
  }
  db_close(db);
}

Test(plans, key_and_space_together) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE position = 3", "2");
  db_expect(db, "SELECT memory_space FROM usage_curve(" MLP ") WHERE position = 3 AND color = 1", "VMEM");
  db_expect(db, "SELECT memory_space FROM usage_curve(" MLP ") WHERE position = 3 AND memory_space = 'SFLAG'", "SFLAG");
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE position = 3 AND color = 1 AND memory_space = 'SFLAG'",
            "0");
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE position = 3 AND position = 4", "0");
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ") WHERE buffer_id = 150 AND memory_space = 'no such'", "0");
  db_close(db);
}

Test(plans, values_of_any_type_against_an_id) {
  static const char *const values[] = {"'150'",
                                       "150.0",
                                       "'150.0'",
                                       "150.5",
                                       "'abc'",
                                       "''",
                                       "x'313530'",
                                       "NULL",
                                       "'150 '",
                                       "' 150'",
                                       "1e300",
                                       "-1",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "'0x96'",
                                       "1.5e2"};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char *sql = sqlite3_mprintf("SELECT count(*) FROM buffers(" MLP ") WHERE buffer_id = %s", values[i]);
    char *copy = sqlite3_mprintf("SELECT count(*) FROM copy WHERE buffer_id = %s", values[i]);
    db_do(db, "CREATE TEMP TABLE IF NOT EXISTS copy(buffer_id INTEGER)");
    db_do(db, "DELETE FROM copy");
    db_do(db, "INSERT INTO copy SELECT buffer_id FROM buffers(" MLP ")");
    char *expected = db_ask(db, copy);
    db_expect(db, sql, expected);
    free(expected);
    sqlite3_free(copy);
    sqlite3_free(sql);
  }
  db_close(db);
}

Test(plans, values_of_any_type_against_a_memory_space) {
  static const char *const values[] = {"'HBM'",
                                       "'hbm'",
                                       "'HBM '",
                                       "'HBM' || char(0)",
                                       "'HBM' || char(0) || 'x'",
                                       "x'48424D'",
                                       "CAST(x'48424D' AS TEXT)",
                                       "''",
                                       "0",
                                       "1.5",
                                       "NULL",
                                       "'0'",
                                       "'S(0)'",
                                       "'S(07)'",
                                       "(SELECT 'HBM')",
                                       "(SELECT x'48424D')",
                                       "(SELECT 0)"};
  static const char *const tables[] = {"memory_spaces(" MLP ")", "allocations(" MLP ")", "buffers(" MLP ")",
                                       "usage_curve(" MLP ")", "peak_buffers(" MLP ")"};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      expect_exact(db, tables[i], "memory_space", values[k]);
    }
  }
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ") WHERE buffer_id = 150 AND memory_space = 0", "0");
  db_expect(db,
            "SELECT count(*) FROM (SELECT NULL AS s UNION ALL SELECT 'HBM' UNION ALL SELECT 0) LEFT JOIN "
            "memory_spaces(" MLP ") m ON m.memory_space = s",
            "3");
  db_close(db);
}

Test(plans, null_equals_nothing) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE allocation_id = -9223372036854775808", "0");
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE buffer_id = -9223372036854775808", "0");
  db_expect(db, "SELECT count(*) FROM stack_frames(" MLP ") WHERE parent_frame_id = 0", "0");
  db_expect(db, "SELECT count(*) > 0 FROM stack_frames(" MLP ") WHERE parent_frame_id IS NULL", "1");
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE allocation_id IS NULL", "1");
  db_expect(db, "SELECT count(*) FROM usage_curve(" MLP ") WHERE allocation_id IS 25", "23");
  db_close(db);
}

Test(plans, module_ids) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT module_id, module FROM hlo_modules(" DUMP ") WHERE module_id = 2", "2|jit_pallas_step");
  db_expect(db, "SELECT count(*) FROM buffers(" DUMP ") WHERE module_id = 1", "61");
  static const char *const none[] = {"0",   "3",   "-1",  "9223372036854775807", "-9223372036854775808",
                                     "'x'", "1.5", "NULL"};
  static const char *const tables[] = {"hlo_modules", "memory_spaces", "allocations",  "buffers",
                                       "usage_curve", "peak_buffers",  "instructions", "stack_frames"};
  for (size_t t = 0; t < 8; t++) {
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
      char *sql = sqlite3_mprintf("SELECT count(*) FROM %s(" DUMP ") WHERE module_id = %s", tables[t], none[i]);
      db_expect(db, sql, "0");
      sqlite3_free(sql);
    }
    char *sql = sqlite3_mprintf("SELECT DISTINCT module_id FROM %s(" DUMP ") WHERE module_id IN (2, 1, 7) ORDER BY 1",
                                tables[t]);
    db_expect(db, sql, "1\n2");
    sqlite3_free(sql);
  }
  db_close(db);
}

Test(plans, values_of_any_type_against_a_module_id) {
  static const char *const values[] = {"1",
                                       "1.0",
                                       "'1'",
                                       "' 1 '",
                                       "'1.0'",
                                       "1e0",
                                       "'1e0'",
                                       "'01'",
                                       "'+1'",
                                       "'0x1'",
                                       "0x1",
                                       "x'31'",
                                       "CAST(x'31' AS TEXT)",
                                       "'1x'",
                                       "'1' || char(0)",
                                       "1.0000000001",
                                       "1e300",
                                       "-1e300",
                                       "9223372036854775808",
                                       "18446744073709551617",
                                       "9e999",
                                       "''",
                                       "(SELECT 1)",
                                       "(SELECT '1')",
                                       "(SELECT 1.0)",
                                       "(SELECT x'31')",
                                       "(SELECT CAST(1 AS TEXT))",
                                       "(SELECT CAST(x'31' AS BLOB))",
                                       "NULL"};
  static const char *const tables[] = {"hlo_modules(" DUMP ")", "buffers(" DUMP ")", "usage_curve(" MLP ")",
                                       "stack_frames(" DUMP ")"};
  sqlite3 *db = db_open();
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      expect_exact(db, tables[t], "module_id", values[i]);
    }
  }
  expect_found(db, "buffers(" DUMP ")", "module_id", "1.0");
  expect_found(db, "buffers(" DUMP ")", "module_id", "2");
  db_do(db, "CREATE TABLE ids(t TEXT, n NUMERIC, b BLOB)");
  db_do(db, "INSERT INTO ids VALUES ('1', '1.0', '1'), ('2.0', 2.5, x'32'), ('x', NULL, 2.0)");
  static const char *const columns[] = {"t", "n", "b"};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    char *by_key = sqlite3_mprintf("SELECT m.module_id, %s FROM ids LEFT JOIN hlo_modules(" DUMP ") m "
                                   "ON m.module_id = ids.%s ORDER BY ids.rowid",
                                   columns[i], columns[i]);
    char *by_scan = sqlite3_mprintf("SELECT m.module_id, %s FROM ids LEFT JOIN hlo_modules(" DUMP ") m "
                                    "ON CASE WHEN m.module_id = ids.%s THEN 1 END ORDER BY ids.rowid",
                                    columns[i], columns[i]);
    char *expected = db_ask(db, by_scan);
    db_expect(db, by_key, expected);
    free(expected);
    sqlite3_free(by_key);
    sqlite3_free(by_scan);
  }
  db_close(db);
}

Test(plans, modules_by_name) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT DISTINCT module_id FROM buffers(" DUMP ") WHERE module = 'jit_pallas_step'", "2");
  db_expect(db, "SELECT DISTINCT module_id FROM buffers(" DUMP ") WHERE module IN ('jit_pallas_step', 'none')", "2");
  db_expect(db, "SELECT count(*) FROM buffers(" DUMP ") WHERE module = 'none'", "0");
  db_expect(db, "SELECT count(*) FROM buffers(" DUMP ") WHERE module = 5", "0");
  db_expect(db, "SELECT count(*) FROM buffers(" DUMP ") WHERE module = x'6a69745f70616c6c61735f73746570'", "0");
  db_expect(db, "SELECT count(*) FROM buffers(" DUMP ") WHERE module = 'jit_pallas_step' || char(0)", "0");
  db_expect(db, "SELECT count(DISTINCT module) FROM buffers(" DUMP ") WHERE module LIKE 'JIT\\_%' ESCAPE '\\'", "2");
  db_expect(db, "SELECT count(DISTINCT module) FROM buffers(" DUMP ") WHERE module GLOB 'jit_*'", "2");
  db_close(db);
}

Test(plans, another_collation_loses_no_row) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT DISTINCT module FROM buffers(" DUMP ") WHERE module = 'JIT_PALLAS_STEP' COLLATE NOCASE",
            "jit_pallas_step");
  db_expect(db, "SELECT DISTINCT module FROM buffers(" DUMP ") WHERE module COLLATE NOCASE = 'JIT_PALLAS_STEP'",
            "jit_pallas_step");
  db_expect(db, "SELECT DISTINCT module FROM buffers(" DUMP ") WHERE module COLLATE NOCASE IN ('JIT_PALLAS_STEP')",
            "jit_pallas_step");
  db_expect(db, "SELECT DISTINCT module FROM buffers(" DUMP ") WHERE module = 'jit_pallas_step  ' COLLATE RTRIM",
            "jit_pallas_step");
  db_expect(db, "SELECT memory_space FROM memory_spaces(" MLP ") WHERE memory_space = 'vmem' COLLATE NOCASE", "VMEM");
  db_do(db, "CREATE TABLE wanted(name TEXT COLLATE NOCASE)");
  db_do(db, "INSERT INTO wanted VALUES ('Jit_Pallas_Step')");
  db_expect(db, "SELECT DISTINCT module FROM wanted JOIN buffers(" DUMP ") b ON wanted.name = b.module",
            "jit_pallas_step");
  db_close(db);
}

Test(plans, in_lists) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT buffer_id FROM buffers(" MLP ") WHERE buffer_id IN (150, 3, 150, 99999, NULL, '5') ORDER BY 1",
            "3\n5\n150");
  db_expect(db, "SELECT memory_space FROM memory_spaces(" MLP ") WHERE color IN (0, 2) ORDER BY color", "HBM\nSFLAG");
  db_expect(db, "SELECT memory_space FROM memory_spaces(" MLP ") WHERE memory_space IN ('VMEM', 'HBM') ORDER BY color",
            "HBM\nVMEM");
  db_expect(db,
            "SELECT count(*) FROM buffers(" MLP ") WHERE allocation_id IN (SELECT allocation_id FROM allocations(" MLP
            ") WHERE category = 'Parameter')",
            "8");
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ") WHERE buffer_id NOT IN (3, 5, 150)", "70");
  db_close(db);
}

Test(plans, sources_in_a_list) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT count(DISTINCT path), count(*) FROM hlo_modules WHERE source IN (" MLP ", " V6E ", " CPU ")",
            "3|3");
  db_do(db, "CREATE TABLE paths(path)");
  db_do(db, "INSERT INTO paths VALUES (" MLP "), (" V6E ")");
  db_expect(db, "SELECT count(*) FROM hlo_modules WHERE source IN (SELECT path FROM paths)", "2");
  db_close(db);
}

Test(plans, hidden_columns_with_other_operators) {
  static const char *const conditions[] = {"source IS NOT NULL",
                                           "source <> ''",
                                           "source LIKE '%'",
                                           "source > ''",
                                           "at IS NULL",
                                           "source IS NOT NULL AND at IS NULL"};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
    char *sql = sqlite3_mprintf("SELECT count(*) FROM peak_buffers(" MLP ") WHERE %s", conditions[i]);
    db_expect(db, sql, "30");
    sqlite3_free(sql);
  }
  db_expect(db, "SELECT source = " MLP ", at FROM peak_buffers(" MLP ", 4) LIMIT 1", "1|4");
  db_expect(db, "SELECT count(*) FROM peak_buffers(" MLP ") WHERE source IS NULL", "0");
  db_close(db);
}

Test(plans, lateral_joins_over_a_table_of_paths) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE paths(path)");
  db_do(db, "INSERT INTO paths VALUES (" CPU "), (" MLP "), (" V6E ")");
  static const char *const joins[] = {
      "SELECT p.rowid, s.memory_space FROM paths p, memory_spaces(p.path) s ORDER BY p.rowid, s.color",
      "SELECT p.rowid, s.memory_space FROM paths p JOIN memory_spaces s ON s.source = p.path ORDER BY p.rowid, s.color",
      "SELECT p.rowid, s.memory_space FROM paths p LEFT JOIN memory_spaces s ON s.source = p.path ORDER BY 1, s.color",
      "SELECT p.rowid, s.memory_space FROM memory_spaces s, paths p WHERE s.source = p.path ORDER BY p.rowid, s.color",
      "SELECT p.rowid, s.memory_space FROM paths p CROSS JOIN memory_spaces(p.path) s ORDER BY p.rowid, s.color",
  };
  for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
    db_expect(db, joins[i], "1|Host\n2|HBM\n2|VMEM\n2|SFLAG\n3|HBM\n3|VMEM\n3|SFLAG\n3|SMEM");
  }
  db_close(db);
}

Test(plans, lateral_joins_of_three_tables) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE paths(path)");
  db_do(db, "INSERT INTO paths VALUES (" CPU "), (" MLP "), (" V6E ")");
  db_expect(
      db,
      "SELECT m.module, s.memory_space, count(*), sum(b.size_bytes) = s.peak_bytes FROM paths p, hlo_modules(p.path) m "
      "JOIN memory_spaces(p.path) s USING (module_id) JOIN peak_buffers(p.path) b USING (module_id, color) "
      "GROUP BY p.rowid, s.color",
      "jit_train_step|Host|18|1\njit_mlp_step|HBM|16|1\njit_mlp_step|VMEM|9|1\njit_mlp_step|SFLAG|5|1\n"
      "jit_mlp_step|HBM|16|1\njit_mlp_step|VMEM|10|1\njit_mlp_step|SFLAG|5|1\njit_mlp_step|SMEM|1|1");
  db_close(db);
}

/* An argument that is there twice need be usable once only. */
Test(plans, sources_compared_with_each_other) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE paths(path, at)");
  db_do(db, "INSERT INTO paths VALUES (" CPU ", 3), (" MLP ", 4)");
  db_expect(db,
            "SELECT count(*) FROM paths p, memory_spaces(p.path) s, allocations(p.path) a "
            "WHERE a.source = s.source AND a.color = s.color",
            "56");
  db_expect(db,
            "SELECT count(*) FROM paths p, peak_buffers(p.path, p.at) a, peak_buffers(p.path, p.at) b "
            "WHERE a.at = b.at AND a.source = b.source AND a.buffer_id = b.buffer_id",
            "41");
  db_expect(db, "SELECT count(*) FROM memory_spaces(" MLP ") WHERE source = " CPU, "0");
  db_close(db);
}

Test(plans, left_joins_keep_what_has_no_partner) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT count(*), count(b.buffer_id) FROM usage_curve(" MLP ") u LEFT JOIN buffers(" MLP ") b "
            "ON b.buffer_id = u.buffer_id",
            "63|60");
  db_expect(db,
            "SELECT f.frame_id, p.frame_id FROM stack_frames(" MLP ") f LEFT JOIN stack_frames(" MLP ") p "
            "ON p.frame_id = f.parent_frame_id WHERE f.frame_id = 1",
            "1|NULL");
  db_close(db);
}

Test(plans, positions) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT DISTINCT position FROM peak_buffers(" MLP ", 4)", "4");
  db_expect(db, "SELECT DISTINCT position FROM peak_buffers(" MLP ", '4')", "4");
  db_expect(db, "SELECT DISTINCT position FROM peak_buffers(" MLP ") WHERE at = 4", "4");
  db_expect(db, "SELECT DISTINCT position FROM peak_buffers(" MLP ") WHERE at IN (3, 5) ORDER BY 1", "3\n5");
  db_expect(db,
            "SELECT (SELECT count(*) FROM peak_buffers(" MLP ", NULL)) = (SELECT count(*) FROM peak_buffers(" MLP "))",
            "1");
  static const char *const wrong[] = {"-1", "'x'", "1.5", "x'31'", "''", "'-3'", "1e30"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char *sql = sqlite3_mprintf("SELECT count(*) FROM peak_buffers(" MLP ", %s)", wrong[i]);
    db_expect_error(db, sql, "memview: at must be a program position, 0 or more, or NULL for the peak");
    sqlite3_free(sql);
  }
  db_expect(db,
            "SELECT count(*) FROM usage_curve(" MLP ") u WHERE color = 1 AND bytes <> "
            "(SELECT coalesce(sum(size_bytes), 0) FROM peak_buffers(" MLP ", u.position) p WHERE p.color = 1)",
            "0");
  db_close(db);
}

Test(plans, group_by_union_and_order) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT memory_space, max(n) FROM (SELECT memory_space, count(*) AS n FROM buffers(" MLP ") GROUP BY 1 "
            "UNION ALL SELECT memory_space, count(*) FROM buffers(" V6E ") GROUP BY 1) "
            "WHERE memory_space = 'SMEM' GROUP BY 1",
            "SMEM|1");
  db_expect(db, "SELECT max(size_bytes) FROM buffers(" MLP ") ORDER BY rowid", "1605632");
  db_close(db);
}

Test(plans, a_users_own_table_hides_ours) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE allocations(allocation_id, size_bytes)");
  db_do(db, "INSERT INTO allocations VALUES (1, 2)");
  db_expect(db, "SELECT * FROM allocations", "1|2");
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ") JOIN allocations USING (allocation_id)", "1");
  db_close(db);
}

Test(plans, arguments_that_are_too_many) {
  sqlite3 *db = db_open();
  db_expect_error(db, "SELECT * FROM buffers(" MLP ", 3)", "too many arguments on buffers()");
  db_expect_error(db, "SELECT * FROM peak_buffers(" MLP ", 3, 4)", "too many arguments on peak_buffers()");
  db_close(db);
}

Test(plans, tables_are_read_only) {
  sqlite3 *db = db_open();
  db_expect_error(db, "DELETE FROM buffers", "may not be modified");
  db_expect_error(db, "INSERT INTO buffers(buffer_id) VALUES (1)", "may not be modified");
  db_expect_error(db, "CREATE VIRTUAL TABLE b USING buffers", "no such module: buffers");
  db_close(db);
}

Test(plans, say_which_equalities_are_used) {
  sqlite3 *db = db_open();
  char *plan =
      db_plan(db, "SELECT * FROM buffers(" MLP ") b JOIN allocations(" MLP ") a USING (module_id, allocation_id) "
                  "WHERE a.color = 0");
  /* allocations by source and color outside, buffers by source, module and key inside */
  cr_expect_not_null(strstr(plan, "SCAN a VIRTUAL TABLE INDEX 65"), "%s", plan);
  cr_expect_not_null(strstr(plan, "SCAN b VIRTUAL TABLE INDEX"), "%s", plan);
  free(plan);
  db_close(db);
}
