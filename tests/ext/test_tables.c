/* Every column of every table, on real modules: its type, and a value that can be. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ext/db.h"
#include "support/tables.h"
#include "tables/tables.h"

/* On each of these together every column has a value somewhere. */
static const char *const files[] = {DATA "tpu-v5e-mlp.hlo.pb",
                                    DATA "tpu-v5e-pallas.hlo.pb",
                                    DATA "cpu-mlp.hlo.pb",
                                    DATA "cpu-tensorflow-2.15.hlo.pb",
                                    DATA "gpu-h100-collective.hlo.pb",
                                    DATA "synth-5000.hlo.pb",
                                    DATA "synth-5003.hlo.pb",
                                    DATA "dump",
                                    DATA "logdir",
                                    DATA "dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb"};
enum { FILES = sizeof files / sizeof *files };

static sqlite3_stmt *prepared(sqlite3 *db, const char *call, const char *columns) {
  char *sql = sqlite3_mprintf("SELECT %s FROM %s", columns, call);
  sqlite3_stmt *statement;
  cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
  sqlite3_free(sql);
  return statement;
}

/* What is said of a column by its name. */
static void check_value(const char *table, const char *name, sqlite3_stmt *s, int i) {
  const int type = sqlite3_column_type(s, i);
  const sqlite3_int64 value = sqlite3_column_int64(s, i);
  const char *text = (const char *)sqlite3_column_text(s, i);
  const size_t n = strlen(name);
  if (strncmp(name, "is_", 3) == 0 || strcmp(name, "maybe_live_out") == 0) {
    cr_expect(type == SQLITE_INTEGER && (value == 0 || value == 1), "%s.%s is %s", table, name, text);
  } else if (n > 6 && strcmp(name + n - 6, "_bytes") == 0 && strcmp(name, "padding_bytes") != 0) {
    cr_expect_geq(value, 0, "%s.%s", table, name);
  } else if (n > 6 && (strcmp(name + n - 6, "_count") == 0 || strstr(name, "position") != NULL)) {
    cr_expect_geq(value, 0, "%s.%s", table, name);
  } else if (type == SQLITE_TEXT) {
    /* the index of the whole shape, and the scope of what stands in none */
    static const char *const may_be_empty[] = {"shape_index", "parameter_shape_index", "scope", "layer", "key"};
    bool may = false;
    for (size_t k = 0; k < sizeof may_be_empty / sizeof *may_be_empty; k++) {
      may = may || strcmp(name, may_be_empty[k]) == 0;
    }
    cr_expect(may || *text != '\0', "%s.%s is empty, not NULL", table, name);
  }
}

Test(tables, every_column_has_its_type_and_a_value_somewhere) {
  sqlite3 *db = db_open();
  for (size_t t = 0; t < mv_table_count; t++) {
    const mv_table *table = mv_tables[t];
    char call[128];
    snprintf(call, sizeof call, "%s%s", table->name, table_arguments(table));
    sqlite3_stmt *s = prepared(db, call, "*");
    const int count = mv_table_visible_count(table);
    cr_assert_eq(sqlite3_column_count(s), count, "hidden columns are hidden");
    bool has_value[64] = {false};
    for (int f = 0; f < FILES; f++) {
      const int bound = sqlite3_bind_text(s, 1, files[f], -1, SQLITE_STATIC);
      cr_assert_eq(bound, mv_table_source_count(table) > 0 ? SQLITE_OK : SQLITE_RANGE);
      int rc;
      while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        for (int i = 0; i < count; i++) {
          const mv_column *column = mv_table_column(table, i);
          const int type = sqlite3_column_type(s, i);
          if (type == SQLITE_NULL) {
            continue;
          }
          has_value[i] = true;
          cr_expect_eq(type, strncmp(column->type, "TEXT", 4) == 0 ? SQLITE_TEXT : SQLITE_INTEGER, "%s.%s", table->name,
                       column->name);
          check_value(table->name, column->name, s, i);
        }
      }
      cr_assert(rc == SQLITE_DONE || (f == FILES - 1 && table->needs >= MV_NEEDS_ASSIGNMENT), "%s: %s", files[f],
                sqlite3_errmsg(db));
      sqlite3_reset(s);
    }
    for (int i = 0; i < count; i++) {
      cr_expect(has_value[i], "%s.%s is NULL everywhere", table->name, mv_table_column(table, i)->name);
    }
    sqlite3_finalize(s);
  }
  db_close(db);
}

Test(tables, columns_that_are_always_known) {
  static const struct {
    const char *table;
    const char *columns;
  } known[] = {
      {"hlo_modules", "module_id, module, program_id, path, entry_computation, computation_count, "
                      "instruction_count, proto_bytes"},
      {"memory_spaces",
       "module_id, module, memory_space, color, peak_bytes, peak_unpadded_bytes, padding_bytes, "
       "peak_position, baseline_bytes, untraced_bytes, heap_peak_bytes, occupied_peak_bytes, total_bytes, "
       "fragmentation_bytes, argument_bytes, output_bytes, constant_bytes, temporary_bytes, "
       "thread_local_bytes"},
      {"allocations", "allocation_id, category, size_bytes, buffer_count, is_thread_local, is_tuple, is_constant, "
                      "is_entry_computation_parameter, maybe_live_out, is_parameter_aliased_with_output"},
      {"buffers", "buffer_id, instruction, shape_index, opcode, computation, size_bytes, shape, element_type, "
                  "unpadded_bytes, padding_bytes, block_count"},
      {"usage_curve", "position, bytes, unpadded_bytes, occupied_bytes, is_peak"},
      {"peak_buffers", "position, category, size_bytes, instruction, saving_bytes"},
      {"peak_groups", "buffer_count, size_bytes, unpadded_bytes, padding_bytes, saving_bytes, cumulative_saving_bytes"},
      {"peaks", "allocation_id, position, bytes, prominence_bytes"},
      {"instructions", "instruction_id, instruction, opcode, computation, shape"},
      {"stack_frames", "frame_id, function, source_file, source_line"},
  };
  sqlite3 *db = db_open();
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    char call[128];
    snprintf(call, sizeof call, "%s(?)", known[k].table);
    sqlite3_stmt *s = prepared(db, call, known[k].columns);
    for (int f = 0; f < 3; f++) {
      cr_assert_eq(sqlite3_bind_text(s, 1, files[f], -1, SQLITE_STATIC), SQLITE_OK);
      int rows = 0;
      for (; sqlite3_step(s) == SQLITE_ROW; rows++) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
          cr_expect_neq(sqlite3_column_type(s, i), SQLITE_NULL, "%s.%s of %s", known[k].table,
                        sqlite3_column_name(s, i), files[f]);
        }
      }
      cr_expect_gt(rows, 0, "%s", known[k].table);
      sqlite3_reset(s);
    }
    sqlite3_finalize(s);
  }
  db_close(db);
}

Test(tables, descriptions_say_something) {
  for (size_t t = 0; t < mv_table_count; t++) {
    cr_expect_gt(strlen(mv_tables[t]->doc), 10, "%s", mv_tables[t]->name);
    for (size_t i = 0; i < mv_tables[t]->column_count; i++) {
      cr_expect_gt(strlen(mv_tables[t]->columns[i].doc), 5, "%s.%s", mv_tables[t]->name, mv_tables[t]->columns[i].name);
    }
  }
}

Test(tables, are_consistent_with_each_other) {
  static const char *const nothing_is_wrong[] = {
      /* every count is the number of rows */
      "SELECT * FROM hlo_modules(?1) m WHERE instruction_count <> (SELECT count(*) FROM instructions(?1)) "
      "OR buffer_count <> (SELECT count(*) FROM buffers(?1)) "
      "OR allocation_count <> (SELECT count(*) FROM allocations(?1)) "
      "OR computation_count < (SELECT count(DISTINCT computation) FROM instructions(?1))",
      "SELECT * FROM allocations(?1) a WHERE buffer_count <> (SELECT count(*) FROM buffers(?1) b "
      "WHERE b.allocation_id = a.allocation_id)",
      /* the identities */
      "SELECT * FROM memory_spaces(?1) s WHERE peak_bytes <> (SELECT coalesce(sum(size_bytes), 0) FROM "
      "peak_buffers(?1) "
      "p WHERE p.color = s.color) OR peak_bytes <> baseline_bytes + untraced_bytes + heap_peak_bytes "
      "OR padding_bytes <> peak_bytes - peak_unpadded_bytes OR occupied_peak_bytes > peak_bytes "
      "OR fragmentation_bytes <> total_bytes - occupied_peak_bytes",
      "SELECT * FROM usage_curve(?1) WHERE occupied_bytes > bytes",
      "SELECT * FROM memory_spaces(?1) s WHERE untraced_bytes <> (SELECT coalesce(sum(size_bytes), 0) FROM "
      "peak_buffers(?1) p WHERE p.color = s.color AND start_position IS NULL)",
      "SELECT * FROM peak_buffers(?1) WHERE (start_position IS NULL) <> (end_position IS NULL) "
      "OR (start_position IS NULL AND category <> 'Temporary')",
      "SELECT * FROM buffers(?1) WHERE block_count > 0 AND start_position IS NULL",
      "SELECT * FROM buffers(?1) WHERE padding_bytes <> size_bytes - unpadded_bytes OR start_position >= end_position",
      "SELECT * FROM memory_spaces(?1) s WHERE total_bytes + thread_local_bytes <> "
      "(SELECT sum(size_bytes) FROM allocations(?1) a WHERE a.color = s.color)",
      /* what groups are made of, and what is saved */
      "SELECT * FROM memory_spaces(?1) s JOIN (SELECT color, sum(size_bytes) AS size, sum(unpadded_bytes) AS unpadded, "
      "sum(buffer_count) AS n, max(cumulative_saving_bytes) AS cumulative FROM peak_groups(?1, 'opcode') GROUP BY "
      "color) g "
      "USING (color) WHERE size <> peak_bytes OR unpadded <> peak_unpadded_bytes OR cumulative <> peak_bytes "
      "OR n <> (SELECT count(*) FROM peak_buffers(?1) p WHERE p.color = s.color)",
      "SELECT * FROM peak_groups(?1, 'opcode') g WHERE size_bytes <> (SELECT sum(size_bytes) FROM peak_buffers(?1) p "
      "WHERE p.color = g.color AND p.opcode IS g.\"key\") AND buffer_count > 0",
      "SELECT * FROM peak_groups(?1, 'opcode') WHERE cumulative_saving_bytes < saving_bytes",
      "SELECT * FROM peak_buffers(?1) WHERE saving_bytes > size_bytes OR saving_bytes < 0",
      "SELECT * FROM peaks(?1) p WHERE NOT EXISTS (SELECT 1 FROM usage_curve(?1) u WHERE u.color = p.color "
      "AND u.allocation_id IS p.allocation_id AND u.position = p.position AND u.bytes = p.bytes)",
      /* one peak a heap, with its bytes */
      "SELECT allocation_id, count(*) FROM usage_curve(?1) WHERE is_peak GROUP BY color, allocation_id "
      "HAVING count(*) <> 1 AND (SELECT count(*) FROM usage_curve(?1) WHERE position = 0) <= 3",
      "SELECT * FROM memory_spaces(?1) s WHERE scoped_instruction IS NOT NULL AND scoped_bytes > (SELECT scoped_bytes "
      "FROM instructions(?1) i WHERE i.instruction = s.scoped_instruction)",
      /* what a buffer says of its instruction */
      "SELECT * FROM buffers(?1) b JOIN instructions(?1) i ON i.instruction = b.instruction "
      "WHERE i.opcode <> b.opcode OR i.computation <> b.computation OR i.source_line IS NOT b.source_line "
      "OR (b.shape_index = '' AND i.shape <> b.shape)",
      "SELECT * FROM buffers(?1) WHERE shape_index = '' AND opcode <> 'fusion' AND shape NOT LIKE '(%' "
      "AND unpadded_bytes(shape) <> unpadded_bytes",
      "SELECT * FROM buffers(?1) b JOIN stack_frames(?1) f ON f.frame_id = b.stack_frame_id "
      "WHERE f.source_file <> b.source_file OR f.source_line <> b.source_line "
      "OR b.source_stack NOT LIKE f.source_file || ':' || f.source_line || ':%'",
      "SELECT * FROM stack_frames(?1) f WHERE parent_frame_id NOT IN (SELECT frame_id FROM stack_frames(?1))",
      "SELECT * FROM buffers(?1) WHERE shares_with_buffer_id NOT IN (SELECT buffer_id FROM buffers(?1))",
  };
  sqlite3 *db = db_open();
  for (size_t k = 0; k < sizeof nothing_is_wrong / sizeof *nothing_is_wrong; k++) {
    sqlite3_stmt *s;
    cr_assert_eq(sqlite3_prepare_v2(db, nothing_is_wrong[k], -1, &s, NULL), SQLITE_OK, "%s: %s", nothing_is_wrong[k],
                 sqlite3_errmsg(db));
    for (int f = 0; f < FILES - 3; f++) { /* one module each */
      cr_assert_eq(sqlite3_bind_text(s, 1, files[f], -1, SQLITE_STATIC), SQLITE_OK);
      const int rc = sqlite3_step(s);
      cr_expect_eq(rc, SQLITE_DONE, "%s\n%s has such a row: %s|%s|%s %s", files[f], nothing_is_wrong[k],
                   (const char *)sqlite3_column_text(s, 0), (const char *)sqlite3_column_text(s, 1),
                   (const char *)sqlite3_column_text(s, 2), rc == SQLITE_ERROR ? sqlite3_errmsg(db) : "");
      sqlite3_reset(s);
    }
    sqlite3_finalize(s);
  }
  db_close(db);
}
