/* Bytes as a profile: as they are, and packed, where modules are kept while the file is read. */
#include <zlib.h>

#include "fuzz.h"
#include "walk.h"

static void walk_packed(mv_bytes bytes) {
  z_stream z = {0};
  FUZZ_CHECK(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
  const size_t room = deflateBound(&z, (uLong)bytes.size);
  uint8_t *packed = malloc(room);
  if (packed != NULL) {
    z.next_in = (Bytef *)(uintptr_t)bytes.data;
    z.avail_in = (uInt)bytes.size;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
    fuzz_walk_source(mv_bytes_of(packed, (size_t)z.total_out));
  }
  deflateEnd(&z);
  free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_walk_source(mv_bytes_of(data, size));
  if (size > 0) {
    walk_packed(mv_bytes_of(data, size));
  }
  return 0;
}
