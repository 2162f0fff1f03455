/* Streams: bytes taken for gzip, and gzip made of them, read in pieces of any size.
 *
 * What was packed must come out as it went in, however it is read; what is then damaged may be anything but a crash.
 * The first four bytes choose the way of reading, the place of the damage and the limit.
 */
#include <zlib.h>

#include "fuzz.h"
#include "source/stream.h"

enum { LIMIT = 1 << 20 };

/* Read to the end in pieces that `seed` chooses; the number of bytes, and all of them compared with `expected`. */
static bool read_pieces(mv_bytes input, const mv_bytes *expected, uint32_t seed) {
  const mv_limits limits = {.max_bytes = LIMIT};
  mv_status status = MV_STATUS_INIT;
  static uint8_t piece[8192];
  mv_stream *s = mv_stream_of(input, &limits, &status);
  uint64_t at = 0;
  bool ok = s != NULL;
  while (ok) {
    seed = seed * 1664525 + 1013904223;
    const size_t want = (seed >> 8) % sizeof piece + 1;
    uint64_t moved = 0;
    mv_bytes view = {0};
    switch (seed >> 30) {
      case 0: ok = mv_stream_skip(s, want, &moved, &status); break;
      case 1:
        ok = mv_stream_peek(s, &view, &status);
        FUZZ_CHECK(!ok || view.size <= MV_STREAM_PEEK, "peeked at %zu", view.size);
        FUZZ_CHECK(!ok || expected == NULL ||
                       (view.size <= expected->size - at &&
                        (view.size == 0 || memcmp(view.data, expected->data + at, view.size) == 0)),
                   "peeked at something else");
        if (view.size > 0) {
          continue;
        }
        break;
      default: {
        size_t got = 0;
        ok = mv_stream_read(s, piece, want, &got, &status);
        FUZZ_CHECK(!ok || expected == NULL ||
                       (got <= expected->size - at && (got == 0 || memcmp(piece, expected->data + at, got) == 0)),
                   "read something else at %llu", (unsigned long long)at);
        moved = got;
      }
    }
    at += ok ? moved : 0;
    FUZZ_CHECK(!ok || mv_stream_position(s) == at, "position");
    if (moved == 0) {
      break;
    }
  }
  FUZZ_CHECK(ok || status.code != MV_OK, "failed without a reason");
  FUZZ_CHECK(!ok || expected == NULL || at == expected->size, "%llu of %zu bytes", (unsigned long long)at,
             expected != NULL ? expected->size : 0);
  mv_stream_close(s);
  return ok;
}

static bool read_whole(mv_bytes input, const mv_bytes *expected) {
  const mv_limits limits = {.max_bytes = LIMIT};
  mv_status status = MV_STATUS_INIT;
  mv_blob blob = MV_BLOB_INIT;
  mv_stream *s = mv_stream_of(input, &limits, &status);
  const bool ok = s != NULL && mv_stream_read_all(s, &blob, &status);
  FUZZ_CHECK(!ok || blob.size <= LIMIT, "%zu bytes are above the limit", blob.size);
  FUZZ_CHECK(!ok || expected == NULL || mv_bytes_equal(mv_blob_bytes(&blob), *expected),
             "read_all gave something else");
  mv_stream_close(s);
  mv_blob_free(&blob);
  return ok;
}

/* Append one gzip member to `packed`. */
static void pack(uint8_t *packed, size_t *size, size_t room, mv_bytes bytes) {
  z_stream z = {0};
  FUZZ_CHECK(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
  z.next_in = (Bytef *)(uintptr_t)bytes.data;
  z.avail_in = (uInt)bytes.size;
  z.next_out = packed + *size;
  z.avail_out = (uInt)(room - *size);
  FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
  *size += (size_t)z.total_out;
  deflateEnd(&z);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) {
    return 0;
  }
  const uint32_t seed = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
  const mv_bytes rest = mv_bytes_of(data + 4, size - 4);
  read_pieces(rest, NULL, seed);
  read_whole(rest, NULL);
  const size_t room = 2 * (rest.size + rest.size / 100 + 4096);
  uint8_t *packed = malloc(room);
  if (packed == NULL) {
    return 0;
  }
  size_t packed_size = 0;
  const size_t first = rest.size > 0 && (seed & 1) ? seed % rest.size : rest.size;
  pack(packed, &packed_size, room, mv_bytes_of(rest.data, first));
  if (first < rest.size) {
    pack(packed, &packed_size, room, mv_bytes_of(rest.data + first, rest.size - first));
  }
  const bool fits = rest.size <= LIMIT;
  FUZZ_CHECK(!fits || read_pieces(mv_bytes_of(packed, packed_size), &rest, seed), "packed bytes can't be read");
  FUZZ_CHECK(read_whole(mv_bytes_of(packed, packed_size), &rest) == fits, "packed bytes can't be read whole");
  packed[(seed >> 4) % packed_size] ^= (uint8_t)(1u << (seed & 7));
  read_pieces(mv_bytes_of(packed, packed_size), NULL, seed);
  read_whole(mv_bytes_of(packed, packed_size - (seed >> 8) % packed_size), NULL);
  free(packed);
  return 0;
}
