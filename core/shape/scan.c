/* scan.c: what a module needs of every ShapeProto, read from the bytes in one pass without allocating.
 *
 *   field   2 element_type   3 dimensions   4 tuple_shapes   5 layout { 6 tiles   7 element_size_in_bits }
 *
 * A module has a shape for each instruction, most of 15 to 40 bytes; decoding them all only to multiply their
 * dimensions would cost more than reading the rest of the module. Nested shapes are counted, not entered.
 */
#include "shape/measure.h"
#include "shape/shape.h"
#include "wire/fields.h"
#include "wire/wire.h"

typedef struct scan {
  int64_t type;
  int64_t elements; /* product of the dimensions that are not 0 */
  bool empty;       /* a dimension is 0 */
  bool unknown;     /* a dimension is unbounded or negative */
  bool overflow;
  int64_t layout_bits;
  int64_t tuple_count;
  mv_bytes first_shape; /* of the tuple_shapes */
} scan;

static inline void scan_dimension(scan *s, uint64_t value) {
  const int64_t size = (int64_t)value;
  if (size < 0) {
    s->unknown = true;
  } else if (size == 0) {
    s->empty = true;
  } else if (!mv_size_multiply(&s->elements, s->elements, size)) {
    s->overflow = true;
  }
}

static bool scan_dimensions(scan *s, mv_bytes packed) {
  mv_wire w = mv_wire_of(packed);
  uint64_t value;
  while (mv_wire_next_packed(&w, &value)) {
    scan_dimension(s, value);
  }
  return w.fault == MV_FAULT_NONE;
}

static bool scan_layout_bits(int64_t *bits, mv_bytes layout) {
  mv_wire w = mv_wire_of(layout);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_LAYOUT_ELEMENT_BITS && tag.type == MV_VARINT) {
      *bits = (int64_t)tag.value;
    }
  }
  return w.fault == MV_FAULT_NONE;
}

static bool scan_shape(scan *s, mv_bytes proto) {
  *s = (scan){.elements = 1};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    switch (mv_proto_key(tag.field, tag.type)) {
      case mv_proto_key(MV_SHAPE_ELEMENT_TYPE, MV_VARINT): s->type = mv_proto_enum(tag.value); break;
      case mv_proto_key(MV_SHAPE_DIMENSIONS, MV_VARINT): scan_dimension(s, tag.value); break;
      case mv_proto_key(MV_SHAPE_DIMENSIONS, MV_LENGTH):
        if (!scan_dimensions(s, tag.bytes)) {
          return false;
        }
        break;
      case mv_proto_key(MV_SHAPE_TUPLE_SHAPES, MV_LENGTH):
        if (s->tuple_count++ == 0) {
          s->first_shape = tag.bytes;
        }
        break;
      case mv_proto_key(MV_SHAPE_LAYOUT, MV_LENGTH):
        /* E(n) is seldom there: without its key among the bytes there is nothing to read. */
        if (memchr(tag.bytes.data, MV_LAYOUT_ELEMENT_BITS << 3 | MV_VARINT, tag.bytes.size) != NULL &&
            !scan_layout_bits(&s->layout_bits, tag.bytes)) {
          return false;
        }
        break;
      default: break;
    }
  }
  return w.fault == MV_FAULT_NONE;
}

static int64_t array_bytes(const scan *s) {
  const int type_bits = mv_element_type_bits(s->type);
  int64_t bytes;
  if (type_bits == 0 || s->unknown) {
    return -1;
  }
  if (s->empty) {
    return 0;
  }
  if (s->overflow || !mv_size_of_elements(&bytes, s->elements, mv_unpadded_bits(type_bits, s->layout_bits))) {
    return -1;
  }
  return bytes;
}

int64_t mv_shape_scan_unpadded(mv_bytes proto) {
  scan s;
  if (!scan_shape(&s, proto)) {
    return -1;
  }
  if (s.type == MV_TYPE_TOKEN) {
    return 0;
  }
  if (s.type == MV_TYPE_TUPLE) {
    return s.tuple_count * MV_TUPLE_POINTER_BYTES;
  }
  /* A buffer holds one array and no other buffer, so this needs no loop. */
  if (s.type == MV_TYPE_BUFFER && (s.tuple_count != 1 || !scan_shape(&s, s.first_shape))) {
    return -1;
  }
  return array_bytes(&s);
}

bool mv_shape_scan_is_tiled(mv_bytes proto) {
  bool tiled = false;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag = {0};
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_SHAPE_LAYOUT || tag.type != MV_LENGTH) {
      continue;
    }
    mv_wire layout = mv_wire_of(tag.bytes);
    while (mv_wire_next(&layout, &tag)) {
      tiled = tiled || (tag.field == MV_LAYOUT_TILES && tag.type == MV_LENGTH);
    }
  }
  return tiled && w.fault == MV_FAULT_NONE;
}
