/* print.c: a shape as XLA prints it in HLO text (ShapeUtil::HumanStringWithLayout, Layout::Print).
 *
 *   f32[<=10,3]{1,0:T(8,128)L(4)E(4)S(1)}      (f32[2], s32[], ...)      token[]
 *
 * A part of the layout that has its default is left out, and the braces of a scalar when nothing is left in them.
 */
#include "shape/shape.h"

enum { INDEX_COMMENT_INTERVAL = 5 };

static void print_list(mv_text *text, const int64_t *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i > 0) {
      mv_text_char(text, ',');
    }
    mv_text_i64(text, items[i]);
  }
}

static void print_part(mv_text *text, const char *name, int64_t value) {
  mv_text_add(text, name);
  mv_text_char(text, '(');
  mv_text_i64(text, value);
  mv_text_char(text, ')');
}

/* XLA prints integer types only. */
static void print_type_part(mv_text *text, const char *mark, int64_t type) {
  const char *name = mv_element_type_name(type);
  const bool integer = name != NULL && mv_element_type_bits(type) != 0 && (*name == 's' || *name == 'u');
  mv_text_add(text, mark);
  mv_text_char(text, '(');
  mv_text_add(text, integer ? name : "invalid");
  mv_text_char(text, ')');
}

static bool is_dense(const mv_layout *layout) {
  for (size_t i = 0; i < layout->dim_level_type_count; i++) {
    if (layout->dim_level_types[i] != 0) {
      return false;
    }
  }
  return true;
}

static void print_levels(mv_text *text, const mv_layout *layout) {
  static const char letters[] = "DCSH";
  mv_text_add(text, "D(");
  for (size_t i = 0; i < layout->dim_level_type_count; i++) {
    const int64_t type = layout->dim_level_types[i];
    if (i > 0) {
      mv_text_char(text, ',');
    }
    mv_text_char(text, type >= 0 && type < 4 ? letters[type] : '?');
    if (i < layout->dim_unique_count && layout->dim_unique[i] == 0) {
      mv_text_char(text, '+');
    }
    if (i < layout->dim_ordered_count && layout->dim_ordered[i] == 0) {
      mv_text_char(text, '~');
    }
  }
  mv_text_char(text, ')');
}

static void print_tiles(mv_text *text, const mv_layout *layout) {
  mv_text_char(text, 'T');
  for (size_t i = 0; i < layout->tile_count; i++) {
    const mv_tile *tile = &layout->tiles[i];
    mv_text_char(text, '(');
    for (size_t j = 0; j < tile->rank; j++) {
      if (j > 0) {
        mv_text_char(text, ',');
      }
      if (tile->dimensions[j] == MV_COMBINE) {
        mv_text_char(text, '*');
      } else {
        mv_text_i64(text, tile->dimensions[j]);
      }
    }
    mv_text_char(text, ')');
  }
}

static void print_splits(mv_text *text, const mv_layout *layout) {
  mv_text_add(text, "SC");
  for (size_t i = 0; i < layout->split_count; i++) {
    mv_text_char(text, '(');
    mv_text_i64(text, layout->splits[i].dimension);
    mv_text_char(text, ':');
    print_list(text, layout->splits[i].indices, layout->splits[i].index_count);
    mv_text_char(text, ')');
  }
}

static bool has_parts(const mv_layout *layout) {
  return !is_dense(layout) || layout->tile_count > 0 || layout->tail_alignment > 1 ||
         layout->index_type != MV_TYPE_INVALID || layout->pointer_type != MV_TYPE_INVALID ||
         layout->element_bits != 0 || layout->memory_space != 0 || layout->split_count > 0 ||
         layout->physical_shape != NULL || layout->metadata_prefix_bytes > 0;
}

static void print_parts(mv_text *text, const mv_layout *layout) {
  if (!is_dense(layout)) {
    print_levels(text, layout);
  }
  if (layout->tile_count > 0) {
    print_tiles(text, layout);
  }
  if (layout->tail_alignment > 1) {
    print_part(text, "L", layout->tail_alignment);
  }
  if (layout->index_type != MV_TYPE_INVALID) {
    print_type_part(text, "#", layout->index_type);
  }
  if (layout->pointer_type != MV_TYPE_INVALID) {
    print_type_part(text, "*", layout->pointer_type);
  }
  if (layout->element_bits != 0) {
    print_part(text, "E", layout->element_bits);
  }
  if (layout->memory_space != 0) {
    print_part(text, "S", layout->memory_space);
  }
  if (layout->split_count > 0) {
    print_splits(text, layout);
  }
  if (layout->physical_shape != NULL) {
    mv_text_add(text, "P(");
    mv_shape_print(text, layout->physical_shape);
    mv_text_char(text, ')');
  }
  if (layout->metadata_prefix_bytes > 0) {
    print_part(text, "M", layout->metadata_prefix_bytes);
  }
}

static void print_layout(mv_text *text, const mv_layout *layout) {
  const bool parts = has_parts(layout);
  if (layout->rank == 0 && !parts) {
    return;
  }
  mv_text_char(text, '{');
  print_list(text, layout->minor_to_major, layout->rank);
  if (parts) {
    mv_text_char(text, ':');
    print_parts(text, layout);
  }
  mv_text_char(text, '}');
}

static void print_array(mv_text *text, const mv_shape *shape) {
  const char *name = mv_element_type_name(shape->element_type);
  if (name != NULL) {
    mv_text_add(text, name);
  } else {
    mv_text_add(text, "type<");
    mv_text_i64(text, shape->element_type);
    mv_text_char(text, '>');
  }
  mv_text_char(text, '[');
  for (size_t i = 0; i < shape->rank; i++) {
    if (i > 0) {
      mv_text_char(text, ',');
    }
    if (shape->dimensions[i] == MV_UNBOUNDED) {
      mv_text_char(text, '?');
      continue;
    }
    if (shape->dynamic != NULL && shape->dynamic[i]) {
      mv_text_add(text, "<=");
    }
    mv_text_i64(text, shape->dimensions[i]);
  }
  mv_text_char(text, ']');
  if (shape->has_layout) {
    print_layout(text, &shape->layout);
  }
}

static void print_tuple(mv_text *text, const mv_shape *shape) {
  mv_text_char(text, '(');
  for (size_t i = 0; i < shape->element_count; i++) {
    if (i > 0) {
      mv_text_add(text, ", ");
    }
    if (i > 0 && i % INDEX_COMMENT_INTERVAL == 0) {
      mv_text_add(text, "/*index=");
      mv_text_i64(text, (int64_t)i);
      mv_text_add(text, "*/");
    }
    mv_shape_print(text, &shape->elements[i]);
  }
  mv_text_char(text, ')');
}

void mv_shape_print(mv_text *text, const mv_shape *shape) {
  switch (shape->element_type) {
    case MV_TYPE_TUPLE: print_tuple(text, shape); break;
    case MV_TYPE_BUFFER:
      mv_text_char(text, 'b');
      print_tuple(text, shape); /* of its one element */
      break;
    default: print_array(text, shape); break;
  }
}
