#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>

#include "core/render/json_check.h"
#include "core/render/page_test.h"

static const mv_bytes no_bytes;

static mv_text page_of_file(const char *name) {
  mv_status status = MV_STATUS_INIT;
  mv_text path = MV_TEXT_INIT;
  mv_text_format(&path, "%s/%s", MV_TEST_DATA, name);
  mv_text page = page_of(path.data, no_bytes, NULL, MV_PAGE_MAX_BYTES, &status);
  cr_assert_not_null(page.data, "%s: %s", name, status.message);
  mv_text_free(&path);
  return page;
}

static mv_text page_of_proto(mv_text *proto) {
  mv_status status = MV_STATUS_INIT;
  mv_text page = page_of(NULL, mv_bytes_of(proto->data, proto->size), NULL, MV_PAGE_MAX_BYTES, &status);
  cr_assert_not_null(page.data, "%s", status.message);
  mv_text_free(proto);
  return page;
}

/* What holds of every page: whole, valid, and no more elements of script than it has blocks. */
static void check_page(const mv_text *page, size_t modules, const char *what) {
  cr_expect(mv_utf8_is_clean(mv_bytes_of(page->data, page->size)), "%s: UTF-8", what);
  cr_expect_not(page_contains(page, "{{"), "%s: marks filled in", what);
  cr_expect(json_is_valid(block_of(page, "index")), "%s: index", what);
  size_t blocks = 0;
  for (size_t i = 1; i <= modules; i++) {
    char id[32];
    snprintf(id, sizeof id, "module-%zu", i);
    const mv_bytes block = block_of(page, id);
    if (block.size > 0) {
      cr_expect(json_is_valid(block), "%s: %s", what, id);
      cr_expect_not(contains(block, "<"), "%s: %s", what, id);
      blocks++;
    }
  }
  cr_expect_eq(times(page, "<script"), blocks + 2, "%s: %zu", what, times(page, "<script"));
  cr_expect_eq(times(page, "</script>"), blocks + 2, "%s", what);
  cr_expect_eq(times(page, "<!--"), 0, "%s", what);
}

Test(page, json_check_can_fail) {
  static const char *const good[] = {"{}", "[]", "[1,-2,\"\\u003c\",{\"a\":[null,true]}]", "\"x\"", "0"};
  static const char *const bad[] = {"",      "[",      "[1,]", "{\"a\"}", "{\"a\":1,}", "[01]",
                                    "[1 2]", "\"\n\"", "[]x",  "\"\\x\"", "{]"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    cr_expect(json_is_valid(mv_bytes_of_string(good[i])), "%s", good[i]);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cr_expect_not(json_is_valid(mv_bytes_of_string(bad[i])), "%s", bad[i]);
  }
}

Test(page, is_well_formed_for_every_file_of_the_test_data) {
  DIR *folder = opendir(MV_TEST_DATA);
  cr_assert_not_null(folder);
  size_t seen = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (strstr(entry->d_name, ".hlo.pb") != NULL) {
      mv_text page = page_of_file(entry->d_name);
      check_page(&page, 1, entry->d_name);
      cr_expect_gt(block_of(&page, "module-1").size, 0, "%s", entry->d_name);
      mv_text_free(&page);
      seen++;
    }
  }
  closedir(folder);
  cr_expect_gt(seen, 20);
}

Test(page, has_a_block_for_each_module_of_a_directory) {
  mv_text page = page_of_file("logdir");
  check_page(&page, 20, "logdir");
  cr_expect_gt(block_of(&page, "module-13").size, 0);
  cr_expect_eq(block_of(&page, "module-14").size, 0);
  mv_text_free(&page);
}

Test(page, is_the_same_each_time) {
  mv_text a = page_of_file("dump");
  mv_text b = page_of_file("dump");
  cr_assert_eq(a.size, b.size);
  cr_expect(memcmp(a.data, b.data, a.size) == 0);
  mv_text_free(&a);
  mv_text_free(&b);
}

Test(page, loads_nothing_from_elsewhere) {
  mv_text page = page_of_file("cpu-mlp.hlo.pb");
  cr_expect(page_contains(&page, "default-src 'none'"));
  cr_expect_not(page_contains(&page, " src="));
  cr_expect_not(page_contains(&page, "@import"));
  cr_expect_not(page_contains(&page, "url("));
  cr_expect_not(page_contains(&page, "<link"));
  mv_text_free(&page);
}

Test(page, holds_what_the_module_is) {
  mv_text proto = proto_with("first", 5, "jit(f)/add", 10, 32);
  mv_text page = page_of_proto(&proto);
  const mv_bytes block = block_of(&page, "module-1");
  cr_expect(contains(block, "\"peak_bytes\":32,\"peak_unpadded_bytes\":32,\"padding_bytes\":0,\"peak_position\":1,"
                            "\"peak_instruction\":\"first\""));
  cr_expect(contains(block, "\"events\":2,\"peak_position\":1,\"bytes\":[0,32,0],\"unpadded\":[0,32,0],"
                            "\"occupied\":[0,32,0],\"event\":[0,2]"));
  cr_expect(contains(block, "\"blocks\":{\"buffer\":[0],\"root\":[1],\"start\":[1],\"end\":[3],\"size\":[32],"
                            "\"unpadded\":[32],\"offset\":[0],\"allocation\":[0],\"colour\":["));
  cr_expect(contains(block, "\"f32[8]\""));
  cr_expect(contains(block, "\"is_clamped\":false"));
  mv_text_free(&page);
}

Test(page, hostile_names_stay_inside_their_strings) {
  static const struct {
    const char *name;
    size_t size;
  } names[] = {
#define NAME(literal) {literal, sizeof literal - 1}
      NAME("</script><script>alert(1)</script>"),
      NAME("</SCRIPT >"),
      NAME("<!--<script>"),
      NAME("\"],\"x\":[\""),
      NAME("\\"),
      NAME("]]>&lt;"),
      NAME("\xE2\x80\xA8\xE2\x80\xA9"),
      NAME("\xFF\xFE\xC0\x80\xED\xA0\x80"),
      NAME("a\0b"),
      NAME("{{script}}"),
      NAME("\x1B[31m\r\n\t\x7F"),
#undef NAME
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    mv_text proto = proto_with(names[i].name, names[i].size, names[i].name, names[i].size, 32);
    mv_status status = MV_STATUS_INIT;
    mv_text page = page_of(NULL, mv_bytes_of(proto.data, proto.size), NULL, MV_PAGE_MAX_BYTES, &status);
    mv_text_free(&proto);
    cr_expect_not_null(page.data, "%s: %s", names[i].name, status.message);
    if (strstr(names[i].name, "{{") == NULL) {
      check_page(&page, 1, names[i].name);
    }
    cr_expect(json_is_valid(block_of(&page, "module-1")), "%s", names[i].name);
    cr_expect(json_is_valid(block_of(&page, "index")), "%s", names[i].name);
    mv_text_free(&page);
  }
}

Test(page, a_name_of_ten_kilobytes_stands_once) {
  enum { SIZE = 10240 };
  static char name[SIZE + 1];
  memset(name, 'n', SIZE);
  mv_text proto = proto_with(name, SIZE, name, SIZE, 32);
  mv_text page = page_of_proto(&proto);
  check_page(&page, 1, "a long name");
  const mv_bytes block = block_of(&page, "module-1");
  cr_expect_gt(block.size, SIZE);
  cr_expect_lt(block.size, 3 * SIZE); /* in the strings, and as the peak's instruction */
  mv_text_free(&page);
}

Test(page, sizes_beyond_a_double_are_clamped_and_told) {
  mv_text proto = proto_with("big", 3, "", 0, INT64_C(1) << 60);
  mv_text page = page_of_proto(&proto);
  const mv_bytes block = block_of(&page, "module-1");
  cr_expect(json_is_valid(block));
  cr_expect(contains(block, "\"is_clamped\":true"));
  cr_expect(contains(block, "\"peak_bytes\":9007199254740992"));
  cr_expect_not(contains(block, "1152921504606846976"));
  mv_text_free(&page);
}

Test(page, lists_a_module_without_assignment_with_its_problem) {
  mv_text module = MV_TEXT_INIT;
  mv_text proto = MV_TEXT_INIT;
  pb_string(&module, 1, "lonely");
  pb_int(&module, 5, 3);
  pb_message(&proto, 1, &module);
  mv_text page = page_of_proto(&proto);
  check_page(&page, 1, "no assignment");
  const mv_bytes index = block_of(&page, "index");
  cr_expect(contains(index, "\"name\":\"lonely\""));
  cr_expect(contains(index, "\"space_count\":0"));
  cr_expect_not(contains(index, "\"problem\":null"));
  mv_text_free(&page);
}

Test(page, fails_where_nothing_can_be_read) {
  mv_status status = MV_STATUS_INIT;
  mv_text page = page_of(NULL, mv_bytes_of_string("no protobuf"), NULL, MV_PAGE_MAX_BYTES, &status);
  cr_expect_null(page.data);
  cr_expect_neq(status.code, MV_OK);
  cr_expect_gt(strlen(status.message), 0);
}

Test(page, leaves_out_what_does_not_fit_and_says_so) {
  mv_status status = MV_STATUS_INIT;
  mv_text page = page_of(MV_TEST_DATA "/logdir", no_bytes, NULL, 0, &status);
  cr_assert_not_null(page.data, "%s", status.message);
  check_page(&page, 13, "nothing fits");
  cr_expect_eq(block_of(&page, "module-1").size, 0);
  cr_expect_eq(times(&page, "\"left_out_bytes\":"), 13);
  mv_text_free(&page);

  mv_text whole = page_of(MV_TEST_DATA "/logdir", no_bytes, NULL, MV_PAGE_MAX_BYTES, &status);
  const size_t up_to_seven = (size_t)((const char *)block_of(&whole, "module-7").data - whole.data);
  page = page_of(MV_TEST_DATA "/logdir", no_bytes, NULL, up_to_seven, &status);
  const size_t left_out = times(&page, "\"left_out_bytes\":");
  cr_expect_gt(left_out, 0);
  cr_expect_lt(left_out, 13);
  cr_expect_lt(page.size, whole.size);
  check_page(&page, 13, "some fit");
  mv_text_free(&page);
  mv_text_free(&whole);
}

static bool yes(void *arg) {
  ++*(int *)arg;
  return true;
}

Test(page, stops_when_the_host_asks) {
  int asked = 0;
  const mv_limits limits = {.interrupted = yes, .arg = &asked};
  mv_status status = MV_STATUS_INIT;
  mv_text page = page_of(MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb", no_bytes, &limits, MV_PAGE_MAX_BYTES, &status);
  cr_expect_null(page.data);
  cr_expect_eq(status.code, MV_INTERRUPTED);
  cr_expect_gt(asked, 0);
}
