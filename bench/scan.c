/* scan FILE... : how long the bare scan of each file takes, see bare_scan.h. */
#include <stdio.h>

#include "bare_scan.h"
#include "bench.h"

int main(int argc, char **argv) {
  enum { RUNS = 31 };
  for (int i = 1; i < argc; i++) {
    bench_series ms = {0};
    uint64_t tags = 0;
    for (int run = 0; run < RUNS; run++) {
      const double start = bench_now_ms();
      if (!bare_scan(argv[i], &tags)) {
        bench_fail("'%s' can't be read as an HloProto", argv[i]);
      }
      bench_add(&ms, bench_now_ms() - start);
    }
    char note[64];
    snprintf(note, sizeof note, "%llu tags", (unsigned long long)tags);
    bench_print("scan", &ms, "ms", note);
    bench_clear(&ms);
  }
  return 0;
}
