#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/json.h"

/* Backend configs as the TPU, GPU and CPU compilers write them, shortened. */
static const char tpu_config[] =
    "{\"flag_configs\":[],\"window_config\":{\"kernel_window_bounds\":[\"16\",\"8\"],\"size\":\"wrong\"},"
    "\"scoped_memory_configs\":[{\"memory_space\":\"9\",\"offset\":\"0\",\"size\":\"9\"}],"
    "\"used_scoped_memory_configs\":[{\"memory_space\":\"1\",\"offset\":\"0\",\"size\":\"4550656\"},"
    "{\"memory_space\":\"0\",\"offset\":\"128\",\"size\":\"8\"}],\"estimated_cycles\":\"1342\"}";
static const char gpu_config[] =
    "{\"operation_queue_id\":\"0\",\"wait_on_operation_queues\":[],\"gemm_backend_config\":{\"alpha_real\":1,"
    "\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"1\"]},\"epilogue\":\"BIAS_RELU\"},"
    "\"force_earliest_schedule\":false}";

static mv_bytes member(const char *object, const char *key) {
  mv_bytes value = mv_bytes_of("unset", 5);
  return mv_json_member(&value, mv_bytes_of_string(object), key) ? value : mv_bytes_of(NULL, 0);
}

static void expect_member(const char *object, const char *key, const char *expected) {
  const mv_bytes value = member(object, key);
  cr_expect(mv_bytes_equal_string(value, expected), "%s in %s: '%.*s'", key, object, (int)value.size,
            (const char *)value.data);
}

static void expect_none(const char *object, const char *key) {
  mv_bytes value;
  cr_expect_not(mv_json_member(&value, mv_bytes_of_string(object), key), "%s in %s", key, object);
}

static int count_elements(const char *array) {
  size_t position = 0;
  mv_bytes value;
  int n = 0;
  while (n < 100 && mv_json_element(&value, mv_bytes_of_string(array), &position)) {
    n++;
  }
  return n;
}

static int64_t number(const char *text) {
  int64_t out = -777;
  return mv_json_int64(&out, mv_bytes_of_string(text)) ? out : -777;
}

Test(json, members_of_real_configs) {
  expect_member(tpu_config, "flag_configs", "[]");
  expect_member(tpu_config, "estimated_cycles", "\"1342\"");
  expect_member(gpu_config, "force_earliest_schedule", "false");
  const mv_bytes gemm = member(gpu_config, "gemm_backend_config");
  cr_assert_gt(gemm.size, 0);
  mv_bytes value;
  cr_assert(mv_json_member(&value, gemm, "epilogue"));
  cr_expect(mv_bytes_equal_string(value, "\"BIAS_RELU\""));
}

Test(json, a_member_of_an_inner_object_is_not_one_of_the_outer) {
  expect_none(tpu_config, "size");
  expect_none(tpu_config, "kernel_window_bounds");
  expect_none(gpu_config, "alpha_real");
}

Test(json, a_key_that_another_key_ends_with_is_another_key) {
  const mv_bytes list = member(tpu_config, "scoped_memory_configs");
  cr_expect(mv_bytes_starts_with(list, "[{\"memory_space\":\"9\""));
}

Test(json, elements_of_a_list_of_objects) {
  const mv_bytes list = member(tpu_config, "used_scoped_memory_configs");
  size_t position = 0;
  mv_bytes entry;
  mv_bytes size;
  int64_t sum = 0;
  int n = 0;
  while (mv_json_element(&entry, list, &position)) {
    int64_t one;
    cr_assert(mv_json_member(&size, entry, "size") && mv_json_int64(&one, size));
    sum += one;
    n++;
  }
  cr_expect_eq(n, 2);
  cr_expect_eq(sum, 4550664);
}

Test(json, elements_are_counted_right) {
  cr_expect_eq(count_elements("[]"), 0);
  cr_expect_eq(count_elements(" [ ] "), 0);
  cr_expect_eq(count_elements("[1]"), 1);
  cr_expect_eq(count_elements(" [ 1 , \"a,]\" , [2,3] , {\"a\":[4]} ] "), 4);
  cr_expect_eq(count_elements("{}"), 0);
  cr_expect_eq(count_elements(""), 0);
  cr_expect_eq(count_elements("\"[1,2]\""), 0);
}

Test(json, white_space_stands_anywhere) {
  expect_member(" \t\r\n{ \"a\" : 1 , \"b\" : [ 2 ] , \"c\" : \"x\" } ", "a", "1");
  expect_member(" \t\r\n{ \"a\" : 1 , \"b\" : [ 2 ] , \"c\" : \"x\" } ", "b", "[ 2 ]");
  expect_member(" \t\r\n{ \"a\" : 1 , \"b\" : [ 2 ] , \"c\" : \"x\" } ", "c", "\"x\"");
}

Test(json, brackets_and_quotes_in_strings_are_text) {
  const char *text = "{\"a\":\"}\\\"{[,\",\"b\":{\"c\":\"]}\"},\"\\\"d\":1,\"e\\\\\":2,\"f\":3}";
  expect_member(text, "a", "\"}\\\"{[,\"");
  expect_member(text, "b", "{\"c\":\"]}\"}");
  expect_member(text, "f", "3");
  expect_member(text, "e\\\\", "2");
}

Test(json, the_first_of_equal_keys_counts) {
  expect_member("{\"a\":1,\"a\":2}", "a", "1");
}

Test(json, broken_text_has_no_such_member) {
  const char *const broken[] = {
      "",         "{",         "}",           "[",         "null",        "{\"",       "{\"x",
      "{\"x\"",   "{\"x\":",   "{\"x\":}",    "{\"x\":\"", "{\"x\":\"\\", "{\"x\":{",  "{\"x\":[1,",
      "{x:1}",    "{\"x\" 1}", "{,,\"x\":1}", "[\"x\",1]", "\"x\":1",     "{\"y\":[,", "{\"y\":\"\\\"}",
      "{\"x\":,}"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    expect_none(broken[i], "x");
  }
}

Test(json, every_prefix_of_a_config_ends) {
  for (size_t n = 0; n < sizeof tpu_config; n++) {
    /* An allocation of its own, so that a sanitizer sees a read behind it. */
    char *copy = malloc(n > 0 ? n : 1);
    cr_assert_not_null(copy);
    memcpy(copy, tpu_config, n);
    mv_bytes value;
    mv_bytes entry;
    size_t position = 0;
    if (mv_json_member(&value, mv_bytes_of(copy, n), "used_scoped_memory_configs")) {
      while (mv_json_element(&entry, value, &position)) {
        mv_json_member(&value, entry, "size");
      }
    }
    mv_json_first_key(mv_bytes_of(copy, n));
    free(copy);
  }
}

Test(json, a_million_open_brackets_are_no_recursion) {
  enum { DEEP = 1000000 };
  char *text = malloc(DEEP + 6);
  cr_assert_not_null(text);
  memcpy(text, "{\"a\":", 5);
  memset(text + 5, '[', DEEP);
  text[5 + DEEP] = '\0';
  expect_none(text, "a");
  free(text);
}

Test(json, first_key) {
  cr_expect(mv_bytes_equal_string(mv_json_first_key(mv_bytes_of_string(tpu_config)), "flag_configs"));
  cr_expect(mv_bytes_equal_string(mv_json_first_key(mv_bytes_of_string(" { \"k\" :1}")), "k"));
  cr_expect_eq(mv_json_first_key(mv_bytes_of_string("{}")).size, 0);
  cr_expect_eq(mv_json_first_key(mv_bytes_of_string("{\"cut")).size, 0);
  cr_expect_eq(mv_json_first_key(mv_bytes_of_string("plain text")).size, 0);
  cr_expect_eq(mv_json_first_key(mv_bytes_of(NULL, 0)).size, 0);
}

Test(json, integers_as_numbers_and_as_strings) {
  cr_expect_eq(number("0"), 0);
  cr_expect_eq(number("\"0\""), 0);
  cr_expect_eq(number("4550656"), 4550656);
  cr_expect_eq(number("\"-12\""), -12);
  cr_expect_eq(number("9223372036854775807"), INT64_MAX);
  cr_expect_eq(number("-9223372036854775808"), INT64_MIN);
}

Test(json, what_is_no_int64) {
  const char *const others[] = {"",
                                "\"\"",
                                "\"",
                                "-",
                                "\"-\"",
                                "1.5",
                                "1e3",
                                "0x10",
                                "true",
                                "null",
                                "{}",
                                "[1]",
                                "1 ",
                                "+1",
                                "--1",
                                "9223372036854775808",
                                "-9223372036854775809",
                                "18446744073709551616",
                                "99999999999999999999999"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    cr_expect_eq(number(others[i]), -777, "%s", others[i]);
  }
}
