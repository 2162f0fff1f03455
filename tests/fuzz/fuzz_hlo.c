/* Bytes as an HloProto, or whatever else they are taken for: every row and text of them through core. */
#include "fuzz.h"
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_walk_source(mv_bytes_of(data, size));
  return 0;
}
