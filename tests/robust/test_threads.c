/* Eight threads, each with a connection of its own that is opened and closed all the while, over the same sources.
 *
 * Built with the preset tsan, ThreadSanitizer watches. Every answer is compared with the one a single thread got. Half
 * of the threads load the extension as users do, the others have it linked in; two share a cache.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

enum { THREADS = 8, ROUNDS = 12, MAX_ANSWER = 64 };

static const char *const queries[] = {
    "SELECT sum(peak_bytes) || ',' || count(*) FROM memory_spaces('" MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb')",
    "SELECT sum(size_bytes) || ',' || count(shape) FROM peak_buffers('" MV_TEST_DATA "/tpu-v5e-pallas.hlo.pb')",
    "SELECT count(source_stack) || ',' || count(*) FROM buffers('" MV_TEST_DATA "/gpu-h100-mlp.hlo.pb')",
    "SELECT count(*) || ',' || sum(proto_bytes) FROM hlo_modules('" MV_TEST_DATA "/dump')",
    "SELECT count(*) || ',' || count(program_id) FROM hlo_modules('" MV_TEST_DATA "/logdir')",
    "SELECT length(memview_report('" MV_TEST_DATA "/synth-5003.hlo.pb'))",
    "SELECT count(*) FROM usage_curve('" MV_TEST_DATA "/synth-5005.hlo.pb') WHERE buffer_id = 1",
    "SELECT padded_bytes('f32[1000,64]{1,0:T(8,128)}')",
};

enum { QUERIES = sizeof queries / sizeof *queries };

static char right[QUERIES][MAX_ANSWER];

static void fail(const char *what, const char *message) {
  printf("FAILED %s: %s\n", what, message);
  exit(1);
}

static sqlite3 *connect(bool is_shared, bool is_loaded) {
  sqlite3 *db = NULL;
  char *error = NULL;
  const char *name = is_shared ? "file:shared?mode=memory&cache=shared" : ":memory:";
  if (sqlite3_open_v2(name, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL) != SQLITE_OK) {
    fail("open", sqlite3_errmsg(db));
  }
  if (is_loaded) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    if (sqlite3_load_extension(db, MV_EXTENSION, NULL, &error) != SQLITE_OK) {
      fail("load", error);
    }
  } else if (sqlite3_memview_init(db, &error, NULL) != SQLITE_OK) {
    fail("init", error);
  }
  return db;
}

static void ask(char answer[MAX_ANSWER], sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK || sqlite3_step(stmt) != SQLITE_ROW) {
    fail(sql, sqlite3_errmsg(db));
  }
  const char *text = (const char *)sqlite3_column_text(stmt, 0);
  snprintf(answer, MAX_ANSWER, "%s", text != NULL ? text : "NULL");
  sqlite3_finalize(stmt);
}

static void *work(void *arg) {
  const size_t number = *(const size_t *)arg;
  for (size_t round = 0; round < ROUNDS; round++) {
    sqlite3 *db = connect(number < 2, number % 2 == 0);
    for (size_t i = 0; i < QUERIES; i++) {
      const size_t q = (i + number + round) % QUERIES;
      char answer[MAX_ANSWER];
      ask(answer, db, queries[q]);
      if (strcmp(answer, right[q]) != 0) {
        fail(queries[q], answer);
      }
    }
    sqlite3_close(db);
  }
  return NULL;
}

int main(void) {
  sqlite3 *first = connect(false, true);
  for (size_t i = 0; i < QUERIES; i++) {
    ask(right[i], first, queries[i]);
  }
  pthread_t threads[THREADS];
  size_t numbers[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0) {
      fail("pthread_create", "no thread");
    }
  }
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  sqlite3_close(first); /* not before: the extension stays, what is watched are its connections */
  printf("%d threads, %d connections, %d answers\n", THREADS, THREADS * ROUNDS, THREADS * ROUNDS * QUERIES);
  return 0;
}
