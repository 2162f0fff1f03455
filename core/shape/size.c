/* size.c: bytes of a decoded shape, with padding and without.
 *
 * Padded, an array is a list of dimensions, major to minor. Each tile level replaces the innermost ones, as many as the
 * tile has, by the number of tiles along each and then by the tile's own dimensions, where the next level goes on:
 *
 *   pred[17,129]{1,0:T(8,128)(4,1)}
 *
 *     17, 129                     the dimensions by the layout's order
 *      3,   2, 8, 128             T(8,128): three tiles down, two across, of 8 x 128 elements each
 *      3,   2, 2, 128, 4, 1       (4,1): inside each tile, again
 *
 *   3 * 2 * 2 * 128 * 4 * 1 = 6144 elements
 *
 * A level that divides the one before it, as in real programs, adds nothing: (2,1) inside (8,128). One that does not,
 * such as (2,1) inside (1,128), pads once more. A tile with more dimensions than there are sees leading ones. A "*"
 * multiplies its dimension into the next minor one, and the tile applies to the product.
 *
 * Then the elements are rounded up to a multiple of L(n) and multiplied by the width, E(n) or else the type's own. The
 * prefix M(n) comes before them: the runtime writes the sizes of bounded dynamic dimensions into it, also where no
 * element follows.
 *
 * Of a dimension that SC(...) splits only the largest part counts: each part lies in a memory of its own.
 */
#include "shape/measure.h"
#include "shape/shape.h"

/* No level reaches further than its own rank, so the dimensions beyond the highest rank of a tile are only a factor. */
typedef struct tiled {
  int64_t outer;                        /* product of the dimensions that no tile reaches */
  int64_t dimensions[2 * MV_TILE_RANK]; /* major to minor; at most MV_TILE_RANK between the levels */
  size_t count;
} tiled;

/* The size of the layout's k-th most minor dimension. The dimension of a split is counted from the major end. */
static int64_t physical_dimension(const mv_shape *shape, size_t k) {
  const mv_layout *layout = &shape->layout;
  const int64_t size = shape->dimensions[layout->minor_to_major[k]];
  for (size_t i = 0; i < layout->split_count; i++) {
    const mv_split_config *split = &layout->splits[i];
    if (split->dimension != (int64_t)(shape->rank - 1 - k)) {
      continue;
    }
    int64_t largest = 0;
    int64_t start = 0;
    for (size_t j = 0; j <= split->index_count; j++) {
      const int64_t end = j < split->index_count ? split->indices[j] : size;
      largest = end - start > largest ? end - start : largest;
      start = end;
    }
    return largest;
  }
  return size;
}

/* Keep the innermost MV_TILE_RANK dimensions, fold the others into the factor. */
static bool fold(tiled *t) {
  const size_t extra = t->count > MV_TILE_RANK ? t->count - MV_TILE_RANK : 0;
  for (size_t i = 0; i < extra; i++) {
    if (!mv_size_multiply(&t->outer, t->outer, t->dimensions[i])) {
      return false;
    }
  }
  t->count -= extra;
  memmove(t->dimensions, t->dimensions + extra, t->count * sizeof *t->dimensions);
  return true;
}

static bool apply_tile(tiled *t, const mv_tile *tile) {
  if (tile->rank == 0 || tile->rank > MV_TILE_RANK || tile->dimensions[tile->rank - 1] == MV_COMBINE) {
    return false;
  }
  if (t->count < tile->rank) { /* then nothing was folded, and the missing dimensions are ones */
    const size_t missing = tile->rank - t->count;
    memmove(t->dimensions + missing, t->dimensions, t->count * sizeof *t->dimensions);
    for (size_t i = 0; i < missing; i++) {
      t->dimensions[i] = 1;
    }
    t->count = tile->rank;
  }
  int64_t inside[MV_TILE_RANK];
  size_t inside_count = 0;
  const size_t start = t->count - tile->rank;
  int64_t size = 1;
  for (size_t i = 0; i < tile->rank; i++) {
    if (!mv_size_multiply(&size, size, t->dimensions[start + i])) {
      return false;
    }
    if (tile->dimensions[i] == MV_COMBINE) {
      continue;
    }
    if (tile->dimensions[i] <= 0) {
      return false;
    }
    t->dimensions[start + inside_count] = mv_size_divide_up(size, tile->dimensions[i]);
    inside[inside_count++] = tile->dimensions[i];
    size = 1;
  }
  memcpy(t->dimensions + start + inside_count, inside, inside_count * sizeof *inside);
  t->count = start + 2 * inside_count;
  return fold(t);
}

static bool padded_elements(int64_t *out, const mv_shape *shape) {
  tiled t = {.outer = 1, .count = 0};
  for (size_t k = shape->rank; k-- > 0;) {
    t.dimensions[t.count++] = shape->has_layout ? physical_dimension(shape, k) : shape->dimensions[k];
    if (t.count > MV_TILE_RANK && !fold(&t)) {
      return false;
    }
  }
  const mv_layout *layout = &shape->layout;
  for (size_t i = 0; shape->has_layout && i < layout->tile_count; i++) {
    if (!apply_tile(&t, &layout->tiles[i])) {
      return false;
    }
  }
  int64_t elements = t.outer;
  for (size_t i = 0; i < t.count; i++) {
    if (!mv_size_multiply(&elements, elements, t.dimensions[i])) {
      return false;
    }
  }
  if (shape->has_layout && layout->tail_alignment > 1) {
    return mv_size_round_up(out, elements, layout->tail_alignment);
  }
  *out = elements;
  return true;
}

static bool unpadded_elements(int64_t *out, const mv_shape *shape) {
  int64_t elements = 1;
  for (size_t i = 0; i < shape->rank; i++) {
    if (!mv_size_multiply(&elements, elements, shape->dimensions[i])) {
      return false;
    }
  }
  *out = elements;
  return true;
}

static bool array_bytes(int64_t *out, const mv_shape *shape, bool padded) {
  const int type_bits = mv_element_type_bits(shape->element_type);
  bool empty = false;
  for (size_t i = 0; i < shape->rank; i++) {
    if (shape->dimensions[i] < 0) { /* unbounded */
      return false;
    }
    empty = empty || shape->dimensions[i] == 0;
  }
  if (type_bits == 0) {
    return false;
  }
  const int64_t prefix = shape->has_layout && padded ? shape->layout.metadata_prefix_bytes : 0;
  if (empty) { /* known even where the other dimensions overflow */
    *out = prefix;
    return true;
  }
  const int64_t layout_bits = shape->has_layout ? shape->layout.element_bits : 0;
  int64_t elements;
  if (!padded) {
    return unpadded_elements(&elements, shape) &&
           mv_size_of_elements(out, elements, mv_unpadded_bits(type_bits, layout_bits));
  }
  int64_t bytes;
  return padded_elements(&elements, shape) &&
         mv_size_of_elements(&bytes, elements, layout_bits > 0 ? layout_bits : mv_unpadded_bits(type_bits, 0)) &&
         mv_size_add(out, bytes, prefix);
}

static bool shape_bytes(int64_t *out, const mv_shape *shape, bool padded) {
  switch (shape->element_type) {
    case MV_TYPE_TOKEN: *out = 0; return true;
    case MV_TYPE_TUPLE:
    case MV_TYPE_BUFFER: {
      int64_t sum = 0;
      for (size_t i = 0; i < shape->element_count; i++) {
        int64_t bytes;
        if (!shape_bytes(&bytes, &shape->elements[i], padded) || !mv_size_add(&sum, sum, bytes)) {
          return false;
        }
      }
      *out = sum;
      return true;
    }
    default: return array_bytes(out, shape, padded);
  }
}

bool mv_shape_padded_bytes(int64_t *out, const mv_shape *shape) {
  return shape_bytes(out, shape, true);
}

bool mv_shape_unpadded_bytes(int64_t *out, const mv_shape *shape) {
  return shape_bytes(out, shape, false);
}
