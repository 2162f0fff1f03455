/* What lies in dumps and profiles beside the modules: it has no row, and what should have held a module has one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/stat.h>

#include "source/source.h"
#include "support/hlo_builder.h"
#include "support/profile_builder.h"
#include "support/tree.h"
#include "wire/wire.h"

static void write_module(const char *folder, const char *file, const char *name, int64_t size) {
  mv_text module = hlo_parameter_proto(name, size);
  tree_write(folder, file, pb_view(&module));
  mv_text_free(&module);
}

static void write_profile(const char *folder, const char *file, const profile_program *programs, size_t count) {
  mv_text space = MV_TEXT_INIT;
  if (count > 0) {
    profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 1}, programs, count);
  }
  profile_add_traces(&space, "/host:CPU", 3);
  tree_write(folder, file, pb_view(&space));
  mv_text_free(&space);
}

/* Of each entry "name path-within-the-folder problem", a line each. */
static void check_list(const char *folder, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(folder, NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  for (size_t i = 0; i < s->count; i++) {
    mv_status local = MV_STATUS_INIT;
    mv_module_free(mv_source_load(s, i, NULL, &local));
    const mv_entry *e = &s->entries[i];
    mv_text_format(&text, "%s %s%s%s\n", e->name != NULL ? e->name : "-", e->path + strlen(folder) + 1,
                   e->problem != NULL ? " " : "", e->problem != NULL ? e->problem : "");
  }
  cr_expect_str_eq(text.data, expected);
  mv_source_free(s);
  mv_text_free(&text);
}

#define EMPTY " is empty (0 bytes): a writer that meets protobuf's limit of 2 GiB leaves such a file"
#define BARE " is a profile without HLO modules: it has no plane '/host:metadata'"

static const mv_bytes nothing = {(const uint8_t *)"", 0};

/* ---- By-products ---- */

Test(by_products, of_a_whole_dump) {
  check_list(MV_TEST_DATA "/by-products/dump-default",
             "jit_donate_step module_0000.jit_donate_step.cl_1014260217.after_optimizations.hlo.pb\n");
}

Test(by_products, of_xprof) {
  check_list(MV_TEST_DATA "/by-products/xprof-opened", "jit_convert_element_type vm.xplane.pb\n"
                                                       "jit_broadcast_in_dim vm.xplane.pb\n"
                                                       "jit__lambda vm.xplane.pb\n"
                                                       "jit_train_step vm.xplane.pb\n");
  check_list(MV_TEST_DATA "/by-products/tf25-profile", "- vm.xplane.pb" BARE "\n");
}

/* None of these messages is a module, though each begins as one might. */
static void write_by_products(const char *folder) {
  static const struct {
    const char *name;
    const char *bytes;
    size_t size;
  } files[] = {
      {"host.kernel_stats.pb", "", 0},
      {"ALL_HOSTS.roofline_model.pb", "", 0},
      {"x/kernel_reuse_cache.pb",
       "\x0A\x10\x0A\x03key\x12\x09\x0A\x07"
       "fusion1",
       18},
      {"x/module_0001.jit_f.gpu_target_config.pb",
       "\x0A\x04\x08\x01\x10\x02\x12\x04"
       "CUDA",
       12},
      {"x/module_0001.jit_f.autotune_results.pb", "\x08\x03\x12\x04\x0A\x02\x08\x01", 8},
      {"graph.pb",
       "\x0A\x16\x0A\x05"
       "Const\x12\x05"
       "Const*\x06\x0A\x01T\x12\x01\x30",
       24},
      {"module_0001.jit_f.names.pb", "\x0A\x07\x0A\x05jit_f\x0A\x07\x0A\x05jit_g", 18},
      {"module_0001.jit_f.counts.pb", "\x0A\x04\x08\x01\x10\x02\x0A\x04\x08\x02\x10\x03", 12},
      {"planes.pb", "\x0A\x0B\x08\x01\x12\x07/device", 13},
      {"notes.pb", "some text\n", 10},
      {"packed.pb", "PK\x03\x04rest", 8},
      {"records.pb", "\x83\xAF\x70\xD1\x0D\x88\x4A\x3F", 8},
      {"x/module_0001.jit_f.sm_9.0.gpu_executable.riegeli", "\x83\xAF\x70\xD1\x0D\x88\x4A\x3F", 8},
      {"cut.pb.gz", "\x1F\x8B\x08", 3},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    tree_write(folder, files[i].name, mv_bytes_of(files[i].bytes, files[i].size));
  }
  char path[PATH_ROOM + 16];
  snprintf(path, sizeof path, "%s/closed.pb", folder);
  cr_assert_eq(mkfifo(path, 0600), 0);
}

Test(by_products, of_any_kind__have_no_row) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_by_products(folder);
  write_module(folder, "x/module_0001.jit_f.cpu_after_optimizations.hlo.pb", "jit_f", 10);
  check_list(folder, "jit_f x/module_0001.jit_f.cpu_after_optimizations.hlo.pb\n");
  tree_remove(folder);
}

Test(by_products, alone__are_no_source_and_the_first_that_tells_is_named) {
  char folder[PATH_ROOM];
  char expected[2 * PATH_ROOM];
  make_folder(folder);
  write_by_products(folder);
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_source_open(folder, NULL, &status));
  snprintf(expected, sizeof expected,
           "'%s': holds no HloProto (*.hlo.pb) and no profile (*.xplane.pb); "
           "'ALL_HOSTS.roofline_model.pb'" EMPTY,
           folder);
  cr_expect_str_eq(status.message, expected);
  tree_remove(folder);
}

/* A file of any name that does hold a module is one. */
Test(by_products, modules_under_other_names__have_rows) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_text whole = hlo_parameter_proto("jit_f", 10);
  mv_wire w = mv_wire_of(pb_view(&whole));
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    tree_write(folder, tag.field == 1 ? "module.pb" : "assignment.pb", tag.bytes);
  }
  tree_write(folder, "script.pb", pb_view(&whole));
  write_module(folder, "lines.pb", "jit\nf\x01\xFF", 10);
  const profile_program program = {.event = "jit_f(3)", .module = pb_view(&whole), .has_stat = true, .id = 3};
  write_profile(folder, "worker.xspace.pb", &program, 1);
  check_list(folder, "- assignment.pb no HLO module: sizes only, without names and shapes\n"
                     "jit\nf\x01\xEF\xBF\xBD lines.pb\n"
                     "jit_f module.pb no buffer assignment: this is not the stage of the dump that has one\n"
                     "jit_f script.pb\n"
                     "jit_f worker.xspace.pb\n");
  tree_remove(folder);
  mv_text_free(&whole);
}

/* One that is being written has no row; when it is done it has. */
Test(by_products, that_become_modules__are_seen) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, "a.hlo.pb", "jit_a", 10);
  tree_write(folder, "script.pb", nothing);
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(folder, NULL, &status);
  cr_assert_not_null(s);
  cr_expect_eq(s->count, 1);
  cr_expect(mv_source_is_current(s));
  write_module(folder, "script.pb", "jit_saved", 10);
  cr_expect_not(mv_source_is_current(s));
  mv_source_free(s);
  check_list(folder, "jit_a a.hlo.pb\njit_saved script.pb\n");
  tree_remove(folder);
}

/* ---- What should have held a module ---- */

Test(by_products, names_of_modules__have_rows_when_they_cant_be_read) {
  char folder[PATH_ROOM];
  make_folder(folder);
  static const char *const names[] = {
      "a.hlo.pb",  "b.xplane.pb", "c.hlo_proto.pb", "d.hlo_snapshot.pb", "e.hlo_unoptimized_snapshot.pb",
      "f.riegeli", "g.hlo.pb.gz"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tree_write(folder, names[i], nothing);
  }
  tree_write(folder, "h.hlo.pb.zst", mv_bytes_of("\x28\xB5\x2F\xFD", 4));
  tree_write(folder, "i.xplane.pb.xz",
             mv_bytes_of("\xFD"
                         "7zXZ\0",
                         6));
  tree_write(folder, "j.pb.xz",
             mv_bytes_of("\xFD"
                         "7zXZ\0",
                         6));
  check_list(folder, "- a.hlo.pb" EMPTY "\n"
                     "- b.xplane.pb" EMPTY "\n"
                     "- c.hlo_proto.pb" EMPTY "\n"
                     "- d.hlo_snapshot.pb" EMPTY "\n"
                     "- e.hlo_unoptimized_snapshot.pb" EMPTY "\n"
                     "- f.riegeli" EMPTY "\n"
                     "- g.hlo.pb.gz" EMPTY "\n"
                     "- h.hlo.pb.zst is compressed with zstd: unpack it first\n"
                     "- i.xplane.pb.xz is compressed with xz: unpack it first\n");
  tree_remove(folder);
}

/* XLA can dump each stage as riegeli too: then the module is at hand. */
Test(by_products, riegeli__counts_where_there_is_nothing_else) {
  char folder[PATH_ROOM];
  make_folder(folder);
  const mv_bytes riegeli = mv_bytes_of("\x83\xAF\x70\xD1\x0D\x88\x4A\x3F", 8);
  write_module(folder, "module_0001.jit_f.cpu_after_optimizations.hlo.pb", "jit_f", 10);
  tree_write(folder, "module_0001.jit_f.cpu_after_optimizations.riegeli", riegeli);
  tree_write(folder, "module_0001.jit_f.before_optimizations.riegeli", riegeli);
  tree_write(folder, "module_0002.jit_g.cpu_after_optimizations.riegeli", riegeli);
  check_list(folder,
             "jit_f module_0001.jit_f.cpu_after_optimizations.hlo.pb\n"
             "- module_0002.jit_g.cpu_after_optimizations.riegeli is a riegeli file, which can't be read yet\n");
  tree_remove(folder);
}

/* XProf takes modules out of profiles: where they lie, a profile without any is no news. */
Test(by_products, profile_without_modules__beside_what_was_taken_out) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, "a/jit_f(3).hlo_proto.pb", "jit_f", 10);
  write_profile(folder, "a/vm.xplane.pb", NULL, 0);
  write_profile(folder, "a/b/vm.xplane.pb", NULL, 0);
  tree_write(folder, "c/jit_f(3).hlo_proto.pb", nothing);
  write_profile(folder, "c/vm.xplane.pb", NULL, 0);
  write_module(folder, "d/jit_f(3).hlo_proto.pb", "jit_f", 10);
  tree_write(folder, "d/vm.xplane.pb", nothing);
  check_list(folder, "- a/b/vm.xplane.pb" BARE "\n"
                     "jit_f a/jit_f(3).hlo_proto.pb\n"
                     "- c/jit_f(3).hlo_proto.pb" EMPTY "\n"
                     "- c/vm.xplane.pb" BARE "\n"
                     "jit_f d/jit_f(3).hlo_proto.pb\n"
                     "- d/vm.xplane.pb" EMPTY "\n");
  tree_remove(folder);
}

/* ---- Programs that were not compiled here ---- */

#define CACHED                                                                                                         \
  " no buffer assignment: the program came out of the persistent compilation cache; run with "                         \
  "JAX_ENABLE_COMPILATION_CACHE=false to compile and dump it"

Test(by_products, module_out_of_the_compilation_cache) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, "module_0001.jit_f.cpu_after_optimizations.hlo.pb", "jit_f", 0);
  write_module(folder, "module_0001.jit_f.before_optimizations.hlo.pb", "jit_f", 0);
  write_module(folder, "module_0002.jit_g.before_optimizations.hlo.pb", "jit_g", 0);
  check_list(folder,
             "jit_f module_0001.jit_f.cpu_after_optimizations.hlo.pb" CACHED "\n"
             "jit_g module_0002.jit_g.before_optimizations.hlo.pb no buffer assignment: this is not the stage of "
             "the dump that has one\n");
  tree_remove(folder);
}

/* As XLA writes them: the message, or its length before it and the inputs behind it. */
Test(by_products, unoptimized_snapshots_alone) {
  char folder[PATH_ROOM];
  make_folder(folder);
  for (int is_long = 0; is_long < 2; is_long++) {
    char name[6000];
    memset(name, 'n', sizeof name);
    name[is_long ? sizeof name - 1 : 5] = '\0';
    mv_text whole = hlo_parameter_proto(name, 0);
    mv_wire w = mv_wire_of(pb_view(&whole));
    mv_tag tag = {0};
    cr_assert(mv_wire_next(&w, &tag));
    mv_text message = MV_TEXT_INIT;
    mv_text delimited = MV_TEXT_INIT;
    pb_bytes(&message, 1, tag.bytes.data, tag.bytes.size);
    pb_bytes(&message, 2, "\x0A\x04\x0A\x02\x10\x0B", 6); /* an argument, a literal with its shape */
    pb_varint(&delimited, message.size);
    pb_raw(&delimited, message.data, message.size);
    pb_raw(&delimited, "\1\2\3\4\xFF\xFF\xFF\xFF", 8);
    tree_write(folder, "module_0001.jit_f.execution_0000.hlo_unoptimized_snapshot.pb", pb_view(&message));
    tree_write(folder, "module_0002.jit_f.execution_0000.hlo_unoptimized_snapshot.pb", pb_view(&delimited));
#define UNOPTIMIZED                                                                                                    \
  " is an HloUnoptimizedSnapshot, a program before it was compiled and its inputs, without buffer assignment: open "   \
  "the *after_optimizations.hlo.pb that --xla_dump_hlo_as_proto writes\n"
    mv_text expected = MV_TEXT_INIT;
    mv_text_format(&expected,
                   "%s module_0001.jit_f.execution_0000.hlo_unoptimized_snapshot.pb" UNOPTIMIZED
                   "- module_0002.jit_f.execution_0000.hlo_unoptimized_snapshot.pb" UNOPTIMIZED,
                   name);
    check_list(folder, expected.data);
    mv_text_free(&expected);
    mv_text_free(&message);
    mv_text_free(&delimited);
    mv_text_free(&whole);
  }
  tree_remove(folder);
}
