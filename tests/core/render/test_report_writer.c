/* Reports as text and as Markdown: wrapped, and without markup from names. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "render/report_writer.h"

static void check(mv_report_style style, const char *item, const char *expected) {
  mv_text out = MV_TEXT_INIT;
  mv_report_writer w = {&out, style, 0};
  mv_report_item(&w, "copy", mv_bytes_of_string(item));
  cr_expect_str_eq(out.data, expected);
  size_t lines = 0;
  for (size_t i = 0; i < out.size; i++) {
    lines += out.data[i] == '\n';
  }
  cr_expect_eq(w.lines, lines);
  cr_expect_eq(mv_report_item_lines(&w, "copy", mv_bytes_of_string(item)), lines);
  mv_text_free(&out);
}

Test(report_writer, markdown__nothing_of_a_name_is_markup) {
  check(MV_REPORT_MARKDOWN, "a_b*c*`d`[e](f)|g~h$i!j", "- **copy:** a\\_b\\*c\\*\\`d\\`\\[e\\](f)\\|g\\~h\\$i\\!j\n");
  check(MV_REPORT_MARKDOWN, "<script>&amp;\\", "- **copy:** &lt;script&gt;&amp;amp;\\\\\n");
  check(MV_REPORT_MARKDOWN, "@all #1", "- **copy:** \\@\u2060all \\#\u20601\n");
  check(MV_REPORT_MARKDOWN, "http://x WWW.x a.b", "- **copy:** http\\://x WWW\\.x a.b\n");
}

Test(report_writer, text__is_wrapped_at_blanks_and_within_long_words) {
  check(MV_REPORT_TEXT, "a <b> @c", "  - copy: a <b> @c\n");
  char words[MV_REPORT_WIDTH + 64] = "";
  char expected[sizeof words + 64];
  memset(words, 'x', MV_REPORT_WIDTH);
  snprintf(words + MV_REPORT_WIDTH, 64, " y  z");
  snprintf(expected, sizeof expected, "  - copy:\n    %.96s\n    xxxx y  z\n", words);
  check(MV_REPORT_TEXT, words, expected);
}

Test(report_writer, text__columns_are_characters) {
  char words[512] = "";
  for (int i = 0; i < 90; i++) {
    strcat(words, "é");
  }
  char expected[sizeof words + 64];
  snprintf(expected, sizeof expected, "  - copy: %s\n", words);
  check(MV_REPORT_TEXT, words, expected);
}

Test(report_writer, rows__are_aligned_or_a_table) {
  const mv_bytes cells[] = {mv_bytes_of_string("HBM|"), mv_bytes_of_string("1 B")};
  mv_text out = MV_TEXT_INIT;
  mv_report_row(&(mv_report_writer){&out, MV_REPORT_TEXT, 0}, cells, 2, true);
  cr_expect_str_eq(out.data, "  HBM|               1 B\n");
  mv_text_clear(&out);
  mv_report_row(&(mv_report_writer){&out, MV_REPORT_MARKDOWN, 0}, cells, 2, true);
  cr_expect_str_eq(out.data, "| HBM\\| | 1 B |\n| :-- | --: |\n");
  mv_text_free(&out);
}
