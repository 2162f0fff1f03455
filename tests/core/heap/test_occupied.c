/* Occupied addresses, against a bitmap. */
#include <criterion/criterion.h>

#include "heap/occupied.h"

enum { ADDRESSES = 300, RANGES = 60, STEPS = 600 };

static uint64_t next_random(uint64_t *state) { /* xorshift64 */
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static mv_occupied *new_occupied(const mv_range *ranges, size_t count, mv_arena **arena) {
  mv_status st = MV_STATUS_INIT;
  *arena = mv_arena_new(&st);
  mv_occupied *o = mv_occupied_new(ranges, count, NULL, *arena, &st);
  cr_assert_not_null(o);
  return o;
}

static void expect_like_a_bitmap(const mv_range *ranges, size_t count, int64_t scale, uint64_t *state) {
  unsigned bitmap[ADDRESSES] = {0};
  unsigned live[RANGES] = {0};
  mv_range scaled[RANGES];
  for (size_t i = 0; i < count; i++) {
    scaled[i] = (mv_range){ranges[i].low * scale, ranges[i].high * scale};
  }
  mv_arena *arena;
  mv_occupied *o = new_occupied(scaled, count, &arena);
  cr_assert_eq(mv_occupied_bytes(o), 0);
  for (int step = 0; step < STEPS; step++) {
    const size_t i = next_random(state) % count;
    const bool add = live[i] == 0 || next_random(state) % 3 == 0; /* also the same range twice */
    for (int64_t a = ranges[i].low; a < ranges[i].high; a++) {
      bitmap[a] += add ? 1 : (unsigned)-1;
    }
    live[i] += add ? 1 : (unsigned)-1;
    (add ? mv_occupied_add : mv_occupied_remove)(o, i);
    int64_t covered = 0;
    for (size_t a = 0; a < ADDRESSES; a++) {
      covered += bitmap[a] > 0;
    }
    cr_assert_eq(mv_occupied_bytes(o), covered * scale, "step %d", step);
  }
  mv_arena_free(arena);
}

Test(occupied, random_ranges) {
  uint64_t state = 2463534242;
  for (size_t count = 1; count <= RANGES; count++) {
    mv_range ranges[RANGES];
    for (size_t i = 0; i < count; i++) {
      const int64_t a = (int64_t)(next_random(&state) % ADDRESSES);
      const int64_t b = (int64_t)(next_random(&state) % ADDRESSES);
      ranges[i] = (mv_range){a < b ? a : b, a < b ? b : a}; /* some are empty */
    }
    expect_like_a_bitmap(ranges, count, 1, &state);
  }
}

Test(occupied, ranges_that_share_their_ends) {
  uint64_t state = 88172645463325252u;
  mv_range ranges[RANGES];
  for (size_t i = 0; i < RANGES; i++) {
    const int64_t low = (int64_t)(next_random(&state) % 10) * 30;
    ranges[i] = (mv_range){low, low + (int64_t)(next_random(&state) % 4) * 30 % (ADDRESSES - low + 1)};
  }
  expect_like_a_bitmap(ranges, RANGES, 1, &state);
}

Test(occupied, large_addresses) {
  uint64_t state = 1234567;
  mv_range ranges[20];
  for (int64_t i = 0; i < 20; i++) {
    ranges[i] = (mv_range){i * 5, i * 5 + 50};
  }
  expect_like_a_bitmap(ranges, 20, INT64_MAX / ADDRESSES, &state);
}

Test(occupied, nothing) {
  mv_arena *arena;
  mv_occupied *o = new_occupied(NULL, 0, &arena);
  cr_expect_eq(mv_occupied_bytes(o), 0);
  mv_arena_free(arena);
}

Test(occupied, an_empty_range_covers_nothing) {
  const mv_range ranges[] = {{5, 5}, {0, 0}, {INT64_MAX, INT64_MAX}};
  mv_arena *arena;
  mv_occupied *o = new_occupied(ranges, 3, &arena);
  for (size_t i = 0; i < 3; i++) {
    mv_occupied_add(o, i);
    cr_expect_eq(mv_occupied_bytes(o), 0);
  }
  for (size_t i = 0; i < 3; i++) {
    mv_occupied_remove(o, i);
  }
  cr_expect_eq(mv_occupied_bytes(o), 0);
  mv_arena_free(arena);
}

Test(occupied, all_addresses_there_are) {
  const mv_range ranges[] = {{0, INT64_MAX}, {1, INT64_MAX - 1}, {0, 1}};
  mv_arena *arena;
  mv_occupied *o = new_occupied(ranges, 3, &arena);
  mv_occupied_add(o, 1);
  cr_expect_eq(mv_occupied_bytes(o), INT64_MAX - 2);
  mv_occupied_add(o, 0);
  cr_expect_eq(mv_occupied_bytes(o), INT64_MAX);
  mv_occupied_remove(o, 1);
  cr_expect_eq(mv_occupied_bytes(o), INT64_MAX);
  mv_occupied_remove(o, 0);
  mv_occupied_add(o, 2);
  cr_expect_eq(mv_occupied_bytes(o), 1);
  mv_arena_free(arena);
}
