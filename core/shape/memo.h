/* memo.h: shapes as texts, each decoded and printed once.
 *
 * A module has many buffers and few shapes: the layers of a model are alike. What a ShapeProto's bytes are printed as
 * is remembered by these bytes, whatever module they are of, up to a fixed amount of memory; then it begins anew.
 */
#ifndef MV_SHAPE_MEMO_H
#define MV_SHAPE_MEMO_H

#include "base/text.h"
#include "shape/shape.h"

typedef struct mv_shape_memo { /* {0} is empty; freed by the owner */
  mv_arena *arena;             /* of what is remembered */
  mv_arena *scratch;           /* of one shape's decoding */
  struct mv_shape_entry *entries;
  size_t count;
  mv_text text; /* the last one that was printed */
} mv_shape_memo;

/* The shape as XLA prints it, with a terminator behind it; {NULL, 0} when `proto` is no shape. Valid until the next
 * call. Fails with MV_NOMEM only. */
bool mv_shape_memo_text(mv_bytes *out, mv_shape_memo *memo, mv_bytes proto, mv_status *status);

void mv_shape_memo_free(mv_shape_memo *memo);

#endif
