/* Sources as SQL sees them: opening, what is read and what is not, both entry points. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/files.h"
#include "support/hlo_builder.h"
#include "support/profile_builder.h"
#include "support/tree.h"

int sqlite3_memview_init(sqlite3 *db, char **error, const struct sqlite3_api_routines *api);
int sqlite3_memview_nofs_init(sqlite3 *db, char **error, const struct sqlite3_api_routines *api);

static sqlite3 *connect_to(const char *file, bool opens_files) {
  sqlite3 *db;
  char *error = NULL;
  unsetenv("MEMVIEW_SOURCE");
  cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
  cr_assert_eq((opens_files ? sqlite3_memview_init : sqlite3_memview_nofs_init)(db, &error, NULL), SQLITE_OK);
  return db;
}

/* The rows of a query as "a|b" lines, or the error; `blob` is bound to ?1. The caller frees the text. */
static mv_text query_with(sqlite3 *db, const char *sql, mv_bytes blob) {
  sqlite3_stmt *stmt = NULL;
  mv_text out = MV_TEXT_INIT;
  int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (rc == SQLITE_OK && blob.data != NULL) {
    cr_assert_eq(sqlite3_bind_blob(stmt, 1, blob.data, (int)blob.size, SQLITE_STATIC), SQLITE_OK);
  }
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
      const char *value = (const char *)sqlite3_column_text(stmt, i);
      mv_text_add(&out, i > 0 ? "|" : "");
      mv_text_add(&out, value != NULL ? value : "NULL");
    }
    mv_text_char(&out, '\n');
    rc = SQLITE_OK;
  }
  if (rc != SQLITE_DONE) {
    mv_text_format(&out, "error: %s", sqlite3_errmsg(db));
  }
  sqlite3_finalize(stmt);
  if (out.data == NULL) {
    mv_text_add(&out, "");
  }
  return out;
}

static void check(sqlite3 *db, const char *sql, const char *expected) {
  mv_text text = query_with(db, sql, mv_bytes_of(NULL, 0));
  cr_assert_str_eq(text.data, expected, "%s\ngives\n%s", sql, text.data);
  mv_text_free(&text);
}

static void check_contains(sqlite3 *db, const char *sql, const char *expected) {
  mv_text text = query_with(db, sql, mv_bytes_of(NULL, 0));
  cr_assert_not_null(strstr(text.data, expected), "%s\ngives\n%s", sql, text.data);
  mv_text_free(&text);
}

static const char *const TABLES[] = {"hlo_modules", "memory_spaces", "allocations",  "buffers",
                                     "usage_curve", "peak_buffers",  "instructions", "stack_frames"};
enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES };

static void write_sized(const char *folder, const char *file, const char *name, int64_t size) {
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_text proto = hlo_proto(&h);
  tree_write(folder, file, pb_view(&proto));
  mv_text_free(&proto);
}

/* ---- Opening ---- */

Test(sources, open__says_how_many_modules_and_names_the_default) {
  sqlite3 *db = connect_to(":memory:", true);
  check_contains(db, "SELECT * FROM hlo_modules", "no source: pass a path or a BLOB");
  check(db, "SELECT memview_open('" MV_TEST_DATA "/logdir')", "13\n");
  check(db, "SELECT count(*), min(program_id), max(program_id) FROM hlo_modules", "13|0|24\n");
  check(db, "SELECT memview_open('" MV_TEST_DATA "/dump')", "2\n");
  check(db, "SELECT module FROM hlo_modules", "jit_mlp_step\njit_pallas_step\n");
  check_contains(db, "SELECT memview_open('/nowhere')", "'/nowhere': can't be opened: No such file or directory");
  check(db, "SELECT count(*) FROM hlo_modules", "2\n"); /* what was open stays open */
  check(db, "SELECT memview_close()", "1\n");
  check(db, "SELECT memview_close()", "0\n");
  setenv("MEMVIEW_SOURCE", MV_TEST_DATA "/cpu-mlp.hlo.pb", 1);
  check(db, "SELECT module FROM hlo_modules", "jit_train_step\n");
  check(db, "SELECT memview_open('" MV_TEST_DATA "/dump')", "2\n"); /* goes before the environment */
  check(db, "SELECT count(*) FROM hlo_modules", "2\n");
  check(db, "SELECT count(*) FROM hlo_modules('" MV_TEST_DATA "/logdir')", "13\n"); /* and an argument before both */
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

/* What can't be listed of one module is told, and the others are listed. */
Test(sources, folder__with_damage_inside_a_fusion) {
  char folder[PATH_ROOM];
  char sql[3 * PATH_ROOM];
  make_folder(folder);
  tree_copy(folder, "a.hlo.pb", "bad/fusion.hlo.pb");
  tree_copy(folder, "b.hlo.pb", "cpu-mlp.hlo.pb");
  sqlite3 *db = connect_to(":memory:", true);
  snprintf(sql, sizeof sql, "SELECT memview_open('%s')", folder);
  check(db, sql, "2\n");
  check(db, "SELECT problem FROM hlo_modules", "NULL\nNULL\n");
  check(db, "SELECT DISTINCT module_id FROM buffers", "1\n2\n");
  for (int i = 0; i < 2; i++) {
    check(db, "SELECT DISTINCT module_id FROM instructions", "2\n");
    check(db, "SELECT problem FROM hlo_modules",
          "not a valid protobuf at byte 79, in field hlo_module.computations.instructions\nNULL\n");
    check(db, "SELECT DISTINCT module_id FROM buffers", "1\n2\n");
  }
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
}

Test(sources, open__of_a_file_that_changes_or_goes) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  char sql[3 * PATH_ROOM];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/a.hlo.pb", folder);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  sqlite3 *db = connect_to(":memory:", true);
  snprintf(sql, sizeof sql, "SELECT memview_open('%s')", path);
  check(db, sql, "1\n");
  check(db, "SELECT peak_bytes FROM memory_spaces", "10\n");
  write_sized(folder, "a.hlo.pb", "jit_f", 11);
  check(db, "SELECT peak_bytes FROM memory_spaces", "11\n");
  unlink(path);
  check_contains(db, "SELECT peak_bytes FROM memory_spaces", "a.hlo.pb': can't be opened: No such file or directory");
  write_sized(folder, "a.hlo.pb", "jit_f", 12);
  check(db, "SELECT peak_bytes FROM memory_spaces", "12\n");
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
}

Test(sources, arguments__that_are_no_source) {
  sqlite3 *db = connect_to(":memory:", true);
  check_contains(db, "SELECT memview_report(NULL)", "the source is NULL: give a path or a BLOB");
  check_contains(db, "SELECT * FROM hlo_modules(7)", "the source is a number: give a path or a BLOB");
  check_contains(db, "SELECT * FROM hlo_modules('')", "the path is empty");
  check_contains(db, "SELECT * FROM hlo_modules('a' || char(0) || 'b')", "the path has a NUL character in it");
  check_contains(db, "SELECT * FROM hlo_modules(x'')", "the BLOB is empty (0 bytes)");
  check_contains(db, "SELECT * FROM hlo_modules('/dev/zero')", "'/dev/zero': is a device, not a file");
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

/* ---- What is read ---- */

Test(sources, one_module__is_read_and_no_other) {
  char folder[PATH_ROOM];
  char sql[3 * PATH_ROOM];
  char name[64];
  enum { FILES = 40, HEAD = 4096, SLACK = 16384 };
  if (bytes_read() < 0) {
    cr_skip("no /proc/self/io");
  }
  make_folder(folder);
  mv_text bytes = read_data("tpu-v5e-conv.hlo.pb");
  for (int i = 0; i < FILES; i++) {
    snprintf(name, sizeof name, "m%02d.hlo.pb", i);
    tree_write(folder, name, pb_view(&bytes));
  }
  write_sized(folder, "z.hlo.pb", "jit_z", 10);
  sqlite3 *db = connect_to(":memory:", true);
  check(db, "SELECT 1", "1\n");
  long long before = bytes_read();
  snprintf(sql, sizeof sql, "SELECT memview_open('%s')", folder);
  check(db, sql, "41\n");
  long long read = bytes_read() - before;
  cr_assert_lt(read, (FILES + 1) * (HEAD + 64) * 2 + SLACK, "%lld", read);
  const long long whole = (long long)bytes.size;
  static const char *const queries[] = {"SELECT sum(peak_bytes) FROM memory_spaces WHERE module_id = 41",
                                        "SELECT sum(peak_bytes) FROM memory_spaces WHERE module = 'jit_z'"};
  for (size_t i = 0; i < 2; i++) {
    before = bytes_read();
    check(db, queries[i], "10\n");
    read = bytes_read() - before;
    cr_assert_lt(read, SLACK, "%lld", read);
  }
  before = bytes_read();
  check(db, "SELECT count(*) > 0 FROM buffers WHERE module_id = 7", "1\n");
  read = bytes_read() - before;
  cr_assert(read >= whole && read < whole + SLACK, "%lld of %lld", read, whole);
  before = bytes_read(); /* once read, other tables and queries share it */
  check(db,
        "SELECT count(*) > 0 FROM buffers b JOIN allocations a USING (module_id, allocation_id) WHERE module_id = 7",
        "1\n");
  check(db, "SELECT count(*) > 0 FROM peak_buffers WHERE module_id = 7", "1\n");
  read = bytes_read() - before;
  cr_assert_lt(read, SLACK, "%lld", read);
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
  mv_text_free(&bytes);
}

Test(sources, traces_of_a_profile__are_not_read) {
  char folder[PATH_ROOM];
  char sql[3 * PATH_ROOM];
  if (bytes_read() < 0) {
    cr_skip("no /proc/self/io");
  }
  make_folder(folder);
  mv_text module = read_data("cpu-mlp.hlo.pb");
  mv_text space = MV_TEXT_INIT;
  profile_add_traces(&space, "/device:TPU:0", 300000);
  const profile_program program = {.event = "jit_train_step(9)", .module = pb_view(&module), .has_stat = true, .id = 9};
  profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 2}, &program, 1);
  profile_add_traces(&space, "/host:CPU", 300000);
  tree_write(folder, "h.xplane.pb", pb_view(&space));
  sqlite3 *db = connect_to(":memory:", true);
  snprintf(sql, sizeof sql,
           "SELECT program_id, count(*) FROM hlo_modules('%s') h JOIN buffers('%s') b USING (module_id)", folder,
           folder);
  const long long before = bytes_read();
  check_contains(db, sql, "9|");
  const long long read = bytes_read() - before;
  cr_assert_gt(space.size, 4000000);
  cr_assert_lt(read, (long long)module.size + 300000, "%lld of %zu", read, space.size);
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
  mv_text_free(&space);
  mv_text_free(&module);
}

Test(sources, nothing__is_written_beside_the_input) {
  char folder[PATH_ROOM];
  char sql[3 * PATH_ROOM];
  make_folder(folder);
  tree_copy(folder, "plugins/profile/r/h.xplane.pb", "logdir/plugins/profile/2026_11_29_10_00_00/host0.xplane.pb");
  tree_copy(folder, "dump/module_0001.jit_f.after_optimizations.hlo.pb", "tpu-v5e-mlp.hlo.pb");
  tree_copy(folder, "dump/module_0002.jit_g.after_optimizations.hlo.pb.gz", "tpu-v5e-oom.hlo.pb.gz");
  mv_text before = tree_describe(folder);
  sqlite3 *db = connect_to(":memory:", true);
  for (size_t i = 0; i < TABLE_COUNT; i++) {
    snprintf(sql, sizeof sql, "SELECT count(*) > 0 FROM %s('%s')", TABLES[i], folder);
    check(db, sql, "1\n");
  }
  snprintf(sql, sizeof sql, "SELECT memview_open('%s'), memview_report() IS NOT NULL", folder);
  check(db, sql, "15|1\n");
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  mv_text after = tree_describe(folder);
  cr_assert_str_eq(before.data, after.data);
  mv_text_free(&before);
  mv_text_free(&after);
  tree_remove(folder);
}

/* ---- What is wrong is said, and nothing of the file's content ---- */

Test(sources, folder_with_one_damaged_file__is_a_row_and_in_other_tables_an_error) {
  char folder[PATH_ROOM];
  char sql[3 * PATH_ROOM];
  make_folder(folder);
  tree_write(folder, "a.hlo.pb", mv_bytes_of("", 0));
  sqlite3 *db = connect_to(":memory:", true);
  for (int more = 0; more < 2; more++) {
    snprintf(sql, sizeof sql, "SELECT module_id, module, buffer_count, problem FROM hlo_modules('%s') LIMIT 1", folder);
    check(db, sql,
          "1|NULL|NULL|is empty (0 bytes): a writer that meets protobuf's limit of 2 GiB leaves such a file\n");
    for (size_t i = 1; i < TABLE_COUNT; i++) {
      snprintf(sql, sizeof sql, "SELECT * FROM %s('%s')", TABLES[i], folder);
      check_contains(db, sql, "is empty (0 bytes)");
      snprintf(sql, sizeof sql, "SELECT * FROM %s('%s') WHERE module_id = 1", TABLES[i], folder);
      check_contains(db, sql, "a.hlo.pb': is empty (0 bytes)");
    }
    snprintf(sql, sizeof sql, "SELECT memview_open('%s')", folder);
    check(db, sql, "0\n");
    tree_write(folder, "b.hlo.pb", mv_bytes_of("", 0));
  }
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
}

Test(sources, errors__do_not_echo_the_file) {
  char folder[PATH_ROOM];
  char sql[3 * PATH_ROOM];
  make_folder(folder);
  static const char key[] = "-----BEGIN PRIVATE KEY-----\nSECRET\n";
  tree_write(folder, "id_rsa", mv_bytes_of(key, sizeof key - 1));
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  for (size_t i = 0; i + 6 < bytes.size; i++) { /* every name in the module */
    if (memcmp(bytes.data + i, "dot", 3) == 0 || memcmp(bytes.data + i, "jit", 3) == 0) {
      memcpy(bytes.data + i, "XYZ", 3);
    }
  }
  tree_write(folder, "cut.hlo.pb", mv_bytes_of(bytes.data, bytes.size - 100));
  bytes.data[bytes.size / 2] = 0x07;
  tree_write(folder, "bad.hlo.pb", pb_view(&bytes));
  static const char *const files[] = {"id_rsa", "cut.hlo.pb", "bad.hlo.pb"};
  sqlite3 *db = connect_to(":memory:", true);
  for (size_t f = 0; f < 3; f++) {
    for (size_t i = 0; i < TABLE_COUNT; i++) {
      snprintf(sql, sizeof sql, "SELECT * FROM %s('%s/%s')", TABLES[i], folder, files[f]);
      mv_text text = query_with(db, sql, mv_bytes_of(NULL, 0));
      if (strncmp(text.data, "error: ", 7) == 0) {
        cr_assert_null(strstr(text.data, "SECRET"), "%s", text.data);
        cr_assert_null(strstr(text.data, "KEY"), "%s", text.data);
        cr_assert_null(strstr(text.data, "XYZ"), "%s", text.data);
        cr_assert_not_null(strstr(text.data, files[f]), "%s", text.data);
        cr_assert_null(strchr(text.data, '\n'));
      } else {
        cr_assert_neq(f, 0);
      }
      mv_text_free(&text);
    }
  }
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
  mv_text_free(&bytes);
}

/* ---- Entry points ---- */

Test(sources, default_entry_point__refuses_what_a_schema_asks) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  char sql[3 * PATH_ROOM];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/hostile.db", folder);
  sqlite3 *db = connect_to(path, true);
  for (int trusted = 0; trusted < 2; trusted++) {
    check(db, trusted ? "PRAGMA trusted_schema = ON" : "PRAGMA trusted_schema = OFF", "");
    for (size_t i = 0; i < TABLE_COUNT; i++) {
      snprintf(sql, sizeof sql, "CREATE VIEW v_%s_%d AS SELECT * FROM %s('%s/cpu-mlp.hlo.pb')", TABLES[i], trusted,
               TABLES[i], MV_TEST_DATA);
      check(db, sql, "");
      snprintf(sql, sizeof sql, "SELECT * FROM v_%s_%d", TABLES[i], trusted);
      check_contains(db, sql, "error: unsafe use of virtual table");
      snprintf(sql, sizeof sql, "CREATE TEMP VIEW t_%s_%d AS SELECT * FROM %s('%s/cpu-mlp.hlo.pb')", TABLES[i], trusted,
               TABLES[i], MV_TEST_DATA);
      check(db, sql, "");
      snprintf(sql, sizeof sql, "SELECT count(*) > 0 FROM t_%s_%d", TABLES[i], trusted);
      check(db, sql, "1\n");
    }
    snprintf(sql, sizeof sql, "CREATE VIEW r_%d AS SELECT memview_report('%s/cpu-mlp.hlo.pb')", trusted, MV_TEST_DATA);
    check(db, sql, "");
    snprintf(sql, sizeof sql, "SELECT * FROM r_%d", trusted);
    check_contains(db, sql, "error: unsafe use of memview_report()");
  }
  check(db, "CREATE TABLE t (x)", "");
  check(db, "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT count(*) FROM hlo_modules('" MV_TEST_DATA "'); END", "");
  check_contains(db, "INSERT INTO t VALUES (1)", "error: unsafe use of virtual table");
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  tree_remove(folder);
}

Test(sources, nofs_entry_point__opens_nothing) {
  sqlite3 *db = connect_to(":memory:", false);
  char sql[PATH_ROOM];
  setenv("MEMVIEW_SOURCE", MV_TEST_DATA "/cpu-mlp.hlo.pb", 1);
  static const char *const sources[] = {"'" MV_TEST_DATA "/cpu-mlp.hlo.pb'",
                                        "'" MV_TEST_DATA "/dump'",
                                        "'file:" MV_TEST_DATA "/cpu-mlp.hlo.pb'",
                                        "'/dev/stdin'",
                                        "''",
                                        "'.'"};
  for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
    for (size_t i = 0; i < TABLE_COUNT; i++) {
      snprintf(sql, sizeof sql, "SELECT * FROM %s(%s)", TABLES[i], sources[s]);
      check(db, sql, "error: memview: files are not opened here: pass the bytes as a BLOB");
      snprintf(sql, sizeof sql, "SELECT * FROM %s WHERE source = %s", TABLES[i], sources[s]);
      check(db, sql, "error: memview: files are not opened here: pass the bytes as a BLOB");
    }
    static const char *const functions[] = {"memview_open", "memview_report"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
      snprintf(sql, sizeof sql, "SELECT %s(%s)", functions[i], sources[s]);
      check(db, sql, "error: memview: files are not opened here: pass the bytes as a BLOB");
    }
  }
  for (size_t i = 0; i < TABLE_COUNT; i++) {
    snprintf(sql, sizeof sql, "SELECT * FROM %s", TABLES[i]);
    check_contains(db, sql, "error: memview: no source: pass a BLOB");
  }
  check_contains(db, "SELECT memview_report()", "error: memview: no source: pass a BLOB");
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  mv_text text = query_with(db, "SELECT memview_open(?1), (SELECT count(*) FROM hlo_modules)", pb_view(&bytes));
  cr_assert_str_eq(text.data, "1|1\n");
  mv_text_free(&text);
  mv_text_free(&bytes);
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

Test(sources, nofs_entry_point__serves_the_views_of_a_database) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/dumps.db", folder);
  sqlite3 *db = connect_to(path, false);
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  check(db, "CREATE TABLE dumps (name TEXT, bytes BLOB)", "");
  mv_text text = query_with(db, "INSERT INTO dumps VALUES ('mlp', ?1)", pb_view(&bytes));
  cr_assert_str_eq(text.data, "");
  mv_text_free(&text);
  check(db, "CREATE VIEW peaks AS SELECT name, s.memory_space, s.peak_bytes FROM dumps, memory_spaces(dumps.bytes) s",
        "");
  check(db, "PRAGMA trusted_schema = OFF", "");
  check(db, "SELECT * FROM peaks", "mlp|Host|6288516\n");
  check(db, "SELECT count(*) FROM dumps, hlo_modules(dumps.bytes) WHERE path IS NULL", "1\n");
  cr_assert_eq(sqlite3_close(db), SQLITE_OK);
  mv_text_free(&bytes);
  tree_remove(folder);
}
