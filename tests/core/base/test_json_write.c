#include "base/json_write.h"

#include <criterion/criterion.h>

static void is(mv_text *text, const char *expected) {
  cr_assert_not(text->failed);
  cr_expect_str_eq(text->data, expected);
  mv_text_free(text);
}

static void string_is(const char *data, size_t size, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_json_string(&text, mv_bytes_of(data, size));
  is(&text, expected);
}

#define STRING_IS(literal, expected) string_is(literal, sizeof literal - 1, expected)

Test(json_write, puts_commas_between_values) {
  mv_text t = MV_TEXT_INIT;
  mv_json_begin(&t, '{');
  mv_json_key(&t, "a");
  mv_json_begin(&t, '[');
  mv_json_i64(&t, -1);
  mv_json_null(&t);
  mv_json_bool(&t, true);
  mv_json_begin(&t, '[');
  mv_json_end(&t, ']');
  mv_json_begin(&t, '{');
  mv_json_end(&t, '}');
  mv_json_string(&t, mv_bytes_of_string("{"));
  mv_json_string(&t, mv_bytes_of_string(","));
  mv_json_end(&t, ']');
  mv_json_key(&t, "b");
  mv_json_bool(&t, false);
  mv_json_end(&t, '}');
  is(&t, "{\"a\":[-1,null,true,[],{},\"{\",\",\"],\"b\":false}");
}

Test(json_write, begins_behind_markup_without_a_comma) {
  mv_text t = MV_TEXT_INIT;
  mv_text_add(&t, "<script>");
  mv_json_begin(&t, '[');
  mv_json_end(&t, ']');
  is(&t, "<script>[]");
}

Test(json_write, escapes_what_json_and_html_ask_for) {
  STRING_IS("", "\"\"");
  STRING_IS("a\"b\\c", "\"a\\\"b\\\\c\"");
  STRING_IS("\n\t\r\x01\x7F", "\"\\n\\t\\u000d\\u0001\\u007f\"");
  STRING_IS("</script><!--", "\"\\u003c/script>\\u003c!--\"");
  STRING_IS("x\xE2\x80\xA8y\xE2\x80\xA9z", "\"x\\u2028y\\u2029z\"");
  STRING_IS("\xC3\xA9\xF0\x9F\x98\x80", "\"\xC3\xA9\xF0\x9F\x98\x80\"");
}

Test(json_write, makes_text_valid) {
  STRING_IS("a\xFF"
            "b",
            "\"a\xEF\xBF\xBD"
            "b\"");
  STRING_IS("cut\xE2\x80", "\"cut\xEF\xBF\xBD\xEF\xBF\xBD\"");
  STRING_IS("nul\0nul", "\"nul\xEF\xBF\xBDnul\"");
  STRING_IS("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

Test(json_write, ids_beyond_a_double_are_strings) {
  mv_text t = MV_TEXT_INIT;
  mv_json_begin(&t, '[');
  mv_json_id(&t, 0);
  mv_json_id(&t, INT64_C(9007199254740992));
  mv_json_id(&t, INT64_C(9007199254740993));
  mv_json_id(&t, -INT64_C(9007199254740992));
  mv_json_id(&t, INT64_MIN);
  mv_json_end(&t, ']');
  is(&t, "[0,9007199254740992,\"9007199254740993\",-9007199254740992,\"-9223372036854775808\"]");
}
