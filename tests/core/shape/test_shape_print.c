/* A shape as text: what is left out, what stands where. */
#include "shape_test.h"

static void expect_shape_text(const mv_shape *shape, const char *expected) {
  char *actual = printed(shape);
  cr_expect_str_eq(actual, expected);
  free(actual);
}

Test(shape_print, samples_come_out_as_they_went_in) {
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    expect_print(sample_texts[i], sample_texts[i]);
  }
}

Test(shape_print, scalar_without_parts_has_no_braces) {
  expect_print("f32[]{}", "f32[]");
}

Test(shape_print, parts_stand_in_the_order_of_xla) {
  expect_print("f32[8]{0: M(2) P(f32[]) SC(0:4) S(1) E(64) *(u8) #(u16) L(2) T(8) D(C)}",
               "f32[8]{0:D(C)T(8)L(2)#(u16)*(u8)E(64)S(1)SC(0:4)P(f32[])M(2)}");
}

Test(shape_print, defaults_are_left_out) {
  expect_print("f32[8]{0:L(1)S(0)M(0)}", "f32[8]{0}");
}

Test(shape_print, dense_level_types_are_left_out) {
  expect_print("f32[8,2]{1,0:D(D,D)}", "f32[8,2]{1,0}");
  expect_print("f32[8,2]{1,0:D(D,S)}", "f32[8,2]{1,0:D(D,S)}");
}

Test(shape_print, index_comment_before_every_fifth_element) {
  expect_print("(u8[],u8[],u8[],u8[],u8[],u8[],u8[],u8[],u8[],u8[],u8[])",
               "(u8[], u8[], u8[], u8[], u8[], /*index=5*/u8[], u8[], u8[], u8[], u8[], /*index=10*/u8[])");
}

Test(shape_print, unknown_element_type_by_number) {
  const int64_t dimensions[] = {2, 3};
  const mv_shape shape = {.element_type = 99, .dimensions = dimensions, .rank = 2};
  expect_shape_text(&shape, "type<99>[2,3]");
  const mv_shape negative = {.element_type = -1};
  expect_shape_text(&negative, "type<-1>[]");
  const mv_shape none = {.element_type = MV_TYPE_INVALID};
  expect_shape_text(&none, "type<0>[]");
}

Test(shape_print, index_types_that_are_no_integers_are_invalid) {
  const mv_shape shape = {
      .element_type = 11, .has_layout = true, .layout = {.tail_alignment = 1, .index_type = 11, .pointer_type = 77}};
  expect_shape_text(&shape, "f32[]{:#(invalid)*(invalid)}");
}

Test(shape_print, tail_alignment_that_was_never_set_counts_as_one) {
  const mv_shape shape = {.element_type = 11, .has_layout = true};
  expect_shape_text(&shape, "f32[]");
}

Test(shape_print, unknown_level_type) {
  const int64_t dimension = 4;
  const int64_t order = 0;
  const int64_t level = 9;
  const mv_shape shape = {
      .element_type = 11,
      .dimensions = &dimension,
      .rank = 1,
      .has_layout = true,
      .layout = {.minor_to_major = &order, .rank = 1, .dim_level_types = &level, .dim_level_type_count = 1}};
  expect_shape_text(&shape, "f32[4]{0:D(?)}");
}

Test(shape_print, appends) {
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed("f32[2]", arena);
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "shape ");
  mv_shape_print(&text, &shape);
  cr_expect_str_eq(text.data, "shape f32[2]");
  mv_text_free(&text);
  mv_arena_free(arena);
}
