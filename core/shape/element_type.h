/* element_type.h: XLA's PrimitiveType: names and widths (xla/xla_data.proto, xla/primitive_util). */
#ifndef MV_SHAPE_ELEMENT_TYPE_H
#define MV_SHAPE_ELEMENT_TYPE_H

#include "base/bytes.h"

enum { /* the values that have rules of their own; the rest is data in element_type.c */
       MV_TYPE_INVALID = 0,
       MV_TYPE_TUPLE = 13,
       MV_TYPE_OPAQUE = 14,
       MV_TYPE_TOKEN = 17,
       MV_TYPE_BUFFER = 34,
};

/* The name in HLO text, such as "bf16"; NULL for a number that no known XLA assigns. Static. */
const char *mv_element_type_name(int64_t type);

/* The type of a name in HLO text, MV_TYPE_INVALID when there is none. */
int64_t mv_element_type_of_name(mv_bytes name);

/* The same for names as people write them: in any case, and as NumPy, JAX and TensorFlow spell them: bfloat16, int8,
 * i8, ui8, float8_e4m3fn, bool, half, double. Not "float", which is 32 bits for one and 64 for the other. */
int64_t mv_element_type_of_any_name(mv_bytes name);

/* The width of one element in bits: 4 for s4, 6 for f6e3m2fn, 8 for pred, which is stored as a byte; 0 for types
 * without elements (tuple, opaque, token, buffer) and for unknown ones. */
int mv_element_type_bits(int64_t type);

#endif
