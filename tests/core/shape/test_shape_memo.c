#include <stdio.h>

#include "shape/memo.h"
#include "shape_test.h"

/* s32[length], below 2^21. */
static void expect_array(mv_shape_memo *memo, uint32_t length) {
  const uint8_t proto[] = {
      0x10, 4, 0x1A, 3, (uint8_t)(length | 0x80), (uint8_t)(length >> 7 | 0x80), (uint8_t)(length >> 14 & 0x7F)};
  char expected[32];
  mv_status status = MV_STATUS_INIT;
  mv_bytes text;
  snprintf(expected, sizeof expected, "s32[%u]", (unsigned)length);
  cr_assert(mv_shape_memo_text(&text, memo, mv_bytes_of(proto, sizeof proto), &status));
  cr_assert_str_eq((const char *)text.data, expected);
  cr_assert_eq(text.size, strlen(expected));
}

Test(shape_memo, gives_the_same_text_each_time) {
  mv_shape_memo memo = {0};
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < 300; i++) {
      expect_array(&memo, i);
    }
  }
  cr_expect_eq(memo.count, 300);
  mv_shape_memo_free(&memo);
}

Test(shape_memo, begins_anew_when_it_is_full) {
  mv_shape_memo memo = {0};
  mv_status status = MV_STATUS_INIT;
  size_t most = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    expect_array(&memo, i);
    expect_array(&memo, i / 2);
    most = memo.count > most ? memo.count : most;
  }
  cr_expect_leq(most, 1024);
  cr_expect_lt(mv_arena_footprint(memo.arena), 4 << 20);
  cr_expect_eq(status.code, MV_OK);
  mv_shape_memo_free(&memo);
}

/* A tuple of `count` arrays s32[]. */
static void expect_tuple(mv_shape_memo *memo, size_t count) {
  static uint8_t proto[2 + 4 * 4000 + MV_READABLE] = {0x10, 13};
  mv_text expected = MV_TEXT_INIT;
  for (size_t i = 0; i < count; i++) {
    memcpy(proto + 2 + 4 * i, (const uint8_t[]){0x22, 2, 0x10, 4}, 4);
    mv_text_add(&expected, i == 0 ? "(" : ", ");
    if (i > 0 && i % 5 == 0) {
      mv_text_format(&expected, "/*index=%zu*/", i);
    }
    mv_text_add(&expected, "s32[]");
  }
  mv_text_char(&expected, ')');
  mv_status status = MV_STATUS_INIT;
  mv_bytes text;
  cr_assert(mv_shape_memo_text(&text, memo, mv_bytes_of(proto, 2 + 4 * count), &status));
  cr_expect_str_eq((const char *)text.data, expected.data);
  cr_expect_eq(text.size, expected.size);
  mv_text_free(&expected);
}

Test(shape_memo, does_not_keep_what_is_large) {
  mv_shape_memo memo = {0};
  for (int round = 0; round < 2; round++) {
    expect_tuple(&memo, 20);
    expect_tuple(&memo, 4000);
    expect_tuple(&memo, 3999);
  }
  cr_expect_eq(memo.count, 1);
  mv_shape_memo_free(&memo);
}

Test(shape_memo, gives_nothing_for_no_shape) {
  mv_shape_memo memo = {0};
  mv_status status = MV_STATUS_INIT;
  mv_bytes text = mv_bytes_of_string("x");
  cr_assert(mv_shape_memo_text(&text, &memo, mv_bytes_of((const uint8_t[1 + MV_READABLE]){0x10}, 1), &status));
  cr_expect_null(text.data);
  cr_expect_eq(status.code, MV_OK);
  cr_assert(mv_shape_memo_text(&text, &memo, mv_bytes_of((const uint8_t[2 + MV_READABLE]){0x10, 17}, 2), &status));
  cr_expect_str_eq((const char *)text.data, "token[]");
  mv_shape_memo_free(&memo);
}
