#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

#define FFFD "\xEF\xBF\xBD"

static void expect_bytes(const char *bytes, size_t size, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_text_bytes(&text, mv_bytes_of(bytes, size));
  cr_assert_not(text.failed);
  cr_expect_str_eq(text.data != NULL ? text.data : "", expected);
  cr_expect_eq(text.size, strlen(expected));
  const bool is_same = size == strlen(expected) && memcmp(bytes, expected, size) == 0;
  cr_expect_eq(mv_utf8_is_clean(mv_bytes_of(bytes, size)), is_same, "%s", expected);
  mv_text_free(&text);
}

static void expect_line(const char *bytes, size_t size, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_text_line(&text, mv_bytes_of(bytes, size));
  cr_assert_not(text.failed);
  cr_expect_str_eq(text.data, expected);
  mv_text_free(&text);
}

static void expect_xml(const char *bytes, size_t size, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_text_xml(&text, mv_bytes_of(bytes, size));
  cr_assert_not(text.failed);
  cr_expect_str_eq(text.data, expected);
  mv_text_free(&text);
}

static void expect_size(int64_t bytes, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_text_size(&text, bytes);
  cr_expect_str_eq(text.data, expected, "%" PRId64 ": %s, not %s", bytes, text.data, expected);
  mv_text_free(&text);
}

#define BYTES(literal, expected) expect_bytes(literal, sizeof(literal) - 1, expected)
#define LINE(literal, expected) expect_line(literal, sizeof(literal) - 1, expected)
#define XML(literal, expected) expect_xml(literal, sizeof(literal) - 1, expected)

Test(text, grows_and_stays_terminated) {
  mv_text text = MV_TEXT_INIT;
  for (int i = 0; i < 5000; i++) {
    mv_text_char(&text, (char)('a' + i % 26));
    cr_assert_eq(text.data[text.size], '\0');
  }
  mv_text_add(&text, "");
  mv_text_format(&text, "%s", "");
  cr_expect_eq(text.size, 5000);
  for (int i = 0; i < 5000; i++) {
    cr_assert_eq(text.data[i], 'a' + i % 26);
  }
  mv_text_clear(&text);
  cr_expect_eq(text.size, 0);
  cr_expect_str_eq(text.data, "");
  mv_text_free(&text);
  cr_expect_null(text.data);
}

Test(text, of_every_length_has_room_for_its_terminator) {
  for (size_t n = 0; n < 300; n++) {
    char words[301];
    memset(words, 'w', n);
    words[n] = '\0';
    mv_text text = MV_TEXT_INIT;
    mv_text_add(&text, words);
    mv_text_format(&text, "%s", words);
    cr_assert_eq(text.size, 2 * n);
    if (n > 0) {
      cr_assert_eq(strlen(text.data), 2 * n);
    }
    mv_text_free(&text);
  }
}

Test(text, a_failure_stays_until_it_is_cleared) {
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "kept");
  text.failed = true;
  mv_text_add(&text, "x");
  mv_text_char(&text, 'x');
  mv_text_i64(&text, 1);
  mv_text_format(&text, "%d", 1);
  mv_text_bytes(&text, mv_bytes_of("x", 1));
  mv_text_xml(&text, mv_bytes_of("<", 1));
  mv_text_size(&text, 1);
  cr_expect(text.failed);
  cr_expect_str_eq(text.data, "kept");
  mv_text_clear(&text);
  cr_expect_not(text.failed);
  mv_text_free(&text);
}

static void expect_integer(int64_t value) {
  char expected[32];
  snprintf(expected, sizeof expected, "%" PRId64, value);
  mv_text text = MV_TEXT_INIT;
  mv_text_i64(&text, value);
  cr_expect_str_eq(text.data, expected);
  cr_expect_eq(text.size, strlen(expected));
  mv_text_free(&text);
}

Test(text, integers) {
  expect_integer(INT64_MAX);
  expect_integer(INT64_MIN);
  for (int64_t power = 1; power <= INT64_MAX / 10; power *= 10) {
    for (int64_t i = -1; i <= 1; i++) { /* where one digit more is needed */
      expect_integer(power + i);
      expect_integer(-power + i);
      expect_integer(power * 10 - 1 + i);
      expect_integer(power * 3 + i);
    }
  }
  for (int bit = 0; bit < 63; bit++) {
    expect_integer((INT64_C(1) << bit) - 1);
    expect_integer(-(INT64_C(1) << bit));
  }
}

/* Eight bytes are looked at together: what becomes of one must not depend on where it stands and beside what. */
Test(text, is_cleaned_alike_at_every_place) {
  static void (*const cleaners[])(mv_text *, mv_bytes) = {mv_text_bytes, mv_text_line, mv_text_xml, mv_text_json};
  enum { LENGTH = 19 };
  for (size_t k = 0; k < sizeof cleaners / sizeof *cleaners; k++) {
    for (size_t first = 0; first < 256; first++) {
      for (size_t place = 0; place < LENGTH; place++) {
        uint8_t bytes[LENGTH];
        mv_text expected = MV_TEXT_INIT;
        mv_text text = MV_TEXT_INIT;
        for (size_t i = 0; i < LENGTH; i++) { /* no continuation of UTF-8 among them: each byte stands alone */
          bytes[i] = (uint8_t)(i < place ? 'z' - i : i == place ? first : (first * 7 + i * 31) & 0x7F);
          cleaners[k](&expected, mv_bytes_of(bytes + i, 1));
        }
        cleaners[k](&text, mv_bytes_of(bytes, LENGTH));
        cr_assert_str_eq(text.data, expected.data, "byte %zu at %zu", first, place);
        cr_assert_eq(text.size, expected.size);
        cr_assert_eq(mv_utf8_is_clean(mv_bytes_of(text.data, text.size)), true);
        mv_text_free(&text);
        mv_text_free(&expected);
      }
    }
  }
}

Test(utf8, well_formed_text_stays_as_it_is) {
  BYTES("", "");
  BYTES("plain", "plain");
  BYTES("\x7F\t\n", "\x7F\t\n");
  BYTES("\xC2\x80\xDF\xBF", "\xC2\x80\xDF\xBF");
  BYTES("\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF");
  BYTES("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

Test(utf8, nul_is_replaced) {
  BYTES("a\0b", "a" FFFD "b");
  BYTES("\0", FFFD);
}

Test(utf8, overlong_forms_are_replaced_byte_for_byte) {
  BYTES("\xC0\x80", FFFD FFFD);
  BYTES("\xC1\xBF", FFFD FFFD);
  BYTES("\xE0\x9F\xBF", FFFD FFFD FFFD);
  BYTES("\xF0\x8F\xBF\xBF", FFFD FFFD FFFD FFFD);
}

Test(utf8, surrogates_and_what_lies_beyond_unicode_are_replaced) {
  BYTES("\xED\xA0\x80", FFFD FFFD FFFD);
  BYTES("\xED\xBF\xBF", FFFD FFFD FFFD);
  BYTES("\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD);
  BYTES("\xF5\x80\x80\x80", FFFD FFFD FFFD FFFD);
  BYTES("\xFE\xFF", FFFD FFFD);
}

Test(utf8, cut_and_stray_bytes_are_replaced_and_the_rest_is_kept) {
  BYTES("\x80", FFFD);
  BYTES("a\xE2\x82", "a" FFFD FFFD);
  BYTES("a\xE2\x82z", "a" FFFD FFFD "z");
  BYTES("\xF0\x9F\x98", FFFD FFFD FFFD);
  BYTES("\xC3\xC3\xA9", FFFD "\xC3\xA9");
}

/* All that can stand behind a lead byte, against the table in words: continuation bytes 80..BF, narrower behind E0, ED,
 * F0 and F4. */
Test(utf8, every_pair_of_bytes) {
  for (unsigned a = 0; a < 256; a++) {
    for (unsigned b = 0; b < 256; b++) {
      const uint8_t four[] = {(uint8_t)a, (uint8_t)b, 0x80, 0xBF};
      size_t expected = 0;
      if (a < 0x80) {
        expected = 1;
      } else if (b >= 0x80 && b <= 0xBF) {
        if (a >= 0xC2 && a <= 0xDF) {
          expected = 2;
        } else if ((a & 0xF0) == 0xE0) {
          const unsigned point = (a & 0xF) << 12 | (b & 0x3F) << 6;
          expected = point >= 0x800 && (point < 0xD800 || point > 0xDFFF) ? 3 : 0;
        } else if (a >= 0xF0 && a <= 0xF7) {
          const unsigned point = (a & 7) << 18 | (b & 0x3F) << 12;
          expected = point >= 0x10000 && point <= 0x10FFFF ? 4 : 0;
        }
      }
      cr_assert_eq(mv_utf8_length(four, 4), expected, "%02X %02X", a, b);
      for (size_t size = 0; size < expected; size++) {
        cr_assert_eq(mv_utf8_length(four, size), 0, "%02X %02X of %zu bytes", a, b, size);
      }
    }
  }
}

Test(line, controls_are_replaced) {
  LINE("plain text", "plain text");
  LINE("\xC2\xA0\xE2\x80\xA8", "\xC2\xA0\xE2\x80\xA8");
  LINE("a\nb\tc\r", "a\\nb\\tc\\r");
  LINE("a\\nb\v", "a\\nb" FFFD);
  LINE("\x1B[31m\x7F", FFFD "[31m" FFFD);
  LINE("\xC2\x80\xC2\x9B\xC2\x9F", FFFD FFFD FFFD);
  LINE("\0\xFF", FFFD FFFD);
}

Test(xml, markup_is_escaped) {
  XML("a<b>&\"c\"'d'", "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  XML("&amp;", "&amp;amp;");
  XML("]]>", "]]&gt;");
  XML("jit(step)/mlp/dot_general", "jit(step)/mlp/dot_general");
}

Test(xml, white_space_survives_as_an_attribute_value) {
  XML("a\tb\nc\rd", "a&#9;b&#10;c&#13;d");
}

Test(xml, characters_that_xml_forbids_are_replaced) {
  XML("\x01\x08\x0B\x0C\x0E\x1F", FFFD FFFD FFFD FFFD FFFD FFFD);
  XML("a\0b", "a" FFFD "b");
  XML("\xEF\xBF\xBE\xEF\xBF\xBF", FFFD FFFD);
  XML("\xEF\xBF\xBD\xEF\xBE\xBF\x7F", "\xEF\xBF\xBD\xEF\xBE\xBF\x7F");
  XML("\xED\xA0\x80<", FFFD FFFD FFFD "&lt;");
}

Test(size, bytes_below_a_kibibyte) {
  expect_size(0, "0 B");
  expect_size(1, "1 B");
  expect_size(1023, "1023 B");
}

Test(size, three_digits_and_the_unit) {
  expect_size(1024, "1.00 KiB");
  expect_size(1029, "1.00 KiB");
  expect_size(1536, "1.50 KiB");
  expect_size(10 * 1024 - 1, "10.0 KiB");
  expect_size(10 * 1024, "10.0 KiB");
  expect_size(100 * 1024 - 1, "100 KiB");
  expect_size(4550656, "4.34 MiB");
  expect_size(INT64_C(16) << 30, "16.0 GiB");
  expect_size(INT64_C(3) << 40, "3.00 TiB");
  expect_size(INT64_C(5) << 50, "5.00 PiB");
}

Test(size, the_last_value_of_a_unit_takes_the_next_when_it_rounds_to_it) {
  expect_size(1023 * 1024, "1023 KiB"); /* 1047552 */
  expect_size(1023 * 1024 + 511, "1023 KiB");
  expect_size(1023 * 1024 + 512, "1.00 MiB");
  expect_size(1024 * 1024 - 1, "1.00 MiB");
}

Test(size, the_ends_of_int64) {
  expect_size(INT64_MAX, "8.00 EiB");
  expect_size(INT64_MIN, "-8.00 EiB");
}

Test(size, negative_sizes_have_a_sign) {
  expect_size(-1, "-1 B");
  expect_size(-1023, "-1023 B");
  expect_size(-1024, "-1.00 KiB");
  expect_size(-4550656, "-4.34 MiB");
}
