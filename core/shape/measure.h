/* measure.h: the arithmetic of sizes, shared by size.c (decoded shapes) and scan.c (bytes), so that both agree.
 *
 * Sizes are int64_t and never negative. Every function returns false where the result does not fit in 63 bits.
 */
#ifndef MV_SHAPE_MEASURE_H
#define MV_SHAPE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

enum { MV_TUPLE_POINTER_BYTES = 8 }; /* of each element in a tuple's index table */

static inline bool mv_size_multiply(int64_t *out, int64_t a, int64_t b) {
  /* Nearly every factor is small: that a division can be avoided is what makes scanning cheap. */
  if (((uint64_t)a | (uint64_t)b) > INT32_MAX && b != 0 && a > INT64_MAX / b) {
    return false;
  }
  *out = a * b;
  return true;
}

static inline bool mv_size_add(int64_t *out, int64_t a, int64_t b) {
  if (a > INT64_MAX - b) {
    return false;
  }
  *out = a + b;
  return true;
}

static inline int64_t mv_size_divide_up(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}

static inline bool mv_size_round_up(int64_t *out, int64_t a, int64_t multiple) {
  return mv_size_multiply(out, mv_size_divide_up(a, multiple), multiple);
}

/* Bytes that `elements` of `bits` each take, rounded up once, at the end. Eight elements take `bits` bytes, so nothing
 * overflows on the way to a result that fits. */
static inline bool mv_size_of_elements(int64_t *out, int64_t elements, int64_t bits) {
  int64_t whole;
  int64_t rest;
  return mv_size_multiply(&whole, elements / 8, bits) && mv_size_multiply(&rest, elements % 8, bits) &&
         mv_size_add(out, whole, mv_size_divide_up(rest, 8));
}

/* Bits of an element without padding: the type's own, a byte at least, unless the layout's E(n) packs it tighter. An
 * E(n) that is wider is padding. */
static inline int64_t mv_unpadded_bits(int type_bits, int64_t layout_bits) {
  const int64_t bits = type_bits < 8 ? 8 : type_bits;
  return layout_bits > 0 && layout_bits < bits ? layout_bits : bits;
}

#endif
