/* bench.h: what the bench programs share. They are programs, so a failure prints one line and ends the process.
 *
 * A result is one line, fields separated by tabs, that bench/run reads:
 *
 *   NAME  MEDIAN  LEAST  UNIT  NOTE        or        NAME  -  -  -  WHY IT WAS NOT MEASURED
 */
#ifndef MV_BENCH_H
#define MV_BENCH_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Print "PROGRAM: message" and exit with status 1. */
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A positive number from an argument. */
long bench_number(const char *text);

/* The time, or with BENCH_CLOCK=cpu in the environment the processor time of this process, which other processes on a
 * busy machine disturb less. */
double bench_now_ms(void);

/* Measurements of one thing. {0} is empty. */
typedef struct bench_series {
  double *values;
  size_t count;
  size_t capacity;
} bench_series;

void bench_add(bench_series *series, double value);
double bench_median(bench_series *series); /* sorts them */
double bench_least(const bench_series *series);
void bench_clear(bench_series *series);

void bench_print(const char *name, bench_series *series, const char *unit, const char *note);
void bench_skip(const char *name, const char *why);

/* A new connection to an empty database in memory, with memview; what every cold query starts with. */
sqlite3 *bench_open(void);

/* Whether a function of this name is there. */
bool bench_has_function(sqlite3 *db, const char *name);

/* Run `sql` to its end, fetching every column of every row, with `source` bound to ?1 (NULL: nothing). Returns the
 * number of rows, or -1 with the message in `error` (of `size` bytes) when it fails; `error` NULL: a failure ends the
 * process. */
int64_t bench_query(sqlite3 *db, const char *sql, const char *source, char *error, size_t size);

/* The same in a connection of its own; returns the ms it took, opening and closing it included. */
double bench_cold(const char *sql, const char *source);

/* One text or integer that `sql` gives. */
int64_t bench_integer(sqlite3 *db, const char *sql, const char *source);
void bench_text(char *out, size_t size, sqlite3 *db, const char *sql, const char *source);

/* One cold query in a process of its own, which is `program` started again: its time, and the most memory it had in RAM
 * above a process that only has memview loaded. Instead of SQL, BENCH_READ reads the source whole: a file into one
 * block of memory, of a folder each file in turn. False with the message in `error` when it fails. */
#define BENCH_READ "read"
bool bench_apart(double *ms, int64_t *bytes, const char *program, const char *sql, const char *source, char *error,
                 size_t size);

/* First in main() of a program that calls bench_apart: true when this is such a process, and its work is done. */
bool bench_is_apart(int argc, char **argv);

#endif
