/* cold FILE : answers each line of SQL on the standard input with the ms that it took in a connection of its own.
 *
 * FILE is bound to ?1. A line that begins with "scan" is answered with the time of the bare scan of FILE. It is the
 * other end of compare_xprof, which alternates between two programs.
 */
#include <stdio.h>
#include <string.h>

#include "bare_scan.h"
#include "bench.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: cold FILE\n", stderr);
    return 2;
  }
  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char error[256];
    uint64_t tags;
    int64_t rows = 0;
    const bool is_scan = strncmp(line, "scan", 4) == 0;
    const double start = bench_now_ms();
    if (is_scan) {
      rows = bare_scan(argv[1], &tags) ? 0 : -1;
      snprintf(error, sizeof error, "can't be read");
    } else {
      sqlite3 *db = bench_open();
      rows = bench_query(db, line, argv[1], error, sizeof error);
      sqlite3_close(db);
    }
    const double ms = bench_now_ms() - start;
    if (rows < 0) {
      printf("error %s\n", error);
    } else {
      printf("%.4f\n", ms);
    }
    fflush(stdout);
  }
  return 0;
}
