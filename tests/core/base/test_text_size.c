/* mv_text_size is integer arithmetic: what printf makes of a double depends on the process's locale. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <locale.h>

#include "base/text.h"

static void expect_size(int64_t bytes, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_text_size(&text, bytes);
  cr_expect_str_eq(text.data, expected, "%" PRId64 ": %s, not %s", bytes, text.data, expected);
  mv_text_free(&text);
}

Test(text_size, does_not_depend_on_the_locale) {
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"};
  for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
    if (setlocale(LC_ALL, locales[i]) != NULL) {
      expect_size(1536, "1.50 KiB");
      expect_size(12345678, "11.8 MiB");
      expect_size(-1536, "-1.50 KiB");
    }
  }
}

Test(text_size, rounds_to_even_between_two) {
  expect_size(1152, "1.12 KiB"); /* 1.125 */
  expect_size(1161, "1.13 KiB"); /* 1.1338 */
  expect_size(1029, "1.00 KiB");
  expect_size(1030, "1.01 KiB");
}

Test(text_size, has_three_digits) {
  expect_size(0, "0 B");
  expect_size(1023, "1023 B");
  expect_size(1024, "1.00 KiB");
  expect_size(10234, "9.99 KiB");
  expect_size(10235, "10.0 KiB");
  expect_size(1023 * 1024, "1023 KiB");
  expect_size(1023 * 1024 + 512, "1.00 MiB");
  expect_size(INT64_MAX, "8.00 EiB");
  expect_size(INT64_MIN, "-8.00 EiB");
}
