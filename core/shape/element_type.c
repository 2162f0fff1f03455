/* element_type.c: one row for each number of XLA's PrimitiveType enumeration. A new element type is a new row. */
#include "shape/element_type.h"

#include <stdio.h>

typedef struct element_type {
  const char *name;
  int bits;
} element_type;

/* clang-format off */
static const element_type element_types[] = {
    [1] = {"pred", 8}, /* stored as a byte, although it is one bit of information */
    [2] = {"s8", 8},
    [3] = {"s16", 16},
    [4] = {"s32", 32},
    [5] = {"s64", 64},
    [6] = {"u8", 8},
    [7] = {"u16", 16},
    [8] = {"u32", 32},
    [9] = {"u64", 64},
    [10] = {"f16", 16},
    [11] = {"f32", 32},
    [12] = {"f64", 64},
    [MV_TYPE_TUPLE] = {"tuple", 0},
    [MV_TYPE_OPAQUE] = {"opaque", 0}, /* OPAQUE_TYPE in the enumeration, only to avoid a macro of Windows */
    [15] = {"c64", 64},
    [16] = {"bf16", 16},
    [MV_TYPE_TOKEN] = {"token", 0},
    [18] = {"c128", 128},
    [19] = {"f8e5m2", 8},
    [20] = {"f8e4m3fn", 8},
    [21] = {"s4", 4},
    [22] = {"u4", 4},
    [23] = {"f8e4m3b11fnuz", 8},
    [24] = {"f8e5m2fnuz", 8},
    [25] = {"f8e4m3fnuz", 8},
    [26] = {"s2", 2},
    [27] = {"u2", 2},
    [28] = {"f8e4m3", 8},
    [29] = {"f8e3m4", 8},
    [30] = {"s1", 1},
    [31] = {"u1", 1},
    [32] = {"f4e2m1fn", 4},
    [33] = {"f8e8m0fnu", 8},
    [MV_TYPE_BUFFER] = {"buffer", 0},
    [35] = {"f6e3m2fn", 6},
    [36] = {"f6e2m3fn", 6},
};
/* clang-format on */

enum { ELEMENT_TYPE_COUNT = sizeof element_types / sizeof *element_types };

const char *mv_element_type_name(int64_t type) {
  return type >= 0 && type < ELEMENT_TYPE_COUNT ? element_types[type].name : NULL;
}

int64_t mv_element_type_of_name(mv_bytes name) {
  for (int64_t type = 0; type < ELEMENT_TYPE_COUNT; type++) {
    if (element_types[type].name != NULL && mv_bytes_equal_string(name, element_types[type].name)) {
      return type;
    }
  }
  return MV_TYPE_INVALID;
}

/* How NumPy, JAX and TensorFlow begin a name, and what XLA writes instead. The longer ones first. */
static const struct {
  const char *theirs;
  const char *ours;
} beginnings[] = {
    {"bfloat", "bf"}, {"float", "f"}, {"complex", "c"}, {"uint", "u"}, {"int", "s"}, {"ui", "u"}, {"i", "s"},
};

/* Whole names that follow no rule. */
static const struct {
  const char *theirs;
  const char *ours;
} aliases[] = {{"bool", "pred"}, {"half", "f16"}, {"double", "f64"}};

int64_t mv_element_type_of_any_name(mv_bytes name) {
  enum { LONGEST = 24 }; /* "float8_e4m3b11fnuz" has 18 */
  char lower[LONGEST];
  char ours[LONGEST];
  size_t size = 0;
  for (size_t i = 0; i < name.size; i++) {
    const char c = (char)name.data[i];
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (c == '_' && i + 1 < name.size && (name.data[i + 1] | 0x20) == 'e') {
      continue; /* float8_e5m2 */
    }
    if (size == LONGEST - 1) {
      return MV_TYPE_INVALID;
    }
    lower[size++] = is_upper ? (char)(c | 0x20) : c;
  }
  lower[size] = '\0';
  const mv_bytes whole = {(const uint8_t *)lower, size};
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
    if (mv_bytes_equal_string(whole, aliases[i].theirs)) {
      return mv_element_type_of_name(mv_bytes_of_string(aliases[i].ours));
    }
  }
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    if (mv_bytes_starts_with(whole, beginnings[i].theirs)) {
      snprintf(ours, sizeof ours, "%s%s", beginnings[i].ours, lower + strlen(beginnings[i].theirs));
      return mv_element_type_of_name(mv_bytes_of_string(ours));
    }
  }
  return mv_element_type_of_name(whole);
}

int mv_element_type_bits(int64_t type) {
  return type >= 0 && type < ELEMENT_TYPE_COUNT ? element_types[type].bits : 0;
}
