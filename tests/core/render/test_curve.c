#include <criterion/criterion.h>
#include <stdlib.h>

#include "render/curve.h"

static char *path_of(const int64_t *values, int64_t count, int64_t most) {
  mv_text text = MV_TEXT_INIT;
  const mv_curve curve = {.values = values,
                          .stride = sizeof *values,
                          .count = count,
                          .x = mv_scale_of(count, 0, 100 * MV_PX),
                          .y = mv_scale_of(most, 50 * MV_PX, -50 * MV_PX)};
  mv_curve_path(&text, &curve);
  cr_assert_not(text.failed);
  return text.data;
}

static void expect_path(const int64_t *values, int64_t count, int64_t most, const char *expected) {
  char *path = path_of(values, count, most);
  cr_expect_str_eq(path, expected);
  free(path);
}

Test(curve, one_position_is_a_line) {
  expect_path((int64_t[]){5}, 1, 10, "M0 25H100");
}

Test(curve, steps_stand_at_their_positions) {
  expect_path((int64_t[]){0, 10, 5, 0}, 4, 10, "M0 50H25V0H50V25H75V50H100");
}

Test(curve, what_stays_the_same_costs_nothing) {
  expect_path((int64_t[]){5, 5, 5, 5}, 4, 10, "M0 25H100");
}

/* Of 100,000 positions on 100 pixels one is the peak, another the deepest. */
Test(curve, long_curves_keep_least_and_most) {
  enum { COUNT = 100000 };
  int64_t *values = calloc(COUNT, sizeof *values);
  for (int64_t i = 0; i < COUNT; i++) {
    values[i] = 500;
  }
  values[31234] = 1000;
  values[71234] = 0;
  char *path = path_of(values, COUNT, 1000);
  cr_expect_str_eq(path, "M0 25H31.5V0V25H71.5V50V25H100");
  cr_expect_lt(strlen(path), 100);
  free(path);
  free(values);
}

Test(curve, a_stroke_goes_through_least_and_most_in_their_order) {
  enum { COUNT = 1000 };
  int64_t *values = calloc(COUNT, sizeof *values);
  for (int64_t i = 0; i < COUNT; i++) {
    values[i] = 500;
  }
  values[502] = 0; /* ten positions a pixel: down, then up */
  values[505] = 1000;
  values[702] = 1000; /* up, then down */
  values[705] = 0;
  expect_path(values, COUNT, 1000, "M0 25H50.5V50V0V25H70.5V0V50V25H100");
  free(values);
}

Test(curve, long_curves_stay_short) {
  enum { COUNT = 1000000 };
  int64_t *values = calloc(COUNT, sizeof *values);
  for (int64_t i = 0; i < COUNT; i++) {
    values[i] = i * 7919 % 1000;
  }
  char *path = path_of(values, COUNT, 1000);
  cr_expect_lt(strlen(path), 100 * 40);
  free(path);
  free(values);
}
