/* xspace SOURCE... : large sources of which little is needed, a profile or a folder of dumps: the time and the most
 * memory of listing their modules and of asking for one, beside those of reading the source whole.
 */
#include <stdio.h>

#include "bench.h"

static const struct {
  const char *name;
  const char *sql;
} queries[] = {
    {"read whole", BENCH_READ},
    {"list modules", "SELECT module_id, module, program_id, path FROM hlo_modules(?1)"},
    {"one module", "SELECT * FROM memory_spaces(?1) WHERE module_id = 7"},
};
enum { QUERIES = sizeof queries / sizeof *queries, RUNS = 3 };

int main(int argc, char **argv) {
  if (bench_is_apart(argc, argv)) {
    return 0;
  }
  if (argc < 2) {
    fputs("usage: xspace SOURCE...\n", stderr);
    return 2;
  }
  for (int f = 1; f < argc; f++) {
    bench_series times[QUERIES] = {{0}};
    bench_series memory[QUERIES] = {{0}};
    char error[QUERIES][256] = {{0}};
    for (int run = 0; run < RUNS; run++) {
      for (size_t q = run == 0 ? 0 : 1; q < QUERIES; q++) { /* gigabytes are read once */
        double ms;
        int64_t bytes;
        if (bench_apart(&ms, &bytes, argv[0], queries[q].sql, argv[f], error[q], sizeof error[q])) {
          bench_add(&times[q], ms);
          bench_add(&memory[q], (double)bytes / (1 << 20));
        }
      }
    }
    for (size_t q = 0; q < QUERIES; q++) {
      if (times[q].count == 0) {
        bench_skip(queries[q].name, error[q]);
      } else {
        char note[64];
        snprintf(note, sizeof note, "%.1f MiB", bench_median(&memory[q]));
        bench_print(queries[q].name, &times[q], "ms", note);
      }
      bench_clear(&times[q]);
      bench_clear(&memory[q]);
    }
  }
  return 0;
}
