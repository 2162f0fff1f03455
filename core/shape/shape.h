/* shape.h: an XLA shape with its layout: read from a ShapeProto or from text, printed, and sized.
 *
 *   ShapeProto bytes --decode--> mv_shape --print--> "f32[8,128]{1,0:T(8,128)S(1)}" --parse--> mv_shape
 *                                    |
 *                                    +-- padded bytes, unpadded bytes
 *
 * A shape lives in the arena it was read into. What decode and parse let through holds: dimensions are not negative,
 * minor_to_major is a permutation of them, tile dimensions are positive and the most minor is no "*".
 */
#ifndef MV_SHAPE_SHAPE_H
#define MV_SHAPE_SHAPE_H

#include "base/arena.h"
#include "base/text.h"
#include "shape/element_type.h"

enum {
  MV_SHAPE_DEPTH = 64,      /* shapes inside each other: tuples, buffers, physical shapes */
  MV_SHAPE_COUNT = 1 << 17, /* shapes in one, all levels together: two bytes of a file can ask for a whole mv_shape */
  MV_SHAPE_RANK = 1024,     /* dimensions of an array: no compiler makes a tenth of them */
  MV_TILE_RANK = 32,        /* dimensions of a tile */
};

/* A dimension whose size is not bounded, printed as "?" (xla::Shape::kUnboundedSize). */
#define MV_UNBOUNDED INT64_MIN
/* A tile dimension "*": combine with the next minor dimension first (xla::Tile::kCombineDimension). */
#define MV_COMBINE INT64_MIN

typedef struct mv_tile {
  const int64_t *dimensions; /* major to minor, as printed */
  size_t rank;
} mv_tile;

typedef struct mv_split_config {
  int64_t dimension;
  const int64_t *indices;
  size_t index_count;
} mv_split_config;

typedef struct mv_shape mv_shape;

typedef struct mv_layout {
  const int64_t *minor_to_major;
  size_t rank;
  const mv_tile *tiles;
  size_t tile_count;
  const int64_t *dim_level_types; /* DIM_DENSE 0, DIM_COMPRESSED 1, DIM_SINGLETON 2, ... ; NULL when none are given */
  size_t dim_level_type_count;
  const int64_t *dim_unique; /* 0 or 1 each */
  size_t dim_unique_count;
  const int64_t *dim_ordered;
  size_t dim_ordered_count;
  int64_t tail_alignment; /* in elements; 1 when there is none */
  int64_t index_type;     /* MV_TYPE_INVALID when there is none */
  int64_t pointer_type;
  int64_t element_bits; /* E(n); 0 when there is none */
  int64_t memory_space; /* S(n) */
  const mv_split_config *splits;
  size_t split_count;
  const mv_shape *physical_shape; /* NULL when there is none */
  int64_t metadata_prefix_bytes;  /* M(n) */
} mv_layout;

struct mv_shape {
  int64_t element_type;
  const int64_t *dimensions; /* bounds where dynamic */
  const bool *dynamic;       /* one for each dimension; NULL when none is dynamic */
  size_t rank;
  bool has_layout;
  mv_layout layout;
  const mv_shape *elements; /* of a tuple, or the one element of a buffer */
  size_t element_count;
};

/* Read a ShapeProto. Fails (MV_FORMAT, MV_LIMIT, MV_NOMEM) on bytes that are none, damaged anywhere in what its kind of
 * shape has (check.h); an unknown element type is kept, and read as an array. The bytes are not needed afterwards. */
bool mv_shape_decode(mv_shape *out, mv_bytes proto, mv_arena *arena, mv_status *status);

/* Read a shape as XLA prints it, with or without layout, comments and spaces as HLO text has them. The element type may
 * be spelled otherwise (mv_element_type_of_any_name), and the parts of a layout come in any order, each once. Fails
 * with MV_ARGUMENT (MV_LIMIT beyond the limits above) and a message that names what is wrong and at which character
 * (1-based), such as "no shape: unknown element type 'f33' at character 1". */
bool mv_shape_parse(mv_shape *out, mv_bytes text, mv_arena *arena, mv_status *status);

/* Read a shape from what people paste: the above, perhaps with a count before it ("2×bf16[8]", 2x, 2*), which goes into
 * *count (else 1), or a line, or several, of what XLA writes about memory. Of a line counts the shape behind the word
 * "shape", else the result of an instruction ("%a = f32[8]{0} copy(...)"). It is an error when there are several such
 * shapes, none, or one that is cut off. */
bool mv_shape_parse_pasted(mv_shape *out, int64_t *count, mv_bytes text, mv_arena *arena, mv_status *status);

/* Append the shape as XLA's ShapeUtil::HumanStringWithLayout prints it; an element type n without a name as
 * "type<n>". */
void mv_shape_print(mv_text *text, const mv_shape *shape);

/* Bytes with padding: the dimensions minor to major, each tile level in turn, tail alignment, element width, and the
 * prefix M(n) that holds the sizes of bounded dynamic dimensions; of a split dimension its largest part. Bytes without:
 * the product of the dimensions times the width. Dynamic dimensions count at their bound. A tuple is the sum of its
 * leaves, a buffer its array, a token 0. Both return false when the size can't be known (unbounded dimension, opaque,
 * unknown type) or does not fit in 63 bits; *out is then not set. */
bool mv_shape_padded_bytes(int64_t *out, const mv_shape *shape);
bool mv_shape_unpadded_bytes(int64_t *out, const mv_shape *shape);

/* The bytes of the ShapeProto found by walking `index` (count steps into tuple_shapes) from `proto`. False when a step
 * points nowhere or the bytes are faulty. */
bool mv_shape_walk(mv_bytes *out, mv_bytes proto, const int64_t *index, size_t count);

/* Unpadded bytes straight from a ShapeProto, without an arena: what mv_shape_unpadded_bytes gives for the decoded
 * shape of an array, a buffer or a token, and of a tuple its index table, 8 bytes an element. Returns -1 when it can't
 * be known, and for all bytes that mv_shape_decode refuses. Written for speed: the whole of a module's shapes pass
 * through here. */
int64_t mv_shape_scan_unpadded(mv_bytes proto);

/* The element type that a ShapeProto has, as far as its bytes are sound; MV_TYPE_INVALID when it has none. */
int64_t mv_shape_scan_element_type(mv_bytes proto);

/* Whether the shape, when decoded, is an array whose layout has tiles. */
bool mv_shape_scan_is_tiled(mv_bytes proto);

#endif
