/* Names of modules that are long, have line breaks in them or are no text. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/source.h"
#include "support/hlo_builder.h"
#include "support/profile_builder.h"
#include "support/tree.h"

static mv_source *must_open(const char *path) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(path, NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  return s;
}

/* The name of the one module, before it is loaded (NULL where only that tells) and behind it. */
static void check_name(mv_source *s, bool is_known, const char *name, const char *what) {
  mv_status status = MV_STATUS_INIT;
  cr_assert_eq(s->count, 1, "%s: %zu entries", what, s->count);
  cr_expect(is_known ? s->entries[0].name != NULL && strcmp(s->entries[0].name, name) == 0 : s->entries[0].name == NULL,
            "%s", what);
  mv_module *m = mv_source_load(s, 0, NULL, &status);
  cr_assert_not_null(m, "%s: %s", what, status.message);
  cr_expect_str_eq(s->entries[0].name, name, "%s", what);
  cr_expect_null(s->entries[0].problem, "%s: %s", what, s->entries[0].problem);
  mv_module_free(m);
}

/* In a dump with a stage before it, in a profile, and as a BLOB. */
static void check_everywhere(const char *name, const char *shown, bool is_known, const char *what) {
  char folder[PATH_ROOM];
  mv_status status = MV_STATUS_INIT;
  make_folder(folder);
  mv_text early = hlo_parameter_proto(name, 0);
  mv_text whole = hlo_parameter_proto(name, 10);
  tree_write(folder, "module_0001.before_optimizations.hlo.pb", pb_view(&early));
  tree_write(folder, "module_0001.cpu_after_optimizations.hlo.pb", pb_view(&whole));
  if (is_known) { /* else the stages can't be told to be of one module */
    mv_source *dump = must_open(folder);
    check_name(dump, is_known, shown, what);
    mv_source_free(dump);
  }
  mv_source *blob = mv_source_of(pb_view(&whole), NULL, &status);
  cr_assert_not_null(blob, "%s: %s", what, status.message);
  check_name(blob, is_known, shown, what);
  mv_source_free(blob);
  mv_text event = MV_TEXT_INIT;
  mv_text space = MV_TEXT_INIT;
  mv_text_format(&event, "%s(7)", name);
  const profile_program program = {.event = event.data, .module = pb_view(&whole), .has_stat = true, .id = 7};
  profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 1}, &program, 1);
  mv_source *profile = mv_source_of(pb_view(&space), NULL, &status);
  cr_assert_not_null(profile, "%s: %s", what, status.message);
  cr_expect_eq(profile->entries[0].program_id, 7);
  check_name(profile, is_known, shown, what);
  mv_source_free(profile);
  tree_remove(folder);
  mv_text_free(&early);
  mv_text_free(&whole);
  mv_text_free(&event);
  mv_text_free(&space);
}

Test(module_names, with_line_breaks_and_bytes_that_are_no_text) {
  check_everywhere("jit\nf", "jit\nf", true, "a line break");
  check_everywhere("\tjit_f\r\n", "\tjit_f\r\n", true, "blanks around");
  check_everywhere("\n", "\n", true, "a line break alone");
  check_everywhere("jit\x01\x1B[2J\x7F", "jit\x01\x1B[2J\x7F", true, "controls");
  check_everywhere("jit_\xFF", "jit_\xEF\xBF\xBD", true, "no UTF-8");
}

Test(module_names, of_every_length) {
  static const size_t sizes[] = {1,    31,   32,   127,  128,  255,  2047, 2048,  2049,  4060,
                                 4080, 4094, 4095, 4096, 4097, 4098, 8192, 16383, 16384, 65532};
  static const char *const letters[] = {"n", "\xC3\xA9", "a\n"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++) {
      const size_t n = strlen(letters[k]);
      char what[64];
      char *name = malloc(sizes[i] + n + 1);
      cr_assert_not_null(name);
      for (size_t at = 0; at < sizes[i]; at += n) {
        memcpy(name + at, letters[k], n);
      }
      name[sizes[i] / n * n] = '\0';
      snprintf(what, sizeof what, "%zu bytes of kind %zu", sizes[i], k);
      if (name[0] != '\0') {
        check_everywhere(name, name, true, what);
      }
      free(name);
    }
  }
}

Test(module_names, beyond_64_kib__are_told_by_the_module) {
  enum { SIZE = 100000 };
  char *name = malloc(SIZE + 1);
  cr_assert_not_null(name);
  memset(name, 'n', SIZE);
  name[SIZE] = '\0';
  check_everywhere(name, name, false, "100000 bytes");
  free(name);
}

/* A name that reaches beyond its module is damage, not a name. */
Test(module_names, that_reach_beyond_the_module) {
  mv_text bytes = MV_TEXT_INIT;
  pb_tag(&bytes, 1, 2);
  pb_varint(&bytes, 4200);
  pb_tag(&bytes, 1, 2);
  pb_varint(&bytes, 5000);
  for (int i = 0; i < 6000; i++) {
    mv_text_char(&bytes, 'n');
  }
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_of(pb_view(&bytes), NULL, &status);
  if (s != NULL) {
    cr_expect_null(s->entries[0].name);
    cr_expect_null(mv_source_load(s, 0, NULL, &status));
  }
  cr_expect_eq(status.code, MV_FORMAT);
  mv_source_free(s);
  mv_text_free(&bytes);
}
