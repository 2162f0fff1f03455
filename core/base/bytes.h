/* bytes.h: a slice of bytes owned by somebody else. */
#ifndef MV_BASE_BYTES_H
#define MV_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `size` bytes at `data`; not terminated, not owned. {NULL, 0} is the empty slice. */
typedef struct mv_bytes {
  const uint8_t *data;
  size_t size;
} mv_bytes;

/* What walks over protobufs require of their bytes: as many more can be read behind the end, see wire/wire.h. */
enum { MV_READABLE = 16 };

static inline mv_bytes mv_bytes_of(const void *data, size_t size) {
  return (mv_bytes){(const uint8_t *)data, size};
}

/* The bytes of a C string without its terminator; NULL is empty. */
static inline mv_bytes mv_bytes_of_string(const char *text) {
  return mv_bytes_of(text, text != NULL ? strlen(text) : 0);
}

static inline bool mv_bytes_equal(mv_bytes a, mv_bytes b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool mv_bytes_equal_string(mv_bytes a, const char *text) {
  return text != NULL ? a.size == strlen(text) && (a.size == 0 || memcmp(a.data, text, a.size) == 0) : a.size == 0;
}

static inline bool mv_bytes_starts_with(mv_bytes a, const char *prefix) {
  const size_t n = strlen(prefix);
  return a.size >= n && memcmp(a.data, prefix, n) == 0;
}

static inline bool mv_bytes_ends_with(mv_bytes a, const char *ending) {
  const size_t n = strlen(ending);
  return a.size >= n && memcmp(a.data + a.size - n, ending, n) == 0;
}

#endif
