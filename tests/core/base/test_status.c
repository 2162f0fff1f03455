#include <criterion/criterion.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

static bool is_clean(const char *text) {
  return mv_utf8_is_clean(mv_bytes_of_string(text));
}

Test(status, the_first_failure_stays) {
  mv_status st = MV_STATUS_INIT;
  cr_expect_not(mv_fail(&st, MV_FORMAT, "byte %d", 7));
  cr_expect_not(mv_fail(&st, MV_IO, "later"));
  cr_expect_not(mv_fail_nomem(&st));
  cr_expect_eq(st.code, MV_FORMAT);
  cr_expect_str_eq(st.message, "byte 7");
}

Test(status, out_of_memory_has_words) {
  mv_status st = MV_STATUS_INIT;
  cr_expect_not(mv_fail_nomem(&st));
  cr_expect_eq(st.code, MV_NOMEM);
  cr_expect_str_eq(st.message, "out of memory");
}

Test(status, prefix_stands_before_the_message) {
  mv_status st = MV_STATUS_INIT;
  mv_status_prefix(&st, "'%s': ", "a.pb");
  cr_expect_eq(st.code, MV_OK);
  cr_expect_str_eq(st.message, "", "nothing failed");
  mv_fail(&st, MV_IO, "can't be opened");
  mv_status_prefix(&st, "'%s': ", "a.pb");
  cr_expect_str_eq(st.message, "'a.pb': can't be opened");
}

Test(status, a_message_that_is_cut_stays_utf8) {
  const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  for (size_t c = 0; c < 4; c++) {
    for (size_t lead = 0; lead < 4; lead++) { /* so that the cut falls on each byte of a character */
      char text[2048] = "";
      for (size_t i = 0; i < lead; i++) {
        strcat(text, "x");
      }
      while (strlen(text) < 1200) {
        strcat(text, characters[c]);
      }
      mv_status st = MV_STATUS_INIT;
      mv_fail(&st, MV_IO, "%s", text);
      cr_expect(is_clean(st.message), "%zu bytes a character, cut behind %zu", c + 1, lead);
      cr_expect_gt(strlen(st.message), sizeof st.message - 5);
      cr_expect_eq(strncmp(st.message, text, strlen(st.message)), 0);
    }
  }
}

Test(status, a_long_prefix_is_shortened_and_the_cause_is_kept) {
  for (size_t length = 480; length < 530; length++) {
    char path[1024] = "";
    for (size_t i = 0; i < length; i++) {
      strcat(path, i % 2 == 0 ? "\xC3" : "\xA9");
    }
    mv_status st = MV_STATUS_INIT;
    mv_fail(&st, MV_IO, "can't be opened: no such file");
    mv_status_prefix(&st, "'%s': ", path);
    const char *tail = "can't be opened: no such file";
    cr_assert_lt(strlen(st.message), sizeof st.message);
    cr_expect_str_eq(st.message + strlen(st.message) - strlen(tail), tail);
    if (length % 2 == 0) {
      cr_expect(is_clean(st.message), "%zu", length);
    }
  }
}

Test(status, a_prefix_to_a_message_that_fills_the_room_is_left_out) {
  char text[600];
  memset(text, 'm', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  mv_status st = MV_STATUS_INIT;
  mv_fail(&st, MV_FORMAT, "%s", text);
  mv_status_prefix(&st, "prefix: ");
  cr_expect_eq(strlen(st.message), sizeof st.message - 1);
  cr_expect_eq(st.message[0], 'm');
}
