#include "page/strings.h"

#include <criterion/criterion.h>
#include <stdio.h>

static mv_status status = MV_STATUS_INIT;

static int64_t number_of(mv_strings *strings, const char *text) {
  int64_t number;
  cr_assert(mv_strings_number(&number, strings, mv_bytes_of_string(text), &status));
  return number;
}

Test(page_strings, numbers_each_text_once) {
  mv_arena *arena = mv_arena_new(&status);
  mv_strings s = mv_strings_of(arena);
  cr_expect_eq(number_of(&s, "a"), 0);
  cr_expect_eq(number_of(&s, "b"), 1);
  cr_expect_eq(number_of(&s, "a"), 0);
  cr_expect_eq(number_of(&s, ""), -1);
  cr_expect_eq(number_of(&s, "b"), 1);
  mv_text text = MV_TEXT_INIT;
  mv_strings_write(&text, &s);
  cr_expect_str_eq(text.data, "[\"a\",\"b\"]");
  mv_text_free(&text);
  mv_arena_free(arena);
}

Test(page_strings, finds_all_again_after_growing) {
  enum { COUNT = 20000 };
  mv_arena *arena = mv_arena_new(&status);
  mv_strings s = mv_strings_of(arena);
  char name[32];
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "fusion.%d", i);
    cr_assert_eq(number_of(&s, name), i);
  }
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "fusion.%d", i);
    cr_assert_eq(number_of(&s, name), i);
  }
  cr_expect_eq(s.items.count, COUNT);
  mv_arena_free(arena);
}

Test(page_strings, an_empty_table_is_an_empty_array) {
  mv_arena *arena = mv_arena_new(&status);
  mv_strings s = mv_strings_of(arena);
  mv_text text = MV_TEXT_INIT;
  mv_strings_write(&text, &s);
  cr_expect_str_eq(text.data, "[]");
  mv_text_free(&text);
  mv_arena_free(arena);
}
