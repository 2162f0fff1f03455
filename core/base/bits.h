/* bits.h: the ends of a word. */
#ifndef MV_BASE_BITS_H
#define MV_BASE_BITS_H

#include <stdint.h>

/* The number of the highest bit that is set in a word that is not 0. */
static inline uint32_t mv_highest_bit(uint64_t word) {
#if defined(__GNUC__)
  return 63 - (uint32_t)__builtin_clzll(word);
#else
  uint32_t n = 0;
  for (uint32_t step = 32; step > 0; step /= 2) {
    if (word >> step != 0) {
      word >>= step;
      n += step;
    }
  }
  return n;
#endif
}

/* The number of the lowest one. */
static inline uint32_t mv_lowest_bit(uint64_t word) {
#if defined(__GNUC__)
  return (uint32_t)__builtin_ctzll(word);
#else
  return mv_highest_bit(word & (~word + 1));
#endif
}

#endif
