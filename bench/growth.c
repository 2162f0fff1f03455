/* growth [EVENTS] : how time grows with the events of a heap.
 *
 * For each family of generated modules (families.h) and each query, cold: the times for EVENTS events (25,000 unless
 * given) and for 2, 4 and 8 times as many. A line gives the middle growth of the three doublings and the largest, and
 * the least time of each size in the note. With 200,000 events the families `live` and `one` have 100,000 buffers live
 * at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "families.h"

enum { DEFAULT_EVENTS = 25000, SIZES = 4, RUNS = 15, FOLDER = 4096 };

static const struct {
  const char *name;
  const char *function; /* that it needs; NULL for none */
  const char *sql;
} queries[] = {
    {"curve", NULL, "SELECT sum(bytes) FROM usage_curve(?1)"},
    {"occupied", NULL, "SELECT max(occupied_bytes) FROM usage_curve(?1)"},
    {"peak list", NULL, "SELECT sum(size_bytes) FROM peak_buffers(?1)"},
    {"savings", NULL, "SELECT sum(saving_bytes) FROM peak_buffers(?1)"},
    {"groups by shape", NULL, "SELECT sum(cumulative_saving_bytes) FROM peak_groups(?1, 'shape')"},
    {"groups by layer", NULL, "SELECT sum(cumulative_saving_bytes) FROM peak_groups(?1)"},
    {"findings", NULL, "SELECT sum(bytes) FROM findings(?1)"},
    {"peaks", NULL, "SELECT sum(prominence_bytes) FROM peaks(?1)"},
    {"timeline_svg", "timeline_svg", "SELECT length(timeline_svg(?1))"},
    {"usage_svg", "usage_svg", "SELECT length(usage_svg(?1))"},
    {"peak_svg", "peak_svg", "SELECT length(peak_svg(?1))"},
    {"memview_html", "memview_html", "SELECT length(memview_html(?1))"},
};
enum { QUERIES = sizeof queries / sizeof *queries };

static void measure(const family *f, uint32_t events, const char *folder) {
  char paths[SIZES][FOLDER + 64];
  pb bytes = {0};
  for (uint32_t s = 0; s < SIZES; s++) {
    snprintf(paths[s], sizeof paths[s], "%s/%s-%u.hlo.pb", folder, f->name, s);
    f->write(&bytes, events << s, "jit_step");
    pb_write(&bytes, paths[s]);
    bytes.size = 0;
  }
  pb_free(&bytes);
  for (size_t q = 0; q < QUERIES; q++) {
    char name[96];
    snprintf(name, sizeof name, "growth %s: %s", f->name, queries[q].name);
    sqlite3 *db = bench_open();
    const bool is_there = queries[q].function == NULL || bench_has_function(db, queries[q].function);
    sqlite3_close(db);
    if (!is_there) {
      bench_skip(name, "not supported yet");
      continue;
    }
    double least[SIZES];
    for (int run = 0; run < RUNS; run++) {
      for (uint32_t s = 0; s < SIZES; s++) {
        const double ms = bench_cold(queries[q].sql, paths[s]);
        least[s] = run == 0 || ms < least[s] ? ms : least[s];
      }
    }
    bench_series ratios = {0};
    char note[128];
    size_t used = 0;
    double largest = 0;
    for (uint32_t s = 0; s < SIZES; s++) {
      const int n = snprintf(note + used, sizeof note - used, s == 0 ? "%.1f" : ", %.1f", least[s]);
      used += n > 0 ? (size_t)n : 0;
      if (s > 0) {
        const double ratio = least[s] / least[s - 1];
        largest = ratio > largest ? ratio : largest;
        bench_add(&ratios, ratio);
      }
    }
    printf("%s\t%.3f\t%.3f\t%s\t%s ms\n", name, bench_median(&ratios), largest, "times a doubling", note);
    fflush(stdout);
    bench_clear(&ratios);
  }
  for (size_t s = 0; s < SIZES; s++) {
    unlink(paths[s]);
  }
}

int main(int argc, char **argv) {
  const char *temporary = getenv("TMPDIR");
  char folder[FOLDER];
  snprintf(folder, sizeof folder, "%s/memview-growth-XXXXXX", temporary != NULL ? temporary : "/tmp");
  const long events = argc > 1 ? bench_number(argv[1]) : DEFAULT_EVENTS;
  if (events > INT32_MAX >> SIZES) {
    bench_fail("%ld events are too many", events);
  }
  if (mkdtemp(folder) == NULL) {
    bench_fail("no temporary folder");
  }
  for (size_t i = 0; i < family_count; i++) {
    measure(&families[i], (uint32_t)events, folder);
  }
  rmdir(folder);
  return 0;
}
