/* Sources that are kept, and single files as sources. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/cache.h"
#include "support/files.h"
#include "support/hlo_builder.h"

static const mv_limits no_limits = {0};

static mv_library *new_library(size_t max_bytes) {
  mv_status st = MV_STATUS_INIT;
  mv_library *library = mv_library_new(&no_limits, max_bytes, &st);
  cr_assert_not_null(library);
  return library;
}

static mv_held *opened(mv_library *library, const char *path) {
  mv_status st = MV_STATUS_INIT;
  mv_held *held = mv_library_open(library, path, &st);
  cr_assert_not_null(held, "%s", st.message);
  return held;
}

static mv_module *loaded(mv_library *library, mv_held *held) {
  mv_status st = MV_STATUS_INIT;
  mv_module *m = mv_library_module(library, held, 0, &st);
  cr_assert_not_null(m, "%s", st.message);
  return m;
}

static mv_text proto_named(const char *name, int64_t instructions) {
  hlo h = hlo_new(name);
  for (int64_t id = 1; id <= instructions; id++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = id, .name = "instruction"});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1, .is_constant = true});
  return hlo_proto(&h);
}

static void write_module(char path[PATH_ROOM], const char *folder, const char *file, const char *name, int64_t count) {
  mv_text proto = proto_named(name, count);
  write_file(path, folder, file, pb_view(&proto));
  mv_text_free(&proto);
}

static void expect_failure(mv_bytes bytes, const char *message) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_status st = MV_STATUS_INIT;
  mv_held *held = mv_library_open_bytes(library, bytes, &st);
  if (held != NULL) {
    cr_expect_null(mv_library_module(library, held, 0, &st));
    const mv_entry *e = &mv_held_source(held)->entries[0];
    cr_expect_not_null(e->problem);
    cr_expect_not(e->is_readable);
    mv_status again = MV_STATUS_INIT;
    cr_expect_null(mv_library_module(library, held, 0, &again));
    cr_expect_str_eq(again.message, st.message, "it says the same again");
  }
  cr_expect_eq(st.code, MV_FORMAT);
  cr_expect_str_eq(st.message, message, "%s", st.message);
  mv_library_release(library, held);
  mv_library_free(library);
}

Test(library, finds_a_source_and_its_module_again) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  const char *path = MV_TEST_DATA "/cpu-mlp.hlo.pb";
  mv_held *a = opened(library, path);
  mv_module *m = loaded(library, a);
  mv_library_release_module(library, a, 0);
  mv_library_release(library, a);
  const size_t footprint = mv_library_footprint(library);
  cr_expect_gt(footprint, mv_module_footprint(m));
  mv_held *b = opened(library, path);
  cr_expect_eq(a, b);
  cr_expect_eq(loaded(library, b), m);
  cr_expect_eq(mv_library_footprint(library), footprint);
  mv_library_release_module(library, b, 0);
  mv_library_release(library, b);
  mv_library_free(library);
}

Test(library, serials_tell_sources_apart) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_held *a = opened(library, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  mv_held *b = opened(library, MV_TEST_DATA "/gpu-h100-mlp.hlo.pb");
  mv_held *c = opened(library, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  cr_expect_neq(mv_held_serial(a), mv_held_serial(b));
  cr_expect_eq(mv_held_serial(a), mv_held_serial(c));
  mv_library_release(library, c);
  mv_library_release(library, b);
  mv_library_release(library, a);
  mv_library_free(library);
}

Test(library, finds_a_blob_by_its_bytes) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_status st = MV_STATUS_INIT;
  mv_text one = proto_named("one", 1);
  mv_text same = proto_named("one", 1);
  mv_text two = proto_named("two", 1);
  mv_held *a = mv_library_open_bytes(library, pb_view(&one), &st);
  mv_held *b = mv_library_open_bytes(library, pb_view(&same), &st);
  mv_held *c = mv_library_open_bytes(library, pb_view(&two), &st);
  cr_assert(a != NULL && b != NULL && c != NULL);
  cr_expect_eq(a, b);
  cr_expect_neq(a, c);
  mv_text_free(&one); /* the bytes were copied */
  mv_text_free(&same);
  mv_text_free(&two);
  mv_module *m = loaded(library, c);
  cr_expect(mv_bytes_equal_string(mv_module_bytes(m, m->name), "two"));
  mv_library_release_module(library, c, 0);
  mv_library_release(library, a);
  mv_library_release(library, b);
  mv_library_release(library, c);
  mv_library_free(library);
}

Test(library, a_file_that_changed_is_read_anew) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  write_module(path, folder, "a.pb", "before", 1);
  mv_held *a = opened(library, path);
  mv_module *before = loaded(library, a);
  write_module(path, folder, "a.pb", "behind", 5);
  cr_expect_not(mv_source_is_current(mv_held_source(a)));
  mv_held *b = opened(library, path);
  cr_expect_neq(a, b);
  mv_module *behind = loaded(library, b);
  cr_expect_eq(behind->instruction_count, 5);
  cr_expect_eq(before->instruction_count, 1, "what is held stays");
  mv_library_release_module(library, a, 0);
  mv_library_release(library, a);
  const size_t both = mv_library_footprint(library);
  mv_library_release_module(library, b, 0);
  mv_library_release(library, b);
  b = opened(library, path);
  cr_expect_lt(mv_library_footprint(library), both, "the stale one is gone");
  mv_library_release(library, b);
  mv_library_free(library);
  remove_folder(folder);
}

Test(library, a_file_that_is_gone_is_an_error) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  write_module(path, folder, "a.pb", "m", 1);
  mv_library_release(library, opened(library, path));
  cr_assert_eq(unlink(path), 0);
  mv_status st = MV_STATUS_INIT;
  cr_expect_null(mv_library_open(library, path, &st));
  char message[2 * PATH_ROOM];
  snprintf(message, sizeof message, "'%s': can't be opened: No such file or directory", path);
  cr_expect_str_eq(st.message, message);
  mv_library_free(library);
  remove_folder(folder);
}

Test(library, beyond_its_limit_the_least_recently_used_goes) {
  char folder[PATH_ROOM];
  char paths[4][PATH_ROOM];
  make_folder(folder);
  size_t one = 0;
  for (int i = 0; i < 4; i++) {
    char file[20];
    snprintf(file, sizeof file, "%d.pb", i);
    write_module(paths[i], folder, file, "m", 5000);
  }
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_held *held = opened(library, paths[0]);
  loaded(library, held);
  one = mv_library_footprint(library);
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  mv_library_free(library);

  library = new_library(2 * one + one / 2);
  uint64_t serials[4];
  for (int i = 0; i < 4; i++) {
    held = opened(library, paths[i]);
    serials[i] = mv_held_serial(held);
    loaded(library, held);
    mv_library_release_module(library, held, 0);
    mv_library_release(library, held);
    cr_expect_leq(mv_library_footprint(library), 2 * one + one / 2);
  }
  cr_expect_gt(mv_library_footprint(library), one, "the last ones stay");
  held = opened(library, paths[3]);
  cr_expect_eq(mv_held_serial(held), serials[3]);
  mv_library_release(library, held);
  mv_library_free(library);
  remove_folder(folder);
}

Test(library, what_is_held_stays_whatever_the_limit) {
  mv_library *library = new_library(1);
  mv_held *a = opened(library, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  mv_module *m = loaded(library, a);
  mv_held *b = opened(library, MV_TEST_DATA "/gpu-h100-mlp.hlo.pb");
  mv_module *n = loaded(library, b);
  cr_expect_eq(m->platform, MV_PLATFORM_CPU);
  cr_expect_eq(n->platform, MV_PLATFORM_GPU);
  mv_library_release_module(library, b, 0);
  mv_library_release(library, b);
  cr_expect_eq(m->platform, MV_PLATFORM_CPU);
  mv_held *again = opened(library, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  cr_expect_eq(again, a);
  mv_library_release(library, again);
  cr_expect_eq(loaded(library, a), m);
  mv_library_release_module(library, a, 0);
  mv_library_release_module(library, a, 0);
  mv_library_release(library, a);
  cr_expect_eq(mv_library_footprint(library), 0, "nothing is held, nothing fits");
  mv_library_free(library);
}

Test(library, release_of_nothing_does_nothing) {
  mv_library *library = new_library(1);
  mv_library_release(library, NULL);
  mv_library_free(library);
  mv_library_free(NULL);
}

Test(source, tells_what_it_read) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_held *held = opened(library, MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb");
  const mv_source *s = mv_held_source(held);
  cr_assert_eq(s->count, 1);
  cr_expect_not(s->entries[0].summary.is_known, "nothing is loaded before it is asked for");
  const mv_module *m = loaded(library, held);
  const mv_entry *e = &s->entries[0];
  cr_expect(e->summary.is_known && e->summary.has_module && e->summary.has_assignment);
  cr_expect_str_eq(e->name, "jit_mlp_step");
  cr_expect_eq(e->summary.platform, MV_PLATFORM_TPU);
  cr_expect_eq(e->summary.instruction_count, m->instruction_count);
  cr_expect_eq(e->summary.buffer_count, m->buffer_count);
  cr_expect_eq(e->summary.proto_bytes, 36992);
  cr_expect_null(e->problem);
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  mv_library_free(library);
}

Test(source, gzip_of_a_file_is_the_file) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_status st = MV_STATUS_INIT;
  mv_text plain = read_data("tpu-v5e-mlp.hlo.pb");
  mv_text packed = gzip_of(pb_view(&plain));
  mv_held *held = mv_library_open_bytes(library, pb_view(&packed), &st);
  cr_assert_not_null(held);
  const mv_module *m = loaded(library, held);
  cr_expect(mv_bytes_equal(m->bytes, pb_view(&plain)));
  cr_expect_eq(mv_held_source(held)->entries[0].summary.proto_bytes, 36992);
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  mv_library_free(library);
  mv_text_free(&packed);
  mv_text_free(&plain);
}

Test(source, bytes_that_are_no_source) {
  expect_failure(mv_bytes_of(NULL, 0),
                 "the BLOB is empty (0 bytes): a writer that meets protobuf's limit of 2 GiB leaves such a file");
  expect_failure(mv_bytes_of("a text\n", 7), "the BLOB is text, not an HloProto or XSpace");
  expect_failure(mv_bytes_of("\x89PNG\r\n\x1A\n", 8), "the BLOB is not an HloProto or XSpace");
  expect_failure(mv_bytes_of("\x1F\x8B\x08", 3), "the BLOB gzip data cut short at byte 3");
}

Test(source, a_cut_file_says_the_same_each_time) {
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  expect_failure(mv_bytes_of(bytes.data, 3000), "cut short at byte 3000 of field hlo_module");
  mv_text packed = gzip_of(pb_view(&bytes));
  char message[100];
  snprintf(message, sizeof message, "gzip data cut short at byte %zu", packed.size - 100);
  expect_failure(mv_bytes_of(packed.data, packed.size - 100), message);
  mv_text_free(&packed);
  mv_text_free(&bytes);
}

Test(source, a_module_without_its_assignment_has_a_problem) {
  mv_library *library = new_library(MV_LIBRARY_DEFAULT_BYTES);
  mv_held *held =
      opened(library, MV_TEST_DATA "/dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb");
  const mv_module *m = loaded(library, held);
  cr_expect_not(m->has_assignment);
  cr_expect_str_eq(mv_held_source(held)->entries[0].problem,
                   "no buffer assignment: this is not the stage of the dump that has one");
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  mv_library_free(library);
}
