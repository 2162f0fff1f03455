/* scan.c: what a module needs of every ShapeProto, read from the bytes without allocating.
 *
 * A module has a shape for each instruction, most of 15 to 40 bytes; decoding them all only to multiply their
 * dimensions would cost more than reading the rest of the module.
 */
#include "shape/check.h"
#include "shape/measure.h"
#include "wire/fields.h"
#include "wire/wire.h"

static int64_t array_bytes(const mv_shape_facts *facts) {
  const int type_bits = mv_element_type_bits(facts->type);
  int64_t bytes;
  if (type_bits == 0 || facts->is_unbounded) {
    return -1;
  }
  if (facts->is_empty) { /* known even where the other dimensions overflow */
    return 0;
  }
  const int64_t bits = mv_unpadded_bits(type_bits, facts->layout_bits);
  return !facts->overflows && mv_size_of_elements(&bytes, facts->elements, bits) ? bytes : -1;
}

int64_t mv_shape_scan_unpadded(mv_bytes proto) {
  mv_shape_facts facts;
  if (!mv_shape_check(&facts, proto, NULL)) {
    return -1;
  }
  switch (facts.type) {
    case MV_TYPE_TOKEN: return 0;
    case MV_TYPE_TUPLE: return (int64_t)facts.shape_count * MV_TUPLE_POINTER_BYTES;
    case MV_TYPE_BUFFER: { /* it holds one array and no other buffer, so this needs no loop */
      const mv_bytes array = facts.first_shape;
      return mv_shape_check(&facts, array, NULL) ? array_bytes(&facts) : -1;
    }
    default: return array_bytes(&facts);
  }
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
  /* Few shapes come here: what has tiles is a TPU's, and one tells that the module is. */
  mv_shape_facts facts;
  return tiled && mv_shape_check(&facts, proto, NULL) && facts.tile_count > 0;
}

int64_t mv_shape_scan_element_type(mv_bytes proto) {
  int64_t type = MV_TYPE_INVALID;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_SHAPE_ELEMENT_TYPE && tag.type == MV_VARINT) {
      type = mv_proto_enum(tag.value);
    }
  }
  return type;
}
