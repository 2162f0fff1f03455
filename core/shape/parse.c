/* parse.c: a shape as XLA prints it to a mv_shape in the arena. The grammar; paste.c finds shapes in longer texts.
 *
 *   shape      ( shape, ... )                                      a tuple, perhaps empty
 *              b( shape )                                          a buffer of an array
 *              type [ dimension, ... ] { layout }                  the layout may be missing
 *   type       bf16  BF16  bfloat16  bool                          in any case, and as NumPy, JAX and TensorFlow say it
 *   dimension  8    <=8    ?                                       fixed, at most 8, without bound
 *   layout     minor_to_major : part ...
 *   part       D(D,C+~)  T(8,128)(2,1)  L(4)  #(u32)  *(u32)  E(4)  S(1)  SC(0:4,8)(1:2)  P(shape)  M(n)
 *
 * XLA prints the parts in this order and reads no other; people don't, so here any order will do.
 */
#include "shape/parse.h"

enum { LARGEST_ELEMENT_BITS = 1024 }; /* no element is wider: E(n) beyond it is a slip of the pen */

typedef struct parser {
  mv_lexer lexer;
  mv_arena *arena;
  int depth;
  size_t shape_count;
} parser;

/* A part of a layout, by the name it begins with. */
typedef struct layout_part {
  const char *name;
  bool (*parse)(parser *ps, mv_shape *shape, const struct layout_part *part);
  size_t field; /* of the one number or type, its offset in mv_layout */
  int64_t least;
  int64_t most;
} layout_part;

static bool parse_shape(parser *ps, mv_shape *out);

static bool push_number(parser *ps, mv_array *array, int64_t value) {
  int64_t *item = mv_array_push(array, sizeof *item, ps->arena, ps->lexer.status);
  if (item == NULL) {
    return false;
  }
  *item = value;
  return true;
}

static int64_t *part_field(mv_shape *shape, const layout_part *part) {
  return (int64_t *)((char *)&shape->layout + part->field);
}

/* "(" a number ")" */
static bool parse_number(parser *ps, mv_shape *shape, const layout_part *part) {
  return mv_lexer_expect(&ps->lexer, '(') &&
         mv_lexer_number(&ps->lexer, part_field(shape, part), part->least, part->most) &&
         mv_lexer_expect(&ps->lexer, ')');
}

/* "(" an integer type ")" */
static bool parse_type(parser *ps, mv_shape *shape, const layout_part *part) {
  if (!mv_lexer_expect(&ps->lexer, '(')) {
    return false;
  }
  const mv_bytes name = mv_lexer_name(&ps->lexer);
  const int64_t type = mv_element_type_of_name(name);
  if (mv_element_type_bits(type) == 0 || (name.data[0] != 'u' && name.data[0] != 's')) {
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, name.data, "integer type expected");
  }
  *part_field(shape, part) = type;
  return mv_lexer_expect(&ps->lexer, ')');
}

/* D(D,C+~): the level type of each dimension; "+" is not unique, "~" not ordered. */
static bool parse_levels(parser *ps, mv_shape *shape, const layout_part *part) {
  (void)part;
  static const char letters[] = "DCSH";
  mv_layout *layout = &shape->layout;
  mv_array types = {0};
  mv_array unique = {0};
  mv_array ordered = {0};
  const uint8_t *const at = ps->lexer.p;
  if (!mv_lexer_expect(&ps->lexer, '(')) {
    return false;
  }
  do {
    const int c = mv_lexer_peek(&ps->lexer);
    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    if (letter == NULL) {
      return mv_lexer_unexpected(&ps->lexer, "D, C, S or H");
    }
    ps->lexer.p++;
    if (!push_number(ps, &types, letter - letters) || !push_number(ps, &unique, !mv_lexer_take(&ps->lexer, '+')) ||
        !push_number(ps, &ordered, !mv_lexer_take(&ps->lexer, '~'))) {
      return false;
    }
  } while (mv_lexer_take(&ps->lexer, ','));
  if (types.count != shape->rank) {
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, at, "%zu level types for %zu dimensions", types.count, shape->rank);
  }
  layout->dim_level_types = types.items;
  layout->dim_level_type_count = types.count;
  layout->dim_unique = unique.items;
  layout->dim_unique_count = unique.count;
  layout->dim_ordered = ordered.items;
  layout->dim_ordered_count = ordered.count;
  return mv_lexer_expect(&ps->lexer, ')');
}

/* "(" 8 , * , 128 ")" */
static bool parse_tile(parser *ps, mv_tile *tile) {
  mv_array dimensions = {0};
  const uint8_t *last;
  int64_t value;
  if (!mv_lexer_expect(&ps->lexer, '(')) {
    return false;
  }
  do {
    last = mv_lexer_here(&ps->lexer);
    value = MV_COMBINE;
    if (!mv_lexer_take(&ps->lexer, '*') && !mv_lexer_number(&ps->lexer, &value, 1, INT64_MAX)) {
      return false;
    }
    if (dimensions.count == MV_TILE_RANK) {
      return mv_lexer_fail(&ps->lexer, MV_LIMIT, last, "more than %d dimensions in a tile", MV_TILE_RANK);
    }
    if (!push_number(ps, &dimensions, value)) {
      return false;
    }
  } while (mv_lexer_take(&ps->lexer, ','));
  if (value == MV_COMBINE) {
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, last, "'*' without a dimension behind it to combine with");
  }
  *tile = (mv_tile){dimensions.items, dimensions.count};
  return mv_lexer_expect(&ps->lexer, ')');
}

static bool parse_tiles(parser *ps, mv_shape *shape, const layout_part *part) {
  (void)part;
  mv_array tiles = {0};
  do {
    mv_tile *tile = mv_array_push(&tiles, sizeof *tile, ps->arena, ps->lexer.status);
    if (tile == NULL || !parse_tile(ps, tile)) {
      return false;
    }
  } while (mv_lexer_peek(&ps->lexer) == '(');
  shape->layout.tiles = tiles.items;
  shape->layout.tile_count = tiles.count;
  return true;
}

/* "(" dimension : index, ... ")" */
static bool parse_split(parser *ps, const mv_shape *shape, mv_split_config *split) {
  mv_array indices = {0};
  if (!mv_lexer_expect(&ps->lexer, '(')) {
    return false;
  }
  const uint8_t *const at = mv_lexer_here(&ps->lexer);
  if (!mv_lexer_number(&ps->lexer, &split->dimension, 0, INT64_MAX)) {
    return false;
  }
  if ((uint64_t)split->dimension >= shape->rank) {
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, at, "no dimension %lld to split", (long long)split->dimension);
  }
  if (!mv_lexer_expect(&ps->lexer, ':')) {
    return false;
  }
  if (mv_lexer_peek(&ps->lexer) != ')') {
    int64_t value = 0;
    do {
      if (!mv_lexer_number(&ps->lexer, &value, 0, INT64_MAX) || !push_number(ps, &indices, value)) {
        return false;
      }
    } while (mv_lexer_take(&ps->lexer, ','));
  }
  split->indices = indices.items;
  split->index_count = indices.count;
  return mv_lexer_expect(&ps->lexer, ')');
}

static bool parse_splits(parser *ps, mv_shape *shape, const layout_part *part) {
  (void)part;
  mv_array splits = {0};
  do {
    mv_split_config *split = mv_array_push(&splits, sizeof *split, ps->arena, ps->lexer.status);
    if (split == NULL || !parse_split(ps, shape, split)) {
      return false;
    }
  } while (mv_lexer_peek(&ps->lexer) == '(');
  shape->layout.splits = splits.items;
  shape->layout.split_count = splits.count;
  return true;
}

static bool parse_physical_shape(parser *ps, mv_shape *shape, const layout_part *part) {
  (void)part;
  mv_shape *physical = mv_arena_alloc(ps->arena, sizeof *physical, ps->lexer.status);
  shape->layout.physical_shape = physical;
  return physical != NULL && mv_lexer_expect(&ps->lexer, '(') && parse_shape(ps, physical) &&
         mv_lexer_expect(&ps->lexer, ')');
}

static const layout_part layout_parts[] = {
    {"D", parse_levels, 0, 0, 0},
    {"T", parse_tiles, 0, 0, 0},
    {"L", parse_number, offsetof(mv_layout, tail_alignment), 1, INT64_MAX},
    {"#", parse_type, offsetof(mv_layout, index_type), 0, 0},
    {"*", parse_type, offsetof(mv_layout, pointer_type), 0, 0},
    {"E", parse_number, offsetof(mv_layout, element_bits), 1, LARGEST_ELEMENT_BITS},
    {"S", parse_number, offsetof(mv_layout, memory_space), 0, INT64_MAX},
    {"SC", parse_splits, 0, 0, 0},
    {"P", parse_physical_shape, 0, 0, 0},
    {"M", parse_number, offsetof(mv_layout, metadata_prefix_bytes), 0, INT64_MAX},
};

enum { LAYOUT_PART_COUNT = sizeof layout_parts / sizeof *layout_parts };

static bool parse_layout_parts(parser *ps, mv_shape *shape) {
  bool seen[LAYOUT_PART_COUNT] = {false};
  for (int c = mv_lexer_peek(&ps->lexer); c != '}'; c = mv_lexer_peek(&ps->lexer)) {
    mv_bytes name = {ps->lexer.p, 1};
    if (c == '#' || c == '*') {
      ps->lexer.p++;
    } else {
      name = mv_lexer_name(&ps->lexer);
    }
    size_t i = 0;
    while (i < LAYOUT_PART_COUNT && !mv_bytes_equal_string(name, layout_parts[i].name)) {
      i++;
    }
    if (i == LAYOUT_PART_COUNT) {
      ps->lexer.p = name.data;
      return mv_lexer_unexpected(&ps->lexer, "D, T, L, #, *, E, S, SC, P, M or '}'");
    }
    if (seen[i]) {
      return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, name.data, "%s is given twice", layout_parts[i].name);
    }
    seen[i] = true;
    if (!layout_parts[i].parse(ps, shape, &layout_parts[i])) {
      return false;
    }
  }
  return true;
}

static bool parse_minor_to_major(parser *ps, mv_shape *shape) {
  const uint8_t *const at = ps->lexer.p;
  mv_array order = {0};
  bool *seen = mv_arena_zalloc(ps->arena, shape->rank, sizeof *seen, ps->lexer.status);
  if (seen == NULL) {
    return false;
  }
  if (mv_lexer_peek(&ps->lexer) != ':' && mv_lexer_peek(&ps->lexer) != '}') {
    do {
      int64_t value = 0;
      const uint8_t *const start = mv_lexer_here(&ps->lexer);
      if (!mv_lexer_number(&ps->lexer, &value, 0, INT64_MAX)) {
        return false;
      }
      if ((uint64_t)value >= shape->rank || seen[value]) {
        return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, start, "%s dimension %lld in the layout",
                             (uint64_t)value >= shape->rank ? "unknown" : "repeated", (long long)value);
      }
      seen[value] = true;
      if (!push_number(ps, &order, value)) {
        return false;
      }
    } while (mv_lexer_take(&ps->lexer, ','));
  }
  if (order.count != shape->rank) {
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, at, "layout orders %zu of %zu dimensions", order.count, shape->rank);
  }
  shape->layout.minor_to_major = order.items;
  shape->layout.rank = order.count;
  return true;
}

static bool parse_layout(parser *ps, mv_shape *shape) {
  shape->has_layout = true;
  return parse_minor_to_major(ps, shape) && (!mv_lexer_take(&ps->lexer, ':') || parse_layout_parts(ps, shape)) &&
         mv_lexer_expect(&ps->lexer, '}');
}

static bool parse_dimension(parser *ps, int64_t *size, bool *dynamic) {
  *dynamic = true;
  *size = MV_UNBOUNDED;
  if (mv_lexer_take(&ps->lexer, '?')) {
    return true;
  }
  *dynamic = mv_lexer_take(&ps->lexer, '<');
  return (!*dynamic || mv_lexer_expect(&ps->lexer, '=')) && mv_lexer_number(&ps->lexer, size, 0, INT64_MAX);
}

static bool parse_dimensions(parser *ps, mv_shape *shape) {
  mv_array dimensions = {0};
  mv_array flags = {0};
  bool any = false;
  if (mv_lexer_take(&ps->lexer, ']')) {
    return true;
  }
  do {
    int64_t size;
    bool dynamic;
    if (dimensions.count == MV_SHAPE_RANK) {
      return mv_lexer_fail(&ps->lexer, MV_LIMIT, mv_lexer_here(&ps->lexer), "more than %d dimensions", MV_SHAPE_RANK);
    }
    if (!parse_dimension(ps, &size, &dynamic) || !push_number(ps, &dimensions, size)) {
      return false;
    }
    bool *flag = mv_array_push(&flags, sizeof *flag, ps->arena, ps->lexer.status);
    if (flag == NULL) {
      return false;
    }
    *flag = dynamic;
    any = any || dynamic;
  } while (mv_lexer_take(&ps->lexer, ','));
  shape->dimensions = dimensions.items;
  shape->rank = dimensions.count;
  shape->dynamic = any ? flags.items : NULL;
  return mv_lexer_expect(&ps->lexer, ']');
}

static bool parse_tuple(parser *ps, mv_shape *out) {
  mv_array elements = {0};
  out->element_type = MV_TYPE_TUPLE;
  if (mv_lexer_take(&ps->lexer, ')')) {
    return true;
  }
  do {
    mv_shape *element = mv_array_push(&elements, sizeof *element, ps->arena, ps->lexer.status);
    if (element == NULL || !parse_shape(ps, element)) {
      return false;
    }
  } while (mv_lexer_take(&ps->lexer, ','));
  out->elements = elements.items;
  out->element_count = elements.count;
  return mv_lexer_expect(&ps->lexer, ')');
}

static bool parse_buffer(parser *ps, mv_shape *out) {
  const uint8_t *const at = mv_lexer_here(&ps->lexer);
  if (!parse_tuple(ps, out)) {
    return false;
  }
  if (out->element_count != 1 || mv_element_type_bits(out->elements[0].element_type) == 0) {
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, at, "a buffer holds one array");
  }
  out->element_type = MV_TYPE_BUFFER;
  return true;
}

static bool parse_array(parser *ps, mv_shape *out, mv_bytes name) {
  const int64_t type = mv_element_type_of_any_name(name);
  const bool plain = type == MV_TYPE_TOKEN || type == MV_TYPE_OPAQUE; /* "token[]": without dimensions and layout */
  if (!plain && mv_element_type_bits(type) == 0) {
    const bool is_type = mv_lexer_peek(&ps->lexer) == '[';
    return mv_lexer_fail(&ps->lexer, MV_ARGUMENT, name.data, "%s '%.*s%s'%s",
                         is_type ? "unknown element type" : "a shape expected,", (int)(name.size < 40 ? name.size : 40),
                         (const char *)name.data, name.size < 40 ? "" : "...", is_type ? "" : " found");
  }
  out->element_type = type;
  if (!mv_lexer_expect(&ps->lexer, '[')) {
    return false;
  }
  if (plain || !parse_dimensions(ps, out)) {
    return plain && mv_lexer_expect(&ps->lexer, ']');
  }
  const uint8_t *const behind = ps->lexer.p;
  if (mv_lexer_take(&ps->lexer, '{')) {
    return parse_layout(ps, out);
  }
  ps->lexer.p = behind; /* not behind white space: see mv_shape_parse_at */
  return true;
}

static bool parse_any(parser *ps, mv_shape *out) {
  if (mv_lexer_take(&ps->lexer, '(')) {
    return parse_tuple(ps, out);
  }
  const mv_bytes name = mv_lexer_name(&ps->lexer);
  if (name.size == 0) {
    return mv_lexer_peek(&ps->lexer) == '{'
               ? mv_lexer_fail(&ps->lexer, MV_ARGUMENT, name.data, "a layout without its dimensions")
               : mv_lexer_unexpected(&ps->lexer, "a shape");
  }
  if (name.size == 1 && (*name.data == 'b' || *name.data == 'B') && mv_lexer_take(&ps->lexer, '(')) {
    return parse_buffer(ps, out);
  }
  return parse_array(ps, out, name);
}

static bool parse_shape(parser *ps, mv_shape *out) {
  *out = (mv_shape){.layout = {.tail_alignment = 1}};
  const uint8_t *const at = mv_lexer_here(&ps->lexer);
  if (ps->depth == MV_SHAPE_DEPTH) {
    return mv_lexer_fail(&ps->lexer, MV_LIMIT, at, "nested deeper than %d", MV_SHAPE_DEPTH);
  }
  if (ps->shape_count++ == MV_SHAPE_COUNT) {
    return mv_lexer_fail(&ps->lexer, MV_LIMIT, at, "more than %d shapes in one", MV_SHAPE_COUNT);
  }
  ps->depth++;
  const bool ok = parse_any(ps, out);
  ps->depth--;
  return ok;
}

bool mv_shape_parse_at(mv_shape *out, mv_lexer *lexer, mv_arena *arena) {
  parser ps = {.lexer = *lexer, .arena = arena};
  const bool ok = parse_shape(&ps, out);
  *lexer = ps.lexer;
  return ok;
}

bool mv_shape_parse_rest(mv_shape *out, mv_lexer *lexer, mv_arena *arena) {
  if (!mv_shape_parse_at(out, lexer, arena)) {
    return false;
  }
  if (mv_lexer_peek(lexer) != MV_END_OF_TEXT) {
    return mv_lexer_unexpected(lexer, "the end");
  }
  return lexer->status->code == MV_OK; /* a comment behind the shape may have no end */
}

bool mv_shape_parse(mv_shape *out, mv_bytes text, mv_arena *arena, mv_status *status) {
  mv_lexer lexer = mv_lexer_of(text, status);
  return mv_shape_parse_rest(out, &lexer, arena);
}
