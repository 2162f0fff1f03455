/* element_type.c: one row for each number of XLA's PrimitiveType enumeration. A new element type is a new row. */
#include "shape/element_type.h"

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

int mv_element_type_bits(int64_t type) {
  return type >= 0 && type < ELEMENT_TYPE_COUNT ? element_types[type].bits : 0;
}
