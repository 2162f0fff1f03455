/* hash.h: a hash of bytes, for tables in memory that don't outlive the process. Whoever fills such a table with keys
 * from a file bounds the steps of a search: keys can be made to collide. */
#ifndef MV_BASE_HASH_H
#define MV_BASE_HASH_H

#include "base/bytes.h"

/* Eight bytes at a time, mixed by multiplications; not the same on machines of either byte order. */
static inline uint64_t mv_hash(mv_bytes bytes) {
  const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */
  uint64_t h = bytes.size * factor;
  uint64_t word = 0;
  size_t i = 0;
  for (; i + sizeof word < bytes.size; i += sizeof word) {
    memcpy(&word, bytes.data + i, sizeof word);
    h = (h ^ word) * factor;
    h ^= h >> 32;
  }
  /* The last word overlaps the one before it: a copy of a size that is not known makes processors wait. */
  if (bytes.size >= sizeof word) {
    memcpy(&word, bytes.data + bytes.size - sizeof word, sizeof word);
  } else {
    for (word = 0; i < bytes.size; i++) {
      word = word << 8 | bytes.data[i];
    }
  }
  h = (h ^ word) * factor;
  h ^= h >> 32;
  h *= factor; /* what differs in the last byte alone has come no lower than to bit 24 */
  return h ^ h >> 32;
}

#endif
