/* check.c: walks a ShapeProto, counts and compares, keeps nothing.
 *
 *   ShapeProto -> type, dimensions, tuple_shapes counted; the layout noted
 *              -> by its type: the dimensions and the layout of an array, or the nested shapes, each in the same way
 *
 * As protobuf demands, repeated numbers may be packed or not, unknown fields and known ones of another wire type are
 * ignored, and the parts of a message that comes twice are merged. Recursion ends at MV_SHAPE_DEPTH.
 */
#include "shape/check.h"

#include <inttypes.h>

#include "shape/measure.h"
#include "wire/fields.h"
#include "wire/wire.h"

typedef struct checker {
  mv_status *status;
  size_t nested; /* shapes met inside the outermost */
} checker;

/* What the fields say of an array, kept until it is known that the shape is one. */
typedef struct array_fields {
  mv_fault fault;        /* in packed dimensions or flags */
  int64_t bad_dimension; /* the last one that is negative and not MV_UNBOUNDED; 0 when there is none */
  size_t flag_count;     /* in is_dynamic_dimension */
  size_t layout_count;
  mv_bytes layout; /* the last one */
} array_fields;

typedef struct layout_fields {
  size_t order_count;
  bool is_bad_order;
  int64_t tail_alignment;
  int64_t prefix_bytes;
  uint64_t seen[MV_SHAPE_RANK / 64]; /* the dimensions in minor_to_major; as many words as the rank needs */
} layout_fields;

/* Always false. */
#define REFUSE(c, ...) ((c)->status != NULL && mv_fail((c)->status, __VA_ARGS__))

static bool check_shape(checker *c, mv_shape_facts *facts, mv_bytes proto, int depth);

static MV_NOINLINE bool refuse_fault(const checker *c, mv_fault fault, const char *message) {
  return fault == MV_FAULT_CUT ? REFUSE(c, MV_FORMAT, "malformed %s: it ends inside a field", message)
                               : REFUSE(c, MV_FORMAT, "malformed %s: not protobuf", message);
}

/* Whether a message was read to its end. */
static inline bool finished(const checker *c, mv_fault fault, const char *message) {
  return MV_LIKELY(fault == MV_FAULT_NONE) || refuse_fault(c, fault, message);
}

static bool check_nested(checker *c, mv_shape_facts *facts, mv_bytes proto, int depth) {
  if (c->nested++ == MV_SHAPE_COUNT) {
    return REFUSE(c, MV_LIMIT, "more than %d shapes in one", MV_SHAPE_COUNT);
  }
  return check_shape(c, facts, proto, depth + 1);
}

/* The next field; in fewer steps when it is a slice of the field `likely`. */
static inline bool next_field(mv_wire *w, mv_tag *tag, uint32_t likely) {
  if (!mv_wire_take_bytes(w, likely, &tag->bytes)) {
    return mv_wire_next(w, tag);
  }
  tag->field = likely;
  tag->type = MV_LENGTH;
  tag->value = tag->bytes.size;
  return true;
}

static inline bool check_tile(const checker *c, mv_bytes proto) {
  size_t rank = 0;
  int64_t dimension = MV_COMBINE;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag = {0};
  while (next_field(&w, &tag, MV_TILE_DIMENSIONS)) {
    if (tag.field != MV_TILE_DIMENSIONS) {
      continue;
    }
    mv_numbers n = mv_numbers_of(&tag);
    for (int64_t value; mv_numbers_next(&n, &value); rank++) {
      dimension = value;
      if (dimension <= 0 && dimension != MV_COMBINE) {
        return REFUSE(c, MV_FORMAT, "malformed TileProto: dimension %" PRId64, dimension);
      }
    }
    if (!finished(c, n.packed.fault, "TileProto")) {
      return false;
    }
  }
  if (!finished(c, w.fault, "TileProto")) {
    return false;
  }
  if (rank > MV_TILE_RANK) {
    return REFUSE(c, MV_LIMIT, "a tile has %zu dimensions, more than %d", rank, MV_TILE_RANK);
  }
  return dimension != MV_COMBINE || REFUSE(c, MV_FORMAT, "malformed TileProto: it has no minor dimension");
}

static bool check_split(const checker *c, mv_bytes proto) {
  mv_wire w = mv_wire_of(proto);
  mv_tag tag = {0};
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_SPLIT_INDICES) {
      continue;
    }
    mv_numbers n = mv_numbers_of(&tag);
    for (int64_t index; mv_numbers_next(&n, &index);) {
      if (index < 0) {
        return REFUSE(c, MV_FORMAT, "malformed SplitConfigProto: index %" PRId64, index);
      }
    }
    if (!finished(c, n.packed.fault, "SplitConfigProto")) {
      return false;
    }
  }
  return finished(c, w.fault, "SplitConfigProto");
}

static inline bool check_order(const checker *c, layout_fields *fields, size_t rank, const mv_tag *tag) {
  mv_numbers n = mv_numbers_of(tag);
  for (int64_t value; mv_numbers_next(&n, &value); fields->order_count++) {
    const uint64_t dimension = (uint64_t)value;
    if (dimension >= rank) {
      fields->is_bad_order = true;
      continue;
    }
    uint64_t *const word = &fields->seen[dimension / 64];
    const uint64_t bit = UINT64_C(1) << dimension % 64;
    fields->is_bad_order = fields->is_bad_order || (*word & bit) != 0;
    *word |= bit;
  }
  return finished(c, n.packed.fault, "LayoutProto");
}

/* Numbers that may be any: only their encoding can be wrong. */
static bool check_numbers(const checker *c, const mv_tag *tag) {
  mv_numbers n = mv_numbers_of(tag);
  for (int64_t ignored; mv_numbers_next(&n, &ignored);) {}
  return finished(c, n.packed.fault, "LayoutProto");
}

static bool check_layout_field(checker *c, mv_shape_facts *facts, layout_fields *fields, const mv_tag *tag, int depth) {
  switch (tag->field) {
    case MV_LAYOUT_MINOR_TO_MAJOR: return check_order(c, fields, facts->rank, tag);
    case MV_LAYOUT_DIM_LEVEL_TYPES:
    case MV_LAYOUT_DIM_UNIQUE:
    case MV_LAYOUT_DIM_ORDERED: return check_numbers(c, tag);
    default: break;
  }
  switch (mv_proto_key(tag->field, tag->type)) {
    case mv_proto_key(MV_LAYOUT_TILES, MV_LENGTH): facts->tile_count++; return check_tile(c, tag->bytes);
    case mv_proto_key(MV_LAYOUT_SPLIT_CONFIGS, MV_LENGTH): return check_split(c, tag->bytes);
    case mv_proto_key(MV_LAYOUT_PHYSICAL_SHAPE, MV_LENGTH): {
      mv_shape_facts ignored;
      return check_nested(c, &ignored, tag->bytes, depth);
    }
    case mv_proto_key(MV_LAYOUT_ELEMENT_BITS, MV_VARINT): facts->layout_bits = (int64_t)tag->value; return true;
    case mv_proto_key(MV_LAYOUT_TAIL_ALIGNMENT, MV_VARINT): fields->tail_alignment = (int64_t)tag->value; return true;
    case mv_proto_key(MV_LAYOUT_METADATA_PREFIX_BYTES, MV_VARINT):
      fields->prefix_bytes = (int64_t)tag->value;
      return true;
    default: return true;
  }
}

static bool check_layout_fields(checker *c, mv_shape_facts *facts, layout_fields *fields, mv_bytes layout, int depth) {
  mv_wire w = mv_wire_of(layout);
  mv_tag tag = {0};
  /* As XLA writes them; then whatever is left. */
  if (mv_wire_take_bytes(&w, MV_LAYOUT_MINOR_TO_MAJOR, &tag.bytes)) {
    tag.type = MV_LENGTH;
    if (!check_order(c, fields, facts->rank, &tag)) {
      return false;
    }
  }
  for (; mv_wire_take_bytes(&w, MV_LAYOUT_TILES, &tag.bytes); facts->tile_count++) {
    if (!check_tile(c, tag.bytes)) {
      return false;
    }
  }
  while (mv_wire_next(&w, &tag)) {
    if (!check_layout_field(c, facts, fields, &tag, depth)) {
      return false;
    }
  }
  return finished(c, w.fault, "LayoutProto");
}

static bool check_layout(checker *c, mv_shape_facts *facts, const array_fields *array, mv_bytes proto, int depth) {
  layout_fields fields;
  fields.order_count = 0;
  fields.is_bad_order = false;
  fields.tail_alignment = 1;
  fields.prefix_bytes = 0;
  memset(fields.seen, 0, (facts->rank + 63) / 64 * sizeof *fields.seen);
  if (array->layout_count == 1) {
    if (!check_layout_fields(c, facts, &fields, array->layout, depth)) {
      return false;
    }
  } else { /* in parts: protobuf merges them */
    mv_wire w = mv_wire_of(proto);
    mv_tag tag = {0};
    while (mv_wire_next(&w, &tag)) {
      if (tag.field == MV_SHAPE_LAYOUT && tag.type == MV_LENGTH &&
          !check_layout_fields(c, facts, &fields, tag.bytes, depth)) {
        return false;
      }
    }
  }
  if (fields.tail_alignment < 0 || facts->layout_bits < 0 || fields.prefix_bytes < 0) {
    return REFUSE(c, MV_FORMAT, "malformed LayoutProto: negative %s",
                  facts->layout_bits < 0      ? "element_size_in_bits"
                  : fields.tail_alignment < 0 ? "tail_padding_alignment_in_elements"
                                              : "dynamic_shape_metadata_prefix_bytes");
  }
  if (fields.order_count != facts->rank) {
    return REFUSE(c, MV_FORMAT, "malformed LayoutProto: %zu in minor_to_major for %zu dimensions", fields.order_count,
                  facts->rank);
  }
  return !fields.is_bad_order ||
         REFUSE(c, MV_FORMAT, "malformed LayoutProto: minor_to_major is no order of the dimensions");
}

static bool check_array(checker *c, mv_shape_facts *facts, const array_fields *array, mv_bytes proto, int depth) {
  if (!finished(c, array->fault, "ShapeProto")) {
    return false;
  }
  if (facts->rank > MV_SHAPE_RANK) {
    return REFUSE(c, MV_LIMIT, "a shape has %zu dimensions, more than %d", facts->rank, MV_SHAPE_RANK);
  }
  if (array->bad_dimension != 0) {
    return REFUSE(c, MV_FORMAT, "malformed ShapeProto: dimension %" PRId64, array->bad_dimension);
  }
  if (array->flag_count != 0 && array->flag_count != facts->rank) {
    return REFUSE(c, MV_FORMAT, "malformed ShapeProto: %zu in is_dynamic_dimension for %zu dimensions",
                  array->flag_count, facts->rank);
  }
  return array->layout_count == 0 || check_layout(c, facts, array, proto, depth);
}

static bool check_elements(checker *c, const mv_shape_facts *facts, mv_bytes proto, int depth) {
  mv_shape_facts element = {0};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag = {0};
  while (next_field(&w, &tag, MV_SHAPE_TUPLE_SHAPES)) {
    if (tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH && !check_nested(c, &element, tag.bytes, depth)) {
      return false;
    }
  }
  return facts->type != MV_TYPE_BUFFER || (facts->shape_count == 1 && mv_element_type_bits(element.type) != 0) ||
         REFUSE(c, MV_FORMAT, "malformed ShapeProto: a buffer holds one array");
}

static inline void add_dimension(mv_shape_facts *facts, array_fields *array, int64_t size) {
  facts->rank++;
  if (MV_LIKELY(size > 0)) {
    facts->overflows = facts->overflows || !mv_size_multiply(&facts->elements, facts->elements, size);
  } else if (size == 0) {
    facts->is_empty = true;
  } else if (size == MV_UNBOUNDED) {
    facts->is_unbounded = true;
  } else {
    array->bad_dimension = size;
  }
}

static inline void add_dimensions(mv_shape_facts *facts, array_fields *array, mv_bytes packed) {
  mv_wire w = mv_wire_of(packed);
  uint64_t size = 0;
  while (mv_wire_next_packed(&w, &size)) {
    add_dimension(facts, array, (int64_t)size);
  }
  if (w.fault != MV_FAULT_NONE) {
    array->fault = w.fault;
  }
}

static inline void add_flags(array_fields *array, mv_bytes packed) {
  mv_wire w = mv_wire_of(packed);
  uint64_t ignored;
  while (mv_wire_next_packed(&w, &ignored)) {
    array->flag_count++;
  }
  if (w.fault != MV_FAULT_NONE) {
    array->fault = w.fault;
  }
}

static inline void add_shape(mv_shape_facts *facts, mv_bytes shape) {
  if (facts->shape_count++ == 0) {
    facts->first_shape = shape;
  }
}

static inline void add_layout(array_fields *array, mv_bytes layout) {
  array->layout = layout;
  array->layout_count++;
}

/* The fields, and whether they can be told apart to the end. */
static inline mv_fault read_fields(mv_shape_facts *facts, array_fields *array, mv_wire w) {
  mv_bytes bytes;
  /* As XLA writes them; then whatever is left. */
  mv_wire_take_int(&w, MV_SHAPE_ELEMENT_TYPE, &facts->type);
  facts->type = mv_proto_enum((uint64_t)facts->type);
  if (mv_wire_take_bytes(&w, MV_SHAPE_DIMENSIONS, &bytes)) {
    add_dimensions(facts, array, bytes);
  }
  while (mv_wire_take_bytes(&w, MV_SHAPE_TUPLE_SHAPES, &bytes)) {
    add_shape(facts, bytes);
  }
  if (mv_wire_take_bytes(&w, MV_SHAPE_LAYOUT, &bytes)) {
    add_layout(array, bytes);
  }
  if (mv_wire_take_bytes(&w, MV_SHAPE_IS_DYNAMIC_DIMENSION, &bytes)) {
    add_flags(array, bytes);
  }
  mv_tag tag = {0};
  while (mv_wire_next(&w, &tag)) {
    switch (mv_proto_key(tag.field, tag.type)) {
      case mv_proto_key(MV_SHAPE_ELEMENT_TYPE, MV_VARINT): facts->type = mv_proto_enum(tag.value); break;
      case mv_proto_key(MV_SHAPE_DIMENSIONS, MV_VARINT): add_dimension(facts, array, (int64_t)tag.value); break;
      case mv_proto_key(MV_SHAPE_DIMENSIONS, MV_LENGTH): add_dimensions(facts, array, tag.bytes); break;
      case mv_proto_key(MV_SHAPE_TUPLE_SHAPES, MV_LENGTH): add_shape(facts, tag.bytes); break;
      case mv_proto_key(MV_SHAPE_LAYOUT, MV_LENGTH): add_layout(array, tag.bytes); break;
      case mv_proto_key(MV_SHAPE_IS_DYNAMIC_DIMENSION, MV_VARINT): array->flag_count++; break;
      case mv_proto_key(MV_SHAPE_IS_DYNAMIC_DIMENSION, MV_LENGTH): add_flags(array, tag.bytes); break;
      default: break;
    }
  }
  return w.fault;
}

static bool check_shape(checker *c, mv_shape_facts *facts, mv_bytes proto, int depth) {
  *facts = (mv_shape_facts){.elements = 1};
  if (depth > MV_SHAPE_DEPTH) {
    return REFUSE(c, MV_LIMIT, "shape nested deeper than %d", MV_SHAPE_DEPTH);
  }
  array_fields array = {0};
  if (!finished(c, read_fields(facts, &array, mv_wire_of(proto)), "ShapeProto")) {
    return false;
  }
  switch (facts->type) {
    case MV_TYPE_TOKEN:
    case MV_TYPE_OPAQUE: return true;
    case MV_TYPE_TUPLE:
    case MV_TYPE_BUFFER: return check_elements(c, facts, proto, depth);
    default: return check_array(c, facts, &array, proto, depth);
  }
}

bool mv_shape_check(mv_shape_facts *out, mv_bytes proto, mv_status *status) {
  checker c = {status, 0};
  return check_shape(&c, out, proto, 1);
}
