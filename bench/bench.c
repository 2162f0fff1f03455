#include "bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int sqlite3_memview_init(sqlite3 *db, char **error, const struct sqlite3_api_routines *api);

void bench_fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

long bench_number(const char *text) {
  char *end;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value <= 0) {
    bench_fail("'%s' is no positive number", text);
  }
  return value;
}

double bench_now_ms(void) {
  const char *which = getenv("BENCH_CLOCK");
  struct timespec now;
  clock_gettime(which != NULL && strcmp(which, "cpu") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

void bench_add(bench_series *s, double value) {
  if (s->count == s->capacity) {
    s->capacity = s->capacity > 0 ? 2 * s->capacity : 16;
    s->values = realloc(s->values, s->capacity * sizeof *s->values);
    if (s->values == NULL) {
      bench_fail("out of memory");
    }
  }
  s->values[s->count++] = value;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(bench_series *s) {
  if (s->count == 0) {
    return 0;
  }
  qsort(s->values, s->count, sizeof *s->values, by_value);
  const size_t middle = s->count / 2;
  return s->count % 2 == 1 ? s->values[middle] : (s->values[middle - 1] + s->values[middle]) / 2;
}

double bench_least(const bench_series *s) {
  double least = s->count > 0 ? s->values[0] : 0;
  for (size_t i = 1; i < s->count; i++) {
    least = s->values[i] < least ? s->values[i] : least;
  }
  return least;
}

void bench_clear(bench_series *s) {
  free(s->values);
  *s = (bench_series){0};
}

void bench_print(const char *name, bench_series *s, const char *unit, const char *note) {
  printf("%s\t%.3f\t%.3f\t%s\t%s\n", name, bench_median(s), bench_least(s), unit, note);
  fflush(stdout);
}

void bench_skip(const char *name, const char *why) {
  printf("%s\t-\t-\t-\t%s\n", name, why);
  fflush(stdout);
}

sqlite3 *bench_open(void) {
  sqlite3 *db;
  char *error = NULL;
  /* One thread uses it: locking would be measured with every value. */
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &db, flags, NULL) != SQLITE_OK) {
    bench_fail("can't open a database in memory");
  }
  if (sqlite3_memview_init(db, &error, NULL) != SQLITE_OK) {
    bench_fail("can't start memview: %s", error != NULL ? error : "unknown error");
  }
  return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql, const char *source) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
    return NULL;
  }
  if (source != NULL && sqlite3_bind_parameter_count(statement) > 0) {
    sqlite3_bind_text(statement, 1, source, -1, SQLITE_STATIC);
  }
  return statement;
}

bool bench_has_function(sqlite3 *db, const char *name) {
  return bench_integer(db, "SELECT count(*) FROM pragma_function_list WHERE name = ?1", name) > 0;
}

/* As a host would: each value in its own type, so that nothing is converted. */
static void fetch(sqlite3_stmt *statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: (void)sqlite3_column_int64(statement, column); break;
    case SQLITE_TEXT: (void)sqlite3_column_text(statement, column); break;
    default: break;
  }
}

int64_t bench_query(sqlite3 *db, const char *sql, const char *source, char *error, size_t size) {
  sqlite3_stmt *statement = prepare(db, sql, source);
  int64_t rows = 0;
  int rc = statement != NULL ? SQLITE_ROW : SQLITE_ERROR;
  while (rc == SQLITE_ROW) {
    rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(statement); i++) {
        fetch(statement, i);
      }
      rows++;
    }
  }
  if (rc != SQLITE_DONE) {
    if (error == NULL) {
      bench_fail("%s: %s", sqlite3_errmsg(db), sql);
    }
    snprintf(error, size, "%s", sqlite3_errmsg(db));
    rows = -1;
  }
  sqlite3_finalize(statement);
  return rows;
}

double bench_cold(const char *sql, const char *source) {
  const double start = bench_now_ms();
  sqlite3 *db = bench_open();
  bench_query(db, sql, source, NULL, 0);
  sqlite3_close(db);
  return bench_now_ms() - start;
}

int64_t bench_integer(sqlite3 *db, const char *sql, const char *source) {
  sqlite3_stmt *statement = prepare(db, sql, source);
  if (statement == NULL || sqlite3_step(statement) != SQLITE_ROW) {
    bench_fail("%s: %s", sqlite3_errmsg(db), sql);
  }
  const int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return value;
}

void bench_text(char *out, size_t size, sqlite3 *db, const char *sql, const char *source) {
  sqlite3_stmt *statement = prepare(db, sql, source);
  if (statement == NULL || sqlite3_step(statement) != SQLITE_ROW) {
    bench_fail("%s: %s", sqlite3_errmsg(db), sql);
  }
  const unsigned char *text = sqlite3_column_text(statement, 0);
  snprintf(out, size, "%s", text != NULL ? (const char *)text : "");
  sqlite3_finalize(statement);
}
