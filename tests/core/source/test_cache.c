/* Sources that are kept, and single files as sources. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/cache.h"
#include "support/files.h"
#include "support/hlo_builder.h"

static const mv_limits no_limits = {0};

static mv_source_cache *new_library(size_t max_bytes) {
  mv_status st = MV_STATUS_INIT;
  mv_source_cache *cache = mv_source_cache_new(&no_limits, max_bytes, &st);
  cr_assert_not_null(cache);
  return cache;
}

static mv_source_ref *opened(mv_source_cache *cache, const char *path) {
  mv_status st = MV_STATUS_INIT;
  mv_source_ref *ref = mv_source_cache_open(cache, path, &st);
  cr_assert_not_null(ref, "%s", st.message);
  return ref;
}

static const mv_module *loaded(mv_source_cache *cache, mv_source_ref *ref) {
  mv_status st = MV_STATUS_INIT;
  const mv_module *m = mv_source_cache_module(cache, ref, 0, &st);
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
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_status st = MV_STATUS_INIT;
  mv_source_ref *ref = mv_source_cache_open_bytes(cache, bytes, &st);
  if (ref != NULL) {
    cr_expect_null(mv_source_cache_module(cache, ref, 0, &st));
    const mv_entry *e = &mv_source_ref_source(ref)->entries[0];
    cr_expect_not_null(e->problem);
    cr_expect_not(e->is_readable);
    mv_status again = MV_STATUS_INIT;
    cr_expect_null(mv_source_cache_module(cache, ref, 0, &again));
    cr_expect_str_eq(again.message, st.message, "it says the same again");
  }
  cr_expect_eq(st.code, MV_FORMAT);
  cr_expect_str_eq(st.message, message, "%s", st.message);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
}

Test(cache, finds_a_source_and_its_module_again) {
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  const char *path = MV_TEST_DATA "/cpu-mlp.hlo.pb";
  mv_source_ref *a = opened(cache, path);
  const mv_module *m = loaded(cache, a);
  mv_source_cache_release_module(cache, a, 0);
  mv_source_cache_release(cache, a);
  const size_t footprint = mv_source_cache_footprint(cache);
  cr_expect_gt(footprint, mv_module_footprint(m));
  mv_source_ref *b = opened(cache, path);
  cr_expect_eq(a, b);
  cr_expect_eq(loaded(cache, b), m);
  cr_expect_eq(mv_source_cache_footprint(cache), footprint);
  mv_source_cache_release_module(cache, b, 0);
  mv_source_cache_release(cache, b);
  mv_source_cache_free(cache);
}

Test(cache, serials_tell_sources_apart) {
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_source_ref *a = opened(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  mv_source_ref *b = opened(cache, MV_TEST_DATA "/gpu-h100-mlp.hlo.pb");
  mv_source_ref *c = opened(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  cr_expect_neq(mv_source_ref_serial(a), mv_source_ref_serial(b));
  cr_expect_eq(mv_source_ref_serial(a), mv_source_ref_serial(c));
  mv_source_cache_release(cache, c);
  mv_source_cache_release(cache, b);
  mv_source_cache_release(cache, a);
  mv_source_cache_free(cache);
}

Test(cache, finds_a_blob_by_its_bytes) {
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_status st = MV_STATUS_INIT;
  mv_text one = proto_named("one", 1);
  mv_text same = proto_named("one", 1);
  mv_text two = proto_named("two", 1);
  mv_source_ref *a = mv_source_cache_open_bytes(cache, pb_view(&one), &st);
  mv_source_ref *b = mv_source_cache_open_bytes(cache, pb_view(&same), &st);
  mv_source_ref *c = mv_source_cache_open_bytes(cache, pb_view(&two), &st);
  cr_assert(a != NULL && b != NULL && c != NULL);
  cr_expect_eq(a, b);
  cr_expect_neq(a, c);
  mv_text_free(&one); /* the bytes were copied */
  mv_text_free(&same);
  mv_text_free(&two);
  const mv_module *m = loaded(cache, c);
  cr_expect(mv_bytes_equal_string(mv_module_bytes(m, m->name), "two"));
  mv_source_cache_release_module(cache, c, 0);
  mv_source_cache_release(cache, a);
  mv_source_cache_release(cache, b);
  mv_source_cache_release(cache, c);
  mv_source_cache_free(cache);
}

Test(cache, a_file_that_changed_is_read_anew) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  write_module(path, folder, "a.pb", "before", 1);
  mv_source_ref *a = opened(cache, path);
  const mv_module *before = loaded(cache, a);
  write_module(path, folder, "a.pb", "behind", 5);
  cr_expect_not(mv_source_is_current(mv_source_ref_source(a)));
  mv_source_ref *b = opened(cache, path);
  cr_expect_neq(a, b);
  const mv_module *behind = loaded(cache, b);
  cr_expect_eq(behind->instruction_count, 5);
  cr_expect_eq(before->instruction_count, 1, "what is held stays");
  mv_source_cache_release_module(cache, a, 0);
  mv_source_cache_release(cache, a);
  const size_t both = mv_source_cache_footprint(cache);
  mv_source_cache_release_module(cache, b, 0);
  mv_source_cache_release(cache, b);
  b = opened(cache, path);
  cr_expect_lt(mv_source_cache_footprint(cache), both, "the stale one is gone");
  mv_source_cache_release(cache, b);
  mv_source_cache_free(cache);
  remove_folder(folder);
}

Test(cache, a_file_that_is_gone_is_an_error) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  write_module(path, folder, "a.pb", "m", 1);
  mv_source_cache_release(cache, opened(cache, path));
  cr_assert_eq(unlink(path), 0);
  mv_status st = MV_STATUS_INIT;
  cr_expect_null(mv_source_cache_open(cache, path, &st));
  char message[2 * PATH_ROOM];
  snprintf(message, sizeof message, "'%s': can't be opened: No such file or directory", path);
  cr_expect_str_eq(st.message, message);
  mv_source_cache_free(cache);
  remove_folder(folder);
}

Test(cache, beyond_its_limit_the_least_recently_used_goes) {
  char folder[PATH_ROOM];
  char paths[4][PATH_ROOM];
  make_folder(folder);
  size_t one = 0;
  for (int i = 0; i < 4; i++) {
    char file[20];
    snprintf(file, sizeof file, "%d.pb", i);
    write_module(paths[i], folder, file, "m", 5000);
  }
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_source_ref *ref = opened(cache, paths[0]);
  loaded(cache, ref);
  one = mv_source_cache_footprint(cache);
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);

  cache = new_library(2 * one + one / 2);
  uint64_t serials[4];
  for (int i = 0; i < 4; i++) {
    ref = opened(cache, paths[i]);
    serials[i] = mv_source_ref_serial(ref);
    loaded(cache, ref);
    mv_source_cache_release_module(cache, ref, 0);
    mv_source_cache_release(cache, ref);
    cr_expect_leq(mv_source_cache_footprint(cache), 2 * one + one / 2);
  }
  cr_expect_gt(mv_source_cache_footprint(cache), one, "the last ones stay");
  ref = opened(cache, paths[3]);
  cr_expect_eq(mv_source_ref_serial(ref), serials[3]);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  remove_folder(folder);
}

Test(cache, what_is_held_stays_whatever_the_limit) {
  mv_source_cache *cache = new_library(1);
  mv_source_ref *a = opened(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  const mv_module *m = loaded(cache, a);
  mv_source_ref *b = opened(cache, MV_TEST_DATA "/gpu-h100-mlp.hlo.pb");
  const mv_module *n = loaded(cache, b);
  cr_expect_eq(m->platform, MV_PLATFORM_CPU);
  cr_expect_eq(n->platform, MV_PLATFORM_GPU);
  mv_source_cache_release_module(cache, b, 0);
  mv_source_cache_release(cache, b);
  cr_expect_eq(m->platform, MV_PLATFORM_CPU);
  mv_source_ref *again = opened(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  cr_expect_eq(again, a);
  mv_source_cache_release(cache, again);
  cr_expect_eq(loaded(cache, a), m);
  mv_source_cache_release_module(cache, a, 0);
  mv_source_cache_release_module(cache, a, 0);
  mv_source_cache_release(cache, a);
  cr_expect_eq(mv_source_cache_footprint(cache), 0, "nothing is held, nothing fits");
  mv_source_cache_free(cache);
}

Test(cache, release_of_nothing_does_nothing) {
  mv_source_cache *cache = new_library(1);
  mv_source_cache_release(cache, NULL);
  mv_source_cache_free(cache);
  mv_source_cache_free(NULL);
}

Test(source, tells_what_it_read) {
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_source_ref *ref = opened(cache, MV_TEST_DATA "/tpu-v5e-mlp.hlo.pb");
  const mv_source *s = mv_source_ref_source(ref);
  cr_assert_eq(s->count, 1);
  cr_expect_not(s->entries[0].summary.is_known, "nothing is loaded before it is asked for");
  const mv_module *m = loaded(cache, ref);
  const mv_entry *e = &s->entries[0];
  cr_expect(e->summary.is_known && e->summary.has_module && e->summary.has_assignment);
  cr_expect_str_eq(e->name, "jit_mlp_step");
  cr_expect_eq(e->summary.platform, MV_PLATFORM_TPU);
  cr_expect_eq(e->summary.instruction_count, m->instruction_count);
  cr_expect_eq(e->summary.buffer_count, m->buffer_count);
  cr_expect_eq(e->summary.proto_bytes, 36992);
  cr_expect_null(e->problem);
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
}

Test(source, gzip_of_a_file_is_the_file) {
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_status st = MV_STATUS_INIT;
  mv_text plain = read_data("tpu-v5e-mlp.hlo.pb");
  mv_text packed = gzip_of(pb_view(&plain));
  mv_source_ref *ref = mv_source_cache_open_bytes(cache, pb_view(&packed), &st);
  cr_assert_not_null(ref);
  const mv_module *m = loaded(cache, ref);
  cr_expect(mv_bytes_equal(m->bytes, pb_view(&plain)));
  cr_expect_eq(mv_source_ref_source(ref)->entries[0].summary.proto_bytes, 36992);
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
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
  mv_source_cache *cache = new_library(MV_SOURCE_CACHE_DEFAULT_BYTES);
  mv_source_ref *ref =
      opened(cache, MV_TEST_DATA "/dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb");
  const mv_module *m = loaded(cache, ref);
  cr_expect_not(m->has_assignment);
  cr_expect_str_eq(mv_source_ref_source(ref)->entries[0].problem,
                   "no buffer assignment: this is not the stage of the dump that has one");
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
}
