/* query FILE [RUNS] : what queries cost beside the bare scan of the same file.
 *
 * Every round runs each measurement once, so that whatever else the machine does falls on all of them alike, and in an
 * order of its own: each finds the caches and the free memory that the one before it leaves. A cold
 * query opens a connection, reads the file, answers and closes. A warm one is the second on the same connection. The
 * filtered ones are compared with a plain SQLite table that holds the same rows and has an index on module_id and
 * memory_space.
 */
#include <stdio.h>
#include <string.h>

#include "bare_scan.h"
#include "bench.h"

enum { DEFAULT_RUNS = 21, MAX_CASES = 32, SQL = 512 };

typedef enum kind { SCAN, COLD, WARM, PLAIN } kind;

typedef struct measured {
  char name[64];
  char sql[SQL];
  kind how;
  bench_series ms;
  int64_t rows;
} measured;

static measured cases[MAX_CASES];
static size_t case_count;

static void add(kind how, const char *name, const char *sql) {
  if (case_count == MAX_CASES) {
    bench_fail("too many cases");
  }
  measured *m = &cases[case_count++];
  m->how = how;
  snprintf(m->name, sizeof m->name, "%s", name);
  snprintf(m->sql, sizeof m->sql, "%s", sql);
}

/* A function of the picture kind, where this build has it. */
static void add_function(sqlite3 *db, const char *name, const char *sql) {
  char function[64];
  snprintf(function, sizeof function, "%.*s", (int)strcspn(name, " "), name);
  if (bench_has_function(db, function)) {
    add(COLD, name, sql);
  } else {
    bench_skip(name, "not supported yet");
  }
}

/* The same rows as a plain table, and the query on both. */
static void add_filtered(sqlite3 *db, const char *table, const char *source, const char *space) {
  char sql[SQL];
  char name[64];
  snprintf(sql, sizeof sql, "CREATE TABLE plain_%s AS SELECT * FROM %s(?1)", table, table);
  bench_query(db, sql, source, NULL, 0);
  snprintf(sql, sizeof sql, "CREATE INDEX plain_%s_i ON plain_%s(module_id, memory_space)", table, table);
  bench_query(db, sql, NULL, NULL, 0);
  snprintf(name, sizeof name, "filtered %s", table);
  snprintf(sql, sizeof sql, "SELECT * FROM %s(?1) WHERE module_id = 1 AND memory_space = '%s'", table, space);
  add(WARM, name, sql);
  snprintf(name, sizeof name, "plain %s", table);
  snprintf(sql, sizeof sql, "SELECT * FROM plain_%s WHERE module_id = 1 AND memory_space = '%s'", table, space);
  add(PLAIN, name, sql);
}

static void add_space(sqlite3 *db, const char *space) {
  char name[64];
  char sql[SQL];
  static const struct {
    const char *name;
    const char *what;
    const char *table;
  } queries[] = {
      {"peak_buffers", "*", "peak_buffers"},
      {"usage_curve", "*", "usage_curve"},
      {"sizes of usage_curve", "position, bytes, unpadded_bytes", "usage_curve"}, /* what the viewer draws */
  };
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    snprintf(name, sizeof name, "%s %s", queries[i].name, space);
    snprintf(sql, sizeof sql, "SELECT %s FROM %s(?1) WHERE memory_space = '%s'", queries[i].what, queries[i].table,
             space);
    add(COLD, name, sql);
  }
  snprintf(name, sizeof name, "timeline_svg %s", space);
  snprintf(sql, sizeof sql, "SELECT timeline_svg(?1, 1, '%s')", space);
  add_function(db, name, sql);
}

/* The same orders in every run of the program. */
static void shuffle(size_t *order, size_t count) {
  static uint32_t state = 1;
  for (size_t i = count - 1; i > 0; i--) {
    state = state * 1664525 + 1013904223;
    const size_t k = (state >> 8) % (i + 1);
    const size_t swap = order[i];
    order[i] = order[k];
    order[k] = swap;
  }
}

static void run(measured *m, sqlite3 *db, const char *source) {
  uint64_t tags = 0;
  const double start = bench_now_ms();
  switch (m->how) {
    case SCAN:
      if (!bare_scan(source, &tags)) {
        bench_fail("'%s' can't be read as an HloProto", source);
      }
      m->rows = (int64_t)tags;
      break;
    case COLD: bench_cold(m->sql, source); break;
    case WARM:
    case PLAIN: m->rows = bench_query(db, m->sql, source, NULL, 0); break;
  }
  bench_add(&m->ms, bench_now_ms() - start);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fputs("usage: query FILE [RUNS]\n", stderr);
    return 2;
  }
  const char *source = argv[1];
  const long runs = argc > 2 ? bench_number(argv[2]) : DEFAULT_RUNS;
  sqlite3 *db = bench_open();

  char first[64];
  char busiest[64];
  bench_text(first, sizeof first, db, "SELECT memory_space FROM memory_spaces(?1) ORDER BY color LIMIT 1", source);
  bench_text(busiest, sizeof busiest, db,
             "SELECT memory_space FROM usage_curve(?1) GROUP BY memory_space ORDER BY count(*) DESC LIMIT 1", source);
  add(SCAN, "scan", "");
  add(COLD, "memory_spaces", "SELECT * FROM memory_spaces(?1)");
  add_space(db, first);
  if (strcmp(first, busiest) != 0) {
    add_space(db, busiest);
  }
  add(COLD, "peak_groups", "SELECT * FROM peak_groups(?1)");
  add(COLD, "findings", "SELECT * FROM findings(?1)");
  add(COLD, "peak_groups by shape", "SELECT * FROM peak_groups(?1, 'shape')");
  add_function(db, "memview_html", "SELECT memview_html(?1)");
  add(WARM, "second memory_spaces", "SELECT * FROM memory_spaces(?1)");
  add_filtered(db, "usage_curve", source, busiest);
  add_filtered(db, "peak_buffers", source, first);
  add_filtered(db, "buffers", source, busiest);
  add_filtered(db, "allocations", source, first);

  size_t order[MAX_CASES];
  for (size_t i = 0; i < case_count; i++) {
    order[i] = i;
  }
  for (long round = 0; round < runs; round++) {
    shuffle(order, case_count);
    for (size_t i = 0; i < case_count; i++) {
      run(&cases[order[i]], db, source);
    }
  }
  for (size_t i = 0; i < case_count; i++) {
    char note[64] = "cold";
    if (cases[i].how != COLD) {
      snprintf(note, sizeof note, "%lld %s", (long long)cases[i].rows, cases[i].how == SCAN ? "tags" : "rows");
    }
    bench_print(cases[i].name, &cases[i].ms, "ms", note);
    bench_clear(&cases[i].ms);
  }
  sqlite3_close(db);
  return 0;
}
