/* memory FILE... : the most memory that a cold query needs, above a process that only has memview loaded.
 *
 * The unit is the size of the file.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "bench.h"

static const struct {
  const char *name;
  const char *sql;
} queries[] = {
    {"memory_spaces", "SELECT * FROM memory_spaces(?1)"},
    {"usage_curve and peak_buffers",
     "SELECT sum(bytes) FROM usage_curve(?1) UNION ALL SELECT sum(length(shape)) FROM peak_buffers(?1)"},
    {"timeline_svg", "SELECT timeline_svg(?1)"},
    {"memview_html", "SELECT memview_html(?1)"},
};

int main(int argc, char **argv) {
  enum { RUNS = 5 };
  if (bench_is_apart(argc, argv)) {
    return 0;
  }
  if (argc < 2) {
    fputs("usage: memory FILE...\n", stderr);
    return 2;
  }
  for (int f = 1; f < argc; f++) {
    struct stat file;
    if (stat(argv[f], &file) != 0 || file.st_size == 0) {
      bench_fail("'%s' can't be read", argv[f]);
    }
    const double size = (double)file.st_size;
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
      char name[96];
      char note[256];
      bench_series multiples = {0};
      snprintf(name, sizeof name, "memory %s", queries[q].name);
      for (int run = 0; run < RUNS; run++) {
        double ms;
        int64_t bytes;
        if (!bench_apart(&ms, &bytes, argv[0], queries[q].sql, argv[f], note, sizeof note)) {
          break;
        }
        bench_add(&multiples, (double)bytes / size);
      }
      if (multiples.count < RUNS) {
        bench_skip(name, note);
      } else {
        snprintf(note, sizeof note, "%.1f MiB", bench_median(&multiples) * size / (1 << 20));
        bench_print(name, &multiples, "files", note);
      }
      bench_clear(&multiples);
    }
  }
  return 0;
}
