/* What tables and functions are given: numbers as hosts bind them, names in any case, NULL, positions, sources that are
 * none. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ext/db.h"
#include "support/files.h"
#include "support/hlo_builder.h"

#define DUMP "'" MV_TEST_DATA "/dump'"
#define NO_COMPARISON "memview: at is an argument, a program position: give it as at = 5 or at IN (5, 9)"

static void expect_same(sqlite3 *db, const char *one, const char *other) {
  char *answer = db_ask(db, other);
  cr_expect(strncmp(answer, "error", 5) != 0 && strlen(answer) > 0, "%s: %s", other, answer);
  db_expect(db, one, answer);
  free(answer);
}

/* A module for GPU with an allocation of 10, 200, 3000 bytes in the spaces 0, 1 and 7, each with a heap: of 4, 2 and 6
 * events. */
static void write_gpu(char path[PATH_ROOM], const char *folder) {
  static const int64_t colors[] = {0, 1, 7};
  static const int64_t sizes[] = {10, 200, 3000};
  static const char *const events[] = {"A1 F1 A1 F1", "A2 F2", "A3 F3 A3 F3 A3 F3"};
  hlo h = hlo_new("jit_f");
  for (int64_t i = 0; i < 3; i++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = i + 1, .name = "i", .shape = "s8[8]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i + 1, .size = sizes[i], .color = colors[i], .instruction = i + 1});
    hlo_allocation(&h, (hlo_allocation_args){.id = i, .size = sizes[i], .color = colors[i]});
    hlo_assign(&h, i + 1, 0);
    hlo_trace(&h, i, events[i]);
  }
  mv_text proto = hlo_proto(&h);
  write_file(path, folder, "module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb", pb_view(&proto));
  mv_text_free(&proto);
}

/* ---- Numbers ---- */

Test(numbers, bound_as_real) {
  sqlite3 *db = db_open();
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ", 4.0)", "SELECT * FROM peak_buffers(" MLP ", 4)");
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ") WHERE at IN (4.0, 5.0)",
              "SELECT * FROM peak_buffers(" MLP ") WHERE at IN (4, 5)");
  expect_same(db, "SELECT at FROM peak_buffers(" MLP ", 4.0)", "SELECT at FROM peak_buffers(" MLP ", '4')");
  static const char *const functions[] = {"timeline_svg", "timeline_dot", "timeline_html", "usage_svg", "peak_svg"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    char *real = sqlite3_mprintf("SELECT %s(" DUMP ", 2.0, 1.0)", functions[i]);
    char *integer = sqlite3_mprintf("SELECT %s(" DUMP ", 2, 1)", functions[i]);
    expect_same(db, real, integer);
    sqlite3_free(integer);
    sqlite3_free(real);
  }
  db_close(db);
}

/* What a table finds by an index is found by a REAL too, without a scan. */
Test(numbers, real_keys_are_looked_up) {
  static const struct {
    const char *table;
    const char *condition;
  } keys[] = {{"buffers", "buffer_id = 150.0"},   {"buffers", "allocation_id = 26.0"},
              {"buffers", "color = 2.0"},         {"usage_curve", "position = 20.0"},
              {"stack_frames", "frame_id = 3.0"}, {"instructions", "instruction_id = 261993005057.0"},
              {"allocations", "color = 2.0"},     {"memory_spaces", "color = 2.0 AND module_id = 1.0"}};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char *sql = sqlite3_mprintf("SELECT * FROM %s(" MLP ") WHERE %s", keys[i].table, keys[i].condition);
    int rows;
    const int steps = db_steps(db, sql, &rows);
    cr_expect_gt(rows, 0, "%s", sql);
    cr_expect_lt(steps, 50 + 50 * rows, "%s takes %d steps", sql, steps);
    sqlite3_free(sql);
  }
  db_close(db);
}

Test(numbers, that_are_not_whole) {
  sqlite3 *db = db_open();
  db_expect_error(db, "SELECT timeline_svg(" MLP ", 1.5)",
                  "memview: module is 1.5, not a whole number: give a module_id");
  db_expect_error(db, "SELECT timeline_svg(" MLP ", 1, 0.5)", "memview: memory_space is 0.5, not a whole number");
  db_expect_error(db, "SELECT peak_svg(" MLP ", 9e999)", "memview: module is inf, not a whole number");
  db_expect_error(db, "SELECT peak_svg(" MLP ", 1e300)", "memview: module is 1e+300, not a whole number");
  db_expect_error(db, "SELECT peak_svg(" MLP ", 2.0)", "memview: there is no module_id 2");
  db_expect_error(db, "SELECT * FROM peak_buffers(" MLP ", 1.5)", "memview: at must be a program position");
  db_expect_error(db, "SELECT * FROM peak_buffers(" MLP ", -1.0)", "memview: at must be a program position");
  static const char *const conditions[] = {"module_id = 1.5", "color = 0.5", "color = 1e300"};
  for (size_t i = 0; i < 3; i++) {
    char *sql = sqlite3_mprintf("SELECT count(*) FROM buffers(" MLP ") WHERE %s", conditions[i]);
    db_expect(db, sql, "0");
    sqlite3_free(sql);
  }
  db_close(db);
}

/* ---- Positions ---- */

Test(positions, by_another_comparison_are_an_error) {
  static const char *const wrong[] = {"at > 5",           "at >= 5",
                                      "at < 5",           "at <> 5",
                                      "at IS 5",          "at IS NOT 5",
                                      "at IS NOT NULL",   "at BETWEEN 3 AND 5",
                                      "at NOT IN (3, 4)", "at LIKE '5'",
                                      "NOT at = 5",       "at + 0 = 5",
                                      "abs(at) = 5",      "coalesce(at, 0) = 0",
                                      "at = 5 OR at > 7"};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char *sql = sqlite3_mprintf("SELECT count(*) FROM peak_buffers(" MLP ") WHERE %s", wrong[i]);
    db_expect_error(db, sql, NO_COMPARISON);
    sqlite3_free(sql);
  }
  db_expect_error(db, "SELECT at FROM peak_buffers(" MLP ")", NO_COMPARISON);
  db_close(db);
}

Test(positions, that_are_given_may_be_compared_too) {
  sqlite3 *db = db_open();
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ", 5) WHERE at > 3", "SELECT * FROM peak_buffers(" MLP ", 5)");
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ") WHERE at = 5 AND at IS NOT NULL AND at <> 4",
              "SELECT * FROM peak_buffers(" MLP ", 5)");
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ") WHERE at = 4 OR at = 5",
              "SELECT * FROM peak_buffers(" MLP ") WHERE at IN (4, 5)");
  db_expect(db, "SELECT count(*) FROM peak_buffers(" MLP ", 5) WHERE at > 5", "0");
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ") WHERE at IS NULL", "SELECT * FROM peak_buffers(" MLP ")");
  expect_same(db, "SELECT * FROM peak_buffers(" MLP ", NULL)", "SELECT * FROM peak_buffers(" MLP ")");
  db_expect(db, "SELECT DISTINCT at FROM peak_buffers(" MLP ", NULL)", "NULL");
  db_expect(db, "SELECT count(*) FROM (SELECT * FROM peak_buffers(" MLP ", 5) LIMIT 3 OFFSET 1)", "3");
  db_close(db);
}

Test(positions, behind_the_end_of_every_heap_are_an_error) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_gpu(path, folder);
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE files(path)");
  char *insert = sqlite3_mprintf("INSERT INTO files VALUES (%Q)", path);
  db_do(db, insert);
  sqlite3_free(insert);
  db_expect_error(db, "SELECT count(*) FROM files, peak_buffers(path, 7)",
                  "memview: at is 7, behind the last program position, 6");
  db_expect_error(db, "SELECT count(*) FROM files, peak_buffers(path, 9223372036854775807)",
                  "memview: at is 9223372036854775807, behind the last program position, 6");
  db_expect_error(db, "SELECT count(*) FROM files, peak_buffers(path) WHERE at IN (5, 7)",
                  "memview: at is 7, behind the last program position, 6");
  db_expect(db, "SELECT count(*) FROM files, peak_buffers(path, 6)", "0"); /* nothing is live */
  db_expect(db, "SELECT size_bytes FROM files, peak_buffers(path, 5)", "3000");
  db_close(db);
  remove_folder(folder);
}

/* A memory space that stands in the query is all that it asks for. Those of a join or an IN are some of several, and
 * their heaps end at different positions. */
Test(positions, behind_the_end_of_some_heaps) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_gpu(path, folder);
  sqlite3 *db = db_open();
  char *open = sqlite3_mprintf("SELECT memview_open(%Q)", path);
  db_expect(db, open, "1");
  sqlite3_free(open);
  db_expect_error(db, "SELECT count(*) FROM peak_buffers WHERE at = 5 AND color = 0",
                  "memview: at is 5, behind the last program position, 4");
  db_expect_error(db, "SELECT count(*) FROM peak_buffers WHERE at = 5 AND memory_space = 'hbm'",
                  "memview: at is 5, behind the last program position, 4");
  db_expect(db, "SELECT color FROM peak_buffers WHERE at = 5 AND color IN (0, 7)", "7");
  db_expect(db, "SELECT color FROM peak_buffers WHERE at = 5 AND memory_space IN ('HBM', 'Collective')", "7");
  db_expect(db, "SELECT color FROM peak_buffers WHERE at = 5 AND memory_space = 'Collective'", "7");
  db_expect(
      db,
      "SELECT s.color, p.size_bytes FROM memory_spaces s LEFT JOIN peak_buffers p ON p.color = s.color AND p.at = 5 "
      "ORDER BY 1",
      "0|NULL\n1|NULL\n7|3000");
  db_expect(db, "SELECT p.color FROM hlo_modules m JOIN peak_buffers p ON p.module_id = m.module_id AND p.at = 5", "7");
  db_expect(db, "SELECT count(*) FROM peak_buffers WHERE at = 7 AND color = 3", "0"); /* there is no such space */
  db_expect(db, "SELECT count(*) FROM peak_buffers WHERE at = 7 AND module = 'no such'", "0");
  db_close(db);
  remove_folder(folder);
}

/* The modules of a folder end at different positions too: 38 and 11 or so. */
Test(positions, in_several_modules) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT module_id, count(p.color) > 0 FROM hlo_modules(" DUMP ") m LEFT JOIN peak_buffers(" DUMP
            ", 30) p USING (module_id) GROUP BY 1",
            "1|1\n2|0");
  db_expect(db, "SELECT DISTINCT module_id FROM peak_buffers(" DUMP ", 30) WHERE module_id IN (1, 2)", "1");
  db_expect_error(db, "SELECT * FROM peak_buffers(" DUMP ", 30) WHERE module_id = 2", "memview: at is 30, behind");
  db_expect_error(db, "SELECT * FROM peak_buffers(" DUMP ", 30) WHERE module = 'jit_pallas_step'",
                  "memview: at is 30, behind");
  db_close(db);
}

/* ---- Names ---- */

Test(names, of_memory_spaces_in_any_case) {
  static const char *const tables[] = {"memory_spaces", "allocations", "buffers", "usage_curve", "peak_buffers"};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    static const char *const conditions[] = {
        "memory_space = 'vmem'", "memory_space IN ('vMEM', 'nope')", "memory_space = 'vmem' AND color = 1",
        "memory_space = 'vmem' COLLATE NOCASE", "+memory_space = 'vmem' COLLATE NOCASE"};
    char *right = sqlite3_mprintf("SELECT * FROM %s(" MLP ") WHERE memory_space = 'VMEM'", tables[i]);
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
      char *sql = sqlite3_mprintf("SELECT * FROM %s(" MLP ") WHERE %s", tables[i], conditions[k]);
      expect_same(db, sql, right);
      sqlite3_free(sql);
    }
    sqlite3_free(right);
    char *binary =
        sqlite3_mprintf("SELECT count(*) FROM %s(" MLP ") WHERE memory_space = 'vmem' COLLATE BINARY", tables[i]);
    db_expect(db, binary, "0");
    sqlite3_free(binary);
  }
  expect_same(db, "SELECT timeline_svg(" MLP ", 1, 'vmem')", "SELECT timeline_svg(" MLP ", 1, 'VMEM')");
  db_expect_error(db, "SELECT timeline_svg(" MLP ", 1, 'vmen')", "its memory spaces: HBM (0), VMEM (1), SFLAG (2)");
  db_close(db);
}

Test(names, of_categories_and_the_like_in_any_case) {
  static const struct {
    const char *table;
    const char *found;
    const char *right;
  } names[] = {{"allocations", "category = 'temporary'", "category = 'Temporary'"},
               {"buffers", "category = 'PARAMETER'", "category = 'Parameter'"},
               {"peak_buffers", "category IN ('parameter')", "category = 'Parameter'"},
               {"buffers", "element_type = 'BF16'", "element_type = 'bf16'"},
               {"usage_curve", "event = 'alloc'", "event = 'ALLOC'"},
               {"hlo_modules", "platform = 'tpu'", "platform = 'TPU'"}};
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *found = sqlite3_mprintf("SELECT * FROM %s(" MLP ") WHERE %s", names[i].table, names[i].found);
    char *right = sqlite3_mprintf("SELECT * FROM %s(" MLP ") WHERE %s", names[i].table, names[i].right);
    expect_same(db, found, right);
    sqlite3_free(right);
    sqlite3_free(found);
  }
  db_close(db);
}

Test(names, of_two_memory_spaces) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_gpu(path, folder);
  sqlite3 *db = db_open();
  char *open = sqlite3_mprintf("SELECT memview_open(%Q)", path);
  db_expect(db, open, "1");
  sqlite3_free(open);
  db_expect(db, "SELECT color, peak_bytes FROM memory_spaces WHERE memory_space = 'Collective'", "1|200\n7|3000");
  db_expect(db, "SELECT color, peak_bytes FROM memory_spaces WHERE memory_space = 'Collective' AND color = 7",
            "7|3000");
  db_expect(db, "SELECT color, peak_bytes FROM memory_spaces WHERE memory_space = 'Collective' AND color = 0", "");
  static const char *const tables[] = {"memory_spaces", "allocations", "buffers", "usage_curve", "peak_buffers"};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    char *by_name = sqlite3_mprintf("SELECT rowid, * FROM %s WHERE memory_space = 'collective'", tables[i]);
    char *by_scan = sqlite3_mprintf("SELECT rowid, * FROM %s WHERE +memory_space = 'Collective'", tables[i]);
    expect_same(db, by_name, by_scan);
    sqlite3_free(by_scan);
    sqlite3_free(by_name);
  }
  db_expect(db, "SELECT color FROM buffers WHERE buffer_id = 3 AND memory_space = 'Collective'", "7");
  char *picture = sqlite3_mprintf("SELECT usage_svg(%Q, 1, 'collective') = usage_svg(%Q, 1, 1)", path, path);
  db_expect(db, picture, "1"); /* the first of them */
  sqlite3_free(picture);
  db_close(db);
  remove_folder(folder);
}

/* ---- Sources ---- */

Test(null_source, has_no_rows) {
  static const char *const tables[] = {"hlo_modules", "memory_spaces", "allocations",  "buffers",
                                       "usage_curve", "peak_buffers",  "instructions", "stack_frames"};
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_open(" MLP ")", "1"); /* which NULL does not mean */
  db_do(db, "CREATE TABLE paths(path)");
  db_do(db, "INSERT INTO paths VALUES (NULL), (" MLP ")");
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    char *sql = sqlite3_mprintf("SELECT count(*) FROM %s(NULL)", tables[i]);
    db_expect(db, sql, "0");
    sqlite3_free(sql);
    sql = sqlite3_mprintf("SELECT (SELECT count(*) FROM paths, %s(paths.path)) = (SELECT count(*) FROM %s(" MLP "))",
                          tables[i], tables[i]);
    db_expect(db, sql, "1");
    sqlite3_free(sql);
  }
  db_expect(db, "SELECT count(*) FROM peak_buffers(NULL, 3)", "0");
  db_expect(db, "SELECT p.rowid, m.module FROM paths p LEFT JOIN hlo_modules m ON m.source = p.path",
            "1|NULL\n2|jit_mlp_step");
  db_close(db);
}

Test(problem, is_null_for_what_can_be_shown) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_problem(" MLP ")", "NULL");
  db_expect(db, "SELECT memview_problem('" DATA "dump'), memview_problem('" DATA "logdir')", "NULL|NULL");
  db_expect(db, "SELECT memview_problem('" DATA "bad/mixed')", "NULL"); /* one module can */
  db_expect(db, "SELECT memview_open(" MLP "), memview_problem()", "1|NULL");
  db_close(db);
}

Test(problem, says_why_else) {
  unsetenv("MEMVIEW_SOURCE");
  static const struct {
    const char *source;
    const char *problem;
  } bad[] = {
      {"'/no/such'", "'/no/such': can't be opened: No such file or directory"},
      {"NULL", "the source is NULL: give a path or a BLOB"},
      {"5", "the source is a number: give a path or a BLOB"},
      {"''", "the path is empty"},
      {"x''", "the BLOB is empty (0 bytes)"},
      {"CAST('some text' AS BLOB)", "the BLOB is text, not an HloProto or XSpace"},
      {"'" DATA "dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb'", "no buffer assignment"},
      {"", "no source: pass a path or a BLOB"},
  };
  sqlite3 *db = db_open();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *sql = sqlite3_mprintf("SELECT memview_problem(%s)", bad[i].source);
    char *problem = db_ask(db, sql);
    cr_expect_not_null(strstr(problem, bad[i].problem), "%s is %s", sql, problem);
    cr_expect(strncmp(problem, "error", 5) != 0 && strchr(problem, '\n') == NULL, "%s is %s", sql, problem);
    free(problem);
    sqlite3_free(sql);
  }
  db_close(db);
}

/* What has no problem gives rows, and what has one would have stopped the query. */
Test(problem, leaves_bad_sources_out) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE paths(path)");
  db_do(db, "INSERT INTO paths VALUES (NULL), ('/no/such'), (" MLP "), ('" DATA "bad/empty.pb'), (5), "
            "('" DATA "README.md'), ('" DATA "cpu-mlp.hlo.pb')");
  db_expect_error(db, "SELECT count(*) FROM paths, memory_spaces(path)", "memview: ");
  db_expect(
      db,
      "SELECT p.rowid, s.memory_space FROM paths p, memory_spaces(p.path) s WHERE memview_problem(p.path) IS NULL "
      "ORDER BY 1, s.color",
      "3|HBM\n3|VMEM\n3|SFLAG\n7|Host");
  db_expect(db,
            "SELECT p.rowid, m.module FROM paths p LEFT JOIN hlo_modules m ON m.source = iif(memview_problem(p.path) "
            "IS NULL, p.path, NULL) ORDER BY 1",
            "1|NULL\n2|NULL\n3|jit_mlp_step\n4|NULL\n5|NULL\n6|NULL\n7|jit_train_step");
  db_close(db);
}

Test(problem, where_files_are_not_opened) {
  sqlite3 *db = db_open_nofs();
  db_expect(db, "SELECT memview_problem(" MLP ")", "files are not opened here: pass the bytes as a BLOB");
  db_expect(db, "SELECT memview_problem(x'0a') IS NULL", "0");
  db_close(db);
}
