/* Text to shape: what is read, what is refused and where. Texts that survive a round trip are in test_shape_print.c. */
#include "shape_test.h"

static void expect_failure(const char *text, mv_code code, const char *message) {
  mv_arena *arena = new_arena();
  mv_status st = MV_STATUS_INIT;
  mv_shape shape;
  const mv_bytes bytes = exact_copy(mv_bytes_of_string(text), strlen(text));
  cr_expect_not(mv_shape_parse(&shape, bytes, arena, &st), "%s", text);
  cr_expect_eq(st.code, code, "%s", text);
  cr_expect_str_eq(st.message, message);
  free((void *)bytes.data);
  mv_arena_free(arena);
}

static void expect_refused(const char *text, const char *message) {
  expect_failure(text, MV_ARGUMENT, message);
}

/* `count` times `open`, then `middle`, then `count` times `close`. */
static mv_text nested(size_t count, const char *open, const char *middle, const char *close) {
  mv_text text = MV_TEXT_INIT;
  for (size_t i = 0; i < count; i++) {
    mv_text_add(&text, open);
  }
  mv_text_add(&text, middle);
  for (size_t i = 0; i < count; i++) {
    mv_text_add(&text, close);
  }
  return text;
}

Test(shape_parse, array_with_layout) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("f32[1000,64]{1,0:T(8,128)(2,1)L(4)E(4)S(1)}", arena);
  cr_expect_eq(s.element_type, 11);
  cr_assert_eq(s.rank, 2);
  cr_expect_eq(s.dimensions[0], 1000);
  cr_expect_eq(s.dimensions[1], 64);
  cr_expect_null(s.dynamic);
  cr_assert(s.has_layout);
  cr_assert_eq(s.layout.rank, 2);
  cr_expect_eq(s.layout.minor_to_major[0], 1);
  cr_expect_eq(s.layout.minor_to_major[1], 0);
  cr_assert_eq(s.layout.tile_count, 2);
  cr_assert_eq(s.layout.tiles[0].rank, 2);
  cr_expect_eq(s.layout.tiles[0].dimensions[0], 8);
  cr_expect_eq(s.layout.tiles[0].dimensions[1], 128);
  cr_expect_eq(s.layout.tiles[1].dimensions[0], 2);
  cr_expect_eq(s.layout.tail_alignment, 4);
  cr_expect_eq(s.layout.element_bits, 4);
  cr_expect_eq(s.layout.memory_space, 1);
  mv_arena_free(arena);
}

Test(shape_parse, array_without_layout) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("bf16[7]", arena);
  cr_expect_eq(s.element_type, 16);
  cr_expect_not(s.has_layout);
  cr_expect_eq(s.layout.tail_alignment, 1);
  mv_arena_free(arena);
}

Test(shape_parse, dynamic_dimensions) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("f32[<=10,3,?]", arena);
  cr_assert_eq(s.rank, 3);
  cr_assert_not_null(s.dynamic);
  cr_expect(s.dynamic[0]);
  cr_expect_not(s.dynamic[1]);
  cr_expect(s.dynamic[2]);
  cr_expect_eq(s.dimensions[0], 10);
  cr_expect_eq(s.dimensions[2], MV_UNBOUNDED);
  mv_arena_free(arena);
}

Test(shape_parse, nested_tuple_with_index_comments) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("(f32[2], (s32[], /*index=5*/ pred[3]{0}))", arena);
  cr_expect_eq(s.element_type, MV_TYPE_TUPLE);
  cr_assert_eq(s.element_count, 2);
  cr_assert_eq(s.elements[1].element_count, 2);
  cr_expect_eq(s.elements[1].elements[1].element_type, 1);
  cr_expect_eq(s.elements[1].elements[1].dimensions[0], 3);
  mv_arena_free(arena);
}

Test(shape_parse, buffer_holds_its_array) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("b(f32[8]{0})", arena);
  cr_expect_eq(s.element_type, MV_TYPE_BUFFER);
  cr_assert_eq(s.element_count, 1);
  cr_expect_eq(s.elements[0].dimensions[0], 8);
  mv_arena_free(arena);
}

Test(shape_parse, level_types) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("f32[2,3]{1,0:D(D,C+~)}", arena);
  cr_assert_eq(s.layout.dim_level_type_count, 2);
  cr_expect_eq(s.layout.dim_level_types[0], 0);
  cr_expect_eq(s.layout.dim_level_types[1], 1);
  cr_expect_eq(s.layout.dim_unique[0], 1);
  cr_expect_eq(s.layout.dim_unique[1], 0);
  cr_expect_eq(s.layout.dim_ordered[1], 0);
  mv_arena_free(arena);
}

Test(shape_parse, splits) {
  mv_arena *arena = new_arena();
  const mv_shape s = parsed("f32[12,4]{1,0:SC(0:4,8)(1:2)}", arena);
  cr_assert_eq(s.layout.split_count, 2);
  cr_expect_eq(s.layout.splits[0].dimension, 0);
  cr_assert_eq(s.layout.splits[0].index_count, 2);
  cr_expect_eq(s.layout.splits[0].indices[1], 8);
  cr_expect_eq(s.layout.splits[1].dimension, 1);
  mv_arena_free(arena);
}

Test(shape_parse, white_space_and_comments_between_tokens) {
  expect_print(" /* a */ f32 [ 8 , /*b*/ <= 4 ] { 1 , 0 : T ( 8 , 128 ) ( 2 , 1 ) S ( 1 ) }\n\t",
               "f32[8,<=4]{1,0:T(8,128)(2,1)S(1)}");
  expect_print("/**/(/***/f32[]\r\n,/* ** / */s8[1]/*,*/)", "(f32[], s8[1])");
}

Test(shape_parse, largest_number) {
  expect_print("s8[9223372036854775807]", "s8[9223372036854775807]");
  expect_print("s8[0009]", "s8[9]");
}

Test(shape_parse, unknown_element_type) {
  expect_refused("f33[2]", "no shape: unknown element type 'f33' at character 1");
  expect_refused("(f32[], tuple[])", "no shape: unknown element type 'tuple' at character 9");
  expect_refused("buffer[]", "no shape: unknown element type 'buffer' at character 1");
  expect_refused("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz[]",
                 "no shape: unknown element type 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...' at character 1");
}

Test(shape_parse, something_else_than_a_shape) {
  expect_refused("", "no shape: a shape expected, the text ends at character 1");
  expect_refused("  ", "no shape: a shape expected, the text ends at character 3");
  expect_refused("[2]", "no shape: a shape expected, '[' found at character 1");
  expect_refused("f32", "no shape: '[' expected, the text ends at character 4");
}

Test(shape_parse, layout_that_is_no_permutation) {
  expect_refused("f32[2,3]{1,1}", "no shape: repeated dimension 1 in the layout at character 12");
  expect_refused("f32[2,3]{2,1}", "no shape: unknown dimension 2 in the layout at character 10");
  expect_refused("f32[2,3]{1}", "no shape: layout orders 1 of 2 dimensions at character 10");
  expect_refused("f32[2,3]{}", "no shape: layout orders 0 of 2 dimensions at character 10");
  expect_refused("f32[]{0}", "no shape: unknown dimension 0 in the layout at character 7");
}

Test(shape_parse, negative_numbers) {
  expect_refused("f32[-1]", "no shape: negative number at character 5");
  expect_refused("f32[2]{-1}", "no shape: negative number at character 8");
  expect_refused("f32[2]{0:S(-1)}", "no shape: negative number at character 12");
  expect_refused("f32[2]{0:T(-8)}", "no shape: negative number at character 12");
}

Test(shape_parse, numbers_beyond_63_bits) {
  expect_refused("f32[9223372036854775808]", "no shape: number larger than 9223372036854775807 at character 5");
  expect_refused("f32[2]{0:L(99999999999999999999999)}",
                 "no shape: number larger than 9223372036854775807 at character 12");
}

Test(shape_parse, text_behind_the_shape) {
  expect_refused("f32[2]{0} x", "no shape: the end expected, 'x' found at character 11");
  expect_refused("f32[2])", "no shape: the end expected, ')' found at character 7");
  expect_refused("f32[2] f32[2]", "no shape: the end expected, 'f' found at character 8");
}

Test(shape_parse, tile_of_nothing) {
  expect_refused("f32[2]{0:T(0)}", "no shape: number smaller than 1 at character 12");
  expect_refused("f32[2]{0:T()}", "no shape: a number expected, ')' found at character 12");
  expect_refused("f32[2]{0:T}", "no shape: '(' expected, '}' found at character 11");
}

Test(shape_parse, star_without_a_minor_dimension) {
  expect_refused("f32[2,2]{1,0:T(2,*)}", "no shape: '*' without a dimension behind it to combine with at character 18");
}

Test(shape_parse, tile_of_too_many_dimensions) {
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "f32[]{:T(");
  for (int i = 0; i < MV_TILE_RANK; i++) {
    mv_text_add(&text, "1,");
  }
  mv_text_add(&text, "1)}");
  expect_failure(text.data, MV_LIMIT, "no shape: more than 32 dimensions in a tile at character 74");
  mv_text_free(&text);
}

Test(shape_parse, absurd_element_bits) {
  expect_refused("f32[2]{0:E(0)}", "no shape: number smaller than 1 at character 12");
  expect_refused("f32[2]{0:E(1025)}", "no shape: number larger than 1024 at character 12");
}

Test(shape_parse, tail_alignment_of_nothing) {
  expect_refused("f32[2]{0:L(0)}", "no shape: number smaller than 1 at character 12");
}

Test(shape_parse, part_given_twice) {
  expect_refused("f32[2]{0:S(1)S(2)}", "no shape: S is given twice at character 14");
}

Test(shape_parse, unknown_part) {
  expect_refused("f32[2]{0:Q(1)}",
                 "no shape: D, T, L, #, *, E, S, SC, P, M or '}' expected, 'Q' found at character 10");
  expect_refused("f32[2]{0:", "no shape: D, T, L, #, *, E, S, SC, P, M or '}' expected, the text ends at character 10");
}

Test(shape_parse, index_type_that_is_no_integer) {
  expect_refused("f32[2]{0:#(f32)}", "no shape: integer type expected at character 12");
  expect_refused("f32[2]{0:*(pred)}", "no shape: integer type expected at character 12");
  expect_refused("f32[2]{0:*(", "no shape: integer type expected at character 12");
}

Test(shape_parse, level_types_that_do_not_fit_the_dimensions) {
  expect_refused("f32[2,3]{1,0:D(D)}", "no shape: 1 level types for 2 dimensions at character 15");
  expect_refused("f32[2]{0:D(X)}", "no shape: D, C, S or H expected, 'X' found at character 12");
}

Test(shape_parse, split_of_a_dimension_that_is_not_there) {
  expect_refused("f32[2]{0:SC(1:1)}", "no shape: no dimension 1 to split at character 13");
  expect_refused("f32[2]{0:SC(0)}", "no shape: ':' expected, ')' found at character 14");
}

Test(shape_parse, buffer_of_something_else_than_an_array) {
  expect_refused("b(())", "no shape: a buffer holds one array at character 3");
  expect_refused("b()", "no shape: a buffer holds one array at character 3");
  expect_refused("b(f32[], f32[])", "no shape: a buffer holds one array at character 3");
}

Test(shape_parse, tokens_have_neither_dimensions_nor_layout) {
  expect_refused("token[2]", "no shape: ']' expected, '2' found at character 7");
  expect_refused("token[]{}", "no shape: the end expected, '{' found at character 8");
}

Test(shape_parse, lists_with_gaps) {
  expect_refused("f32[2,]", "no shape: a number expected, ']' found at character 7");
  expect_refused("f32[,2]", "no shape: a number expected, ',' found at character 5");
  expect_refused("(f32[],)", "no shape: a shape expected, ')' found at character 8");
  expect_refused("f32[<10]", "no shape: '=' expected, '1' found at character 6");
}

Test(shape_parse, comment_without_an_end) {
  expect_refused("f32[2] /* here", "no shape: comment without an end at character 8");
  expect_refused("/*/", "no shape: comment without an end at character 1");
  expect_refused("f32[2] /", "no shape: the end expected, '/' found at character 8");
}

Test(shape_parse, position_counts_characters_not_bytes) {
  expect_refused("/* \xC3\xA4\xE2\x82\xAC */ q[]", "no shape: unknown element type 'q' at character 10");
  expect_refused("f32[\xE2\x82\xAC]", "no shape: a number expected, '\xE2\x82\xAC' found at character 5");
  expect_refused("f32[\xFF]", "no shape: a number expected, byte 0xFF found at character 5");
  expect_refused("f32[\x01]", "no shape: a number expected, byte 0x01 found at character 5");
}

Test(shape_parse, nul_is_a_character_like_any_other) {
  mv_arena *arena = new_arena();
  mv_status st = MV_STATUS_INIT;
  mv_shape shape;
  cr_expect_not(mv_shape_parse(&shape, mv_bytes_of("f32[2]\0x", 8), arena, &st));
  cr_expect_str_eq(st.message, "no shape: the end expected, byte 0x00 found at character 7");
  st = (mv_status)MV_STATUS_INIT;
  cr_expect_not(mv_shape_parse(&shape, mv_bytes_of("f32[2]{0:D(\0)}", 14), arena, &st));
  st = (mv_status)MV_STATUS_INIT;
  cr_expect_not(mv_shape_parse(&shape, (mv_bytes){NULL, 0}, arena, &st));
  mv_arena_free(arena);
}

Test(shape_parse, nesting_up_to_the_limit) {
  mv_arena *arena = new_arena();
  mv_text text = nested(MV_SHAPE_DEPTH - 1, "(", "f32[]", ")");
  parsed(text.data, arena);
  mv_text_free(&text);
  mv_arena_free(arena);
}

Test(shape_parse, nesting_beyond_the_limit) {
  mv_text text = nested(MV_SHAPE_DEPTH, "(", "f32[]", ")");
  expect_failure(text.data, MV_LIMIT, "no shape: nested deeper than 64 at character 65");
  mv_text_free(&text);
}

Test(shape_parse, nesting_of_a_hundred_thousand) {
  mv_text tuples = nested(100000, "(", "", ")");
  expect_failure(tuples.data, MV_LIMIT, "no shape: nested deeper than 64 at character 65");
  mv_text_free(&tuples);
  mv_text open = nested(100000, "(", "", "");
  expect_failure(open.data, MV_LIMIT, "no shape: nested deeper than 64 at character 65");
  mv_text_free(&open);
  mv_text buffers = nested(100000, "b(", "f32[]", ")");
  expect_failure(buffers.data, MV_LIMIT, "no shape: nested deeper than 64 at character 129");
  mv_text_free(&buffers);
  mv_text physical = nested(100000, "f32[]{:P(", "f32[]", ")}");
  expect_failure(physical.data, MV_LIMIT, "no shape: nested deeper than 64 at character 577");
  mv_text_free(&physical);
}

Test(shape_parse, tuple_of_a_hundred_thousand) {
  enum { COUNT = 100000 };
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "(f32[]");
  for (int i = 1; i < COUNT; i++) {
    mv_text_add(&text, i % 5 == 0 ? ", /*index*/f32[2]{0}" : ", f32[2]{0}");
  }
  mv_text_char(&text, ')');
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed(text.data, arena);
  cr_expect_eq(shape.element_count, COUNT);
  mv_text_free(&text);
  mv_arena_free(arena);
}

Test(shape_parse, more_shapes_than_allowed) {
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "(()");
  for (int i = 1; i < MV_SHAPE_COUNT; i++) {
    mv_text_add(&text, ",()");
  }
  mv_text_char(&text, ')');
  expect_failure(text.data, MV_LIMIT, "no shape: more than 131072 shapes in one at character 393215");
  mv_text_free(&text);
}

/* f32[1,1,...]{0,1,...} */
static mv_text array_of(int rank) {
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "f32[1");
  for (int i = 1; i < rank; i++) {
    mv_text_add(&text, ",1");
  }
  mv_text_add(&text, "]{0");
  for (int i = 1; i < rank; i++) {
    mv_text_format(&text, ",%d", i);
  }
  mv_text_add(&text, "}");
  return text;
}

Test(shape_parse, as_many_dimensions_as_allowed) {
  mv_text text = array_of(MV_SHAPE_RANK);
  expect_print(text.data, text.data);
  mv_text_free(&text);
}

Test(shape_parse, more_dimensions_than_allowed) {
  mv_text text = array_of(MV_SHAPE_RANK + 1);
  expect_failure(text.data, MV_LIMIT, "no shape: more than 1024 dimensions at character 2053");
  mv_text_free(&text);
}

Test(shape_parse, every_prefix_is_refused_or_read_within_bounds) {
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    const size_t size = strlen(sample_texts[i]);
    for (size_t n = 0; n <= size; n++) {
      mv_arena *arena = new_arena();
      mv_status st = MV_STATUS_INIT;
      mv_shape shape;
      const mv_bytes prefix = exact_copy(mv_bytes_of_string(sample_texts[i]), n);
      const bool ok = mv_shape_parse(&shape, prefix, arena, &st);
      cr_expect_eq(ok, st.code == MV_OK);
      cr_expect(ok || st.message[0] != '\0');
      cr_expect(ok || n < size);
      free((void *)prefix.data);
      mv_arena_free(arena);
    }
  }
}

Test(shape_parse, every_changed_byte_is_refused_or_read_within_bounds) {
  static const char replacements[] = "\0 ,:()[]{}<?*#+~/-09TDSCPMb\xFF";
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    const size_t size = strlen(sample_texts[i]);
    for (size_t at = 0; at < size; at++) {
      for (size_t r = 0; r < sizeof replacements - 1; r++) {
        mv_arena *arena = new_arena();
        mv_status st = MV_STATUS_INIT;
        mv_shape shape;
        int64_t bytes;
        const mv_bytes text = exact_copy(mv_bytes_of_string(sample_texts[i]), size);
        ((uint8_t *)text.data)[at] = (uint8_t)replacements[r];
        if (mv_shape_parse(&shape, text, arena, &st)) {
          mv_shape_padded_bytes(&bytes, &shape);
          mv_shape_unpadded_bytes(&bytes, &shape);
          free(printed(&shape));
        }
        free((void *)text.data);
        mv_arena_free(arena);
      }
    }
  }
}
