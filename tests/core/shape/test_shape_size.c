/* Bytes of a shape with padding and without. */
#include <stdio.h>

#include "shape_test.h"

enum { UNKNOWN = -1 };

static int64_t padded(const char *text) {
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed(text, arena);
  int64_t bytes = UNKNOWN;
  const bool ok = mv_shape_padded_bytes(&bytes, &shape);
  cr_expect_eq(ok, bytes != UNKNOWN, "%s", text);
  mv_arena_free(arena);
  return bytes;
}

static int64_t unpadded(const char *text) {
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed(text, arena);
  int64_t bytes = UNKNOWN;
  const bool ok = mv_shape_unpadded_bytes(&bytes, &shape);
  cr_expect_eq(ok, bytes != UNKNOWN, "%s", text);
  mv_arena_free(arena);
  return bytes;
}

static void expect_bytes(const char *text, int64_t expected_padded, int64_t expected_unpadded) {
  const int64_t p = padded(text);
  const int64_t u = unpadded(text);
  cr_expect_eq(p, expected_padded, "%s padded: %lld", text, (long long)p);
  cr_expect_eq(u, expected_unpadded, "%s unpadded: %lld", text, (long long)u);
}

/* Calls `check` for every row of shapes.tsv: shape, padded bytes, unpadded bytes. */
static void for_each_row(void (*check)(const char *text, int64_t padded, int64_t unpadded)) {
  FILE *file = fopen(MV_TEST_DATA "/shapes.tsv", "r");
  cr_assert_not_null(file);
  char line[1024];
  int rows = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    char text[512];
    long long p;
    long long u;
    if (line[0] == '#') {
      continue;
    }
    cr_assert_eq(sscanf(line, "%511[^\t]\t%lld\t%lld", text, &p, &u), 3, "%s", line);
    check(text, p, u);
    rows++;
  }
  fclose(file);
  cr_expect_gt(rows, 300);
}

static void check_print(const char *text, int64_t p, int64_t u) {
  (void)p;
  (void)u;
  expect_print(text, text);
}

static void check_scan(const char *text, int64_t p, int64_t u) {
  (void)p;
  mv_text proto = proto_of(text);
  const int64_t scanned = mv_shape_scan_unpadded(bytes_of(&proto));
  cr_expect_eq(scanned, u, "%s: %lld", text, (long long)scanned);
  cr_expect_eq(mv_shape_scan_is_tiled(bytes_of(&proto)), strstr(text, "T(") != NULL, "%s", text);
  mv_text_free(&proto);
}

Test(shape_size, as_the_compiler_sized_them) {
  for_each_row(expect_bytes);
}

Test(shape_size, compiler_texts_come_out_as_they_went_in) {
  for_each_row(check_print);
}

Test(shape_size, scan_of_the_bytes_gives_the_same) {
  for_each_row(check_scan);
}

Test(shape_size, scan_agrees_on_all_samples_but_tuples) {
  for (size_t i = 0; i < SAMPLE_COUNT; i++) {
    if (sample_texts[i][0] != '(') {
      mv_text proto = proto_of(sample_texts[i]);
      cr_expect_eq(mv_shape_scan_unpadded(bytes_of(&proto)), unpadded(sample_texts[i]), "%s", sample_texts[i]);
      mv_text_free(&proto);
    }
  }
}

Test(shape_size, without_layout_there_is_no_padding) {
  expect_bytes("f32[17,129]", 17 * 129 * 4, 17 * 129 * 4);
  expect_bytes("c128[3]", 48, 48);
  expect_bytes("f32[]", 4, 4);
}

Test(shape_size, order_of_the_layout_decides_what_is_padded) {
  expect_bytes("f32[3,5]{1,0:T(2,4)}", 4 * 8 * 4, 60);
  expect_bytes("f32[3,5]{0,1:T(2,4)}", 6 * 4 * 4, 60);
}

Test(shape_size, major_dimensions_are_not_padded) {
  expect_bytes("s8[3,5,7]{2,1,0:T(8)}", 3 * 5 * 8, 105);
  expect_bytes("s8[3,5,7]{2,1,0:T(4,8)}", 3 * 8 * 8, 105);
}

Test(shape_size, tile_of_higher_rank_than_the_shape) {
  expect_bytes("f32[10]{0:T(8,128)}", 8 * 128 * 4, 40);
  expect_bytes("f32[]{:T(8,128)}", 8 * 128 * 4, 4);
  expect_bytes("f32[5,100]{1,0:T(2,8,128)}", 2 * 8 * 128 * 4, 2000);
}

Test(shape_size, second_level_that_divides_the_first_adds_nothing) {
  expect_bytes("bf16[3,12]{1,0:T(8,128)(2,1)}", 8 * 128 * 2, 72);
  expect_bytes("bf16[3,12]{1,0:T(2,128)(2,1)}", 4 * 128 * 2, 72);
  expect_bytes("s8[1000]{0:T(1024)(128)(4,1)}", 1024, 1000);
  expect_bytes("s8[1025]{0:T(1024)(128)(4,1)}", 2048, 1025);
}

Test(shape_size, second_level_that_does_not_divide_the_first_pads_again) {
  /* (1,128) inside (2,1): each tile of one row becomes two */
  expect_bytes("bf16[3,12]{1,0:T(1,128)(2,1)}", 3 * 2 * 128 * 2, 72);
  /* (6,128) inside (4,1): each tile of six rows becomes eight */
  expect_bytes("s8[6,128]{1,0:T(6,128)(4,1)}", 8 * 128, 768);
  /* 100 inside (64): each tile of a hundred becomes two of 64 */
  expect_bytes("s8[150]{0:T(100)(64)}", 2 * 128, 150);
}

Test(shape_size, third_level_pads_inside_the_second) {
  /* 256 -> 2 x 128 -> (4,1) on the two: four rows of 128 */
  expect_bytes("s8[256]{0:T(256)(128)(4,1)}", 4 * 128, 256);
  expect_bytes("s8[257]{0:T(256)(128)(4,1)}", 2 * 4 * 128, 257);
}

Test(shape_size, second_level_of_higher_rank_reaches_the_numbers_of_tiles) {
  /* 1000 -> 8 x 128 after the first level, on which (3,128) pads 8 to 9 */
  expect_bytes("s8[1000]{0:T(128)(3,128)}", 9 * 128, 1000);
}

Test(shape_size, combined_dimensions_are_tiled_as_their_product) {
  /* 2*7*8 = 112 rows of 11*10 = 110, as f32[112,110]{1,0:T(2,3)} */
  expect_bytes("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", 112 * 111 * 4, 2 * 7 * 8 * 11 * 10 * 4);
  expect_bytes("f32[112,110]{1,0:T(2,3)}", 112 * 111 * 4, 112 * 110 * 4);
  expect_bytes("s8[3,3]{1,0:T(*,8)}", 16, 9);
  expect_bytes("s8[9]{0:T(*,*,8)}", 16, 9);
}

Test(shape_size, tail_alignment_rounds_the_number_of_elements) {
  expect_bytes("f32[10]{0:L(8)}", 64, 40);
  expect_bytes("f32[3,5]{1,0:T(2,4)L(20)}", 40 * 4, 60);
  expect_bytes("f32[0]{0:L(8)}", 0, 0);
}

Test(shape_size, narrow_types_take_a_byte) {
  expect_bytes("s4[11]{0}", 11, 11);
  expect_bytes("u2[11]", 11, 11);
  expect_bytes("s1[11]{0:T(16)}", 16, 11);
  expect_bytes("f6e3m2fn[11]", 11, 11);
  expect_bytes("pred[11]", 11, 11);
}

Test(shape_size, narrow_types_that_the_layout_packs) {
  expect_bytes("s4[11]{0:E(4)}", 6, 6);
  expect_bytes("s4[11]{0:T(16)E(4)}", 8, 6);
  expect_bytes("u2[11]{0:E(2)}", 3, 3);
  expect_bytes("u1[17]{0:E(1)}", 3, 3);
  expect_bytes("f6e2m3fn[3]{0:E(6)}", 3, 3);
  expect_bytes("s2[3]{0:E(4)}", 2, 2);
}

Test(shape_size, wider_elements_are_padding) {
  expect_bytes("pred[10]{0:E(32)}", 40, 10);
  expect_bytes("s4[10]{0:E(8)}", 10, 10);
  expect_bytes("s4[10]{0:E(32)}", 40, 10);
  expect_bytes("f32[10]{0:E(64)}", 80, 40);
}

Test(shape_size, dimension_of_nothing) {
  expect_bytes("f32[0]", 0, 0);
  expect_bytes("f32[3,0,5]{2,1,0:T(8,128)}", 0, 0);
  expect_bytes("f32[9223372036854775807,9223372036854775807,0]{2,1,0:T(8,128)}", 0, 0);
}

Test(shape_size, dynamic_dimensions_count_at_their_bound) {
  expect_bytes("f32[<=10,3]", 120, 120);
}

Test(shape_size, unbounded_dimensions_are_unknown) {
  expect_bytes("f32[?,3]", UNKNOWN, UNKNOWN);
  expect_bytes("f32[?,0]", UNKNOWN, UNKNOWN);
  expect_bytes("(f32[2], f32[?])", UNKNOWN, UNKNOWN);
}

Test(shape_size, tokens_opaques_and_buffers) {
  expect_bytes("token[]", 0, 0);
  expect_bytes("opaque[]", UNKNOWN, UNKNOWN);
  expect_bytes("b(f32[10]{0:T(128)})", 512, 40);
}

Test(shape_size, tuple_is_the_sum_of_its_leaves) {
  expect_bytes("()", 0, 0);
  expect_bytes("(f32[10]{0:T(128)}, (s32[], token[]), ())", 516, 44);
  expect_bytes("(f32[], opaque[])", UNKNOWN, UNKNOWN);
}

Test(shape_size, unknown_element_type) {
  const int64_t dimension = 4;
  const mv_shape shape = {.element_type = 99, .dimensions = &dimension, .rank = 1};
  int64_t bytes = 77;
  cr_expect_not(mv_shape_padded_bytes(&bytes, &shape));
  cr_expect_not(mv_shape_unpadded_bytes(&bytes, &shape));
  cr_expect_eq(bytes, 77, "left alone");
}

Test(shape_size, split_dimension_counts_its_largest_part) {
  /* The dimension of a split is counted from the major end: with {1,0} as written, with {0,1} swapped. */
  expect_bytes("s8[12,10]{1,0:SC(0:4)}", 8 * 10, 120);
  expect_bytes("s8[12,10]{1,0:SC(1:4)}", 12 * 6, 120);
  expect_bytes("s8[12,10]{0,1:SC(0:4)}", 12 * 6, 120);
  expect_bytes("s8[12,10]{1,0:SC(0:4,9)(1:5)}", 5 * 5, 120);
  expect_bytes("s8[12,10]{1,0:SC(0:)}", 120, 120);
  /* 150 x 200 x 100 split into 90 and 70 at most */
  expect_bytes("s8[150,200,100]{0,1,2:SC(0:30)(1:40,130)}", 150 * 90 * 70, 150 * 200 * 100);
}

Test(shape_size, part_of_a_split_is_tiled) {
  expect_bytes("f32[150,200]{1,0:T(8,128)SC(1:40)}", 152 * 256 * 4, 150 * 200 * 4);
}

Test(shape_size, sizes_near_the_end_of_63_bits) {
  expect_bytes("s8[9223372036854775807]", INT64_MAX, INT64_MAX);
  expect_bytes("s8[9223372036854775807]{0:T(2)}", UNKNOWN, INT64_MAX);
  expect_bytes("s8[9223372036854775806]{0:T(2)}", INT64_MAX - 1, INT64_MAX - 1);
  expect_bytes("s8[9223372036854775807]{0:L(8)}", UNKNOWN, INT64_MAX);
  expect_bytes("s16[4611686018427387903]", INT64_MAX - 1, INT64_MAX - 1);
  expect_bytes("s16[4611686018427387904]", UNKNOWN, UNKNOWN);
  expect_bytes("s8[3037000500,3037000500]", UNKNOWN, UNKNOWN);
  expect_bytes("s8[3037000499,3037000499]", 9223372030926249001, 9223372030926249001);
  expect_bytes("s4[9223372036854775807]{0:E(4)}", 4611686018427387904, 4611686018427387904);
  expect_bytes("s8[2,2]{1,0:T(9223372036854775807,2)}", UNKNOWN, 4);
}

Test(shape_size, sums_near_the_end_of_63_bits) {
  expect_bytes("(s8[9223372036854775806], s8[1])", INT64_MAX, INT64_MAX);
  expect_bytes("(s8[9223372036854775807], s8[1])", UNKNOWN, UNKNOWN);
}

Test(shape_size, scan_near_the_end_of_63_bits) {
  static const char *const texts[] = {
      "s8[9223372036854775807]",     "s16[4611686018427387903]",        "s16[4611686018427387904]",
      "s8[3037000500,3037000500]",   "s8[3037000499,3037000499]",       "s4[9223372036854775807]{0:E(4)}",
      "s8[4294967296,4294967296,0]", "s8[2147483647,2147483648]",       "f32[4294967296,536870912]",
      "f32[65536,65536,65536,8192]", "f32[4294967296,4294967296]{1,0}", "f32[?,0]",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    mv_text proto = proto_of(texts[i]);
    cr_expect_eq(mv_shape_scan_unpadded(bytes_of(&proto)), unpadded(texts[i]), "%s", texts[i]);
    mv_text_free(&proto);
  }
}

Test(shape_size, more_dimensions_than_a_tile_can_have) {
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "s8[3");
  for (int i = 1; i < 100; i++) {
    mv_text_add(&text, i < 98 ? ",1" : ",5");
  }
  mv_text_add(&text, "]{99");
  for (int i = 98; i >= 0; i--) {
    mv_text_format(&text, ",%d", i);
  }
  mv_text_add(&text, ":T(8,8)(3,1)}");
  expect_bytes(text.data, 3 * 9 * 8, 75);
  mv_text_free(&text);
}

Test(shape_size, prefix_of_a_bounded_dynamic_shape) {
  expect_bytes("f32[<=1000,130]{0,1:T(8,128)M(1024)}", 136 * 1024 * 4 + 1024, 1000 * 130 * 4);
  expect_bytes("f32[<=10]{0:M(64)}", 40 + 64, 40);
  expect_bytes("pred[<=3]{0:L(2)M(1)}", 4 + 1, 3);
  expect_bytes("f32[<=0]{0:M(64)}", 64, 0);
  expect_bytes("(f32[<=10]{0:M(64)}, s8[<=2]{0:M(8)})", 104 + 10, 42);
  expect_bytes("b(f32[<=10]{0:M(64)})", 104, 40);
}

Test(shape_size, prefix_that_makes_the_size_overflow) {
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed("s8[2]{0:M(9223372036854775807)}", arena);
  int64_t bytes;
  cr_expect_not(mv_shape_padded_bytes(&bytes, &shape));
  cr_expect(mv_shape_unpadded_bytes(&bytes, &shape));
  mv_arena_free(arena);
}

/* A small generator, so that a failure comes again. */
static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

/* A random array text with tiles of up to three levels and no E. */
static void random_text(mv_text *text, uint32_t *state) {
  static const char *const types[] = {"pred", "s4", "bf16", "f32", "c128"};
  const unsigned rank = next_random(state) % 5;
  unsigned order[5];
  mv_text_clear(text);
  mv_text_format(text, "%s[", types[next_random(state) % 5]);
  for (unsigned i = 0; i < rank; i++) {
    mv_text_format(text, "%s%u", i > 0 ? "," : "", next_random(state) % 300);
    order[i] = i;
  }
  mv_text_add(text, "]{");
  for (unsigned i = 0; i < rank; i++) {
    const unsigned j = i + next_random(state) % (rank - i);
    const unsigned swap = order[i];
    order[i] = order[j];
    order[j] = swap;
    mv_text_format(text, "%s%u", i > 0 ? "," : "", order[i]);
  }
  mv_text_add(text, ":T");
  for (unsigned level = next_random(state) % 3 + 1; level-- > 0;) {
    mv_text_char(text, '(');
    for (unsigned i = next_random(state) % 3; i-- > 0;) {
      if (next_random(state) % 4 == 0) {
        mv_text_add(text, "*,");
      } else {
        mv_text_format(text, "%u,", next_random(state) % 9 + 1);
      }
    }
    mv_text_format(text, "%u)", next_random(state) % 200 + 1);
  }
  mv_text_char(text, '}');
}

Test(shape_size, padded_is_never_less_than_unpadded) {
  uint32_t state = 1;
  mv_text text = MV_TEXT_INIT;
  for (int i = 0; i < 20000; i++) {
    random_text(&text, &state);
    const int64_t p = padded(text.data);
    const int64_t u = unpadded(text.data);
    cr_assert_geq(p, u, "%s: %lld < %lld", text.data, (long long)p, (long long)u);
    cr_assert_eq(p == 0, u == 0, "%s", text.data);
  }
  mv_text_free(&text);
}

Test(shape_size, random_texts_come_out_as_they_went_in) {
  uint32_t state = 2;
  mv_text text = MV_TEXT_INIT;
  for (int i = 0; i < 2000; i++) {
    random_text(&text, &state);
    expect_print(text.data, text.data);
  }
  mv_text_free(&text);
}
