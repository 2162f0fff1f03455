#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/idmap.h"

typedef struct fixture {
  mv_arena *arena;
  const int64_t *ids;
  size_t count;
  mv_idmap map;
} fixture;

/* Item i is at position i. */
static fixture build(const int64_t *ids, size_t count) {
  mv_status st = MV_STATUS_INIT;
  fixture f = {.arena = mv_arena_new(&st), .ids = ids, .count = count};
  cr_assert(f.arena != NULL);
  for (size_t i = 0; i < count; i++) {
    cr_assert(mv_idmap_add(&f.map, ids[i], (uint32_t)i, f.arena, &st));
  }
  cr_assert(mv_idmap_finish(&f.map, f.arena, &st));
  return f;
}

static void drop(fixture *f) {
  mv_arena_free(f->arena);
}

/* Every id is found at its first item, and ids beside them are not. */
static void expect_all_found(fixture *f) {
  for (size_t i = 0; i < f->count; i++) {
    size_t first = i;
    for (size_t k = 0; k < i; k++) {
      if (f->ids[k] == f->ids[i]) {
        first = k;
        break;
      }
    }
    cr_assert_eq(mv_idmap_find(&f->map, f->ids[i]), first, "id %lld", (long long)f->ids[i]);
    for (int64_t step = -1; step <= 1; step += 2) {
      const int64_t other = (int64_t)((uint64_t)f->ids[i] + (uint64_t)step);
      bool is_there = false;
      for (size_t k = 0; k < f->count; k++) {
        is_there = is_there || f->ids[k] == other;
      }
      if (!is_there) {
        cr_assert_eq(mv_idmap_find(&f->map, other), MV_NONE, "id %lld", (long long)other);
      }
    }
  }
}

Test(idmap, empty_has_nothing) {
  mv_idmap none = {0};
  cr_expect_eq(mv_idmap_find(&none, 0), MV_NONE);
  fixture f = build(NULL, 0);
  cr_expect_eq(mv_idmap_find(&f.map, 0), MV_NONE);
  drop(&f);
}

Test(idmap, one_item) {
  const int64_t ids[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    fixture f = build(&ids[i], 1);
    expect_all_found(&f);
    drop(&f);
  }
}

Test(idmap, dense_ids_are_a_table) {
  int64_t ids[1000];
  for (int64_t i = 0; i < 1000; i++) {
    ids[i] = (i * 7) % 1000 - 500; /* each once, not in order, some negative */
  }
  fixture f = build(ids, 1000);
  cr_expect_not_null(f.map.slots);
  expect_all_found(&f);
  cr_expect_eq(mv_idmap_find(&f.map, -501), MV_NONE);
  cr_expect_eq(mv_idmap_find(&f.map, 500), MV_NONE);
  cr_expect_eq(mv_idmap_find(&f.map, INT64_MAX), MV_NONE);
  cr_expect_eq(mv_idmap_find(&f.map, INT64_MIN), MV_NONE);
  drop(&f);
}

Test(idmap, ids_of_new_compilers_are_runs) {
  enum { COMPUTATIONS = 30, EACH = 40 };
  int64_t ids[COMPUTATIONS * EACH];
  for (int64_t c = 0; c < COMPUTATIONS; c++) {
    for (int64_t i = 0; i < EACH; i++) {
      ids[c * EACH + i] = c << 32 | i;
    }
  }
  fixture f = build(ids, COMPUTATIONS * EACH);
  cr_expect_not_null(f.map.runs);
  cr_expect_eq(f.map.run_count, COMPUTATIONS);
  expect_all_found(&f);
  for (int64_t c = 0; c <= COMPUTATIONS; c++) { /* far from what was asked last */
    cr_expect_eq(mv_idmap_find(&f.map, c * 7 % COMPUTATIONS << 32 | EACH), MV_NONE);
    cr_expect_eq(mv_idmap_find(&f.map, c * 7 % COMPUTATIONS << 32 | 3), c * 7 % COMPUTATIONS * EACH + 3);
  }
  drop(&f);
}

Test(idmap, runs_in_any_order) {
  enum { RUNS = 20, EACH = 5 };
  int64_t ids[RUNS * EACH];
  for (int64_t r = 0; r < RUNS; r++) {
    for (int64_t i = 0; i < EACH; i++) {
      ids[r * EACH + i] = (r * 7 % RUNS - RUNS / 2) * 1000000 + i;
    }
  }
  fixture f = build(ids, RUNS * EACH);
  cr_expect_not_null(f.map.runs);
  expect_all_found(&f);
  drop(&f);
}

Test(idmap, runs_that_overlap_hide_no_id) {
  int64_t near[30];
  int64_t far[30];
  for (int64_t i = 0; i < 30; i++) {
    near[i] = i < 15 ? i : i - 9; /* 0 to 14, 6 to 20 */
    far[i] = near[i] + (i == 0 ? INT64_MIN / 2 : INT64_MAX / 2);
  }
  fixture f = build(near, 30);
  cr_expect_null(f.map.runs);
  cr_expect_eq(f.map.duplicates, 9);
  expect_all_found(&f);
  drop(&f);
  f = build(far, 30);
  cr_expect_null(f.map.runs);
  cr_expect_eq(f.map.duplicates, 9);
  expect_all_found(&f);
  drop(&f);
}

Test(idmap, a_run_that_goes_round_is_none) {
  const int64_t ids[] = {INT64_MAX - 2, INT64_MAX - 1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MIN + 2, 7, 8};
  fixture f = build(ids, 8);
  expect_all_found(&f);
  cr_expect_eq(mv_idmap_find(&f.map, 0), MV_NONE);
  drop(&f);
}

Test(idmap, the_whole_span_of_int64) {
  const int64_t ids[] = {INT64_MAX, INT64_MIN, 0, -1, 1, INT64_MAX - 1, INT64_MIN + 1};
  fixture f = build(ids, sizeof ids / sizeof *ids);
  expect_all_found(&f);
  cr_expect_eq(mv_idmap_find(&f.map, 12345), MV_NONE);
  drop(&f);
}

Test(idmap, ids_that_lie_apart_are_searched_in_order) {
  enum { COUNT = 400 };
  int64_t ids[COUNT];
  for (int64_t i = 0; i < COUNT; i++) {
    ids[i] = (COUNT - i) * 65536 - 20 * 65536;
  }
  fixture f = build(ids, COUNT);
  cr_expect_not_null(f.map.sorted);
  cr_expect_eq(f.map.duplicates, 0);
  expect_all_found(&f);
  cr_expect_eq(mv_idmap_find(&f.map, INT64_MAX), MV_NONE);
  cr_expect_eq(mv_idmap_find(&f.map, INT64_MIN), MV_NONE);
  drop(&f);
}

Test(idmap, of_equal_ids_the_first_is_found) {
  const int64_t dense[] = {5, 7, 5, 5, 6, 7};
  fixture f = build(dense, 6);
  cr_expect_not_null(f.map.slots);
  cr_expect_eq(f.map.duplicates, 3);
  expect_all_found(&f);
  drop(&f);
  const int64_t far[] = {5, INT64_MAX, 5, INT64_MIN, INT64_MAX, 5};
  f = build(far, 6);
  cr_expect_not_null(f.map.sorted);
  cr_expect_eq(f.map.duplicates, 3);
  expect_all_found(&f);
  drop(&f);
}

Test(idmap, many_equal_ids_that_lie_apart) {
  enum { COUNT = 300 };
  int64_t ids[COUNT];
  for (int64_t i = 0; i < COUNT; i++) {
    ids[i] = i / 2 * 65536; /* every id twice */
  }
  fixture f = build(ids, COUNT);
  cr_expect_not_null(f.map.sorted);
  cr_expect_eq(f.map.duplicates, COUNT / 2);
  expect_all_found(&f);
  drop(&f);
}

Test(idmap, positions_may_have_gaps) {
  /* Computations of 10 instructions each, of which every other one is left out. */
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  mv_idmap map = {0};
  for (uint32_t c = 0; c < 20; c += 2) {
    for (uint32_t i = 0; i < 10; i++) {
      cr_assert(mv_idmap_add(&map, 10 * c + i, 10 * c + i + 5, arena, &st));
    }
  }
  cr_assert(mv_idmap_finish(&map, arena, &st));
  cr_expect_not_null(map.runs);
  for (uint32_t id = 0; id < 200; id++) {
    cr_expect_eq(mv_idmap_find(&map, id), id / 10 % 2 == 0 ? id + 5 : MV_NONE, "id %u", id);
  }
  /* An id that would carry a run on at a position that does not. */
  cr_assert(mv_idmap_add(&map, 190, 7, arena, &st));
  cr_assert(mv_idmap_add(&map, 191, 9, arena, &st));
  cr_assert(mv_idmap_finish(&map, arena, &st));
  cr_expect_eq(mv_idmap_find(&map, 190), 7);
  cr_expect_eq(mv_idmap_find(&map, 191), 9);
  cr_expect_eq(mv_idmap_find(&map, 185), 190);
  mv_arena_free(arena);
}

Test(idmap, the_first_id_may_be_any_and_its_position_too) {
  static const int64_t ids[] = {0, 1, -1, INT64_MIN, INT64_MAX};
  static const uint32_t positions[] = {0, 1, MV_NONE - 1};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    for (size_t k = 0; k < sizeof positions / sizeof *positions; k++) {
      mv_status st = MV_STATUS_INIT;
      mv_arena *arena = mv_arena_new(&st);
      mv_idmap map = {0};
      cr_assert(mv_idmap_add(&map, ids[i], positions[k], arena, &st));
      cr_assert(mv_idmap_finish(&map, arena, &st));
      cr_expect_eq(mv_idmap_find(&map, ids[i]), positions[k]);
      mv_arena_free(arena);
    }
  }
}

Test(idmap, more_is_added_after_it_was_used) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  mv_idmap map = {0};
  cr_assert(mv_idmap_add(&map, 100, 0, arena, &st));
  cr_assert(mv_idmap_finish(&map, arena, &st));
  cr_expect_eq(mv_idmap_find(&map, 100), 0);
  for (uint32_t i = 1; i < 100; i++) { /* now sorted, then dense */
    cr_assert(mv_idmap_add(&map, i % 2 == 0 ? i : i * INT64_C(1000000000), i, arena, &st));
    cr_assert(mv_idmap_finish(&map, arena, &st));
    cr_expect_eq(map.duplicates, 0);
    for (uint32_t k = 1; k <= i; k++) {
      cr_assert_eq(mv_idmap_find(&map, k % 2 == 0 ? k : k * INT64_C(1000000000)), k);
    }
  }
  cr_assert(mv_idmap_add(&map, 100, 200, arena, &st));
  cr_assert(mv_idmap_finish(&map, arena, &st));
  cr_expect_eq(map.duplicates, 1);
  cr_expect_eq(mv_idmap_find(&map, 100), 0, "of equal ids the one added first");
  mv_arena_free(arena);
}

Test(idmap, what_is_added_and_not_finished_is_not_found) {
  enum { FAR = 1000000 };
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  mv_idmap map = {0};
  for (uint32_t i = 0; i < 100; i++) {
    cr_assert(mv_idmap_add(&map, (int64_t)i * FAR, i, arena, &st));
  }
  cr_assert(mv_idmap_finish(&map, arena, &st));
  cr_expect_not_null(map.sorted);
  for (uint32_t i = 100; i < 300; i++) {
    cr_assert(mv_idmap_add(&map, (int64_t)i * FAR, i, arena, &st));
  }
  for (uint32_t i = 0; i < 300; i++) {
    cr_expect_eq(mv_idmap_find(&map, (int64_t)i * FAR), i < 100 ? i : MV_NONE);
  }
  mv_arena_free(arena);
}

Test(idmap, more_items_than_positions_is_a_limit) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  mv_idmap map = {0};
  cr_assert(mv_idmap_add(&map, 5, 5, arena, &st));
  map.count = MV_NONE;
  cr_expect_not(mv_idmap_finish(&map, arena, &st));
  cr_expect_eq(st.code, MV_LIMIT);
  mv_arena_free(arena);
}
