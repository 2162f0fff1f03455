/* Groups, differences and devices in SQL: arguments, pairs of sources, what is told of a device. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "ext/db.h"
#include "support/hlo_builder.h"
#include "support/tree.h"

#define V6E "'" MV_TEST_DATA "/tpu-v6e-mlp.hlo.pb'"
#define CPU "'" MV_TEST_DATA "/cpu-mlp.hlo.pb'"
#define DEVICES "'" MV_TEST_DATA "/devices/"

static void write_module(const char *folder, const char *file, const char *name, const char *opcode, int64_t size) {
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = opcode, .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_text proto = hlo_proto(&h);
  tree_write(folder, file, pb_view(&proto));
  mv_text_free(&proto);
}

/* A query over two folders within `folder`. */
static char *over(char sql[4 * PATH_ROOM], const char *folder, const char *format) {
  snprintf(sql, 4 * PATH_ROOM, format, folder, folder);
  return sql;
}

Test(analysis, by__is_checked_and_shown) {
  sqlite3 *db = db_open();
  db_expect_error(db, "SELECT * FROM peak_groups(" MLP ", 'colour')",
                  "memview: by is 'colour': it must be 'layer', 'scope', 'phase', 'op_name', 'user_source', 'used_by', "
                  "'opcode', 'shape' or 'category'");
  db_expect_error(db, "SELECT * FROM peak_groups(" MLP ", 5)", "memview: by must be a text: 'layer', 'scope', ");
  db_expect_error(db, "SELECT * FROM peak_groups(" MLP ", x'6f70')", "memview: by must be a text");
  db_expect_error(db, "SELECT * FROM memory_diff(" MLP ", " MLP ", '')", "memview: by is '': it must be");
  db_expect_error(db, "SELECT DISTINCT \"by\" FROM peak_groups(" MLP ")", "memview: by is an argument");
  db_expect_error(db, "SELECT * FROM peak_groups(" MLP ") WHERE \"by\" > 'a'", "memview: by is an argument");
  db_expect(db, "SELECT DISTINCT \"by\" FROM peak_groups(" MLP ", NULL)", "NULL");
  db_expect(db,
            "SELECT count(*) = (SELECT count(*) FROM peak_groups(" MLP ", 'layer')) FROM peak_groups(" MLP ") "
            "WHERE \"by\" IS NULL",
            "1");
  db_expect(db, "SELECT DISTINCT \"by\" FROM peak_groups(" MLP ") WHERE \"by\" IN ('opcode', 'shape')",
            "opcode\nshape");
  db_expect(db, "SELECT DISTINCT \"by\" FROM peak_groups(" MLP ") WHERE \"by\" = 'opcode'", "opcode");
  db_close(db);
}

/* Rows of several keys and spaces meet in one plan: none is taken for another. */
Test(analysis, or_terms__lose_no_group) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT (SELECT count(*) FROM peak_groups g WHERE g.source = " MLP
            " AND (g.\"by\" = 'opcode' OR g.\"by\" = "
            "'shape')) = (SELECT count(*) FROM peak_groups(" MLP ", 'opcode')) + "
            "(SELECT count(*) FROM peak_groups(" MLP ", 'shape'))",
            "1");
  db_expect(db,
            "SELECT (SELECT count(*) FROM peak_groups(" MLP ", 'opcode') WHERE color = 0 OR memory_space = 'VMEM') = "
            "(SELECT count(*) FROM peak_groups(" MLP ", 'opcode') WHERE +color IN (0, 1))",
            "1");
  db_expect(db, "SELECT count(*) > 0 FROM peaks(" MLP ") WHERE memory_space = 'VMEM'", "1");
  db_expect(db, "SELECT count(*) FROM peaks(" MLP ") WHERE memory_space = 'HBM'", "0");
  db_close(db);
}

Test(analysis, saving__follows_at) {
  sqlite3 *db = db_open();
  db_expect(db,
            "SELECT count(*), sum(b.saving_bytes > 0) FROM peak_buffers(" MLP ", 6) b WHERE color = 1 "
            "AND NOT EXISTS (SELECT 1 FROM peak_buffers(" MLP ") p WHERE p.buffer_id = b.buffer_id AND color = 1)",
            "4|0"); /* what is not live at the peak saves nothing */
  db_close(db);
}

Test(analysis, diff__takes_two_sources) {
  sqlite3 *db = db_open();
  db_expect_error(db, "SELECT * FROM memory_diff",
                  "memview: memory_diff needs two sources: memory_diff(before, after)");
  db_expect_error(db, "SELECT * FROM memory_diff(" MLP ")", "memview: no source: pass a path or a BLOB");
  db_expect(db, "SELECT * FROM memory_diff(NULL, " MLP ")", "");
  db_expect_error(db, "SELECT * FROM memory_diff(" MLP ", 'nowhere')", "memview: 'nowhere': can't be opened");
  db_do(db, "SELECT memview_open(" V6E ")");
  db_expect(db,
            "SELECT a.\"after\" = " V6E ", count(*), sum(change_bytes) = (SELECT peak_bytes FROM memory_spaces(" V6E
            ") WHERE color = 1) - (SELECT peak_bytes FROM memory_spaces(" MLP ") WHERE color = 1) FROM memory_diff(" MLP
            ") a WHERE memory_space = 'VMEM'",
            "1|3|1");
  db_expect(db, "SELECT count(*) FROM memory_diff(" MLP ", " MLP ", 'opcode') WHERE change_bytes <> 0", "0");
  db_expect(db, "SELECT DISTINCT module, before_bytes IS NULL, after_bytes IS NULL FROM memory_diff(" MLP ", " CPU ")",
            "jit_mlp_step|0|1\njit_train_step|1|0");
  db_expect(db, "SELECT DISTINCT module FROM memory_diff(" MLP ", " CPU ") WHERE module = 'jit_train_step'",
            "jit_train_step");
  db_expect(db, "SELECT count(*) FROM memory_diff(" MLP ", " CPU ") WHERE module = 'jit_none'", "0");
  db_close(db);
}

/* A source may come from a row: then the other one must not be taken for it. */
Test(analysis, diff__joins_over_pairs_of_sources) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE TABLE pairs(b, a); INSERT INTO pairs VALUES (" MLP ", " V6E "), (" V6E ", " MLP "), (" MLP ", " MLP
            ")");
  db_expect(db,
            "SELECT sum(d.change_bytes) > 0, sum(d.change_bytes) = 0 FROM pairs p, memory_diff(p.b, p.a) d "
            "WHERE d.memory_space = 'VMEM' GROUP BY p.rowid",
            "1|0\n0|0\n0|1");
  db_expect(
      db,
      "SELECT count(*) = (SELECT count(*) FROM memory_diff(" MLP ", " V6E ", 'opcode')) + "
      "(SELECT count(*) FROM memory_diff(" V6E ", " MLP ", 'opcode')) FROM memory_diff d WHERE d.\"by\" = 'opcode' "
      "AND ((d.\"before\" = " MLP " AND d.\"after\" = " V6E ") OR (d.\"before\" = " V6E " AND d.\"after\" = " MLP "))",
      "1");
  db_close(db);
}

Test(analysis, diff__of_blobs_without_names) {
  sqlite3 *db = db_open_nofs();
  db_do(db, "CREATE TABLE blobs(data)");
  for (int64_t size = 10; size <= 30; size += 20) {
    hlo h = {0};
    hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size, .is_parameter = true});
    mv_text proto = hlo_proto(&h);
    sqlite3_stmt *s;
    cr_assert_eq(sqlite3_prepare_v2(db, "INSERT INTO blobs VALUES (?)", -1, &s, NULL), SQLITE_OK);
    sqlite3_bind_blob(s, 1, proto.data, (int)proto.size, SQLITE_STATIC);
    cr_assert_eq(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    mv_text_free(&proto);
  }
  db_expect(
      db,
      "SELECT module, memory_space, \"key\", before_bytes, after_bytes, change_bytes FROM "
      "memory_diff((SELECT data FROM blobs WHERE rowid = 1), (SELECT data FROM blobs WHERE rowid = 2), 'category')",
      "NULL|HBM|Parameter|10|30|20");
  db_close(db);
}

Test(analysis, diff__of_folders) {
  char folder[PATH_ROOM];
  char sql[4 * PATH_ROOM];
  make_folder(folder);
  write_module(folder, "a/module_0001.step.cpu_after_optimizations.hlo.pb", "step", "add", 10);
  write_module(folder, "a/module_0002.step.cpu_after_optimizations.hlo.pb", "step", "add", 20);
  write_module(folder, "a/module_0003.init.cpu_after_optimizations.hlo.pb", "init", "add", 40);
  write_module(folder, "b/module_0005.step.cpu_after_optimizations.hlo.pb", "step", "dot", 11);
  write_module(folder, "b/module_0006.eval.cpu_after_optimizations.hlo.pb", "eval", "add", 80);
  write_module(folder, "b/module_0007.step.cpu_after_optimizations.hlo.pb", "step", "add", 25);
  sqlite3 *db = db_open();
  const char *all = "SELECT module, \"key\", before_bytes, after_bytes, change_bytes "
                    "FROM memory_diff('%s/a', '%s/b', 'opcode')";
  db_expect(db, over(sql, folder, all),
            "step|dot|NULL|11|11\nstep|add|10|NULL|-10\nstep|add|20|25|5\ninit|add|40|NULL|-40\neval|add|NULL|80|80");
  /* A file that tells its name and nothing else: its pair has no rows, hlo_modules says why. */
  write_module(folder, "b/module_0008.init.cpu_after_optimizations.hlo.pb", "init", "add", 40);
  mv_text cut = MV_TEXT_INIT;
  hlo h = hlo_new("init");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "add", .shape = "f32[8]{0}"});
  cut = hlo_proto(&h);
  tree_write(folder, "b/module_0008.init.cpu_after_optimizations.hlo.pb", mv_bytes_of(cut.data, cut.size - 1));
  mv_text_free(&cut);
  char one[5 * PATH_ROOM];
  snprintf(one, sizeof one, "%s WHERE module = 'init'", over(sql, folder, all));
  db_expect(db, one, "");
  /* One that does not even tell its name might be any that has no partner. */
  tree_write(folder, "a/module_0009.cpu_after_optimizations.hlo.pb", mv_bytes_of(NULL, 0));
  db_expect_error(db, over(sql, folder, all), "it may be the module 'eval' of the other source");
  snprintf(one, sizeof one, "%s WHERE module = 'step'", sql);
  db_expect(db, one, "step|dot|NULL|11|11\nstep|add|10|NULL|-10\nstep|add|20|25|5");
  db_close(db);
  tree_remove(folder);
}

Test(analysis, device__as_the_folder_tells_and_else_as_said) {
  sqlite3 *db = db_open();
  const char *untold = "SELECT device FROM hlo_modules(" MLP ")";
  db_expect(db, untold, "NULL");
  db_expect(db, "SELECT count(capacity_bytes) FROM memory_spaces(" MLP ")", "0");
  db_expect(db, "SELECT memview_device('tpu v5E')", "TPU v5e");
  db_expect(db, untold, "TPU v5e");
  db_expect(db, "SELECT memory_space, capacity_bytes FROM memory_spaces(" MLP ") WHERE color < 2",
            "HBM|16911433728\nVMEM|134217728");
  db_expect(db, "SELECT device FROM hlo_modules(" CPU ")", "NULL"); /* a CPU's module is of no TPU */
  db_expect(db,
            "SELECT device, capacity_bytes FROM hlo_modules(" DEVICES "v4') JOIN memory_spaces(" DEVICES
            "v4') USING (module_id) WHERE color = 0",
            "TPU v4|16374562816"); /* what is told beside the module is a fact */
  db_expect_error(db, "SELECT memview_device('TPU v99')",
                  "memview: no device is called 'TPU v99'; there is 'TPU v2', ");
  db_expect(db, untold, "TPU v5e"); /* an error changes nothing */
  db_expect_error(db, "SELECT memview_device(x'00')", "memview: a device is named by a text");
  db_expect(db, "SELECT memview_device('')", "NULL");
  db_expect(db, untold, "NULL");
  db_expect(db, "SELECT memview_device('TPU v5 lite'), memview_device(NULL)", "TPU v5e|NULL");
  db_expect(db, untold, "NULL");
  db_close(db);
}

/* It reads no file, so a view of a database may use it, and so may people who are allowed BLOBs only. */
Test(analysis, devices__are_facts) {
  sqlite3 *db = db_open();
  db_do(db, "CREATE VIEW v AS SELECT device FROM devices WHERE memory_space = 'HBM'");
  db_expect(db, "SELECT count(*) > 10, count(DISTINCT device) = count(*) FROM v", "1|1");
  db_close(db);
  db = db_open_nofs();
  db_expect(db, "SELECT capacity_bytes FROM devices WHERE device = 'TPU v4' AND memory_space = 'CMEM'", "134217728");
  db_close(db);
}
