/* Each allocation fails in turn, for every table and every function.
 *
 * For n = 1, 2, ... the n-th allocation of a query fails (once; then that one and all behind it), until the query needs
 * fewer. Each time the query must end in SQLITE_NOMEM, or give what it gives otherwise where it can do without; then
 * the same connection must answer the same query rightly; at the end nothing may be left allocated. Behind the first
 * EACH allocations n grows by a part of itself: they come in loops over rows by then.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "functions.h"
#include "nomem.h"
#include "support/files.h"
#include "support/hlo_builder.h"
#include "support/tables.h"
#include "table.h"

int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

/* Sanitizers take ten times as long: there n grows sooner, and faster. */
#if defined(__SANITIZE_ADDRESS__)
enum { EACH = 60, GROWTH = 6 };
#else
enum { EACH = 400, GROWTH = 20 };
#endif
enum { MAX_QUERIES = 256 };

typedef struct query {
  char *sql;
  const char *path; /* the source; NULL: the BLOB */
  bool is_utf16;
} query;

typedef struct answer {
  int code;
  uint64_t hash; /* of all values */
} answer;

static struct {
  mv_text blob;
  query queries[MAX_QUERIES];
  size_t count;
  long runs;
  long failures;
} suite;

static void fail(const query *q, const char *what, long n, const char *message) {
  printf("FAILED %s: %s (allocation %ld): %s\n", q != NULL ? q->sql : "", what, n, message);
  suite.failures++;
}

static void mix(uint64_t *hash, const void *data, size_t size) {
  for (size_t i = 0; i < size; i++) {
    *hash = (*hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001B3);
  }
}

static void mix_value(uint64_t *hash, sqlite3_stmt *stmt, int column) {
  const int type = sqlite3_column_type(stmt, column);
  mix(hash, &type, sizeof type);
  if (type == SQLITE_INTEGER) {
    const sqlite3_int64 value = sqlite3_column_int64(stmt, column);
    mix(hash, &value, sizeof value);
  } else if (type != SQLITE_NULL) {
    const void *data = sqlite3_column_blob(stmt, column);
    mix(hash, data, data != NULL ? (size_t)sqlite3_column_bytes(stmt, column) : 0);
  }
}

static answer ask(sqlite3 *db, const query *q) {
  answer a = {.hash = UINT64_C(0xCBF29CE484222325)};
  sqlite3_stmt *stmt = NULL;
  a.code = sqlite3_prepare_v2(db, q->sql, -1, &stmt, NULL);
  if (a.code == SQLITE_OK) {
    a.code = q->path != NULL ? sqlite3_bind_text(stmt, 1, q->path, -1, SQLITE_STATIC)
                             : sqlite3_bind_blob64(stmt, 1, suite.blob.data, suite.blob.size, SQLITE_STATIC);
  }
  if (a.code == SQLITE_OK) {
    while ((a.code = sqlite3_step(stmt)) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(stmt); i++) {
        mix_value(&a.hash, stmt, i);
      }
    }
  }
  sqlite3_finalize(stmt);
  return a;
}

static sqlite3 *connect(const query *q) {
  sqlite3 *db = NULL;
  char *error = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
      (q->is_utf16 && sqlite3_exec(db, "PRAGMA encoding = 'UTF-16'", NULL, NULL, NULL) != SQLITE_OK) ||
      sqlite3_memview_init(db, &error, NULL) != SQLITE_OK) {
    printf("no connection: %s\n", error != NULL ? error : sqlite3_errmsg(db));
    exit(1);
  }
  return db;
}

/* One run with the n-th allocation failing; false when the query needs fewer. */
static bool run(const query *q, nomem_kind kind, long n, bool stays, uint64_t expected) {
  sqlite3 *db = connect(q);
  nomem_arm(kind, n, stays);
  const answer broken = ask(db, q);
  const bool did_fail = nomem_disarm();
  suite.runs++;
  if (broken.code != SQLITE_DONE && broken.code != SQLITE_NOMEM) {
    fail(q, "another error", n, sqlite3_errmsg(db));
  } else if (broken.code == SQLITE_DONE && broken.hash != expected) {
    fail(q, "another answer instead of an error", n, "");
  }
  const answer again = ask(db, q);
  if (again.code != SQLITE_DONE) {
    fail(q, "no answer afterwards", n, sqlite3_errmsg(db));
  } else if (again.hash != expected) {
    fail(q, "another answer afterwards", n, "");
  }
  if (sqlite3_close(db) != SQLITE_OK) {
    fail(q, "the connection can't be closed", n, "");
  }
  return did_fail;
}

static void sweep(const query *q) {
  sqlite3 *db = connect(q);
  const answer right = ask(db, q);
  if (right.code != SQLITE_DONE) {
    fail(q, "no answer at all", 0, sqlite3_errmsg(db));
  }
  sqlite3_close(db);
  const long live = nomem_live();
  const sqlite3_int64 used = sqlite3_memory_used();
  for (int kind = 0; kind < NOMEM_KINDS; kind++) {
    for (int stays = 0; stays < 2; stays++) {
      long n = 1;
      while (suite.failures < 20 && run(q, (nomem_kind)kind, n, stays, right.hash)) {
        n += n < EACH ? 1 : n / GROWTH;
      }
    }
  }
  if (nomem_live() != live || sqlite3_memory_used() != used) {
    fail(q, "memory is left", nomem_live() - live, "");
  }
}

/* Loading the extension itself. */
static void sweep_load(void) {
  const long live = nomem_live();
  for (int kind = 0; kind < NOMEM_KINDS; kind++) {
    bool did_fail = true;
    for (long n = 1; did_fail; n++) {
      sqlite3 *db = NULL;
      char *error = NULL;
      if (sqlite3_open(":memory:", &db) != SQLITE_OK) {
        exit(1);
      }
      nomem_arm((nomem_kind)kind, n, false);
      const int rc = sqlite3_memview_init(db, &error, NULL);
      did_fail = nomem_disarm();
      suite.runs++;
      if (rc != SQLITE_NOMEM && rc != SQLITE_OK) {
        fail(NULL, "loading", n, sqlite3_errmsg(db));
      }
      sqlite3_free(error);
      sqlite3_close(db);
    }
  }
  if (nomem_live() != live) {
    fail(NULL, "loading leaves memory", nomem_live() - live, "");
  }
}

static void add(char *sql, const char *path) {
  if (sql == NULL || suite.count == MAX_QUERIES) {
    exit(1);
  }
  suite.queries[suite.count++] = (query){.sql = sql, .path = path};
}

static void add_table(const mv_table *table) {
  const char *arguments = table_arguments(table);
  if (mv_table_source_count(table) == 0) {
    add(sqlite3_mprintf("SELECT * FROM \"%w\" WHERE ?1 IS NOT NULL", table->name), NULL);
    return;
  }
  add(sqlite3_mprintf("SELECT * FROM \"%w\"%s", table->name, arguments), NULL);
  if (table->has_space) {
    add(sqlite3_mprintf("SELECT * FROM \"%w\"(?1) WHERE color = 0", table->name), NULL);
  }
  if (table_has(table, MV_HIDDEN_AT)) {
    add(sqlite3_mprintf("SELECT count(*) FROM \"%w\"(?1, 1)", table->name), NULL);
  }
  static const char *const keys[] = {"scope", "user_source", "shape"};
  for (size_t i = 0; table_has(table, MV_HIDDEN_BY) && i < sizeof keys / sizeof *keys; i++) {
    add(sqlite3_mprintf("SELECT * FROM \"%w\"%s WHERE \"by\" = '%s'", table->name, arguments, keys[i]), NULL);
  }
  for (size_t i = 0; i < table->column_count; i++) {
    if (table->columns[i].key != NULL) {
      add(sqlite3_mprintf("SELECT count(*) FROM \"%w\"(?1) WHERE \"%w\" = 1", table->name, table->columns[i].name),
          NULL);
    }
  }
}

/* A function that takes a source, with nothing else; one of a shape, with a shape that uses all there is. */
static void add_function(const mv_function *f) {
  if (strstr(f->arguments, "source") != NULL) {
    add(sqlite3_mprintf("SELECT \"%w\"(?1)", f->name), NULL);
  } else if (strcmp(f->arguments, "shape") == 0) {
    add(sqlite3_mprintf("SELECT \"%w\"('(f32[1000,64]{1,0:T(8,128)(2,1)SC(0:4,8)P(s32[2])}, s32[<=3])'), ?1 IS NULL",
                        f->name),
        NULL);
  }
}

/* A module whose name goes on behind the head of its file. */
static mv_text long_named(void) {
  enum { LENGTH = 5000 };
  char name[LENGTH + 1];
  memset(name, 'n', LENGTH);
  name[LENGTH] = '\0';
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  return hlo_proto(&h);
}

int main(void) {
  char folder[PATH_ROOM];
  char packed_path[PATH_ROOM];
  char text[PATH_ROOM];
  nomem_install();
  suite.blob = read_data("synth-5010.hlo.pb");
  make_folder(folder);
  mv_text packed = gzip_of(mv_bytes_of(suite.blob.data, suite.blob.size));
  write_file(packed_path, folder, "packed.hlo.pb.gz", mv_bytes_of(packed.data, packed.size));
  for (size_t i = 0; i < mv_table_count; i++) {
    add_table(mv_tables[i]);
  }
  for (size_t i = 0; i < mv_function_count; i++) {
    add_function(&mv_functions[i]);
  }
  add(sqlite3_mprintf("SELECT memory_space, peak_bytes FROM memory_spaces(?1)"), packed_path);
  add(sqlite3_mprintf("SELECT memory_space, peak_bytes FROM memory_spaces(?1)"), /* large enough for huge pages */
      MV_TEST_DATA "/tpu-v5e-oom.hlo.pb.gz");
  add(sqlite3_mprintf("SELECT * FROM hlo_modules(?1)"), MV_TEST_DATA "/logdir");
  add(sqlite3_mprintf("SELECT * FROM hlo_modules(?1)"), MV_TEST_DATA "/by-products/xprof-opened");
  add(sqlite3_mprintf("SELECT * FROM hlo_modules(?1)"), MV_TEST_DATA "/by-products/tf25-profile");
  add(sqlite3_mprintf("SELECT length(timeline_svg(?1, 'jit_stage(0)@host0'))"), MV_TEST_DATA "/logdir");
  char long_path[PATH_ROOM];
  mv_text named = long_named();
  write_file(long_path, folder, "long.hlo.pb", pb_view(&named));
  mv_text_free(&named);
  add(sqlite3_mprintf("SELECT * FROM hlo_modules(?1)"), long_path);
  snprintf(text, sizeof text, "%s/dump", MV_TEST_DATA);
  add(sqlite3_mprintf("SELECT * FROM hlo_modules(?1)"), text);
  add(sqlite3_mprintf("SELECT count(*) FROM memory_spaces(?1) WHERE module = 'synth' AND memory_space = 'HBM'"), NULL);
  suite.queries[suite.count - 1].is_utf16 = true;
  add(sqlite3_mprintf("SELECT count(*) FROM peak_buffers(?1) WHERE memory_space = 'VMEM'"), NULL);
  suite.queries[suite.count - 1].is_utf16 = true;
  sweep_load();
  for (size_t i = 0; i < suite.count; i++) {
    sweep(&suite.queries[i]);
    sqlite3_free(suite.queries[i].sql);
  }
  mv_text_free(&packed);
  mv_text_free(&suite.blob);
  remove_folder(folder);
  printf("%zu queries, %ld runs, %ld failures\n", suite.count, suite.runs, suite.failures);
  return suite.failures > 0;
}
