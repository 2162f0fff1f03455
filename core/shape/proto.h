/* proto.h: the field numbers of the messages that describe a shape (xla/xla_data.proto). */
#ifndef MV_SHAPE_PROTO_H
#define MV_SHAPE_PROTO_H

#include "base/wire.h"

/* ShapeProto */
enum {
  MV_SHAPE_ELEMENT_TYPE = 2,
  MV_SHAPE_DIMENSIONS = 3,
  MV_SHAPE_TUPLE_SHAPES = 4,
  MV_SHAPE_LAYOUT = 5,
  MV_SHAPE_IS_DYNAMIC_DIMENSION = 6,
};

/* LayoutProto */
enum {
  MV_LAYOUT_MINOR_TO_MAJOR = 1,
  MV_LAYOUT_TILES = 6,
  MV_LAYOUT_ELEMENT_BITS = 7,
  MV_LAYOUT_MEMORY_SPACE = 8,
  MV_LAYOUT_DIM_LEVEL_TYPES = 9,
  MV_LAYOUT_PHYSICAL_SHAPE = 10,
  MV_LAYOUT_INDEX_TYPE = 11,
  MV_LAYOUT_POINTER_TYPE = 12,
  MV_LAYOUT_DIM_UNIQUE = 13,
  MV_LAYOUT_DIM_ORDERED = 14,
  MV_LAYOUT_METADATA_PREFIX_BYTES = 15,
  MV_LAYOUT_TAIL_ALIGNMENT = 16,
  MV_LAYOUT_SPLIT_CONFIGS = 17,
};

/* TileProto */
enum { MV_TILE_DIMENSIONS = 1 };

/* SplitConfigProto */
enum { MV_SPLIT_DIMENSION = 1, MV_SPLIT_INDICES = 2 };

/* A field and its wire type as one number, for `case` labels. */
#define mv_proto_key(field, type) ((uint32_t)(field) << 3 | (uint32_t)(type))

/* An enumeration travels as a varint of which protobuf keeps the low 32 bits. */
static inline int64_t mv_proto_enum(uint64_t value) {
  return (int64_t)(int32_t)(uint32_t)value;
}

/* The values of one occurrence of a repeated number: one, or packed ones. None when the wire type is another.
 *
 *   mv_numbers n = mv_numbers_of(&tag);
 *   while (mv_numbers_next(&n, &value)) { ... }
 *   if (n.packed.fault) ... */
typedef struct mv_numbers {
  mv_wire packed;
  uint64_t single;
  bool has_single;
} mv_numbers;

MV_INLINE mv_numbers mv_numbers_of(const mv_tag *tag) {
  const mv_bytes packed = {tag->bytes.data, tag->type == MV_LENGTH ? tag->bytes.size : 0};
  return (mv_numbers){mv_wire_of(packed), tag->value, tag->type == MV_VARINT};
}

MV_INLINE bool mv_numbers_next(mv_numbers *n, int64_t *value) {
  uint64_t next = n->single;
  const bool found = n->has_single || mv_wire_next_packed(&n->packed, &next);
  n->has_single = false;
  *value = (int64_t)next;
  return found;
}

#endif
