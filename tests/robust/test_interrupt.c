/* sqlite3_interrupt from another thread, and a progress handler with a time limit, stop whatever is being done with a
 * large file.
 *
 * A file is made with as many instructions, buffers and events as a large model has. Each query is stopped after
 * several times in both ways; the longest time it then took is printed, and must be below a bound, which a sanitizer
 * may exceed. Time is the process's own, which other processes do not make longer; the thread that interrupts takes
 * none. INTERRUPT_SCALE=n makes the file n times as large, for measuring.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "functions.h"
#include "interrupt.h"
#include "support/files.h"
#include "support/proto_builder.h"
#include "support/tables.h"
#include "table.h"

int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

enum { MAX_CHARACTERS = 4096 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ITEMS = 6000 }; /* take as long as three times as many without */
static const double most_seconds = 2;
#else
enum { ITEMS = 20000 };
static const double most_seconds = 0.1;
#endif

static struct {
  char path[PATH_ROOM];
  int64_t items;
  long failures;
  double longest;
} suite;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void put_instruction(mv_text *computation, int64_t id) {
  mv_text instruction = MV_TEXT_INIT;
  mv_text shape = MV_TEXT_INIT;
  mv_text metadata = MV_TEXT_INIT;
  char name[64];
  snprintf(name, sizeof name, "fusion.%lld", (long long)id);
  pb_string(&instruction, 1, name);
  pb_string(&instruction, 2, "fusion");
  pb_int(&shape, 2, 11); /* f32 */
  pb_int(&shape, 3, 1 + id % 1000);
  pb_int(&shape, 3, 128);
  pb_message(&instruction, 3, &shape);
  pb_string(&metadata, 2, "jit(step)/transformer/layer/attention/dot_general and more of a scope that goes on");
  pb_message(&instruction, 7, &metadata);
  pb_int(&instruction, 35, id);
  pb_message(computation, 2, &instruction);
}

static void put_event(mv_text *trace, int64_t kind, int64_t buffer) {
  mv_text event = MV_TEXT_INIT;
  pb_int(&event, 1, kind);
  pb_int(&event, 2, buffer);
  pb_message(trace, 1, &event);
}

/* One computation of n instructions; a buffer of each, live while the next hundred are made. */
static mv_text make_file(int64_t n) {
  mv_text module = MV_TEXT_INIT;
  mv_text computation = MV_TEXT_INIT;
  mv_text assignment = MV_TEXT_INIT;
  mv_text allocation = MV_TEXT_INIT;
  mv_text trace = MV_TEXT_INIT;
  enum { LIVE = 100 };
  pb_string(&computation, 1, "main");
  pb_int(&allocation, 2, n * 512);
  for (int64_t i = 1; i <= n; i++) {
    put_instruction(&computation, i);
    mv_text buffer = MV_TEXT_INIT;
    mv_text location = MV_TEXT_INIT;
    mv_text assigned = MV_TEXT_INIT;
    pb_int(&buffer, 1, i);
    pb_int(&buffer, 2, 512 * (1 + i % 1000));
    pb_int(&location, 4, i);
    pb_message(&buffer, 3, &location);
    pb_message(&assignment, 1, &buffer);
    pb_int(&assigned, 1, i);
    pb_int(&assigned, 2, 512 * (i * 7919 % n));
    pb_message(&allocation, 9, &assigned);
    put_event(&trace, 0, i);
    if (i > LIVE) {
      put_event(&trace, 1, i - LIVE);
    }
  }
  pb_message(&assignment, 3, &allocation);
  pb_message(&assignment, 4, &trace);
  pb_string(&module, 1, "large");
  pb_message(&module, 3, &computation);
  mv_text file = MV_TEXT_INIT;
  pb_message(&file, 1, &module);
  pb_message(&file, 3, &assignment);
  return file;
}

typedef struct stop {
  sqlite3 *db;
  double after;
  double at; /* when it was asked for */
  bool by_handler;
  int steps; /* of SQLite's machine, from one call of the handler to the next */
} stop;

/* The ways, and how many queries were stopped in each. */
static struct {
  stop stop;
  long stopped;
  long functions; /* of them: within one call, where SQLite itself takes no step */
} ways[] = {
    {{.by_handler = false}, 0, 0},
    {{.by_handler = true, .steps = 1000}, 0, 0},
    {{.by_handler = true, .steps = MV_INTERRUPT_STEPS}, 0, 0},
};
enum { WAYS = sizeof ways / sizeof *ways, MIN_STOPPED = 20, MIN_FUNCTIONS = 3 };

static void *interrupt_later(void *arg) {
  stop *s = arg;
  const struct timespec pause = {(time_t)s->after, (long)((s->after - (double)(time_t)s->after) * 1e9)};
  nanosleep(&pause, NULL);
  s->at = now();
  sqlite3_interrupt(s->db);
  return NULL;
}

static int is_time_over(void *arg) {
  const stop *s = arg;
  return now() >= s->at;
}

static sqlite3 *connect(void) {
  sqlite3 *db = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK || sqlite3_memview_init(db, NULL, NULL) != SQLITE_OK) {
    printf("no connection\n");
    exit(1);
  }
  return db;
}

/* Run and stop; the code, and how long it took from then on. */
static int run(sqlite3 *db, const char *sql, stop s, double *took) {
  sqlite3_stmt *stmt = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) {
    printf("%s: %s\n", sql, sqlite3_errmsg(db));
    exit(1);
  }
  sqlite3_bind_text(stmt, 1, suite.path, -1, SQLITE_STATIC);
  s.db = db;
  pthread_t thread;
  if (s.by_handler) {
    s.at = now() + s.after;
    sqlite3_progress_handler(db, s.steps, is_time_over, &s);
  } else if (pthread_create(&thread, NULL, interrupt_later, &s) != 0) {
    exit(1);
  }
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {}
  const double end = now();
  if (rc == SQLITE_INTERRUPT && strcmp(sqlite3_errmsg(db), "interrupted") != 0) {
    printf("FAILED %s: hosts look for \"interrupted\": %s\n", sql, sqlite3_errmsg(db));
    suite.failures++;
  }
  sqlite3_finalize(stmt);
  if (s.by_handler) {
    sqlite3_progress_handler(db, 0, NULL, NULL);
  } else {
    pthread_join(thread, NULL);
  }
  *took = end - s.at;
  return rc;
}

/* A query at several times, with the file yet to be read or read before, until it ends before it is interrupted. */
static void try(const char *sql, bool is_warm, size_t way) {
  int slow = 0;
  for (double after = 0.002; after < 20; after *= 2) {
    sqlite3 *db = connect();
    double took;
    if (is_warm) {
      sqlite3_stmt *stmt = NULL;
      sqlite3_prepare_v2(db, "SELECT * FROM memory_spaces(?1)", -1, &stmt, NULL);
      sqlite3_bind_text(stmt, 1, suite.path, -1, SQLITE_STATIC);
      if (sqlite3_step(stmt) != SQLITE_ROW) {
        printf("FAILED %s\n", sqlite3_errmsg(db));
        suite.failures++;
      }
      sqlite3_finalize(stmt);
    }
    stop s = ways[way].stop;
    s.after = after;
    const int rc = run(db, sql, s, &took);
    sqlite3_close(db);
    /* A crowded machine makes one stop slow; where nobody looks up, all of them are. */
    if (took > most_seconds && slow < 2) {
      slow++;
      after /= 2;
      continue;
    }
    slow = 0;
    if (rc != SQLITE_INTERRUPT) {
      if (rc != SQLITE_DONE || (s.by_handler && took > most_seconds)) {
        printf("FAILED %s: code %d, %.0f ms behind the limit\n", sql, rc, took * 1000);
        suite.failures++;
      }
      return;
    }
    ways[way].stopped++;
    ways[way].functions += strstr(sql, " FROM ") == NULL;
    if (took > suite.longest) {
      suite.longest = took;
      printf("%.0f ms: %s, stopped after %.0f ms by %s\n", took * 1000, sql, after * 1000,
             s.by_handler ? "a progress handler" : "sqlite3_interrupt");
    }
    if (took > most_seconds) {
      printf("FAILED %s: %.0f ms\n", sql, took * 1000);
      suite.failures++;
    }
  }
}

static void try_both(const char *format, const char *name) {
  char sql[MAX_CHARACTERS];
  snprintf(sql, sizeof sql, format, name);
  for (size_t i = 0; i < WAYS; i++) {
    try(sql, false, i);
    try(sql, true, i);
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  char folder[PATH_ROOM];
  const char *scale = getenv("INTERRUPT_SCALE");
  suite.items = ITEMS * (scale != NULL ? atoi(scale) : 1);
  make_folder(folder);
  mv_text file = make_file(suite.items);
  write_file(suite.path, folder, "large.hlo.pb", mv_bytes_of(file.data, file.size));
  printf("%zu bytes, %lld instructions\n", file.size, (long long)suite.items);
  mv_text_free(&file);
  for (size_t i = 0; i < mv_table_count; i++) {
    if (mv_table_source_count(mv_tables[i]) == 0) {
      continue; /* facts */
    }
    char call[128];
    snprintf(call, sizeof call, "%s%s", mv_tables[i]->name, table_arguments(mv_tables[i]));
    try_both("SELECT * FROM %s", call);
    if (table_has(mv_tables[i], MV_HIDDEN_BY)) {
      try_both("SELECT * FROM %s WHERE \"by\" = 'shape'", call);
    }
    if (mv_tables[i]->has_space) {
      try_both("SELECT count(*) FROM %s(?1) WHERE color = 1", mv_tables[i]->name);
    }
  }
  try_both("SELECT count(*) FROM %s(?1) WHERE position = 7", "usage_curve");
  for (size_t i = 0; i < mv_function_count; i++) {
    if (strstr(mv_functions[i].arguments, "source") != NULL) {
      try_both("SELECT %s(?1)", mv_functions[i].name);
    }
  }
  remove_folder(folder);
  for (size_t i = 0; i < WAYS; i++) {
    printf("%ld queries stopped by %s, %ld of them in a function\n", ways[i].stopped,
           ways[i].stop.by_handler ? "a progress handler" : "sqlite3_interrupt", ways[i].functions);
    suite.failures += ways[i].stopped < MIN_STOPPED || ways[i].functions < MIN_FUNCTIONS;
  }
  printf("the last within %.0f ms; %ld failures\n", suite.longest * 1000, suite.failures);
  return suite.failures > 0;
}
