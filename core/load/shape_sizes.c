/* shape_sizes.c: unpadded sizes of shapes, each kind of shape scanned once.
 *
 * A module has thousands of shapes and some hundreds of different ones. What was scanned is kept in a table with one
 * place for each hash; a shape is found by all of its bytes, so a hash that collides costs a scan and nothing else.
 */
#include "base/hash.h"
#include "load/build.h"
#include "shape/shape.h"

enum {
  PLACES = 256,
  LONGEST = 256 /* bytes of a shape that is kept: longer ones are large tuples, each another one */
};

static mv_shape_size scan(const mv_build *b, mv_bytes shape) {
  return (mv_shape_size){.shape = shape,
                         .unpadded_bytes = mv_shape_scan_unpadded(shape),
                         .is_tiled = b->platform_clues[MV_PLATFORM_TPU] == 0 && mv_shape_scan_is_tiled(shape)};
}

bool mv_build_size(mv_shape_size *out, mv_build *b, mv_bytes shape) {
  if (shape.size == 0 || shape.size > LONGEST) {
    *out = scan(b, shape);
    return true;
  }
  if (b->shape_sizes == NULL) {
    b->shape_sizes = mv_arena_zalloc(b->scratch, PLACES, sizeof *b->shape_sizes, b->status);
    if (b->shape_sizes == NULL) {
      return false;
    }
  }
  mv_shape_size *kept = &b->shape_sizes[mv_hash(shape) % PLACES];
  if (!mv_bytes_equal(kept->shape, shape)) {
    *kept = scan(b, shape);
  }
  *out = *kept;
  return true;
}
