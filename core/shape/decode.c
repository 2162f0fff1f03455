/* decode.c: a ShapeProto's bytes to a mv_shape in the arena.
 *
 *   ShapeProto -> checked (check.c), so that from here on only memory can be missing
 *              -> read: dimensions, tuple_shapes (each a ShapeProto again), layout
 */
#include "shape/check.h"
#include "wire/fields.h"
#include "wire/wire.h"

typedef struct decoder {
  mv_arena *arena;
  mv_status *status;
} decoder;

static bool decode_shape(decoder *d, mv_shape *out, mv_bytes proto);

/* The number or the packed numbers of one occurrence of a repeated field. */
static bool push_numbers(decoder *d, mv_array *array, const mv_tag *tag) {
  size_t count = 0;
  for (size_t i = 0; i < tag->bytes.size; i++) {
    count += tag->bytes.data[i] < 0x80;
  }
  /* Exact for the usual single occurrence; a hostile file of many small ones falls back to doubling. */
  if (array->count == 0 && !mv_array_reserve(array, count, sizeof(int64_t), d->arena, d->status)) {
    return false;
  }
  mv_numbers n = mv_numbers_of(tag);
  for (int64_t value; mv_numbers_next(&n, &value);) {
    int64_t *item = mv_array_push(array, sizeof *item, d->arena, d->status);
    if (item == NULL) {
      return false;
    }
    *item = value;
  }
  return true;
}

static bool decode_tile(decoder *d, mv_tile *tile, mv_bytes proto) {
  mv_array dimensions = {0};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_TILE_DIMENSIONS && !push_numbers(d, &dimensions, &tag)) {
      return false;
    }
  }
  *tile = (mv_tile){dimensions.items, dimensions.count};
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
    } else if (tag.field == MV_SPLIT_INDICES && !push_numbers(d, &indices, &tag)) {
      return false;
    }
  }
  split->indices = indices.items;
  split->index_count = indices.count;
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

static bool decode_physical_shape(decoder *d, mv_layout *layout, mv_bytes proto) {
  mv_shape *shape = mv_arena_alloc(d->arena, sizeof *shape, d->status);
  layout->physical_shape = shape;
  return shape != NULL && decode_shape(d, shape, proto);
}

static bool decode_layout_field(decoder *d, mv_layout *layout, layout_lists *lists, const mv_tag *tag) {
  switch (tag->field) {
    case MV_LAYOUT_MINOR_TO_MAJOR: return push_numbers(d, &lists->minor_to_major, tag);
    case MV_LAYOUT_DIM_LEVEL_TYPES: return push_numbers(d, &lists->dim_level_types, tag);
    case MV_LAYOUT_DIM_UNIQUE: return push_numbers(d, &lists->dim_unique, tag);
    case MV_LAYOUT_DIM_ORDERED: return push_numbers(d, &lists->dim_ordered, tag);
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
    case mv_proto_key(MV_LAYOUT_PHYSICAL_SHAPE, MV_LENGTH): return decode_physical_shape(d, layout, tag->bytes);
    case mv_proto_key(MV_LAYOUT_TAIL_ALIGNMENT, MV_VARINT): layout->tail_alignment = value; return true;
    case mv_proto_key(MV_LAYOUT_INDEX_TYPE, MV_VARINT): layout->index_type = mv_proto_enum(tag->value); return true;
    case mv_proto_key(MV_LAYOUT_POINTER_TYPE, MV_VARINT): layout->pointer_type = mv_proto_enum(tag->value); return true;
    case mv_proto_key(MV_LAYOUT_ELEMENT_BITS, MV_VARINT): layout->element_bits = value; return true;
    case mv_proto_key(MV_LAYOUT_MEMORY_SPACE, MV_VARINT): layout->memory_space = value; return true;
    case mv_proto_key(MV_LAYOUT_METADATA_PREFIX_BYTES, MV_VARINT): layout->metadata_prefix_bytes = value; return true;
    default: return true;
  }
}

static void finish_layout(mv_layout *layout, const layout_lists *lists) {
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
}

static bool decode_layout(decoder *d, mv_shape *out, mv_bytes shape) {
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
      if (!decode_layout_field(d, &out->layout, &lists, &tag)) {
        return false;
      }
    }
  }
  finish_layout(&out->layout, &lists);
  return true;
}

static void survey(mv_shape *out, mv_bytes proto) {
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_SHAPE_ELEMENT_TYPE && tag.type == MV_VARINT) {
      out->element_type = mv_proto_enum(tag.value);
    } else if (tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH) {
      out->element_count++;
    }
  }
}

static bool decode_elements(decoder *d, mv_shape *out, mv_bytes proto) {
  mv_shape *elements = mv_arena_zalloc(d->arena, out->element_count, sizeof *elements, d->status);
  if (elements == NULL) {
    return false;
  }
  out->elements = elements;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_SHAPE_TUPLE_SHAPES && tag.type == MV_LENGTH && !decode_shape(d, elements++, tag.bytes)) {
      return false;
    }
  }
  return true;
}

static bool decode_dimensions(decoder *d, mv_shape *out, mv_bytes proto) {
  mv_array dimensions = {0};
  mv_array flags = {0};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if ((tag.field == MV_SHAPE_DIMENSIONS && !push_numbers(d, &dimensions, &tag)) ||
        (tag.field == MV_SHAPE_IS_DYNAMIC_DIMENSION && !push_numbers(d, &flags, &tag))) {
      return false;
    }
  }
  out->dimensions = dimensions.items;
  out->rank = dimensions.count;
  const int64_t *flag = flags.items;
  bool any = false;
  for (size_t i = 0; i < out->rank; i++) {
    any = any || out->dimensions[i] == MV_UNBOUNDED || (i < flags.count && flag[i] != 0);
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

static bool decode_shape(decoder *d, mv_shape *out, mv_bytes proto) {
  *out = (mv_shape){.layout = {.tail_alignment = 1}};
  survey(out, proto);
  switch (out->element_type) {
    case MV_TYPE_TUPLE:
    case MV_TYPE_BUFFER: return decode_elements(d, out, proto);
    case MV_TYPE_TOKEN:
    case MV_TYPE_OPAQUE: out->element_count = 0; return true;
    default: out->element_count = 0; return decode_dimensions(d, out, proto) && decode_layout(d, out, proto);
  }
}

bool mv_shape_decode(mv_shape *out, mv_bytes proto, mv_arena *arena, mv_status *status) {
  mv_shape_facts ignored;
  decoder d = {arena, status};
  return mv_shape_check(&ignored, proto, status) && decode_shape(&d, out, proto);
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
