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

static mv_library *new_library(size_t max_bytes) {
  mv_status status = MV_STATUS_INIT;
  mv_library *library = mv_library_new(NULL, max_bytes, &status);
  cr_assert_not_null(library);
  return library;
}

static mv_held *must_open(mv_library *library, const char *path) {
  mv_status status = MV_STATUS_INIT;
  mv_held *held = mv_library_open(library, path, &status);
  cr_assert_not_null(held, "%s", status.message);
  return held;
}

static mv_module *must_load(mv_library *library, mv_held *held, size_t index) {
  mv_status status = MV_STATUS_INIT;
  mv_module *m = mv_library_module(library, held, index, &status);
  cr_assert_not_null(m, "%s", status.message);
  return m;
}

/* The size of the allocation of a file's one module, asked for anew. */
static int64_t size_now(mv_library *library, const char *path) {
  mv_held *held = must_open(library, path);
  const int64_t size = must_load(library, held, 0)->allocations[0].size_bytes;
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  return size;
}

Test(cache, file__is_loaded_once_while_it_stays_as_it_is) {
  mv_library *library = new_library(ROOMY);
  mv_held *a = must_open(library, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  mv_module *m = must_load(library, a, 0);
  const size_t footprint = mv_library_footprint(library);
  mv_held *b = must_open(library, MV_TEST_DATA "/cpu-mlp.hlo.pb");
  cr_assert_eq(a, b);
  cr_assert_eq(must_load(library, b, 0), m);
  cr_assert_eq(mv_library_footprint(library), footprint);
  mv_library_release_module(library, a, 0);
  mv_library_release_module(library, b, 0);
  mv_library_release(library, a);
  mv_library_release(library, b);
  a = must_open(library, MV_TEST_DATA "/cpu-mlp.hlo.pb"); /* nobody held it in between */
  cr_assert_eq(must_load(library, a, 0), m);
  mv_library_release_module(library, a, 0);
  mv_library_release(library, a);
  mv_library_free(library);
}

Test(cache, changed_file__is_read_again) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  char other[PATH_ROOM + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/a.hlo.pb", folder);
  snprintf(other, sizeof other, "%s/b.hlo.pb", folder);
  mv_library *library = new_library(ROOMY);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  cr_assert_eq(size_now(library, path), 10);
  struct stat st;
  cr_assert_eq(stat(path, &st), 0);
  const struct timespec times[] = {st.st_atim, st.st_mtim};
  write_sized(folder, "a.hlo.pb", "jit_f", 11); /* the same length, another time */
  cr_assert_eq(size_now(library, path), 11);
  write_sized(folder, "a.hlo.pb", "jit_longer", 12); /* another length, the same time */
  cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
  cr_assert_eq(size_now(library, path), 12);
  write_sized(folder, "b.hlo.pb", "jit_longer", 13); /* another file with the same length and time */
  cr_assert_eq(utimensat(AT_FDCWD, other, times, 0), 0);
  cr_assert_eq(rename(other, path), 0);
  cr_assert_eq(size_now(library, path), 13);
  write_sized(folder, "a.hlo.pb", "jit_longer", 14); /* length, time and file as they were */
  cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
  cr_assert_eq(size_now(library, path), 14);
  cr_assert_eq(unlink(path), 0);
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_library_open(library, path, &status));
  cr_assert_eq(status.code, MV_IO);
  write_sized(folder, "a.hlo.pb", "jit_f", 15);
  cr_assert_eq(size_now(library, path), 15);
  mv_library_free(library);
  tree_remove(folder);
}

Test(cache, changed_file__stays_as_it_was_for_who_holds_it) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/a.hlo.pb", folder);
  mv_library *library = new_library(ROOMY);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  mv_held *old = must_open(library, path);
  mv_module *m = must_load(library, old, 0);
  write_sized(folder, "a.hlo.pb", "jit_f", 11);
  cr_assert_eq(size_now(library, path), 11);
  cr_assert_eq(m->allocations[0].size_bytes, 10);
  mv_library_release_module(library, old, 0);
  mv_library_release(library, old);
  cr_assert_eq(size_now(library, path), 11);
  mv_library_free(library);
  tree_remove(folder);
}

Test(cache, new_file_in_a_folder__appears) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_library *library = new_library(ROOMY);
  write_sized(folder, "x/a.hlo.pb", "jit_f", 10);
  mv_held *held = must_open(library, folder);
  cr_assert_eq(mv_held_source(held)->count, 1);
  mv_library_release(library, held);
  write_sized(folder, "x/b.hlo.pb", "jit_g", 10);
  held = must_open(library, folder);
  cr_assert_eq(mv_held_source(held)->count, 2);
  mv_library_release(library, held);
  mv_library_free(library);
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
  mv_library *library = new_library(ROOMY);
  mv_held *held = must_open(library, folder);
  const size_t listed = mv_library_footprint(library);
  must_load(library, held, 0);
  const size_t one = mv_library_footprint(library) - listed;
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  mv_library_free(library);

  const size_t limit = listed + 10 * one;
  library = new_library(limit);
  held = must_open(library, folder);
  mv_module *first = must_load(library, held, 0);
  for (size_t round = 0; round < 2; round++) {
    for (size_t i = 1; i < FILES; i++) {
      cr_assert_eq(must_load(library, held, i)->allocations[0].size_bytes, 100 + (int64_t)i);
      cr_assert_leq(mv_library_footprint(library), limit + one);
      mv_library_release_module(library, held, i);
    }
  }
  cr_assert_eq(must_load(library, held, 0), first);
  cr_assert_eq(first->allocations[0].size_bytes, 100);
  mv_module *last = must_load(library, held, FILES - 1); /* the last used are still there */
  mv_library_release_module(library, held, FILES - 1);
  cr_assert_eq(must_load(library, held, FILES - 1), last);
  mv_library_release_module(library, held, FILES - 1);
  mv_library_release_module(library, held, 0);
  mv_library_release_module(library, held, 0);
  mv_library_release(library, held);
  mv_library_free(library);
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
  mv_library *library = new_library(1 << 20);
  mv_held *held = must_open(library, folder);
  const mv_source *source = mv_held_source(held);
  mv_status status = MV_STATUS_INIT;
  for (size_t i = 0; i < FILES; i++) {
    cr_assert(mv_library_summarize(library, held, i, &status), "%s", status.message);
    cr_assert(source->entries[i].summary.is_known);
    cr_assert_eq(source->entries[i].summary.buffer_count, 1);
    cr_assert_leq(mv_library_footprint(library), (1 << 20) / 8);
  }
  cr_assert_not(mv_library_summarize(library, held, FILES, &status));
  cr_assert_eq(status.code, MV_FORMAT);
  status = (mv_status)MV_STATUS_INIT;
  for (size_t i = 0; i < FILES; i++) { /* known: the files are not needed any more */
    cr_assert_eq(unlink(source->entries[i].path), 0);
    cr_assert(mv_library_summarize(library, held, i, &status));
  }
  mv_library_release(library, held);
  mv_library_free(library);
  tree_remove(folder);
}

Test(cache, sources__are_bounded_in_number) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 32];
  make_folder(folder);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  mv_library *library = new_library(ROOMY);
  size_t most = 0;
  for (int i = 0; i < 2000; i++) {
    snprintf(path, sizeof path, "%s/m%d.hlo.pb", folder, i);
    char target[PATH_ROOM + 16];
    snprintf(target, sizeof target, "%s/a.hlo.pb", folder);
    cr_assert_eq(symlink(target, path), 0);
    cr_assert_eq(size_now(library, path), 10);
    const size_t footprint = mv_library_footprint(library);
    cr_assert(i < 500 || footprint <= most);
    most = i < 500 && footprint > most ? footprint : most;
  }
  mv_library_free(library);
  tree_remove(folder);
}

Test(cache, what_the_system_refused__is_tried_again) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  char aside[PATH_ROOM + 16];
  make_folder(folder);
  write_sized(folder, "a.hlo.pb", "jit_f", 10);
  write_sized(folder, "b.hlo.pb", "jit_g", 20);
  mv_library *library = new_library(ROOMY);
  mv_held *held = must_open(library, folder);
  snprintf(path, sizeof path, "%s/b.hlo.pb", folder);
  snprintf(aside, sizeof aside, "%s/aside", folder);
  cr_assert_eq(rename(path, aside), 0);
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_library_module(library, held, 1, &status));
  cr_assert_eq(status.code, MV_IO);
  cr_assert_str_eq(mv_held_source(held)->entries[1].problem, status.message);
  mv_library_release(library, held);
  cr_assert_eq(rename(aside, path), 0);
  held = must_open(library, folder);
  cr_assert_eq(must_load(library, held, 1)->allocations[0].size_bytes, 20);
  cr_assert_null(mv_held_source(held)->entries[1].problem);
  mv_library_release_module(library, held, 1);
  mv_library_release(library, held);
  mv_library_free(library);
  tree_remove(folder);
}

Test(cache, blob__is_found_again_by_its_bytes) {
  mv_library *library = new_library(ROOMY);
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  mv_text copy = read_data("cpu-mlp.hlo.pb");
  mv_status status = MV_STATUS_INIT;
  mv_held *a = mv_library_open_bytes(library, pb_view(&bytes), &status);
  mv_held *b = mv_library_open_bytes(library, pb_view(&copy), &status);
  cr_assert_not_null(a);
  cr_assert_eq(a, b);
  copy.data[copy.size - 1] ^= 1;
  mv_held *c = mv_library_open_bytes(library, pb_view(&copy), &status);
  cr_assert_neq(a, c);
  mv_library_release(library, a);
  mv_library_release(library, b);
  mv_library_release(library, c);
  mv_library_free(library);
  mv_text_free(&bytes);
  mv_text_free(&copy);
}
