#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/instruction.h"
#include "source/source.h"
#include "support/hlo_builder.h"
#include "support/profile_builder.h"
#include "support/tree.h"

static mv_source *must_open(const char *folder) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(folder, NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  return s;
}

static void write_module(const char *folder, const char *file, const char *name, int64_t size) {
  mv_text module = hlo_parameter_proto(name, size);
  if (strstr(file, ".gz") != NULL) {
    mv_text packed = gzip_of(pb_view(&module));
    tree_write(folder, file, pb_view(&packed));
    mv_text_free(&packed);
  } else {
    tree_write(folder, file, pb_view(&module));
  }
  mv_text_free(&module);
}

/* Of each entry "name path-within-the-folder size problem", a line each; size is that of the first allocation. */
static mv_text list_of(const char *folder) {
  mv_text text = MV_TEXT_INIT;
  mv_source *s = must_open(folder);
  for (size_t i = 0; i < s->count; i++) {
    mv_status status = MV_STATUS_INIT;
    mv_module *m = mv_source_load(s, i, NULL, &status);
    const mv_entry *e = &s->entries[i];
    mv_text_format(&text, "%s %s %lld%s%s\n", e->name != NULL ? e->name : "-", e->path + strlen(folder) + 1,
                   m != NULL && m->allocation_count > 0 ? (long long)m->allocations[0].size_bytes : -1LL,
                   e->problem != NULL ? " " : "", e->problem != NULL ? e->problem : "");
    mv_module_free(m);
  }
  mv_source_free(s);
  return text;
}

static void check_list(const char *folder, const char *expected) {
  mv_text text = list_of(folder);
  cr_assert_str_eq(text.data, expected);
  mv_text_free(&text);
}

#define NO_ASSIGNMENT " no buffer assignment: this is not the stage of the dump that has one"
#define EMPTY " is empty (0 bytes): a writer that meets protobuf's limit of 2 GiB leaves such a file"

Test(directory, tpu_dump__one_row_a_module_with_its_scoped_memory) {
  static const struct {
    const char *name;
    int64_t scoped;
    const char *instruction;
  } expected[] = {{"jit_mlp_step", 1681408, "fusion"}, {"jit_pallas_step", 4550656, "blocked_matmul.2"}};
  mv_source *s = must_open(MV_TEST_DATA "/dump");
  cr_assert_eq(s->count, 2);
  for (size_t i = 0; i < 2; i++) {
    mv_status status = MV_STATUS_INIT;
    const mv_entry *e = &s->entries[i];
    mv_module *m = mv_source_load(s, i, NULL, &status);
    cr_assert_not_null(m, "%s", status.message);
    cr_assert_null(e->problem);
    cr_assert_str_eq(e->name, expected[i].name);
    cr_assert_not_null(strstr(e->path, ".after_optimizations.hlo.pb"));
    const uint32_t vmem = mv_module_find_space(m, 1);
    cr_assert_neq(vmem, MV_NONE);
    const mv_space *space = &m->spaces[vmem];
    cr_assert_eq(space->scoped_bytes, expected[i].scoped);
    cr_assert_eq(mv_instruction_scoped_bytes(m, space->scoped_instruction), expected[i].scoped);
    cr_assert(mv_bytes_equal_string(mv_instruction_name(m, space->scoped_instruction), expected[i].instruction));
    mv_module_free(m);
  }
  mv_source_free(s);
}

Test(directory, stages__the_one_with_the_assignment) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, "module_0001.jit_f.before_optimizations.hlo.pb", "jit_f", 0);
  write_module(folder, "module_0001.jit_f.0003.simplification.after_x.before_y.hlo.pb", "jit_f", 0);
  write_module(folder, "module_0001.jit_f.0004.simplification.after_y.before_z.hlo.pb.gz", "jit_f", 0);
  write_module(folder, "module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb", "jit_f", 10);
  write_module(folder, "module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb.gz", "jit_f", 99);
  write_module(folder, "module_0002.jit_f.before_optimizations.hlo.pb.gz", "jit_f", 0);
  write_module(folder, "module_0002.jit_f.cpu_after_optimizations.hlo.pb.gz", "jit_f", 20);
  write_module(folder, "1700000000123456.module_0001.jit_f.before_optimizations.hlo.pb", "jit_f", 0);
  write_module(folder, "1700000000123456.module_0001.jit_f.cpu_after_optimizations.hlo.pb", "jit_f", 30);
  write_module(folder, "module_0003.a_b_c_.before_optimizations.hlo.pb", "a/b[c]", 0);
  write_module(folder, "module_0003.a_b_c_.cpu_after_optimizations.hlo.pb", "a/b[c]", 40);
  write_module(folder, "module_0004.before_optimizations.hlo.pb", "long", 0);
  write_module(folder, "module_0004.cpu_after_optimizations.hlo.pb", "long", 50);
  write_module(folder, "module_0004.odd_stage.hlo.pb", "other", 60);
  write_module(folder, "module_0005.Graph.1.before_optimizations.hlo.pb", "Graph.1", 0);
  write_module(folder, "module_0005.Graph.1.odd_stage.hlo.pb", "Graph.1", 70);
  write_module(folder, "module_0006.jit_g.before_optimizations.hlo.pb", "jit_g", 0);
  write_module(folder, "module_0006.jit_g.0001.p.after_a.before_b.hlo.pb", "jit_g", 0);
  write_module(folder, "module_0006.jit_g.0002.p.after_b.before_c.hlo.pb", "jit_g", 0);
  check_list(folder, "jit_f 1700000000123456.module_0001.jit_f.cpu_after_optimizations.hlo.pb 30\n"
                     "jit_f module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb 10\n"
                     "jit_f module_0002.jit_f.cpu_after_optimizations.hlo.pb.gz 20\n"
                     "a/b[c] module_0003.a_b_c_.cpu_after_optimizations.hlo.pb 40\n"
                     "long module_0004.cpu_after_optimizations.hlo.pb 50\n"
                     "other module_0004.odd_stage.hlo.pb 60\n"
                     "Graph.1 module_0005.Graph.1.odd_stage.hlo.pb 70\n"
                     /* without an assignment: the latest pass */
                     "jit_g module_0006.jit_g.0002.p.after_b.before_c.hlo.pb -1" NO_ASSIGNMENT "\n");
  tree_remove(folder);
}

Test(directory, damaged_stage__shows_unless_the_module_is_at_hand) {
  char folder[PATH_ROOM];
  make_folder(folder);
  const mv_bytes nothing = mv_bytes_of("", 0);
  mv_text whole = hlo_parameter_proto("jit_d", 90);
  write_module(folder, "module_0001.jit_a.before_optimizations.hlo.pb", "jit_a", 0);
  tree_write(folder, "module_0001.jit_a.sm_9.0_gpu_after_optimizations.hlo.pb", nothing);
  write_module(folder, "module_0002.jit_b.1.cpu_after_optimizations.hlo.pb", "jit_b.1", 20);
  tree_write(folder, "module_0002.jit_b.1.before_optimizations.hlo.pb", nothing);
  static const char note[] = "Failed to serialize HLO module proto.";
  tree_write(folder, "module_0003.jit_c.after_optimizations.hlo.pb", mv_bytes_of(note, sizeof note - 1));
  write_module(folder, "module_0003.jit_c.before_optimizations.hlo.pb", "jit_c", 0);
  tree_write(folder, "module_0004.jit_d.after_optimizations.hlo.pb", mv_bytes_of(whole.data, whole.size - 3));
  tree_write(folder, "module_0004.jit_d.after_optimizations_after_buffer_assignment.hlo.pb", pb_view(&whole));
  tree_write(folder, "module_0005.jit_e.after_optimizations.hlo.pb", nothing);
  check_list(folder,
             "jit_a module_0001.jit_a.before_optimizations.hlo.pb -1" NO_ASSIGNMENT "\n"
             "- module_0001.jit_a.sm_9.0_gpu_after_optimizations.hlo.pb -1" EMPTY "\n"
             "jit_b.1 module_0002.jit_b.1.cpu_after_optimizations.hlo.pb 20\n"
             "- module_0003.jit_c.after_optimizations.hlo.pb -1 holds only XLA's note that the module could not be "
             "serialized: it is larger than protobuf's limit of 2 GiB\n"
             "jit_c module_0003.jit_c.before_optimizations.hlo.pb -1" NO_ASSIGNMENT "\n"
             "jit_d module_0004.jit_d.after_optimizations_after_buffer_assignment.hlo.pb 90\n"
             "- module_0005.jit_e.after_optimizations.hlo.pb -1" EMPTY "\n");
  tree_remove(folder);
  mv_text_free(&whole);
}

Test(directory, snapshots__have_a_row_where_the_module_is_not_at_hand) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_text proto = hlo_parameter_proto("jit_f", 10);
  mv_text snapshot = MV_TEXT_INIT;
  pb_bytes(&snapshot, 1, proto.data, proto.size);
  pb_string(&snapshot, 4, "CPU");
  tree_write(folder, "17.module_0001.jit_f.execution_0000.hlo_snapshot.pb", pb_view(&snapshot));
  tree_write(folder, "module_jit_f.execution_0000.hlo_snapshot.pb", pb_view(&snapshot));
  write_module(folder, "17.module_0002.jit_f.cpu_after_optimizations.hlo.pb", "jit_f", 20);
  tree_write(folder, "17.module_0002.jit_f.execution_0000.hlo_snapshot.pb", pb_view(&snapshot));
#define SNAPSHOT " is an HloSnapshot: save the HloProto inside it, or dump with --xla_dump_hlo_as_proto"
  check_list(folder, "- 17.module_0001.jit_f.execution_0000.hlo_snapshot.pb -1" SNAPSHOT "\n"
                     "jit_f 17.module_0002.jit_f.cpu_after_optimizations.hlo.pb 20\n"
                     "- module_jit_f.execution_0000.hlo_snapshot.pb -1" SNAPSHOT "\n");
  tree_remove(folder);
  mv_text_free(&proto);
  mv_text_free(&snapshot);
}

Test(directory, files_of_other_kinds__are_told_or_passed_over) {
  char folder[PATH_ROOM];
  make_folder(folder);
  static const uint8_t riegeli[] = {0x83, 0xAF, 0x70, 0xD1, 0x0D, 0x88, 0x4A, 0x3F, 0, 0, 0,    0,    0,    0,
                                    0,    0,    0x40, 0,    0,    0,    0,    0,    0, 0, 0x91, 0xBA, 0xC2, 0x3C};
  write_module(folder, "script.pb", "jit_saved", 10);
  tree_write(folder, "a.riegeli", mv_bytes_of(riegeli, sizeof riegeli));
  tree_write(folder, "b.pb", mv_bytes_of(riegeli, sizeof riegeli)); /* was never meant to be a module */
  tree_write(folder, "c.pb", mv_bytes_of("", 0));
  tree_write(folder, "d.hlo.pb", mv_bytes_of("some text\n", 10));
  tree_write(folder, "e.pb", mv_bytes_of("some text\n", 10));
  tree_write(folder, "saved_model.pb", mv_bytes_of("\x08\x01\x12\x03xyz", 7));
  tree_write(folder, "notes.txt", mv_bytes_of("text", 4));
  tree_write(folder, "no_ending", mv_bytes_of("text", 4));
  char fifo[PATH_ROOM + 16];
  snprintf(fifo, sizeof fifo, "%s/f.hlo.pb", folder);
  cr_assert_eq(mkfifo(fifo, 0600), 0); /* would hang whoever opened and read it */
#define RIEGELI " is a riegeli file, which can't be read yet"
  check_list(folder, "- a.riegeli -1" RIEGELI "\n"
                     "- d.hlo.pb -1 is text, not an HloProto or XSpace\n"
                     "- f.hlo.pb -1 is a FIFO, not a file\n"
                     "jit_saved script.pb 10\n");
  tree_remove(folder);
}

Test(directory, profile_caches__are_not_counted_twice) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_text f = hlo_parameter_proto("jit_f", 10);
  mv_text g = hlo_parameter_proto("jit_g", 20);
  const profile_program programs[] = {
      {.event = "jit_f(3)", .module = pb_view(&f), .has_stat = true, .id = 3},
      {.event = "jit_f(18446744073709551614)", .module = pb_view(&f), .has_stat = true, .id = UINT64_MAX - 1},
  };
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 1}, programs, 2);
  tree_write(folder, "plugins/profile/run1/host0.xplane.pb", pb_view(&space));
  tree_write(folder, "plugins/profile/run1/jit_f(3).hlo_proto.pb", pb_view(&f));
  tree_write(folder, "plugins/profile/run1/jit_f(18446744073709551614).hlo_proto.pb", pb_view(&f));
  tree_write(folder, "plugins/profile/run1/jit_f.hlo_proto.pb", pb_view(&f));
  tree_write(folder, "plugins/profile/run1/jit_g(4).hlo_proto.pb", pb_view(&g)); /* not in the profile */
  tree_write(folder, "plugins/profile/run2/NO_MODULE.hlo_proto.pb", mv_bytes_of("", 0));
  tree_write(folder, "plugins/profile/run2/jit_f(3).hlo_proto.pb", pb_view(&f)); /* in no profile of its run */
  check_list(folder, "jit_f plugins/profile/run1/host0.xplane.pb 10\n"
                     "jit_f plugins/profile/run1/host0.xplane.pb 10\n"
                     "jit_g plugins/profile/run1/jit_g(4).hlo_proto.pb 20\n"
                     "jit_f plugins/profile/run2/jit_f(3).hlo_proto.pb 10\n");
  tree_remove(folder);
  mv_text_free(&space);
  mv_text_free(&f);
  mv_text_free(&g);
}

Test(directory, hosts_and_runs__are_told_apart_by_path) {
  char folder[PATH_ROOM];
  make_folder(folder);
  static const char *const files[] = {"plugins/profile/a/h0.xplane.pb", "plugins/profile/a/h1.xplane.pb.gz",
                                      "plugins/profile/b/h0.xplane.pb", "plugins/profile/b/h1.xplane.pb"};
  for (int64_t i = 0; i < 4; i++) {
    mv_text f = hlo_parameter_proto("jit_f", 10 + i);
    mv_text space = MV_TEXT_INIT;
    const profile_program program = {.event = "jit_f(3)", .module = pb_view(&f), .has_stat = true, .id = 3};
    if (i != 2) {
      profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 1}, &program, 1);
    } else {
      profile_add_traces(&space, "/host:CPU", 3);
    }
    mv_text packed = gzip_of(pb_view(&space));
    tree_write(folder, files[i], pb_view(i == 1 ? &packed : &space));
    mv_text_free(&packed);
    mv_text_free(&space);
    mv_text_free(&f);
  }
  check_list(folder, "jit_f plugins/profile/a/h0.xplane.pb 10\n"
                     "jit_f plugins/profile/a/h1.xplane.pb.gz 11\n"
                     "- plugins/profile/b/h0.xplane.pb -1 is a profile without HLO modules: it has no plane "
                     "'/host:metadata'\n"
                     "jit_f plugins/profile/b/h1.xplane.pb 13\n");
  tree_remove(folder);
}

Test(directory, links__lead_to_files_but_not_in_circles) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 32];
  char target[PATH_ROOM + 32];
  make_folder(folder);
  write_module(folder, "real/x/a.hlo.pb", "jit_a", 10);
  snprintf(path, sizeof path, "%s/real/x/loop", folder);
  cr_assert_eq(symlink("..", path), 0);
  snprintf(path, sizeof path, "%s/real/b.hlo.pb", folder);
  cr_assert_eq(symlink("x/a.hlo.pb", path), 0);
  snprintf(path, sizeof path, "%s/real/gone.hlo.pb", folder);
  cr_assert_eq(symlink("nowhere", path), 0);
  snprintf(path, sizeof path, "%s/real/self.hlo.pb", folder);
  cr_assert_eq(symlink("self.hlo.pb", path), 0);
  snprintf(path, sizeof path, "%s/real/latest", folder);
  cr_assert_eq(symlink("nowhere", path), 0);
  check_list(folder, "jit_a real/b.hlo.pb 10\n"
                     "- real/gone.hlo.pb -1 can't be opened: No such file or directory\n"
                     "- real/self.hlo.pb -1 can't be opened: Too many levels of symbolic links\n"
                     "jit_a real/x/a.hlo.pb 10\n");
  mkdir((snprintf(path, sizeof path, "%s/only_links", folder), path), 0777);
  snprintf(path, sizeof path, "%s/only_links/real", folder);
  snprintf(target, sizeof target, "%s/real", folder);
  cr_assert_eq(symlink(target, path), 0);
  mv_source *s = must_open(path); /* a link that was asked for is followed */
  cr_assert_eq(s->count, 4);
  mv_source_free(s);
  mv_status status = MV_STATUS_INIT;
  snprintf(path, sizeof path, "%s/only_links", folder);
  cr_assert_null(mv_source_open(path, NULL, &status));
  cr_assert_not_null(strstr(status.message, "; links to other folders are not followed"), "%s", status.message);
  tree_remove(folder);
}

Test(directory, nothing_to_show__says_why) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_status status = MV_STATUS_INIT;
  cr_assert_null(mv_source_open(folder, NULL, &status));
  cr_assert_eq(status.code, MV_FORMAT);
  cr_assert_not_null(strstr(status.message, "holds no HloProto (*.hlo.pb) and no profile (*.xplane.pb)"));
  tree_write(folder, "module_0001.jit_f.cpu_after_optimizations.txt", mv_bytes_of("HloModule jit_f", 15));
  tree_write(folder, "17.module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt", mv_bytes_of("x", 1));
  tree_write(folder, "notes.txt", mv_bytes_of("x", 1));
  status = (mv_status)MV_STATUS_INIT;
  cr_assert_null(mv_source_open(folder, NULL, &status));
  cr_assert_not_null(strstr(status.message, "holds 2 dumps as text but no HloProto: dump with --xla_dump_hlo_as_proto"),
                     "%s", status.message);
  status = (mv_status)MV_STATUS_INIT;
  cr_assert_null(mv_source_open("/nowhere/at/all", NULL, &status));
  cr_assert_eq(status.code, MV_IO);
  cr_assert_str_eq(status.message, "'/nowhere/at/all': can't be opened: No such file or directory");
  tree_remove(folder);
}

Test(directory, unreadable_folder__has_a_row) {
  if (geteuid() == 0) {
    cr_skip("root reads every folder");
  }
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 32];
  make_folder(folder);
  write_module(folder, "a.hlo.pb", "jit_a", 10);
  write_module(folder, "b.hlo.pb", "jit_b", 10);
  write_module(folder, "closed/c.hlo.pb", "jit_c", 10);
  snprintf(path, sizeof path, "%s/closed", folder);
  chmod(path, 0);
  char file[PATH_ROOM + 32];
  snprintf(file, sizeof file, "%s/b.hlo.pb", folder);
  chmod(file, 0);
  check_list(folder, "jit_a a.hlo.pb 10\n"
                     "- b.hlo.pb -1 can't be opened: Permission denied\n"
                     "- closed -1 the folder can't be opened: Permission denied\n");
  chmod(path, 0777);
  tree_remove(folder);
}

/* Folders that tell the names in them, but let nobody look at what they are. */
Test(directory, names_that_cant_be_looked_at__have_rows) {
  if (geteuid() == 0) {
    cr_skip("root reads every folder");
  }
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 32];
  make_folder(folder);
  write_module(folder, "a.hlo.pb", "jit_a", 10);
  write_module(folder, "names/b.hlo.pb", "jit_b", 10);
  write_module(folder, "names/inner/c.hlo.pb", "jit_c", 10);
  tree_write(folder, "names/notes.txt", mv_bytes_of("x", 1));
  snprintf(path, sizeof path, "%s/names", folder);
  chmod(path, 0444);
  check_list(folder, "jit_a a.hlo.pb 10\n"
                     "- names/b.hlo.pb -1 can't be opened: Permission denied\n"
                     "- names/inner -1 can't be opened: Permission denied\n");
  mv_source *s = must_open(folder);
  cr_assert(mv_source_is_current(s));
  chmod(path, 0777);
  cr_assert_not(mv_source_is_current(s));
  mv_source_free(s);
  tree_remove(folder);
}

Test(directory, folders_that_lie_too_deep__have_a_row) {
  enum { LEVELS = 70 };
  char folder[PATH_ROOM];
  char inner[2 * LEVELS + 32] = "";
  make_folder(folder);
  for (int i = 0; i < LEVELS; i++) {
    strcat(inner, "d/");
  }
  strcat(inner, "a.hlo.pb");
  write_module(folder, inner, "jit_a", 10);
  mv_source *s = must_open(folder);
  cr_assert_eq(s->count, 1);
  cr_assert_not(s->entries[0].is_readable);
  cr_expect_str_eq(s->entries[0].problem, "the folder lies too deep to be listed: give it as the source");
  mv_source *deep = must_open(s->entries[0].path);
  cr_expect_eq(deep->count, 1);
  cr_expect(deep->entries[0].is_readable);
  mv_source_free(deep);
  mv_source_free(s);
  tree_remove(folder);
}

static size_t checks_left;

static bool stop_after(void *arg) {
  (void)arg;
  return checks_left-- == 0;
}

Test(directory, many_dumps__are_listed_and_can_be_interrupted) {
  enum { DUMPS = 300 };
  char folder[PATH_ROOM];
  char name[128];
  make_folder(folder);
  for (int i = 0; i < DUMPS; i++) {
    char module[32];
    snprintf(module, sizeof module, "jit_f%d", i);
    snprintf(name, sizeof name, "%d/module_%04d.%s.cpu_after_optimizations.hlo.pb", i % 3, i / 3, module);
    write_module(folder, name, module, 10 + i);
  }
  mv_source *s = must_open(folder);
  cr_assert_eq(s->count, DUMPS);
  for (size_t i = 1; i < s->count; i++) {
    cr_assert_lt(strcmp(s->entries[i - 1].path, s->entries[i].path), 0);
  }
  /* What was not asked for is not needed. */
  for (size_t i = 0; i < s->count; i++) {
    if (i != 217) {
      cr_assert_eq(unlink(s->entries[i].path), 0);
    }
  }
  mv_status status = MV_STATUS_INIT;
  mv_module *m = mv_source_load(s, 217, NULL, &status);
  cr_assert_not_null(m, "%s", status.message);
  mv_module_free(m);
  cr_assert_null(mv_source_load(s, 216, NULL, &status));
  cr_assert_eq(status.code, MV_IO);
  cr_assert_not(mv_source_is_current(s));
  mv_source_free(s);
  const mv_limits limits = {.interrupted = stop_after};
  for (size_t n = 0; n < 20; n++) {
    checks_left = n;
    status = (mv_status)MV_STATUS_INIT;
    mv_source_free(mv_source_open(folder, &limits, &status));
    cr_assert(status.code == MV_INTERRUPTED || n > 4, "%zu", n);
  }
  tree_remove(folder);
}

Test(directory, change__is_seen) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 64];
  make_folder(folder);
  write_module(folder, "x/module_0001.jit_f.after_optimizations.hlo.pb", "jit_f", 10);
  tree_write(folder, "x/module_0001.jit_f.before_optimizations.hlo.pb", mv_bytes_of("", 0));
  write_module(folder, "x/module_0001.jit_f.after_codegen.hlo.pb", "jit_f", 0);
  mv_source *s = must_open(folder);
  cr_assert(mv_source_is_current(s));
  write_module(folder, "y.txt", "jit_g", 10); /* the folder changed */
  cr_assert_not(mv_source_is_current(s));
  mv_source_free(s);
  s = must_open(folder);
  write_module(folder, "x/new.hlo.pb", "jit_g", 10);
  cr_assert_not(mv_source_is_current(s));
  mv_source_free(s);
  static const char *const written[] = {"after_optimizations", "before_optimizations", "after_codegen"};
  for (size_t i = 0; i < 3; i++) { /* the one shown, one skipped as damaged, the one for scoped memory */
    s = must_open(folder);
    cr_assert(mv_source_is_current(s));
    snprintf(path, sizeof path, "x/module_0001.jit_f.%s.hlo.pb", written[i]);
    write_module(folder, path, "jit_f", 20);
    cr_assert_not(mv_source_is_current(s), "%s", written[i]);
    mv_source_free(s);
  }
  tree_remove(folder);
}

Test(directory, scoped_memory__of_an_unreadable_stage_is_a_note) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, "module_0001.jit_f.after_optimizations.hlo.pb", "jit_f", 10);
  mv_text stage = hlo_parameter_proto("jit_f", 0);
  stage.data[stage.size - 1] = 0x7F; /* the last field reaches beyond the end */
  tree_write(folder, "module_0001.jit_f.after_codegen.hlo.pb", mv_bytes_of(stage.data, stage.size - 4));
  mv_source *s = must_open(folder);
  cr_assert_eq(s->count, 1);
  mv_status status = MV_STATUS_INIT;
  mv_module *m = mv_source_load(s, 0, NULL, &status);
  cr_assert_not_null(m);
  cr_assert_not_null(s->entries[0].problem);
  cr_assert_not_null(strstr(s->entries[0].problem, "no scoped memory: cut short at byte"), "%s", s->entries[0].problem);
  mv_module_free(m);
  mv_source_free(s);
  tree_remove(folder);
  mv_text_free(&stage);
}
