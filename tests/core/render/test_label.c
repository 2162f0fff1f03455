#include <criterion/criterion.h>

#include "render/label.h"

static void expect_label(const char *name, size_t most, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_label_add(&text, mv_bytes_of_string(name), most);
  cr_expect_str_eq(text.data != NULL ? text.data : "", expected);
  mv_text_free(&text);
}

Test(label, what_fits_stays) {
  expect_label("", 0, "");
  expect_label("fusion.12", 9, "fusion.12");
  expect_label("fusion.12", 100, "fusion.12");
}

Test(label, what_does_not_fit_ends_in_an_ellipsis) {
  expect_label("fusion.12", 8, "fusion.\xE2\x80\xA6");
  expect_label("fusion.12", 1, "\xE2\x80\xA6");
  expect_label("fusion.12", 0, "");
}

Test(label, sequences_are_not_cut) {
  expect_label("\xC3\xA4\xC3\xA4\xC3\xA4", 2, "\xC3\xA4\xE2\x80\xA6");
  expect_label("\xF0\x9F\x98\x80\xF0\x9F\x98\x80", 3, "\xF0\x9F\x98\x80\xE2\x80\xA6");
}

Test(label, wide_characters_count_twice) {
  expect_label("\xE5\xA4\xA7\xE5\xA4\xA7", 4, "\xE5\xA4\xA7\xE5\xA4\xA7");
  expect_label("\xE5\xA4\xA7\xE5\xA4\xA7", 3, "\xE5\xA4\xA7\xE2\x80\xA6");
  cr_expect_eq(mv_label_length(mv_bytes_of_string("a\xE5\xA4\xA7"), 10), 3);
}

Test(label, bytes_of_no_sequence_count_once_and_are_replaced) {
  expect_label("\xFF\xFF\xFF", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  expect_label("\xFF\xFF\xFF", 2, "\xEF\xBF\xBD\xE2\x80\xA6");
}

Test(label, xml_is_escaped_after_it_was_cut) {
  mv_text text = MV_TEXT_INIT;
  mv_label_xml(&text, mv_bytes_of_string("<<<<"), 3);
  cr_expect_str_eq(text.data, "&lt;&lt;\xE2\x80\xA6");
  mv_text_free(&text);
}
