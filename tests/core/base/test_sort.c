#include <criterion/criterion.h>

#include "base/sort.h"

static uint64_t next_random(uint64_t *state) { /* xorshift64 */
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void expect_sorted_and_stable(const mv_keyed *given, size_t count) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_keyed *items = mv_sort_alloc(arena, count, &status);
  cr_assert_not_null(items);
  for (size_t i = 0; i < count; i++) {
    items[i] = (mv_keyed){given[i].key, (uint32_t)i};
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += items[i].key * 31 + items[i].index;
  }
  mv_sort(items, count);
  for (size_t i = 0; i < count; i++) {
    sum -= items[i].key * 31 + items[i].index;
    if (i > 0) {
      cr_assert_leq(items[i - 1].key, items[i].key, "at %zu", i);
      if (items[i - 1].key == items[i].key) {
        cr_assert_lt(items[i - 1].index, items[i].index, "at %zu", i);
      }
    }
  }
  cr_expect_eq(sum, 0, "items were lost");
  mv_arena_free(arena);
}

Test(sort, nothing_and_one) {
  mv_keyed item = {5, 0};
  mv_sort(&item, 0);
  mv_sort(&item, 1);
  cr_expect_eq(item.key, 5);
}

Test(sort, random_keys_of_any_width) {
  enum { COUNT = 3000 };
  static mv_keyed items[COUNT];
  uint64_t state = 88172645463325252u;
  for (unsigned bits = 1; bits <= 64; bits++) {
    for (size_t i = 0; i < COUNT; i++) {
      items[i].key = next_random(&state) >> (64 - bits);
    }
    expect_sorted_and_stable(items, COUNT);
  }
}

Test(sort, a_digit_that_differs_in_one_key_only) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    mv_keyed items[] = {{0, 0}, {UINT64_C(1) << shift, 0}, {0, 0}, {UINT64_C(255) << shift, 0}, {0, 0}};
    expect_sorted_and_stable(items, 5);
  }
}

Test(sort, sorted_reversed_and_equal_keys) {
  mv_keyed items[500];
  for (size_t i = 0; i < 500; i++) {
    items[i].key = i;
  }
  expect_sorted_and_stable(items, 500);
  for (size_t i = 0; i < 500; i++) {
    items[i].key = 500 - i;
  }
  expect_sorted_and_stable(items, 500);
  for (size_t i = 0; i < 500; i++) {
    items[i].key = 42;
  }
  expect_sorted_and_stable(items, 500);
}

Test(sort, keys_of_signed_values_keep_their_order) {
  const int64_t values[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    cr_expect_eq(mv_sort_value(mv_sort_key(values[i])), values[i]);
    if (i > 0) {
      cr_expect_lt(mv_sort_key(values[i - 1]), mv_sort_key(values[i]));
    }
  }
}
