/* Occupied addresses, against a count for each address. Ranges that never meet three at one address are kept in words,
 * others in a tree; addresses close together are marked, others sorted. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>

#include "load/occupied.h"

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

static bool fits(const unsigned *counts, mv_range range, unsigned most) {
  for (int64_t a = range.low; a < range.high; a++) {
    if (counts[a] >= most) {
      return false;
    }
  }
  return true;
}

/* Ranges come and go at random; in the first half of the steps no address is covered more than `most` times. */
static void expect_as_counted(const mv_range *ranges, size_t count, int64_t scale, unsigned most, uint64_t *state) {
  unsigned counts[ADDRESSES] = {0};
  unsigned live[RANGES] = {0};
  mv_range scaled[RANGES];
  for (size_t i = 0; i < count; i++) {
    scaled[i] = (mv_range){ranges[i].low * scale, ranges[i].high * scale};
  }
  mv_arena *arena;
  mv_status st = MV_STATUS_INIT;
  mv_occupied *o = new_occupied(scaled, count, &arena);
  cr_assert_eq(mv_occupied_bytes(o), 0);
  for (int step = 0; step < STEPS; step++) {
    const size_t i = next_random(state) % count;
    const bool add = (live[i] == 0 || next_random(state) % 3 == 0) && /* also the same range twice */
                     fits(counts, ranges[i], step < STEPS / 2 ? most : UINT_MAX);
    if (!add && live[i] == 0) {
      continue;
    }
    for (int64_t a = ranges[i].low; a < ranges[i].high; a++) {
      counts[a] += add ? 1 : (unsigned)-1;
    }
    live[i] += add ? 1 : (unsigned)-1;
    if (add) {
      cr_assert(mv_occupied_add(o, i, &st));
    } else {
      mv_occupied_remove(o, i);
    }
    int64_t covered = 0;
    for (size_t a = 0; a < ADDRESSES; a++) {
      covered += counts[a] > 0;
    }
    cr_assert_eq(mv_occupied_bytes(o), covered * scale, "step %d of %zu ranges", step, count);
  }
  mv_arena_free(arena);
}

/* At most `longest` addresses each. */
static void expect_random_ranges(int64_t longest, int64_t scale, unsigned most, uint64_t *state) {
  for (size_t count = 1; count <= RANGES; count++) {
    mv_range ranges[RANGES];
    for (size_t i = 0; i < count; i++) {
      const int64_t low = (int64_t)(next_random(state) % ADDRESSES);
      const int64_t high = low + (int64_t)(next_random(state) % (uint64_t)(longest + 1)); /* some are empty */
      ranges[i] = (mv_range){low, high < ADDRESSES ? high : ADDRESSES};
    }
    expect_as_counted(ranges, count, scale, most, state);
  }
}

Test(occupied, random_ranges) {
  uint64_t state = 2463534242;
  expect_random_ranges(ADDRESSES, 1, UINT_MAX, &state);
}

Test(occupied, random_ranges_that_never_meet) {
  uint64_t state = 362436069;
  expect_random_ranges(10, 1, 1, &state);
  expect_random_ranges(ADDRESSES / 2, 4096, 1, &state);
}

Test(occupied, random_ranges_that_meet_in_twos) {
  uint64_t state = 521288629;
  expect_random_ranges(20, 1, 2, &state);
  expect_random_ranges(ADDRESSES, 512, 2, &state);
}

Test(occupied, random_ranges_far_apart) {
  uint64_t state = 123456789;
  expect_random_ranges(10, INT64_MAX / ADDRESSES, 1, &state);
  expect_random_ranges(ADDRESSES, INT64_MAX / ADDRESSES, 2, &state);
}

Test(occupied, ranges_that_share_their_ends) {
  uint64_t state = 88172645463325252u;
  mv_range ranges[RANGES];
  for (size_t i = 0; i < RANGES; i++) {
    const int64_t low = (int64_t)(next_random(&state) % 10) * 30;
    ranges[i] = (mv_range){low, low + (int64_t)(next_random(&state) % 4) * 30 % (ADDRESSES - low + 1)};
  }
  for (unsigned most = 1; most <= 4; most++) {
    expect_as_counted(ranges, RANGES, 1, most, &state);
  }
}

Test(occupied, large_addresses) {
  uint64_t state = 1234567;
  mv_range ranges[20];
  for (int64_t i = 0; i < 20; i++) {
    ranges[i] = (mv_range){i * 5, i * 5 + 50};
  }
  expect_as_counted(ranges, 20, INT64_MAX / ADDRESSES, UINT_MAX, &state);
  expect_as_counted(ranges, 20, INT64_C(1) << 55, 2, &state); /* so aligned that they are close together */
}

Test(occupied, ranges_in_whole_words) {
  uint64_t state = 7654321;
  mv_range ranges[RANGES];
  for (int64_t i = 0; i < RANGES; i++) { /* all addresses are cuts, so a stretch is one address */
    ranges[i] = (mv_range){i * 5 % 256, i * 5 % 256 + 1};
  }
  const mv_range whole[] = {{0, 64}, {64, 128}, {128, 192}, {0, 128}, {1, 128}, {0, 129}, {63, 65}, {64, 65}, {0, 192}};
  memcpy(ranges, whole, sizeof whole);
  for (unsigned most = 1; most <= 3; most++) {
    expect_as_counted(ranges, RANGES, 1, most, &state);
  }
}

/* Small ranges side by side, and one over all of them that comes and goes until changing words is too dear. */
Test(occupied, a_wide_range_again_and_again) {
  enum { SMALL = 2000 };
  mv_range *ranges = malloc((SMALL + 1) * sizeof *ranges);
  for (int64_t i = 0; i < SMALL; i++) {
    ranges[i] = (mv_range){3 * i + 1, 3 * i + 2};
  }
  ranges[SMALL] = (mv_range){0, INT64_C(3) * SMALL};
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena;
  mv_occupied *o = new_occupied(ranges, SMALL + 1, &arena);
  for (int64_t i = 0; i < SMALL; i++) {
    cr_assert(mv_occupied_add(o, (size_t)i, &st));
    cr_assert(mv_occupied_add(o, SMALL, &st));
    cr_assert_eq(mv_occupied_bytes(o), 3 * SMALL);
    mv_occupied_remove(o, SMALL);
    cr_assert_eq(mv_occupied_bytes(o), i + 1);
  }
  for (int64_t i = 0; i < SMALL; i++) {
    mv_occupied_remove(o, (size_t)i);
    cr_assert_eq(mv_occupied_bytes(o), SMALL - 1 - i);
  }
  mv_arena_free(arena);
  free(ranges);
}

Test(occupied, all_at_one_address) {
  mv_range ranges[RANGES];
  for (int64_t i = 0; i < RANGES; i++) {
    ranges[i] = (mv_range){0, i + 1};
  }
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena;
  mv_occupied *o = new_occupied(ranges, RANGES, &arena);
  for (int64_t i = 0; i < RANGES; i++) {
    cr_assert(mv_occupied_add(o, (size_t)i, &st));
    cr_expect_eq(mv_occupied_bytes(o), i + 1);
  }
  for (int64_t i = RANGES - 1; i >= 0; i--) {
    mv_occupied_remove(o, (size_t)i);
    cr_expect_eq(mv_occupied_bytes(o), i);
  }
  mv_arena_free(arena);
}

static bool wants_to_stop(void *arg) {
  return *(const bool *)arg;
}

Test(occupied, the_host_may_stop_it) {
  const mv_range ranges[] = {{0, 3}, {1, 4}, {2, 5}};
  bool stop = true;
  const mv_limits limits = {.interrupted = wants_to_stop, .arg = &stop};
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  cr_expect_null(mv_occupied_new(ranges, 3, &limits, arena, &st));
  cr_expect_eq(st.code, MV_INTERRUPTED);
  st = (mv_status)MV_STATUS_INIT;
  stop = false;
  mv_occupied *o = mv_occupied_new(ranges, 3, &limits, arena, &st);
  cr_assert(mv_occupied_add(o, 0, &st) && mv_occupied_add(o, 1, &st));
  stop = true;
  cr_expect_not(mv_occupied_add(o, 2, &st), "address 2 three times: a tree, and that is a longer work");
  cr_expect_eq(st.code, MV_INTERRUPTED);
  mv_arena_free(arena);
}

Test(occupied, nothing) {
  mv_arena *arena;
  mv_occupied *o = new_occupied(NULL, 0, &arena);
  cr_expect_eq(mv_occupied_bytes(o), 0);
  mv_arena_free(arena);
}

Test(occupied, an_empty_range_covers_nothing) {
  const mv_range ranges[] = {{5, 5}, {0, 0}, {INT64_MAX, INT64_MAX}};
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena;
  mv_occupied *o = new_occupied(ranges, 3, &arena);
  for (size_t i = 0; i < 3; i++) {
    cr_assert(mv_occupied_add(o, i, &st));
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
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena;
  mv_occupied *o = new_occupied(ranges, 3, &arena);
  cr_assert(mv_occupied_add(o, 1, &st));
  cr_expect_eq(mv_occupied_bytes(o), INT64_MAX - 2);
  cr_assert(mv_occupied_add(o, 0, &st));
  cr_expect_eq(mv_occupied_bytes(o), INT64_MAX);
  mv_occupied_remove(o, 1);
  cr_expect_eq(mv_occupied_bytes(o), INT64_MAX);
  mv_occupied_remove(o, 0);
  cr_assert(mv_occupied_add(o, 2, &st));
  cr_expect_eq(mv_occupied_bytes(o), 1);
  mv_arena_free(arena);
}
