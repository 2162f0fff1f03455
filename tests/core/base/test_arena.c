#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/os/pages.h"

static mv_arena *new_arena(void) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  cr_assert_not_null(arena);
  return arena;
}

Test(arena, hands_out_memory_aligned_for_any_type) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  for (size_t size = 0; size < 200; size++) {
    void *p = mv_arena_alloc(arena, size, &st);
    cr_assert_not_null(p);
    cr_expect_eq((uintptr_t)p % _Alignof(max_align_t), 0, "size %zu", size);
    memset(p, 0xA5, size);
  }
  mv_arena_free(arena);
}

Test(arena, size_0_gives_a_pointer) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  cr_expect_not_null(mv_arena_alloc(arena, 0, &st));
  cr_expect_not_null(mv_arena_zalloc(arena, 0, 8, &st));
  cr_expect_not_null(mv_arena_zalloc(arena, 8, 0, &st));
  mv_arena_free(arena);
}

Test(arena, allocations_do_not_overlap) {
  enum { COUNT = 5000 };
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  unsigned char **p = malloc(COUNT * sizeof *p);
  for (size_t i = 0; i < COUNT; i++) {
    p[i] = mv_arena_alloc(arena, i % 97 + 1, &st);
    cr_assert_not_null(p[i]);
    memset(p[i], (int)(i % 251), i % 97 + 1);
  }
  for (size_t i = 0; i < COUNT; i++) {
    for (size_t k = 0; k < i % 97 + 1; k++) {
      cr_assert_eq(p[i][k], i % 251, "allocation %zu", i);
    }
  }
  free(p);
  mv_arena_free(arena);
}

Test(arena, a_large_allocation_gets_a_block_of_its_own) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  const size_t size = 5 << 20;
  unsigned char *p = mv_arena_alloc(arena, size, &st);
  cr_assert_not_null(p);
  memset(p, 1, size);
  cr_expect_geq(mv_arena_footprint(arena), size);
  cr_expect_lt(mv_arena_footprint(arena), size + (64 << 10));
  mv_arena_free(arena);
}

Test(arena, zalloc_zeroes_what_was_used_before) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  memset(mv_arena_alloc(arena, 1000, &st), 0xFF, 1000);
  mv_arena_reset(arena);
  const unsigned char *p = mv_arena_zalloc(arena, 100, 10, &st);
  for (size_t i = 0; i < 1000; i++) {
    cr_assert_eq(p[i], 0);
  }
  mv_arena_free(arena);
}

Test(arena, reset_gives_back_all_but_the_first_block) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  const size_t empty = mv_arena_footprint(arena);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 1000; i++) {
      cr_assert_not_null(mv_arena_alloc(arena, 300, &st));
    }
    cr_expect_gt(mv_arena_footprint(arena), 300 * 1000);
    mv_arena_reset(arena);
    cr_expect_eq(mv_arena_footprint(arena), empty);
  }
  mv_arena_free(arena);
}

Test(arena, sizes_that_overflow_fail_and_leave_the_arena_usable) {
  const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 14, SIZE_MAX - 15, SIZE_MAX - 31, SIZE_MAX - 64};
  mv_arena *arena = new_arena();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    mv_status st = MV_STATUS_INIT;
    cr_expect_null(mv_arena_alloc(arena, sizes[i], &st), "%zu", sizes[i]);
    cr_expect_eq(st.code, MV_NOMEM);
  }
  mv_status st = MV_STATUS_INIT;
  cr_expect_not_null(mv_arena_alloc(arena, 8, &st));
  mv_arena_free(arena);
}

Test(arena, products_that_overflow_fail) {
  mv_arena *arena = new_arena();
  mv_status st = MV_STATUS_INIT;
  cr_expect_null(mv_arena_zalloc(arena, SIZE_MAX / 2 + 1, 2, &st)); /* the product is 0 */
  cr_expect_eq(st.code, MV_NOMEM);
  st = (mv_status)MV_STATUS_INIT;
  mv_array array = {0};
  cr_expect_not(mv_array_reserve(&array, SIZE_MAX / 4 + 1, 8, arena, &st));
  cr_expect_eq(st.code, MV_NOMEM);
  cr_expect_eq(array.capacity, 0);
  mv_arena_free(arena);
}

Test(arena, string_is_terminated_and_keeps_a_nul) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  const char *s = mv_arena_string(arena, mv_bytes_of("a\0b", 3), &st);
  cr_expect_eq(memcmp(s, "a\0b\0", 4), 0);
  cr_expect_str_eq(mv_arena_string(arena, mv_bytes_of(NULL, 0), &st), "");
  mv_arena_free(arena);
}

Test(arena, free_of_null_does_nothing) {
  mv_arena_free(NULL);
}

Test(array, keeps_what_was_pushed_while_it_grows) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  mv_array array = {0};
  for (int64_t i = 0; i < 10000; i++) {
    int64_t *slot = mv_array_push(&array, sizeof *slot, arena, &st);
    cr_assert_not_null(slot);
    *slot = i * i;
  }
  cr_assert_eq(array.count, 10000);
  for (int64_t i = 0; i < 10000; i++) {
    cr_assert_eq(((int64_t *)array.items)[i], i * i);
  }
  mv_arena_free(arena);
}

Test(array, reserve_keeps_the_items_and_never_shrinks) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  mv_array array = {0};
  *(int *)mv_array_push(&array, sizeof(int), arena, &st) = 7;
  cr_assert(mv_array_reserve(&array, 1000, sizeof(int), arena, &st));
  const void *items = array.items;
  cr_expect_eq(*(int *)array.items, 7);
  cr_expect_eq(array.count, 1);
  cr_assert(mv_array_reserve(&array, 5, sizeof(int), arena, &st));
  cr_expect_geq(array.capacity, 1000);
  cr_expect_eq(array.items, items);
  mv_arena_free(arena);
}

/* Reserving a little more again and again must not copy everything each time: that is quadratic in memory too. */
Test(array, reserving_step_by_step_takes_linear_memory) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  mv_array array = {0};
  for (size_t i = 0; i < 20000; i++) {
    cr_assert(mv_array_reserve(&array, array.count + 2, sizeof(int64_t), arena, &st));
    cr_assert_not_null(mv_array_push(&array, sizeof(int64_t), arena, &st));
  }
  cr_expect_lt(mv_arena_footprint(arena), 20000 * sizeof(int64_t) * 8);
  mv_arena_free(arena);
}

Test(arena, what_is_expected_is_taken_in_whole_huge_pages) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = new_arena();
  const size_t empty = mv_arena_footprint(arena);
  cr_assert(mv_arena_expect(arena, MV_HUGE_PAGE / 4 * 3 - 1, &st));
  cr_expect_eq(mv_arena_footprint(arena), empty, "less than three quarters of a page is no use");
  cr_assert(mv_arena_expect(arena, MV_HUGE_PAGE / 4 * 7, &st));
  const size_t expected = empty + 2 * MV_HUGE_PAGE;
  cr_expect_eq(mv_arena_footprint(arena), expected);
  char *first = mv_arena_alloc(arena, MV_HUGE_PAGE, &st);
  char *second = mv_arena_alloc(arena, MV_HUGE_PAGE / 2, &st);
  cr_assert(first != NULL && second != NULL);
  memset(first, 1, MV_HUGE_PAGE);
  memset(second, 2, MV_HUGE_PAGE / 2);
  cr_expect_eq(first[MV_HUGE_PAGE - 1], 1);
  cr_expect_eq(mv_arena_footprint(arena), expected, "both stand in it");
  cr_expect_not(mv_arena_expect(arena, SIZE_MAX / 2, &st));
  cr_expect_eq(st.code, MV_NOMEM);
  cr_expect_not_null(mv_arena_alloc(arena, 10, &st), "the arena stays usable");
  mv_arena_free(arena);
}
