#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/partition.h"

static void check(const mv_key *keys, size_t count) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_partition p;
  cr_assert(mv_partition_make(&p, keys, count, arena, &status));
  for (size_t i = 0; i < count; i++) {
    cr_assert_lt(p.group_of[i], p.count);
    cr_assert_leq(p.first[p.group_of[i]], i);
    cr_assert_eq(p.group_of[p.first[p.group_of[i]]], p.group_of[i]);
    for (size_t j = 0; j < i; j++) {
      cr_assert_eq(p.group_of[i] == p.group_of[j], mv_key_compare(&keys[i], &keys[j]) == 0, "items %zu and %zu", i, j);
    }
  }
  mv_arena_free(arena);
}

static mv_key key(const char *text, int64_t number) {
  return (mv_key){mv_bytes_of_string(text), number};
}

Test(partition, items__those_of_equal_keys_together) {
  const mv_key keys[] = {key("b", 0), key("a", 0), key("b", 0), key(NULL, 0), key("a", 0),
                         key("", 0),  key("a", 1), key("", 0),  key(NULL, 0), key("a", 1)};
  check(keys, 10);
  check(keys, 1);
  check(keys, 0);
}

/* Unknown keys are one group, whatever their number. */
Test(partition, unknown__is_not_the_empty_text) {
  const mv_key keys[] = {key(NULL, 1), key("", 0), key(NULL, 2)};
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_partition p;
  cr_assert(mv_partition_make(&p, keys, 3, arena, &status));
  cr_expect_eq(p.count, 2);
  cr_expect_eq(p.group_of[0], p.group_of[2]);
  mv_arena_free(arena);
}

Test(partition, random_keys__as_compared_one_by_one) {
  srand(5);
  char texts[400][4];
  mv_key keys[400];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 400; i++) {
      const size_t size = (size_t)(rand() % 4);
      for (size_t k = 0; k < size; k++) {
        texts[i][k] = (char)('a' + rand() % 2);
      }
      keys[i] = (mv_key){mv_bytes_of(texts[i], size), rand() % 3};
    }
    check(keys, 400);
  }
}
