/* Connections: what each has open, who may ask for files, and that all is given back when it closes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ext/db.h"
#include "support/files.h"
#include "support/hlo_builder.h"

#define V6E "'" MV_TEST_DATA "/tpu-v6e-mlp.hlo.pb'"
#define NO_SOURCE "memview: no source: pass a path or a BLOB"

/* A BLOB of a file of tests/data as the only row of the table `blobs`. */
static void add_blob(sqlite3 *db, const char *file, bool packed) {
  mv_text bytes = read_data(file);
  if (packed) {
    mv_text gzip = gzip_of(pb_view(&bytes));
    mv_text_free(&bytes);
    bytes = gzip;
  }
  db_do(db, "CREATE TABLE IF NOT EXISTS blobs(data BLOB)");
  sqlite3_stmt *s;
  cr_assert_eq(sqlite3_prepare_v2(db, "INSERT INTO blobs VALUES (?)", -1, &s, NULL), SQLITE_OK);
  cr_assert_eq(sqlite3_bind_blob(s, 1, bytes.data, (int)bytes.size, SQLITE_STATIC), SQLITE_OK);
  cr_assert_eq(sqlite3_step(s), SQLITE_DONE);
  sqlite3_finalize(s);
  mv_text_free(&bytes);
}

static void write_module(char path[PATH_ROOM], const char *folder, const char *name, int64_t instructions) {
  hlo h = hlo_new(name);
  for (int64_t id = 1; id <= instructions; id++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = id, .name = "i"});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 10 * instructions, .is_constant = true});
  mv_text proto = hlo_proto(&h);
  write_file(path, folder, "m.hlo.pb", pb_view(&proto));
  mv_text_free(&proto);
}

Test(sources, a_blob_is_the_file) {
  for (int packed = 0; packed < 2; packed++) {
    sqlite3 *db = db_open();
    add_blob(db, "tpu-v5e-mlp.hlo.pb", packed);
    db_expect(db, "SELECT module, path, instruction_count FROM blobs, hlo_modules(data)", "jit_mlp_step|NULL|216");
    char *by_path = db_ask(db, "SELECT * FROM buffers(" MLP ")");
    db_expect(db, "SELECT b.* FROM blobs, buffers(data) b", by_path);
    free(by_path);
    db_expect(db, "SELECT b.source = data, typeof(b.source) FROM blobs, memory_spaces(data) b LIMIT 1", "1|blob");
    db_close(db);
  }
}

Test(sources, wrong_ones_are_told_in_one_line) {
  sqlite3 *db = db_open();
  db_expect_error(db, "SELECT usage_svg(NULL)", "memview: the source is NULL: give a path or a BLOB");
  db_expect_error(db, "SELECT * FROM buffers(5)", "memview: the source is a number: give a path or a BLOB");
  db_expect_error(db, "SELECT * FROM buffers(1.5)", "memview: the source is a number: give a path or a BLOB");
  db_expect_error(db, "SELECT * FROM buffers('')", "memview: the path is empty");
  db_expect_error(db, "SELECT * FROM buffers('a' || char(0) || 'b')", "memview: the path has a NUL character in it");
  db_expect_error(db, "SELECT * FROM buffers('/no/such.pb')",
                  "memview: '/no/such.pb': can't be opened: No such file or directory");
  db_expect_error(db, "SELECT * FROM buffers(x'')", "memview: the BLOB is empty (0 bytes)");
  db_expect_error(db, "SELECT * FROM buffers(x'0a')", "memview: the BLOB is");
  db_expect_error(db, "SELECT * FROM buffers(CAST('some text' AS BLOB))",
                  "memview: the BLOB is text, not an HloProto or XSpace");
  db_close(db);
}

Test(sources, without_one_it_is_an_error_that_says_how) {
  unsetenv("MEMVIEW_SOURCE");
  sqlite3 *db = db_open();
  static const char *const tables[] = {"hlo_modules", "memory_spaces", "allocations",  "buffers",
                                       "usage_curve", "peak_buffers",  "instructions", "stack_frames"};
  for (size_t i = 0; i < 8; i++) {
    char *sql = sqlite3_mprintf("SELECT * FROM %s", tables[i]);
    db_expect_error(db, sql, NO_SOURCE);
    sqlite3_free(sql);
  }
  db_expect_error(db, "SELECT memview_report()", NO_SOURCE);
  db_close(db);
}

Test(sources, the_environment_names_one) {
  setenv("MEMVIEW_SOURCE", DATA "tpu-v5e-mlp.hlo.pb", 1);
  sqlite3 *db = db_open();
  db_expect(db, "SELECT module FROM hlo_modules", "jit_mlp_step");
  db_expect(db, "SELECT count(*) FROM peak_buffers WHERE at = 4 AND color = 1", "4");
  db_expect(db, "SELECT module_id, source IS NOT NULL FROM hlo_modules", "1|1");
  setenv("MEMVIEW_SOURCE", DATA "cpu-mlp.hlo.pb", 1);
  db_expect(db, "SELECT module FROM hlo_modules", "jit_train_step");
  setenv("MEMVIEW_SOURCE", "", 1);
  db_expect_error(db, "SELECT * FROM hlo_modules", NO_SOURCE);
  setenv("MEMVIEW_SOURCE", "/no/such", 1);
  db_expect_error(db, "SELECT * FROM hlo_modules", "memview: '/no/such': can't be opened");
  db_close(db);
  unsetenv("MEMVIEW_SOURCE");
}

Test(sources, memview_open_goes_before_the_environment_and_an_argument_before_both) {
  setenv("MEMVIEW_SOURCE", DATA "gpu-h100-mlp.hlo.pb", 1);
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_close()", "0");
  db_expect(db, "SELECT memview_open(" MLP ")", "1");
  db_expect(db, "SELECT module, platform FROM hlo_modules", "jit_mlp_step|TPU");
  db_expect(db, "SELECT platform FROM hlo_modules('" DATA "cpu-mlp.hlo.pb')", "CPU");
  db_expect(db, "SELECT memview_open('" DATA "dump')", "2");
  db_expect(db, "SELECT count(*) FROM hlo_modules", "2");
  db_expect_error(db, "SELECT memview_open('/no/such')", "memview: '/no/such': can't be opened");
  db_expect(db, "SELECT count(*) FROM hlo_modules", "2");
  db_expect(db, "SELECT memview_close()", "1");
  db_expect(db, "SELECT memview_close()", "0");
  db_expect(db, "SELECT platform FROM hlo_modules", "GPU");
  db_close(db);
  unsetenv("MEMVIEW_SOURCE");
}

Test(sources, memview_open_takes_a_blob) {
  sqlite3 *db = db_open();
  add_blob(db, "tpu-v5e-mlp.hlo.pb", false);
  db_expect(db, "SELECT memview_open(data) FROM blobs", "1");
  db_do(db, "DROP TABLE blobs");
  db_expect(db, "SELECT module, path FROM hlo_modules", "jit_mlp_step|NULL");
  db_expect_error(db, "SELECT memview_open(NULL)", "memview: the source is NULL");
  db_expect_error(db, "SELECT memview_open(3)", "memview: the source is a number");
  db_expect_error(db, "SELECT memview_open()", "wrong number of arguments");
  db_close(db); /* while it is open */
}

Test(sources, a_file_that_changes_between_two_queries) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_module(path, folder, "before", 3);
  sqlite3 *db = db_open();
  char *sql = sqlite3_mprintf("SELECT module, count(*) FROM instructions(%Q)", path);
  char *open = sqlite3_mprintf("SELECT memview_open(%Q)", path);
  db_expect(db, sql, "before|3");
  db_expect(db, open, "1");
  write_module(path, folder, "behind", 5);
  db_expect(db, sql, "behind|5");
  db_expect(db, "SELECT module, count(*) FROM instructions", "behind|5");
  cr_assert_eq(unlink(path), 0);
  db_expect_error(db, sql, "can't be opened: No such file or directory");
  db_expect_error(db, "SELECT * FROM instructions", "can't be opened: No such file or directory");
  sqlite3_free(open);
  sqlite3_free(sql);
  db_close(db);
  remove_folder(folder);
}

Test(sources, a_file_that_changes_while_it_is_read) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_module(path, folder, "before", 3);
  sqlite3 *db = db_open();
  sqlite3_stmt *s;
  char *sql = sqlite3_mprintf("SELECT module, instruction_id FROM instructions(%Q)", path);
  cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
  cr_assert_eq(sqlite3_step(s), SQLITE_ROW);
  write_module(path, folder, "behind", 5);
  char *count = sqlite3_mprintf("SELECT count(*) FROM instructions(%Q)", path);
  db_expect(db, count, "5");
  cr_assert_eq(sqlite3_step(s), SQLITE_ROW);
  cr_expect_str_eq((const char *)sqlite3_column_text(s, 0), "before", "a query sees one state");
  cr_assert_eq(sqlite3_step(s), SQLITE_ROW);
  cr_expect_eq(sqlite3_step(s), SQLITE_DONE);
  sqlite3_finalize(s);
  sqlite3_free(count);
  sqlite3_free(sql);
  db_close(db);
  remove_folder(folder);
}

Test(sources, memview_close_while_a_query_reads) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_open(" MLP ")", "1");
  sqlite3_stmt *s;
  cr_assert_eq(sqlite3_prepare_v2(db, "SELECT instruction, shape FROM buffers", -1, &s, NULL), SQLITE_OK);
  cr_assert_eq(sqlite3_step(s), SQLITE_ROW);
  db_expect(db, "SELECT memview_close()", "1");
  int rows = 1;
  while (sqlite3_step(s) == SQLITE_ROW) {
    rows++;
  }
  cr_expect_eq(rows, 73);
  sqlite3_finalize(s);
  db_close(db);
}

Test(schema, temp_views_may_read_files_and_stored_ones_may_not) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TEMP VIEW mine AS SELECT module FROM hlo_modules(" MLP ")");
  db_expect(db, "SELECT * FROM mine", "jit_mlp_step");
  db_do(db, "CREATE VIEW stored AS SELECT module FROM hlo_modules(" MLP ")");
  db_expect_error(db, "SELECT * FROM stored", "unsafe use of virtual table \"hlo_modules\"");
  db_do(db, "CREATE VIEW report AS SELECT memview_report(" MLP ") AS text");
  db_expect_error(db, "SELECT * FROM report", "unsafe use of memview_report()");
  db_do(db, "CREATE TABLE t(a)");
  db_do(db, "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT memview_open(" MLP "); END");
  db_expect_error(db, "INSERT INTO t VALUES (1)", "unsafe use of memview_open()");
  db_do(db, "CREATE TEMP TABLE u(a)");
  db_do(db,
        "CREATE TEMP TRIGGER ut AFTER INSERT ON u BEGIN INSERT INTO t2 SELECT module FROM hlo_modules(" MLP "); END");
  db_do(db, "CREATE TEMP TABLE t2(a)");
  db_do(db, "INSERT INTO u VALUES (1)");
  db_expect(db, "SELECT * FROM t2", "jit_mlp_step");
  db_close(db);
}

Test(schema, pure_functions_work_in_any_schema) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE shapes(shape, padded AS (padded_bytes(shape)))");
  db_do(db, "CREATE INDEX i ON shapes(unpadded_bytes(shape))");
  db_do(db, "CREATE VIEW v AS SELECT padding_bytes(shape) AS p, memview_version() AS version FROM shapes");
  db_do(db, "INSERT INTO shapes(shape) VALUES ('f32[8,100]{1,0:T(8,128)}')");
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
  db_expect(db, "SELECT padded, p FROM shapes, v", "4096|896");
  db_close(db);
}

Test(nofs, takes_blobs_only) {
  setenv("MEMVIEW_SOURCE", DATA "gpu-h100-mlp.hlo.pb", 1);
  sqlite3 *db = db_open_nofs();
  static const char *const refused = "memview: files are not opened here: pass the bytes as a BLOB";
  db_expect_error(db, "SELECT * FROM hlo_modules(" MLP ")", refused);
  db_expect_error(db, "SELECT * FROM hlo_modules('')", refused);
  db_expect_error(db, "SELECT memview_open(" MLP ")", refused);
  db_expect_error(db, "SELECT memview_report(" MLP ")", refused);
  db_expect_error(db, "SELECT * FROM hlo_modules", "memview: no source: pass a BLOB");
  add_blob(db, "tpu-v5e-mlp.hlo.pb", false);
  db_expect(db, "SELECT module FROM blobs, hlo_modules(data)", "jit_mlp_step");
  db_expect(db, "SELECT memview_report(data) LIKE 'jit_mlp_step%' FROM blobs", "1");
  db_expect(db, "SELECT memview_open(data) FROM blobs", "1");
  db_expect(db, "SELECT module FROM hlo_modules", "jit_mlp_step");
  db_close(db);
  unsetenv("MEMVIEW_SOURCE");
}

Test(nofs, tables_work_inside_a_view) {
  sqlite3 *db = db_open_nofs();
  add_blob(db, "tpu-v5e-mlp.hlo.pb", false);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
  db_do(db, "CREATE VIEW spaces AS SELECT memory_space, peak_bytes FROM blobs, memory_spaces(blobs.data)");
  db_expect(db, "SELECT memory_space FROM spaces", "HBM\nVMEM\nSFLAG");
  db_close(db);
}

Test(connection, two_do_not_share_what_is_open) {
  unsetenv("MEMVIEW_SOURCE");
  sqlite3 *a = db_open();
  sqlite3 *b = db_open();
  db_expect(a, "SELECT memview_open(" MLP ")", "1");
  db_expect_error(b, "SELECT * FROM hlo_modules", NO_SOURCE);
  db_expect(b, "SELECT memview_open(" V6E ")", "1");
  db_expect(a, "SELECT count(*) FROM memory_spaces", "3");
  db_expect(b, "SELECT count(*) FROM memory_spaces", "4");
  db_close(a);
  db_expect(b, "SELECT count(*) FROM memory_spaces", "4");
  db_close(b);
}

Test(connection, closes_after_a_failed_query) {
  sqlite3 *db = db_open();
  sqlite3_stmt *s;
  cr_assert_eq(sqlite3_prepare_v2(db, "SELECT * FROM buffers('/no/such')", -1, &s, NULL), SQLITE_OK);
  cr_expect_eq(sqlite3_step(s), SQLITE_ERROR);
  cr_expect_eq(sqlite3_close(db), SQLITE_BUSY);
  cr_expect_eq(sqlite3_finalize(s), SQLITE_ERROR);
  db_close(db);
}

Test(connection, closes_in_the_middle_of_a_query) {
  sqlite3 *db = db_open();
  sqlite3_stmt *s;
  cr_assert_eq(sqlite3_prepare_v2(db, "SELECT *, source FROM peak_buffers(" MLP ", 4)", -1, &s, NULL), SQLITE_OK);
  cr_expect_eq(sqlite3_step(s), SQLITE_ROW);
  cr_expect_eq(sqlite3_close_v2(db), SQLITE_OK, "a zombie until the statement is finalized");
  cr_expect_eq(sqlite3_step(s), SQLITE_ROW);
  sqlite3_finalize(s);
}

Test(connection, the_extension_may_be_loaded_twice) {
  sqlite3 *db = db_open();
  db_expect(db, "SELECT memview_open(" MLP ")", "1");
  char *error = NULL;
  cr_expect_eq(sqlite3_memview_init(db, &error, NULL), SQLITE_OK, "%s", error);
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ")", "73");
  db_expect(db, "SELECT memview_version() IS NOT NULL", "1");
  db_close(db);
}

Test(connection, the_shared_library_can_be_loaded) {
  sqlite3 *db;
  char *error = NULL;
  cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)NULL);
  cr_assert_eq(sqlite3_load_extension(db, MV_EXTENSION, NULL, &error), SQLITE_OK, "%s", error);
  db_expect(db, "SELECT module FROM hlo_modules(" MLP ")", "jit_mlp_step");
  db_close(db);
  cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)NULL);
  cr_assert_eq(sqlite3_load_extension(db, MV_EXTENSION, "sqlite3_memview_nofs_init", &error), SQLITE_OK, "%s", error);
  db_expect_error(db, "SELECT module FROM hlo_modules(" MLP ")", "files are not opened here");
  db_close(db);
}

static int stop(void *arg) {
  (void)arg;
  return 1;
}

Test(connection, an_interrupted_query_ends_and_the_next_one_works) {
  sqlite3 *db = db_open();
  sqlite3_progress_handler(db, 1, stop, NULL);
  db_expect_error(db, "SELECT count(*) FROM buffers(" MLP ")", "interrupted");
  sqlite3_progress_handler(db, 0, NULL, NULL);
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ")", "73");
  db_close(db);
}

static void interrupt(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  sqlite3_interrupt(sqlite3_context_db_handle(context));
  sqlite3_result_value(context, argv[0]);
}

/* Interrupted before the file is opened: loading stops, and nothing of it stays as the source's problem. */
Test(connection, reading_a_file_can_be_interrupted) {
  sqlite3 *db = db_open();
  cr_assert_eq(sqlite3_create_function(db, "interrupting", 1, SQLITE_UTF8, NULL, interrupt, NULL, NULL), SQLITE_OK);
  db_expect_error(db, "SELECT count(*) FROM buffers(interrupting(" MLP "))", "interrupted");
  db_expect(db, "SELECT count(*) FROM buffers(" MLP ")", "73");
  db_expect(db, "SELECT problem FROM hlo_modules(" MLP ")", "NULL");
  db_close(db);
}
