#include <criterion/criterion.h>
#include <inttypes.h>

#include "render/scale.h"

#define EXPECT_TEXT(call, expected)                                                                                    \
  do {                                                                                                                 \
    mv_text text = MV_TEXT_INIT;                                                                                       \
    call;                                                                                                              \
    cr_expect_str_eq(text.data, expected);                                                                             \
    mv_text_free(&text);                                                                                               \
  } while (0)

Test(scale, ends_and_middle) {
  const mv_scale s = mv_scale_of(10, 100, 1000);
  cr_expect_eq(mv_scale_at(&s, 0), 100);
  cr_expect_eq(mv_scale_at(&s, 5), 600);
  cr_expect_eq(mv_scale_at(&s, 10), 1100);
}

Test(scale, goes_downwards_with_a_negative_length) {
  const mv_scale s = mv_scale_of(4, 500, -400);
  cr_expect_eq(mv_scale_at(&s, 0), 500);
  cr_expect_eq(mv_scale_at(&s, 1), 400);
  cr_expect_eq(mv_scale_at(&s, 4), 100);
}

Test(scale, values_outside_lie_at_the_ends) {
  const mv_scale s = mv_scale_of(10, 0, 1000);
  cr_expect_eq(mv_scale_at(&s, -5), 0);
  cr_expect_eq(mv_scale_at(&s, INT64_MIN), 0);
  cr_expect_eq(mv_scale_at(&s, INT64_MAX), 1000);
}

Test(scale, nothing_to_show_counts_as_one) {
  const mv_scale s = mv_scale_of(0, 0, 1000);
  cr_expect_eq(mv_scale_at(&s, 0), 0);
  cr_expect_eq(mv_scale_at(&s, 1), 1000);
  cr_expect_eq(mv_scale_of(-7, 0, 1000).most, 1);
}

Test(scale, no_size_overflows_and_order_is_kept) {
  const int64_t lengths[] = {1, 108000, 262143, -56000};
  for (unsigned bits = 0; bits < 63; bits++) {
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      const int64_t most = (INT64_C(1) << bits) + ((INT64_C(1) << bits) - 1);
      const mv_scale s = mv_scale_of(most, 0, lengths[l]);
      cr_expect_eq(mv_scale_at(&s, most), lengths[l]);
      int64_t last = 0;
      for (int64_t i = 0; i <= 64; i++) {
        const int64_t at = mv_scale_at(&s, i < 64 ? most / 64 * i : most);
        cr_expect(lengths[l] > 0 ? at >= last : at <= last, "2^%u at %" PRId64, bits, i);
        last = at;
      }
    }
  }
}

Test(ticks, binary_steps_are_powers_of_two_and_few_enough) {
  cr_expect_eq(mv_ticks_binary(0, 5), 1);
  cr_expect_eq(mv_ticks_binary(5, 5), 1);
  cr_expect_eq(mv_ticks_binary(100, 5), 32);
  cr_expect_eq(mv_ticks_binary(INT64_C(10) << 30, 5), INT64_C(2) << 30);
  for (int64_t most = 1; most > 0 && most < INT64_MAX / 3; most = most * 3 + 1) {
    const int64_t step = mv_ticks_binary(most, 7);
    cr_expect_eq(step & (step - 1), 0);
    cr_expect_leq(most / step, 7);
    cr_expect(step == 1 || most / (step / 2) > 7);
  }
  cr_expect_gt(mv_ticks_binary(INT64_MAX, 7), 0);
  cr_expect_gt(mv_ticks_binary(INT64_MAX, 1), 0);
}

Test(ticks, decimal_steps_are_1_2_5) {
  cr_expect_eq(mv_ticks_decimal(10, 15), 1);
  cr_expect_eq(mv_ticks_decimal(20, 15), 2);
  cr_expect_eq(mv_ticks_decimal(70, 15), 5);
  cr_expect_eq(mv_ticks_decimal(150, 15), 10);
  cr_expect_eq(mv_ticks_decimal(151, 15), 10);
  cr_expect_eq(mv_ticks_decimal(300, 15), 20);
  cr_expect_eq(mv_ticks_decimal(3781, 15), 500);
  cr_expect_gt(mv_ticks_decimal(INT64_MAX, 15), INT64_MAX / 20);
}

Test(ticks, labels) {
  EXPECT_TEXT(mv_tick_label(&text, 0), "0");
  EXPECT_TEXT(mv_tick_label(&text, 512), "512 B");
  EXPECT_TEXT(mv_tick_label(&text, 1024), "1 KiB");
  EXPECT_TEXT(mv_tick_label(&text, 1536), "1.5 KiB");
  EXPECT_TEXT(mv_tick_label(&text, INT64_C(9) << 27), "1.125 GiB");
  EXPECT_TEXT(mv_tick_label(&text, (INT64_C(1) << 30) + (INT64_C(1) << 26)), "1.062 GiB");
  EXPECT_TEXT(mv_tick_label(&text, INT64_C(3) << 60), "3 EiB");
  EXPECT_TEXT(mv_tick_label(&text, INT64_C(5) << 58), "1.25 EiB");
}

Test(numbers, places_are_pixels_without_trailing_zeros) {
  EXPECT_TEXT(mv_place_add(&text, 0), "0");
  EXPECT_TEXT(mv_place_add(&text, 1200), "12");
  EXPECT_TEXT(mv_place_add(&text, 1250), "12.5");
  EXPECT_TEXT(mv_place_add(&text, 1205), "12.05");
  EXPECT_TEXT(mv_place_add(&text, -5), "-0.05");
  EXPECT_TEXT(mv_place_add(&text, -325), "-3.25");
}

Test(numbers, counts_have_separators) {
  EXPECT_TEXT(mv_count_add(&text, 0), "0");
  EXPECT_TEXT(mv_count_add(&text, 999), "999");
  EXPECT_TEXT(mv_count_add(&text, 1000), "1,000");
  EXPECT_TEXT(mv_count_add(&text, 1234567), "1,234,567");
  EXPECT_TEXT(mv_count_add(&text, -1000), "-1,000");
  EXPECT_TEXT(mv_count_add(&text, INT64_MAX), "9,223,372,036,854,775,807");
  EXPECT_TEXT(mv_count_add(&text, INT64_MIN), "-9,223,372,036,854,775,808");
}
