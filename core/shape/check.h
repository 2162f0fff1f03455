/* check.h: the one rule of what bytes are a ShapeProto, held without allocating.
 *
 * Decoding (decode.c) and sizing without decoding (scan.c) both begin with it, so that no damage makes a shape that one
 * of them knows and the other does not.
 *
 * Looked at is what the kind of shape has: an array's dimensions and layout, the elements of a tuple or buffer, nothing
 * of a token or an opaque. Everything else is skipped unread, as unknown fields are.
 */
#ifndef MV_SHAPE_CHECK_H
#define MV_SHAPE_CHECK_H

#include "shape/shape.h"

/* What the bytes of a shape say of its size. */
typedef struct mv_shape_facts {
  int64_t type;
  size_t rank;
  int64_t elements;    /* product of the dimensions that are not 0 */
  bool is_empty;       /* a dimension is 0 */
  bool is_unbounded;   /* a dimension is MV_UNBOUNDED */
  bool overflows;      /* `elements` does not fit in 63 bits */
  int64_t layout_bits; /* E(n), 0 without */
  size_t tile_count;
  size_t shape_count;   /* tuple_shapes */
  mv_bytes first_shape; /* of the tuple_shapes */
} mv_shape_facts;

/* Whether `proto` is a shape, with all that is nested in it. When it is not, the reason goes into `status` (MV_FORMAT,
 * MV_LIMIT), which may be NULL. */
bool mv_shape_check(mv_shape_facts *out, mv_bytes proto, mv_status *status);

#endif
