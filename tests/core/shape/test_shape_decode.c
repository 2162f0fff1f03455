/* ShapeProto bytes to shape, and the scans that need no shape. */
#include "shape_test.h"

static mv_shape decoded(mv_bytes proto, mv_arena *arena) {
  mv_status st = MV_STATUS_INIT;
  mv_shape shape;
  cr_assert(mv_shape_decode(&shape, proto, arena, &st), "%s", st.message);
  return shape;
}

#define SIZE_OF(...) sizeof((const uint8_t[]){__VA_ARGS__})
#define BYTES(...) mv_bytes_of((const uint8_t[SIZE_OF(__VA_ARGS__) + MV_READABLE]){__VA_ARGS__}, SIZE_OF(__VA_ARGS__))

static void expect_text(mv_bytes proto, const char *expected) {
  mv_arena *arena = new_arena();
  const mv_shape shape = decoded(proto, arena);
  char *actual = printed(&shape);
  cr_expect_str_eq(actual, expected);
  free(actual);
  mv_arena_free(arena);
}

static void expect_failure(mv_bytes proto, mv_code code, const char *message) {
  mv_arena *arena = new_arena();
  mv_status st = MV_STATUS_INIT;
  mv_shape shape;
  const mv_bytes copy = proto_copy(proto, proto.size);
  cr_expect_not(mv_shape_decode(&shape, copy, arena, &st), "%s", message);
  cr_expect_eq(st.code, code);
  cr_expect_str_eq(st.message, message);
  free((void *)copy.data);
  mv_arena_free(arena);
}

/* `count` tuples inside each other. Written from the end, where the length of what lies inside is known. *memory is
 * freed by the caller. */
static mv_bytes nested_tuples(size_t count, uint8_t **memory) {
  const size_t room = count * 16 + 16;
  uint8_t *const start = malloc(room);
  cr_assert_not_null(start);
  uint8_t *const end = start + room;
  uint8_t *p = end;
  for (size_t i = 0; i < count; i++) {
    if (i > 0) {
      uint8_t length[10];
      size_t n = 0;
      for (size_t value = (size_t)(end - p); value > 0; value >>= 7) {
        length[n++] = (uint8_t)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
      }
      p -= n;
      memcpy(p, length, n);
      *--p = 4 << 3 | 2; /* tuple_shapes */
    }
    *--p = MV_TYPE_TUPLE;
    *--p = 2 << 3; /* element_type */
  }
  *memory = start;
  return mv_bytes_of(p, (size_t)(end - p));
}

Test(shape_decode, array_with_layout_byte_by_byte) {
  /* f32, dimensions packed, layout { minor_to_major packed, tiles, memory_space } */
  expect_text(BYTES(0x10, 11, 0x1A, 3, 0xE8, 0x07, 64, 0x2A, 12, 0x0A, 2, 1, 0, 0x32, 4, 0x0A, 2, 8, 0x10, 0x40, 1),
              "f32[1000,64]{1,0:T(8,16)S(1)}");
}

Test(shape_decode, numbers_that_are_not_packed) {
  expect_text(BYTES(0x10, 4, 0x18, 2, 0x18, 3, 0x30, 0, 0x30, 1, 0x2A, 8, 0x08, 1, 0x08, 0, 0x32, 2, 0x08, 8),
              "s32[2,<=3]{1,0:T(8)}");
}

Test(shape_decode, numbers_packed_and_not) {
  expect_text(BYTES(0x10, 4, 0x18, 2, 0x1A, 2, 3, 4, 0x18, 5, 0x1A, 0), "s32[2,3,4,5]");
}

Test(shape_decode, fields_in_any_order) {
  expect_text(BYTES(0x2A, 3, 0x0A, 1, 0, 0x1A, 1, 7, 0x10, 1), "pred[7]{0}");
  expect_text(BYTES(0x22, 2, 0x10, 1, 0x10, 13, 0x22, 2, 0x10, 2), "(pred[], s8[])");
}

Test(shape_decode, unknown_fields_and_wire_types_are_passed_over) {
  /* field 9 as varint, 10 fixed64, 11 length, 12 fixed32, and element_type as a length */
  expect_text(BYTES(0x48, 5, 0x51, 1, 2, 3, 4, 5, 6, 7, 8, 0x5A, 1, 0, 0x65, 1, 2, 3, 4, 0x12, 1, 9, 0x10, 11),
              "f32[]");
  expect_text(BYTES(0x10, 11, 0x1D, 1, 2, 3, 4, 0x18, 2), "f32[2]");
}

Test(shape_decode, a_layout_in_two_parts_is_merged) {
  expect_text(BYTES(0x10, 11, 0x1A, 2, 2, 3, 0x2A, 5, 0x0A, 1, 1, 0x40, 5, 0x2A, 3, 0x0A, 1, 0), "f32[2,3]{1,0:S(5)}");
}

Test(shape_decode, nothing_is_a_shape_without_a_type) {
  expect_text(BYTES(0x18, 2), "type<0>[2]");
  expect_text((mv_bytes){NULL, 0}, "type<0>[]");
}

Test(shape_decode, unknown_element_type_is_kept) {
  expect_text(BYTES(0x10, 99, 0x18, 2, 0x2A, 2, 0x08, 0), "type<99>[2]{0}");
  expect_text(BYTES(0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1), "type<-1>[]");
}

Test(shape_decode, unbounded_dimension) {
  expect_text(BYTES(0x10, 11, 0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0x18, 3, 0x30, 1, 0x30, 0),
              "f32[?,3]");
}

Test(shape_decode, layouts_of_tuples_and_tokens_are_ignored) {
  expect_text(BYTES(0x10, 13, 0x2A, 2, 0x08, 0), "()");
  expect_text(BYTES(0x10, 17, 0x2A, 2, 0x08, 0, 0x18, 4), "token[]");
  expect_text(BYTES(0x10, 14), "opaque[]");
}

Test(shape_decode, tail_alignment_of_zero_is_one) {
  mv_arena *arena = new_arena();
  const mv_shape shape = decoded(BYTES(0x10, 11, 0x2A, 3, 0x80, 0x01, 0), arena);
  cr_expect(shape.has_layout);
  cr_expect_eq(shape.layout.tail_alignment, 1);
  mv_arena_free(arena);
}

Test(shape_decode, combined_tile_dimension) {
  expect_text(BYTES(0x10, 11, 0x2A, 15, 0x32, 13, 0x0A, 11, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 8),
              "f32[]{:T(*,8)}");
}

Test(shape_decode, every_sample_comes_back_from_its_proto) {
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    mv_text proto = proto_of(sample_texts[i]);
    expect_text(bytes_of(&proto), sample_texts[i]);
    mv_text_free(&proto);
  }
}

Test(shape_decode, bytes_are_not_needed_afterwards) {
  mv_arena *arena = new_arena();
  mv_text proto = proto_of("(f32[2,3]{1,0:T(8,128)SC(0:1)}, s32[<=4])");
  const mv_shape shape = decoded(bytes_of(&proto), arena);
  mv_text_free(&proto);
  char *text = printed(&shape);
  cr_expect_str_eq(text, "(f32[2,3]{1,0:T(8,128)SC(0:1)}, s32[<=4])");
  free(text);
  mv_arena_free(arena);
}

Test(shape_decode, cut_bytes) {
  expect_failure(BYTES(0x10), MV_FORMAT, "malformed ShapeProto: it ends inside a field");
  expect_failure(BYTES(0x10, 11, 0x1A, 5, 1), MV_FORMAT, "malformed ShapeProto: it ends inside a field");
  expect_failure(BYTES(0x10, 11, 0x1A, 1, 0x80), MV_FORMAT, "malformed ShapeProto: it ends inside a field");
  expect_failure(BYTES(0x10, 11, 0x2A, 1, 0x08), MV_FORMAT, "malformed LayoutProto: it ends inside a field");
  expect_failure(BYTES(0x10, 11, 0x2A, 3, 0x32, 1, 0x08), MV_FORMAT, "malformed TileProto: it ends inside a field");
  expect_failure(BYTES(0x10, 11, 0x2A, 4, 0x8A, 0x01, 1, 0x08), MV_FORMAT,
                 "malformed SplitConfigProto: it ends inside a field");
}

Test(shape_decode, bytes_that_are_no_protobuf) {
  expect_failure(BYTES(0x00), MV_FORMAT, "malformed ShapeProto: not protobuf");
  expect_failure(BYTES(0x13), MV_FORMAT, "malformed ShapeProto: not protobuf");
  expect_failure(BYTES(0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1), MV_FORMAT,
                 "malformed ShapeProto: not protobuf");
}

Test(shape_decode, negative_dimension) {
  expect_failure(BYTES(0x10, 11, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1), MV_FORMAT,
                 "malformed ShapeProto: dimension -1");
}

Test(shape_decode, counts_that_do_not_fit_the_dimensions) {
  expect_failure(BYTES(0x10, 11, 0x18, 2, 0x18, 3, 0x30, 1), MV_FORMAT,
                 "malformed ShapeProto: 1 in is_dynamic_dimension for 2 dimensions");
  expect_failure(BYTES(0x10, 11, 0x18, 2, 0x2A, 0), MV_FORMAT,
                 "malformed LayoutProto: 0 in minor_to_major for 1 dimensions");
}

Test(shape_decode, minor_to_major_that_is_no_permutation) {
  expect_failure(BYTES(0x10, 11, 0x1A, 2, 2, 2, 0x2A, 4, 0x0A, 2, 0, 0), MV_FORMAT,
                 "malformed LayoutProto: minor_to_major is no order of the dimensions");
  expect_failure(BYTES(0x10, 11, 0x1A, 2, 2, 2, 0x2A, 4, 0x0A, 2, 0, 2), MV_FORMAT,
                 "malformed LayoutProto: minor_to_major is no order of the dimensions");
}

Test(shape_decode, tiles_that_are_none) {
  expect_failure(BYTES(0x10, 11, 0x2A, 2, 0x32, 0), MV_FORMAT, "malformed TileProto: it has no minor dimension");
  expect_failure(BYTES(0x10, 11, 0x2A, 4, 0x32, 2, 0x08, 0), MV_FORMAT, "malformed TileProto: dimension 0");
  mv_text tile = MV_TEXT_INIT;
  mv_text layout = MV_TEXT_INIT;
  mv_text shape = MV_TEXT_INIT;
  for (int i = 0; i <= MV_TILE_RANK; i++) {
    put_number(&tile, 1, 1);
  }
  put_message(&layout, 6, &tile);
  put_message(&shape, 5, &layout);
  expect_failure(bytes_of(&shape), MV_LIMIT, "a tile has 33 dimensions, more than 32");
  mv_text_free(&tile);
  mv_text_free(&layout);
  mv_text_free(&shape);
}

Test(shape_decode, negative_sizes_in_a_layout) {
  mv_text layout = MV_TEXT_INIT;
  mv_text shape = MV_TEXT_INIT;
  put_number(&layout, 16, -1);
  put_message(&shape, 5, &layout);
  expect_failure(bytes_of(&shape), MV_FORMAT, "malformed LayoutProto: negative tail_padding_alignment_in_elements");
  mv_text_clear(&layout);
  mv_text_clear(&shape);
  put_number(&layout, 7, -4);
  put_message(&shape, 5, &layout);
  expect_failure(bytes_of(&shape), MV_FORMAT, "malformed LayoutProto: negative element_size_in_bits");
  mv_text_clear(&layout);
  mv_text_clear(&shape);
  put_number(&layout, 15, -1);
  put_message(&shape, 5, &layout);
  expect_failure(bytes_of(&shape), MV_FORMAT, "malformed LayoutProto: negative dynamic_shape_metadata_prefix_bytes");
  mv_text_free(&layout);
  mv_text_free(&shape);
}

Test(shape_decode, buffer_of_something_else_than_an_array) {
  expect_failure(BYTES(0x10, 34), MV_FORMAT, "malformed ShapeProto: a buffer holds one array");
  expect_failure(BYTES(0x10, 34, 0x22, 2, 0x10, 13), MV_FORMAT, "malformed ShapeProto: a buffer holds one array");
}

Test(shape_decode, nesting_up_to_the_limit) {
  mv_arena *arena = new_arena();
  uint8_t *memory;
  decoded(nested_tuples(MV_SHAPE_DEPTH, &memory), arena);
  free(memory);
  mv_arena_free(arena);
}

Test(shape_decode, nesting_beyond_the_limit) {
  uint8_t *memory;
  expect_failure(nested_tuples(MV_SHAPE_DEPTH + 1, &memory), MV_LIMIT, "shape nested deeper than 64");
  free(memory);
}

Test(shape_decode, nesting_of_a_hundred_thousand) {
  uint8_t *memory;
  const mv_bytes proto = nested_tuples(100000, &memory);
  expect_failure(proto, MV_LIMIT, "shape nested deeper than 64");
  cr_expect_eq(mv_shape_scan_unpadded(proto), -1);
  cr_expect_not(mv_shape_scan_is_tiled(proto));
  free(memory);
}

Test(shape_decode, physical_shapes_nested_beyond_the_limit) {
  mv_text proto = proto_of("f32[]");
  for (int i = 0; i < MV_SHAPE_DEPTH; i++) {
    mv_text layout = MV_TEXT_INIT;
    mv_text outer = MV_TEXT_INIT;
    put_message(&layout, 10, &proto);
    put_number(&outer, 2, 11);
    put_message(&outer, 5, &layout);
    mv_text_free(&layout);
    mv_text_free(&proto);
    proto = outer;
  }
  expect_failure(bytes_of(&proto), MV_LIMIT, "shape nested deeper than 64");
  mv_text_free(&proto);
}

Test(shape_decode, tuple_of_a_hundred_thousand) {
  mv_text proto = MV_TEXT_INIT;
  put_number(&proto, 2, MV_TYPE_TUPLE);
  for (int i = 0; i < 100000; i++) {
    pb_varint(&proto, 4 << 3 | 2);
    pb_varint(&proto, 0);
  }
  mv_arena *arena = new_arena();
  cr_expect_eq(decoded(bytes_of(&proto), arena).element_count, 100000);
  cr_expect_eq(mv_shape_scan_unpadded(bytes_of(&proto)), 800000);
  mv_text_free(&proto);
  mv_arena_free(arena);
}

Test(shape_decode, more_shapes_than_allowed) {
  mv_text proto = MV_TEXT_INIT;
  put_number(&proto, 2, MV_TYPE_TUPLE);
  for (int i = 0; i <= MV_SHAPE_COUNT; i++) {
    pb_varint(&proto, 4 << 3 | 2);
    pb_varint(&proto, 0);
  }
  expect_failure(bytes_of(&proto), MV_LIMIT, "more than 131072 shapes in one");
  mv_text_free(&proto);
}

/* An array of `count` dimensions of 1, each packed in a field of its own, with a layout in as many parts. */
static mv_text array_in_parts(int count) {
  mv_text proto = MV_TEXT_INIT;
  put_number(&proto, 2, 11);
  for (int64_t i = 0; i < count; i++) {
    mv_text layout = MV_TEXT_INIT;
    put_packed(&proto, 3, &(const int64_t){1}, 1);
    put_packed(&layout, 1, &i, 1);
    put_message(&proto, 5, &layout);
    mv_text_free(&layout);
  }
  return proto;
}

Test(shape_decode, as_many_dimensions_as_allowed) {
  mv_text proto = array_in_parts(MV_SHAPE_RANK);
  mv_arena *arena = new_arena();
  const mv_shape shape = decoded(bytes_of(&proto), arena);
  cr_expect_eq(shape.rank, MV_SHAPE_RANK);
  cr_expect_eq(shape.layout.rank, MV_SHAPE_RANK);
  cr_expect_eq(mv_shape_scan_unpadded(bytes_of(&proto)), 4);
  mv_text_free(&proto);
  mv_arena_free(arena);
}

Test(shape_decode, more_dimensions_than_allowed) {
  mv_text proto = array_in_parts(1000000);
  expect_failure(bytes_of(&proto), MV_LIMIT, "a shape has 1000000 dimensions, more than 1024");
  cr_expect_eq(mv_shape_scan_unpadded(bytes_of(&proto)), -1);
  mv_text_free(&proto);
}

Test(shape_decode, every_prefix_is_refused_or_read_within_bounds) {
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    mv_text proto = proto_of(sample_texts[i]);
    for (size_t n = 0; n <= proto.size; n++) {
      mv_arena *arena = new_arena();
      mv_status st = MV_STATUS_INIT;
      mv_shape shape;
      mv_bytes part;
      const mv_bytes prefix = proto_copy(bytes_of(&proto), n);
      const bool ok = mv_shape_decode(&shape, prefix, arena, &st);
      cr_expect_eq(ok, st.code == MV_OK);
      cr_expect(ok || n < proto.size);
      cr_expect(ok || mv_shape_scan_unpadded(prefix) == -1, "%zu bytes of %s", n, sample_texts[i]);
      cr_expect(ok || !mv_shape_scan_is_tiled(prefix), "%zu bytes of %s", n, sample_texts[i]);
      mv_shape_walk(&part, prefix, (const int64_t[]){1, 0}, 2);
      free((void *)prefix.data);
      mv_arena_free(arena);
    }
    mv_text_free(&proto);
  }
}

Test(shape_decode, every_changed_byte_is_refused_or_read_within_bounds) {
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    mv_text proto = proto_of(sample_texts[i]);
    for (size_t at = 0; at < proto.size; at++) {
      for (unsigned bit = 0; bit < 8; bit++) {
        mv_arena *arena = new_arena();
        mv_status st = MV_STATUS_INIT;
        mv_shape shape;
        const mv_bytes changed = proto_copy(bytes_of(&proto), proto.size);
        ((uint8_t *)changed.data)[at] ^= (uint8_t)(1u << bit);
        const int64_t scanned = mv_shape_scan_unpadded(changed);
        if (mv_shape_decode(&shape, changed, arena, &st)) {
          int64_t bytes = -1;
          mv_shape_padded_bytes(&bytes, &shape);
          bytes = -1;
          mv_shape_unpadded_bytes(&bytes, &shape);
          cr_expect(shape.element_type == MV_TYPE_TUPLE || scanned == bytes, "%s", sample_texts[i]);
          free(printed(&shape));
        } else {
          cr_expect_eq(scanned, -1, "%s, bit %u of byte %zu", sample_texts[i], bit, at);
        }
        free((void *)changed.data);
        mv_arena_free(arena);
      }
    }
    mv_text_free(&proto);
  }
}

Test(shape_walk, finds_the_element_of_an_index) {
  mv_text proto = proto_of("(f32[2], (s32[], token[]), ())");
  mv_bytes part;
  cr_assert(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){1, 0}, 2));
  expect_text(part, "s32[]");
  cr_assert(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){1}, 1));
  expect_text(part, "(s32[], token[])");
  cr_assert(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){2}, 1));
  expect_text(part, "()");
  mv_text_free(&proto);
}

Test(shape_walk, no_steps_give_the_whole) {
  mv_text proto = proto_of("(f32[2])");
  mv_bytes part;
  cr_assert(mv_shape_walk(&part, bytes_of(&proto), NULL, 0));
  cr_expect(mv_bytes_equal(part, bytes_of(&proto)));
  mv_text_free(&proto);
}

Test(shape_walk, steps_that_point_nowhere) {
  mv_text proto = proto_of("(f32[2], (s32[]))");
  mv_bytes part;
  cr_expect_not(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){2}, 1));
  cr_expect_not(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){-1}, 1));
  cr_expect_not(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){INT64_MIN}, 1));
  cr_expect_not(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){INT64_MAX}, 1));
  cr_expect_not(mv_shape_walk(&part, bytes_of(&proto), (const int64_t[]){0, 0}, 2));
  mv_text_free(&proto);
}

Test(shape_walk, faulty_bytes) {
  mv_bytes part;
  cr_expect_not(mv_shape_walk(&part, BYTES(0x10, 13, 0x22, 9, 1), (const int64_t[]){0}, 1));
}

Test(shape_scan, unpadded_of_an_array) {
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x1A, 3, 0xE8, 0x07, 64)), 256000);
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x18, 10, 0x18, 3, 0x10, 16)), 60);
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 21, 0x18, 11)), 11);
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 21, 0x18, 11, 0x2A, 4, 0x08, 0, 0x38, 4)), 6);
}

Test(shape_scan, tuple_is_its_index_table) {
  mv_text proto = proto_of("(f32[1000], (s32[], token[]), ())");
  cr_expect_eq(mv_shape_scan_unpadded(bytes_of(&proto)), 24);
  mv_text_free(&proto);
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 13)), 0);
}

Test(shape_scan, sizes_that_cannot_be_known) {
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 14)), -1, "opaque");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 99)), -1, "unknown type");
  cr_expect_eq(mv_shape_scan_unpadded((mv_bytes){NULL, 0}), -1, "nothing");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 34)), -1, "a buffer of nothing");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x1A, 1)), -1, "cut");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x1A, 1, 0x80)), -1, "cut inside the packed");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x2A, 1, 0x38)), -1, "cut inside the layout");
}

Test(shape_scan, what_a_kind_does_not_have_may_be_damaged) {
  const mv_bytes cut_layout = BYTES(0x10, 17, 0x2A, 1, 0x38); /* of a token */
  expect_text(cut_layout, "token[]");
  cr_expect_eq(mv_shape_scan_unpadded(cut_layout), 0);
  const mv_bytes cut_dimensions = BYTES(0x1A, 1, 0x80, 0x10, 13); /* of a tuple */
  expect_text(cut_dimensions, "()");
  cr_expect_eq(mv_shape_scan_unpadded(cut_dimensions), 0);
  const mv_bytes cut_tuple_shape = BYTES(0x10, 1, 0x22, 1, 0x80); /* of an array */
  expect_text(cut_tuple_shape, "pred[]");
  cr_expect_eq(mv_shape_scan_unpadded(cut_tuple_shape), 1);
}

Test(shape_scan, what_decoding_refuses_has_no_size) {
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x18, 2, 0x2A, 0)), -1, "a layout without an order");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x2A, 2, 0x32, 0)), -1, "a tile without dimensions");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 11, 0x32, 1, 0x80)), -1, "cut inside is_dynamic_dimension");
  cr_expect_eq(mv_shape_scan_unpadded(BYTES(0x10, 13, 0x22, 3, 0x1A, 1, 0x80)), -1, "a tuple of a cut array");
}

Test(shape_scan, tiled_or_not) {
  mv_text tiled = proto_of("f32[8]{0:T(8)}");
  mv_text plain = proto_of("f32[8]{0:S(1)}");
  mv_text tuple = proto_of("(f32[8]{0:T(8)})");
  cr_expect(mv_shape_scan_is_tiled(bytes_of(&tiled)));
  cr_expect_not(mv_shape_scan_is_tiled(bytes_of(&plain)));
  cr_expect_not(mv_shape_scan_is_tiled(bytes_of(&tuple)));
  cr_expect_not(mv_shape_scan_is_tiled((mv_bytes){NULL, 0}));
  mv_text_free(&tiled);
  mv_text_free(&plain);
  mv_text_free(&tuple);
}

/* ---- Element types alone ---- */

Test(shape_scan, element_type) {
  cr_expect_eq(mv_shape_scan_element_type(BYTES(3 << 3, 8, 2 << 3, 11)), 11); /* behind another field */
  cr_expect_eq(mv_shape_scan_element_type(BYTES(2 << 3, 11, 2 << 3, 16)), 16); /* the last counts */
  cr_expect_eq(mv_shape_scan_element_type(BYTES(3 << 3, 8)), MV_TYPE_INVALID);
  cr_expect_eq(mv_shape_scan_element_type(BYTES(2 << 3, 11, 4 << 3 | 2, 99)), 11); /* cut short behind it */
  cr_expect_eq(mv_shape_scan_element_type(mv_bytes_of(NULL, 0)), MV_TYPE_INVALID);
}
