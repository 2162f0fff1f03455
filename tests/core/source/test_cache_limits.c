#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/cache.h"
#include "support/hlo_builder.h"
#include "support/tree.h"

enum { ROOMY = 1 << 30 };

static void write_sized(const char *folder, const char *file, const char *name, int64_t size) {
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_text proto = hlo_proto(&h);
  tree_write(folder, file, pb_view(&proto));
  mv_text_free(&proto);
}

static mv_source_cache *new_library(size_t max_bytes) {
  mv_status status = MV_STATUS_INIT;
  mv_source_cache *cache = mv_source_cache_new(NULL, max_bytes, &status);
  cr_assert_not_null(cache);
  return cache;
}

static mv_source_ref *must_open(mv_source_cache *cache, const char *path) {
  mv_status status = MV_STATUS_INIT;
  mv_source_ref *ref = mv_source_cache_open(cache, path, &status);
  cr_assert_not_null(ref, "%s", status.message);
  return ref;
}

static const mv_module *must_load(mv_source_cache *cache, mv_source_ref *ref, size_t index) {
  mv_status status = MV_STATUS_INIT;
  const mv_module *m = mv_source_cache_module(cache, ref, index, &status);
  cr_assert_not_null(m, "%s", status.message);
  return m;
}

/* The size of the allocation of a file's one module, asked for anew. */
static int64_t size_now(mv_source_cache *cache, const char *path) {
  mv_source_ref *ref = must_open(cache, path);
  const int64_t size = must_load(cache, ref, 0)->allocations[0].size_bytes;
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  return size;
}

Test(cache, file__is_loaded_once_while_it_stays_as_it_is) {
  mv_source_cache *cache = new_library(ROOMY);
  mv_source_ref *a = must_open(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  const mv_module *m = must_load(cache, a, 0);
  const size_t footprint = mv_source_cache_footprint(cache);
  mv_source_ref *b = must_open(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  cr_assert_eq(a, b);
  cr_assert_eq(must_load(cache, b, 0), m);
  cr_assert_eq(mv_source_cache_footprint(cache), footprint);
  mv_source_cache_release_module(cache, a, 0);
  mv_source_cache_release_module(cache, b, 0);
  mv_source_cache_release(cache, a);
  mv_source_cache_release(cache, b);
  a = must_open(cache, MV_TEST_DATA "/cpu-mlp.hlo.pb"); /* nobody held it in between */
  cr_assert_eq(must_load(cache, a, 0), m);
  mv_source_cache_release_module(cache, a, 0);
  mv_source_cache_release(cache, a);
  mv_source_cache_free(cache);
}

Test(cache, changed_file__is_read_again) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  char other[PATH_ROOM + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/a.hlo.pb", folder);
  snprintf(other, sizeof other, "%s/b.hlo.pb", folder);
  mv_source_cache *cache = new_library(ROOMY);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  cr_assert_eq(size_now(cache, path), 10);
  struct stat st;
  cr_assert_eq(stat(path, &st), 0);
  const struct timespec times[] = {st.st_atim, st.st_mtim};
  write_sized(folder, "a.hlo.pb", "jit_f", 11); /* the same length, another time */
  cr_assert_eq(size_now(cache, path), 11);
  write_sized(folder, "a.hlo.pb", "jit_longer", 12); /* another length, the same time */
  cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
  cr_assert_eq(size_now(cache, path), 12);
  write_sized(folder, "b.hlo.pb", "jit_longer", 13); /* another file with the same length and time */
  cr_assert_eq(utimensat(AT_FDCWD, other, times, 0), 0);
  cr_assert_eq(rename(other, path), 0);
  cr_assert_eq(size_now(cache, path), 13);
  write_sized(folder, "a.hlo.pb", "jit_longer", 14); /* length, time and file as they were */
  cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
  cr_assert_eq(size_now(cache, path), 14);
  cr_assert_eq(unlink(path), 0);
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_source_cache_open(cache, path, &status));
  cr_assert_eq(status.code, MV_IO);
  write_sized(folder, "a.hlo.pb", "jit_f", 15);
  cr_assert_eq(size_now(cache, path), 15);
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, changed_file__stays_as_it_was_for_who_holds_it) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/a.hlo.pb", folder);
  mv_source_cache *cache = new_library(ROOMY);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  mv_source_ref *old = must_open(cache, path);
  const mv_module *m = must_load(cache, old, 0);
  write_sized(folder, "a.hlo.pb", "jit_f", 11);
  cr_assert_eq(size_now(cache, path), 11);
  cr_assert_eq(m->allocations[0].size_bytes, 10);
  mv_source_cache_release_module(cache, old, 0);
  mv_source_cache_release(cache, old);
  cr_assert_eq(size_now(cache, path), 11);
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, new_file_in_a_folder__appears) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_source_cache *cache = new_library(ROOMY);
  write_sized(folder, "x/a.hlo.pb", "jit_f", 10);
  mv_source_ref *ref = must_open(cache, folder);
  cr_assert_eq(mv_source_ref_source(ref)->count, 1);
  mv_source_cache_release(cache, ref);
  write_sized(folder, "x/b.hlo.pb", "jit_g", 10);
  ref = must_open(cache, folder);
  cr_assert_eq(mv_source_ref_source(ref)->count, 2);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, memory__is_bounded_but_what_is_held_stays) {
  char folder[PATH_ROOM];
  char name[32];
  enum { FILES = 60 };
  make_folder(folder);
  for (int i = 0; i < FILES; i++) {
    snprintf(name, sizeof name, "m%02d.hlo.pb", i);
    write_sized(folder, name, "jit_f", 100 + i);
  }
  mv_source_cache *cache = new_library(ROOMY);
  mv_source_ref *ref = must_open(cache, folder);
  const size_t listed = mv_source_cache_footprint(cache);
  must_load(cache, ref, 0);
  const size_t one = mv_source_cache_footprint(cache) - listed;
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);

  const size_t limit = listed + 10 * one;
  cache = new_library(limit);
  ref = must_open(cache, folder);
  const mv_module *first = must_load(cache, ref, 0);
  for (size_t round = 0; round < 2; round++) {
    for (size_t i = 1; i < FILES; i++) {
      cr_assert_eq(must_load(cache, ref, i)->allocations[0].size_bytes, 100 + (int64_t)i);
      cr_assert_leq(mv_source_cache_footprint(cache), limit + one);
      mv_source_cache_release_module(cache, ref, i);
    }
  }
  cr_assert_eq(must_load(cache, ref, 0), first);
  cr_assert_eq(first->allocations[0].size_bytes, 100);
  const mv_module *last = must_load(cache, ref, FILES - 1); /* the last used are still there */
  mv_source_cache_release_module(cache, ref, FILES - 1);
  cr_assert_eq(must_load(cache, ref, FILES - 1), last);
  mv_source_cache_release_module(cache, ref, FILES - 1);
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release_module(cache, ref, 0);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, list__fills_summaries_and_keeps_few_modules) {
  char folder[PATH_ROOM];
  char name[32];
  enum { FILES = 60 };
  make_folder(folder);
  for (int i = 0; i < FILES; i++) {
    snprintf(name, sizeof name, "m%02d.hlo.pb", i);
    write_sized(folder, name, "jit_f", 100 + i);
  }
  tree_write(folder, "z.hlo.pb", mv_bytes_of("", 0));
  mv_source_cache *cache = new_library(1 << 20);
  mv_source_ref *ref = must_open(cache, folder);
  const mv_source *source = mv_source_ref_source(ref);
  mv_status status = MV_STATUS_INIT;
  for (size_t i = 0; i < FILES; i++) {
    cr_assert(mv_source_cache_summarize(cache, ref, i, &status), "%s", status.message);
    cr_assert(source->entries[i].summary.is_known);
    cr_assert_eq(source->entries[i].summary.buffer_count, 1);
    cr_assert_leq(mv_source_cache_footprint(cache), (1 << 20) / 8);
  }
  cr_assert_not(mv_source_cache_summarize(cache, ref, FILES, &status));
  cr_assert_eq(status.code, MV_FORMAT);
  status = (mv_status)MV_STATUS_INIT;
  for (size_t i = 0; i < FILES; i++) { /* known: the files are not needed any more */
    cr_assert_eq(unlink(source->entries[i].path), 0);
    cr_assert(mv_source_cache_summarize(cache, ref, i, &status));
  }
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, sources__are_bounded_in_number) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 32];
  make_folder(folder);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  mv_source_cache *cache = new_library(ROOMY);
  size_t most = 0;
  for (int i = 0; i < 2000; i++) {
    snprintf(path, sizeof path, "%s/m%d.hlo.pb", folder, i);
    char target[PATH_ROOM + 16];
    snprintf(target, sizeof target, "%s/a.hlo.pb", folder);
    cr_assert_eq(symlink(target, path), 0);
    cr_assert_eq(size_now(cache, path), 10);
    const size_t footprint = mv_source_cache_footprint(cache);
    cr_assert(i < 500 || footprint <= most);
    most = i < 500 && footprint > most ? footprint : most;
  }
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, what_the_system_refused__is_tried_again) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  char aside[PATH_ROOM + 16];
  make_folder(folder);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  write_sized(folder, "b.hlo.pb", "jit_g", 20);
  mv_source_cache *cache = new_library(ROOMY);
  mv_source_ref *ref = must_open(cache, folder);
  snprintf(path, sizeof path, "%s/b.hlo.pb", folder);
  snprintf(aside, sizeof aside, "%s/aside", folder);
  cr_assert_eq(rename(path, aside), 0);
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_source_cache_module(cache, ref, 1, &status));
  cr_assert_eq(status.code, MV_IO);
  cr_assert_str_eq(mv_source_ref_source(ref)->entries[1].problem, status.message);
  mv_source_cache_release(cache, ref);
  cr_assert_eq(rename(aside, path), 0);
  ref = must_open(cache, folder);
  cr_assert_eq(must_load(cache, ref, 1)->allocations[0].size_bytes, 20);
  cr_assert_null(mv_source_ref_source(ref)->entries[1].problem);
  mv_source_cache_release_module(cache, ref, 1);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  tree_remove(folder);
}

Test(cache, blob__is_found_again_by_its_bytes) {
  mv_source_cache *cache = new_library(ROOMY);
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  mv_text copy = read_data("cpu-mlp.hlo.pb");
  mv_status status = MV_STATUS_INIT;
  mv_source_ref *a = mv_source_cache_open_bytes(cache, pb_view(&bytes), &status);
  mv_source_ref *b = mv_source_cache_open_bytes(cache, pb_view(&copy), &status);
  cr_assert_not_null(a);
  cr_assert_eq(a, b);
  copy.data[copy.size - 1] ^= 1;
  mv_source_ref *c = mv_source_cache_open_bytes(cache, pb_view(&copy), &status);
  cr_assert_neq(a, c);
  mv_source_cache_release(cache, a);
  mv_source_cache_release(cache, b);
  mv_source_cache_release(cache, c);
  mv_source_cache_free(cache);
  mv_text_free(&bytes);
  mv_text_free(&copy);
}
