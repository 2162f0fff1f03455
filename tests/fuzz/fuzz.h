/* fuzz.h: what the fuzz targets share.
 *
 * A target is a function of bytes. libFuzzer drives it (scripts/fuzz), or replay.c gives it the files of the corpus and
 * what was found before (ctest). What must hold for all bytes is said with FUZZ_CHECK.
 */
#ifndef MV_TESTS_FUZZ_H
#define MV_TESTS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition, ...)                                                                                     \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition);                                          \
      fprintf(stderr, __VA_ARGS__);                                                                                    \
      fprintf(stderr, "\n");                                                                                           \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* Read every byte, so that the sanitizers see a slice that points nowhere. */
static inline void fuzz_touch(mv_bytes bytes) {
  static volatile uint8_t sink;
  uint8_t sum = 0;
  for (size_t i = 0; i < bytes.size; i++) {
    sum ^= bytes.data[i];
  }
  sink = (uint8_t)(sink ^ sum);
}

#endif
