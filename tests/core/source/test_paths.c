#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "source/source.h"
#include "support/tree.h"

#define NONE "can't be opened: No such file or directory"

static void expect_message(const char *path, const char *expected) {
  char message[700];
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_source_open(path, NULL, &status));
  snprintf(message, sizeof message, "'%s': %s", path, expected);
  cr_expect_eq(status.code, MV_IO);
  cr_expect_str_eq(status.message, message);
}

Test(paths, what_a_shell_would_have_expanded) {
#define HOME NONE "; memview does not expand '~': give the whole path"
  expect_message("~", HOME);
  expect_message("~/dump", HOME);
  expect_message("~user/dump", HOME);
#define VARIABLE NONE "; memview does not expand variables: give the whole path"
  expect_message("$HOME/dump", VARIABLE);
  expect_message("/nowhere/${RUN}/dump", VARIABLE);
#define PATTERN                                                                                                        \
  NONE "; memview does not expand patterns: give the folder, or each path by itself (a table of paths can be joined)"
  expect_message("/nowhere/*.hlo.pb", PATTERN);
  expect_message("/nowhere/module_000?.pb", PATTERN);
  expect_message("/nowhere/[ab].pb", PATTERN);
  expect_message("/nowhere/{a,b}.pb", PATTERN);
}

Test(paths, what_a_storage_library_would_have_fetched) {
#define FETCH "is a URL, and memview does not fetch: copy it first"
  expect_message("gs://bucket/dump", FETCH ", as with 'gcloud storage cp -r', and give the path");
  expect_message("GS://bucket/*.pb", FETCH ", as with 'gcloud storage cp -r', and give the path");
  expect_message("s3://bucket/dump", FETCH ", as with 'aws s3 cp --recursive', and give the path");
  expect_message("http://host/a.hlo.pb", FETCH " and give the path");
  expect_message("https://host/a.hlo.pb?x=1", FETCH " and give the path");
  expect_message("hdfs://host/a", FETCH " and give the path");
}

Test(paths, files_as_urls) {
#define EXPAND "is a URL, and memview does not expand it: give the path '%s'"
  static const char *const urls[][2] = {{"file:///tmp/nowhere/dump", "/tmp/nowhere/dump"},
                                        {"file://localhost/tmp/nowhere/dump", "/tmp/nowhere/dump"},
                                        {"file:/tmp/nowhere/dump", "/tmp/nowhere/dump"},
                                        {"FILE:///tmp/nowhere/dump", "/tmp/nowhere/dump"}};
  for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
    char expected[200];
    snprintf(expected, sizeof expected, EXPAND, urls[i][1]);
    expect_message(urls[i][0], expected);
  }
}

Test(paths, others_are_not_there) {
  static const char *const paths[] = {"/nowhere",  "nowhere/a~b", "c:/nowhere",    "host:nowhere",
                                      ":/nowhere", "a]b[c",       "1gs://nowhere", "nowhere:80"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    expect_message(paths[i], NONE);
  }
}

/* What is there is opened, whatever it is called. */
Test(paths, files_with_such_names_are_opened) {
  static const char *const names[] = {"~", "$HOME", "*.hlo.pb", "gs:/bucket/[ab].pb"};
  char folder[PATH_ROOM];
  make_folder(folder);
  cr_assert_eq(chdir(folder), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tree_copy(folder, names[i], "cpu-mlp.hlo.pb");
    mv_status status = MV_STATUS_INIT;
    mv_source *s = mv_source_open(names[i], NULL, &status);
    cr_assert_not_null(s, "%s", status.message);
    cr_expect_eq(s->count, 1);
    mv_source_free(s);
  }
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open("gs://bucket/[ab].pb", NULL, &status); /* two slashes are one */
  cr_expect_not_null(s);
  mv_source_free(s);
  cr_assert_eq(chdir("/"), 0);
  tree_remove(folder);
}
