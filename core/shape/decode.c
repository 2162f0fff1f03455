/* decode.c: a ShapeProto's bytes to a mv_shape in the arena.
 *
 *   ShapeProto -> counted once, so that the elements of a tuple are one exact array
 *              -> read: dimensions, tuple_shapes (each a ShapeProto again), layout
 *              -> checked: what the other files rely on, such as that minor_to_major is a permutation
 *
 * As protobuf demands, repeated numbers may be packed or not, unknown fields and known ones of another wire type are
 * passed over, and the parts of a message that comes twice are merged. Recursion ends at MV_SHAPE_DEPTH.
 */
#include <inttypes.h>

#include "shape/shape.h"
#include "wire/fields.h"
#include "wire/wire.h"

typedef struct decoder {
  mv_arena *arena;
  mv_status *status;
  size_t shape_count; /* of the shapes allocated so far */
} decoder;

static bool decode_shape(decoder *d, mv_shape *out, mv_bytes proto, int depth);

/* Whether a message was read to its end. */
static bool finished(decoder *d, const mv_wire *w, const char *message) {
  switch (w->fault) {
    case MV_FAULT_NONE: return true;
    case MV_FAULT_CUT: return mv_fail(d->status, MV_FORMAT, "malformed %s: it ends inside a field", message);
    default: return mv_fail(d->status, MV_FORMAT, "malformed %s: not protobuf", message);
  }
}

static bool push_number(decoder *d, mv_array *array, uint64_t value) {
  int64_t *item = mv_array_push(array, sizeof *item, d->arena, d->status);
  if (item == NULL) {
    return false;
  }
  *item = (int64_t)value;
  return true;
}

/* Every mv_shape is counted, before its memory is asked for. */
static mv_shape *new_shapes(decoder *d, size_t count) {
  if (count > MV_SHAPE_COUNT - d->shape_count) {
    mv_fail(d->status, MV_LIMIT, "more than %d shapes in one", MV_SHAPE_COUNT);
    return NULL;
  }
  d->shape_count += count;
  return mv_arena_zalloc(d->arena, count, sizeof(mv_shape), d->status);
}

/* The number or the packed numbers of one occurrence of a repeated field. */
static bool push_numbers(decoder *d, mv_array *array, const mv_tag *tag, const char *message) {
  if (tag->type != MV_LENGTH) {
    return tag->type != MV_VARINT || push_number(d, array, tag->value);
  }
  size_t count = 0;
  for (size_t i = 0; i < tag->bytes.size; i++) {
    count += tag->bytes.data[i] < 0x80;
  }
  /* Exact for the usual single occurrence; a hostile file of many small ones falls back to doubling. */
  if (array->count == 0 && !mv_array_reserve(array, count, sizeof(int64_t), d->arena, d->status)) {
    return false;
  }
  mv_wire w = mv_wire_of(tag->bytes);
  uint64_t value;
  while (mv_wire_next_packed(&w, &value)) {
    if (!push_number(d, array, value)) {
      return false;
    }
  }
  return finished(d, &w, message);
}

static bool decode_tile(decoder *d, mv_tile *tile, mv_bytes proto) {
  mv_array dimensions = {0};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_TILE_DIMENSIONS && !push_numbers(d, &dimensions, &tag, "TileProto")) {
      return false;
    }
  }
  if (!finished(d, &w, "TileProto")) {
    return false;
  }
  *tile = (mv_tile){dimensions.items, dimensions.count};
  if (tile->rank > MV_TILE_RANK) {
    return mv_fail(d->status, MV_LIMIT, "a tile has %zu dimensions, more than %d", tile->rank, MV_TILE_RANK);
  }
  if (tile->rank == 0 || tile->dimensions[tile->rank - 1] == MV_COMBINE) {
    return mv_fail(d->status, MV_FORMAT, "malformed TileProto: it has no minor dimension");
  }
  for (size_t i = 0; i < tile->rank; i++) {
    if (tile->dimensions[i] <= 0 && tile->dimensions[i] != MV_COMBINE) {
      return mv_fail(d->status, MV_FORMAT, "malformed TileProto: dimension %" PRId64, tile->dimensions[i]);
    }
  }
  return true;
}

static bool decode_split(decoder *d, mv_split_config *split, mv_bytes proto) {
  mv_array indices = {0};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  *split = (mv_split_config){0};
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_SPLIT_DIMENSION && tag.type == MV_VARINT) {
      split->dimension = (int64_t)tag.value;
    } else if (tag.field == MV_SPLIT_INDICES && !push_numbers(d, &indices, &tag, "SplitConfigProto")) {
      return false;
    }
  }
  if (!finished(d, &w, "SplitConfigProto")) {
    return false;
  }
  split->indices = indices.items;
  split->index_count = indices.count;
  for (size_t i = 0; i < split->index_count; i++) {
    if (split->indices[i] < 0) {
      return mv_fail(d->status, MV_FORMAT, "malformed SplitConfigProto: index %" PRId64, split->indices[i]);
    }
  }
  return true;
}

/* The growing lists of a layout, until all its occurrences are read. */
typedef struct layout_lists {
  mv_array minor_to_major;
  mv_array tiles;
  mv_array dim_level_types;
  mv_array dim_unique;
  mv_array dim_ordered;
  mv_array splits;
} layout_lists;

static bool decode_physical_shape(decoder *d, mv_layout *layout, mv_bytes proto, int depth) {
  mv_shape *shape = new_shapes(d, 1);
  layout->physical_shape = shape;
  return shape != NULL && decode_shape(d, shape, proto, depth + 1);
}

static bool decode_layout_field(decoder *d, mv_layout *layout, layout_lists *lists, const mv_tag *tag, int depth) {
  switch (tag->field) {
    case MV_LAYOUT_MINOR_TO_MAJOR: return push_numbers(d, &lists->minor_to_major, tag, "LayoutProto");
    case MV_LAYOUT_DIM_LEVEL_TYPES: return push_numbers(d, &lists->dim_level_types, tag, "LayoutProto");
    case MV_LAYOUT_DIM_UNIQUE: return push_numbers(d, &lists->dim_unique, tag, "LayoutProto");
    case MV_LAYOUT_DIM_ORDERED: return push_numbers(d, &lists->dim_ordered, tag, "LayoutProto");
    default: break;
  }
  const int64_t value = (int64_t)tag->value;
  switch (mv_proto_key(tag->field, tag->type)) {
    case mv_proto_key(MV_LAYOUT_TILES, MV_LENGTH): {
      mv_tile *tile = mv_array_push(&lists->tiles, sizeof *tile, d->arena, d->status);
      return tile != NULL && decode_tile(d, tile, tag->bytes);
    }
    case mv_proto_key(MV_LAYOUT_SPLIT_CONFIGS, MV_LENGTH): {
      mv_split_config *split = mv_array_push(&lists->splits, sizeof *split, d->arena, d->status);
      return split != NULL && decode_split(d, split, tag->bytes);
    }
    case mv_proto_key(MV_LAYOUT_PHYSICAL_SHAPE, MV_LENGTH): return decode_physical_shape(d, layout, tag->bytes, depth);
    case mv_proto_key(MV_LAYOUT_TAIL_ALIGNMENT, MV_VARINT): layout->tail_alignment = value; return true;
    case mv_proto_key(MV_LAYOUT_INDEX_TYPE, MV_VARINT): layout->index_type = mv_proto_enum(tag->value); return true;
    case mv_proto_key(MV_LAYOUT_POINTER_TYPE, MV_VARINT): layout->pointer_type = mv_proto_enum(tag->value); return true;
    case mv_proto_key(MV_LAYOUT_ELEMENT_BITS, MV_VARINT): layout->element_bits = value; return true;
    case mv_proto_key(MV_LAYOUT_MEMORY_SPACE, MV_VARINT): layout->memory_space = value; return true;
    case mv_proto_key(MV_LAYOUT_METADATA_PREFIX_BYTES, MV_VARINT): layout->metadata_prefix_bytes = value; return true;
    default: return true;
  }
}

static bool check_minor_to_major(decoder *d, const mv_shape *shape) {
  const mv_layout *layout = &shape->layout;
  if (layout->rank != shape->rank) {
    return mv_fail(d->status, MV_FORMAT, "malformed LayoutProto: %zu in minor_to_major for %zu dimensions",
                   layout->rank, shape->rank);
  }
  bool *seen = mv_arena_zalloc(d->arena, shape->rank, sizeof *seen, d->status);
  if (seen == NULL) {
    return false;
  }
  for (size_t i = 0; i < layout->rank; i++) {
    const int64_t dimension = layout->minor_to_major[i];
    if (dimension < 0 || (uint64_t)dimension >= shape->rank || seen[dimension]) {
      return mv_fail(d->status, MV_FORMAT, "malformed LayoutProto: minor_to_major is no order of the dimensions");
    }
    seen[dimension] = true;
  }
  return true;
}

static bool finish_layout(decoder *d, mv_shape *shape, const layout_lists *lists) {
  mv_layout *layout = &shape->layout;
  layout->minor_to_major = lists->minor_to_major.items;
  layout->rank = lists->minor_to_major.count;
  layout->tiles = lists->tiles.items;
  layout->tile_count = lists->tiles.count;
  layout->dim_level_types = lists->dim_level_types.items;
  layout->dim_level_type_count = lists->dim_level_types.count;
  layout->dim_unique = lists->dim_unique.items;
  layout->dim_unique_count = lists->dim_unique.count;
  layout->dim_ordered = lists->dim_ordered.items;
  layout->dim_ordered_count = lists->dim_ordered.count;
  layout->splits = lists->splits.items;
  layout->split_count = lists->splits.count;
  if (layout->tail_alignment == 0) {
    layout->tail_alignment = 1;
  }
  if (layout->tail_alignment < 0 || layout->element_bits < 0) {
    return mv_fail(d->status, MV_FORMAT, "malformed LayoutProto: negative %s",
                   layout->element_bits < 0 ? "element_size_in_bits" : "tail_padding_alignment_in_elements");
  }
  return check_minor_to_major(d, shape);
}

static bool decode_layout(decoder *d, mv_shape *out, mv_bytes shape, int depth) {
  layout_lists lists = {0};
  mv_wire w = mv_wire_of(shape);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != MV_SHAPE_LAYOUT || tag.type != MV_LENGTH) {
      continue;
    }
    out->has_layout = true;
    mv_wire fields = mv_wire_of(tag.bytes);
    while (mv_wire_next(&fields, &tag)) {
      if (!decode_layout_field(d, &out->layout, &lists, &tag, depth)) {
        return false;
      }
    }
    if (!finished(d, &fields, "LayoutProto")) {
      return false;
    }
  }
  return !out->has_layout || finish_layout(d, out, &lists);
}

/* The type, and the number of tuple_shapes: what has to be known before the fields are read. */
static bool survey(decoder *d, mv_shape *out, mv_bytes proto) {
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_SHAPE_ELEMENT_TYPE && tag.type == MV_VARINT) {
      out->element_type = mv_proto_enum(tag.value);
    } else if (tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH) {
      out->element_count++;
    }
  }
  return finished(d, &w, "ShapeProto");
}

static bool decode_elements(decoder *d, mv_shape *out, mv_bytes proto, int depth) {
  mv_shape *elements = new_shapes(d, out->element_count);
  if (elements == NULL) {
    return false;
  }
  out->elements = elements;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH &&
        !decode_shape(d, elements++, tag.bytes, depth + 1)) {
      return false;
    }
  }
  if (out->element_type == MV_TYPE_BUFFER &&
      (out->element_count != 1 || mv_element_type_bits(out->elements[0].element_type) == 0)) {
    return mv_fail(d->status, MV_FORMAT, "malformed ShapeProto: a buffer holds one array");
  }
  return true;
}

static bool decode_dimensions(decoder *d, mv_shape *out, mv_bytes proto) {
  mv_array dimensions = {0};
  mv_array flags = {0};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if ((tag.field == MV_SHAPE_DIMENSIONS && !push_numbers(d, &dimensions, &tag, "ShapeProto")) ||
        (tag.field == MV_SHAPE_IS_DYNAMIC_DIMENSION && !push_numbers(d, &flags, &tag, "ShapeProto"))) {
      return false;
    }
  }
  /* No fault is left here: the survey has seen the same fields. */
  out->dimensions = dimensions.items;
  out->rank = dimensions.count;
  bool any = false;
  for (size_t i = 0; i < out->rank; i++) {
    if (out->dimensions[i] < 0 && out->dimensions[i] != MV_UNBOUNDED) {
      return mv_fail(d->status, MV_FORMAT, "malformed ShapeProto: dimension %" PRId64, out->dimensions[i]);
    }
    any = any || out->dimensions[i] == MV_UNBOUNDED;
  }
  if (flags.count != 0 && flags.count != out->rank) {
    return mv_fail(d->status, MV_FORMAT, "malformed ShapeProto: %zu in is_dynamic_dimension for %zu dimensions",
                   flags.count, out->rank);
  }
  const int64_t *flag = flags.items;
  for (size_t i = 0; i < flags.count; i++) {
    any = any || flag[i] != 0;
  }
  if (!any) {
    return true;
  }
  bool *dynamic = mv_arena_zalloc(d->arena, out->rank, sizeof *dynamic, d->status);
  if (dynamic == NULL) {
    return false;
  }
  for (size_t i = 0; i < out->rank; i++) {
    dynamic[i] = out->dimensions[i] == MV_UNBOUNDED || (i < flags.count && flag[i] != 0);
  }
  out->dynamic = dynamic;
  return true;
}

static bool decode_shape(decoder *d, mv_shape *out, mv_bytes proto, int depth) {
  *out = (mv_shape){.layout = {.tail_alignment = 1}};
  if (depth > MV_SHAPE_DEPTH) {
    return mv_fail(d->status, MV_LIMIT, "shape nested deeper than %d", MV_SHAPE_DEPTH);
  }
  if (!survey(d, out, proto)) {
    return false;
  }
  switch (out->element_type) {
    case MV_TYPE_TUPLE:
    case MV_TYPE_BUFFER: return decode_elements(d, out, proto, depth);
    case MV_TYPE_TOKEN:
    case MV_TYPE_OPAQUE: out->element_count = 0; return true;
    default: out->element_count = 0; return decode_dimensions(d, out, proto) && decode_layout(d, out, proto, depth);
  }
}

bool mv_shape_decode(mv_shape *out, mv_bytes proto, mv_arena *arena, mv_status *status) {
  decoder d = {arena, status, 0};
  return decode_shape(&d, out, proto, 1);
}

bool mv_shape_walk(mv_bytes *out, mv_bytes proto, const int64_t *index, size_t count) {
  for (size_t step = 0; step < count; step++) {
    mv_wire w = mv_wire_of(proto);
    mv_tag tag = {0};
    int64_t element = 0;
    bool found = false;
    while (!found && mv_wire_next(&w, &tag)) {
      found = tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH && element++ == index[step];
    }
    if (!found) {
      return false;
    }
    proto = tag.bytes;
  }
  *out = proto;
  return true;
}
