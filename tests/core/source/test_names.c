#include <criterion/criterion.h>

#include "source/names.h"

static void check_group(const char *path, const char *module, const char *expected) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  const char *group;
  cr_assert(mv_name_group(&group, path, module, arena, &status));
  if (expected == NULL) {
    cr_assert_null(group, "%s", group);
  } else {
    cr_assert_not_null(group, "%s", path);
    cr_assert_str_eq(group, expected);
  }
  mv_arena_free(arena);
}

Test(names, group__is_the_number_and_the_module) {
  check_group("d/module_0001.jit_f.before_optimizations.hlo.pb", "jit_f", "d/module_0001.jit_f");
  check_group("d/module_0001.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb", "jit_f", "d/module_0001.jit_f");
  check_group("d/module_0001.jit_f.0003.simplification.after_x.before_y.hlo.pb.gz", "jit_f", "d/module_0001.jit_f");
  check_group("d/1700000000123456.module_0012.jit_f.cpu_after_optimizations.hlo.pb", "jit_f",
              "d/1700000000123456.module_0012.jit_f");
  check_group("d/module_0003.SyncTensorsGraph.123.cpu_after_optimizations.hlo.pb", "SyncTensorsGraph.123",
              "d/module_0003.SyncTensorsGraph.123");
  check_group("d/module_0003.SyncTensorsGraph.12.x.hlo.pb", "SyncTensorsGraph.1",
              "d/module_0003\tSyncTensorsGraph.1"); /* one name begins like the other */
  check_group("d/module_12345.a_b_c_d_.after_optimizations.hlo.pb", "a/b[c]d ", "d/module_12345.a_b_c_d_");
  check_group("d/module_0003.after_optimizations.hlo.pb", "a_long_name", "d/module_0003\ta_long_name");
  check_group("d/module_0003.module_0004.after_optimizations.hlo.pb", "module_0004", "d/module_0003.module_0004");
}

Test(names, group__needs_a_dump_of_xla) {
  check_group("d/step.hlo.pb", "jit_f", NULL);
  check_group("d/module_.jit_f.hlo.pb", "jit_f", NULL);
  check_group("d/module_x.jit_f.hlo.pb", "jit_f", NULL);
  check_group("d/my_module_0001.jit_f.hlo.pb", "jit_f", NULL);
  check_group("d/module_0001", "jit_f", NULL);
  check_group("module_0001.jit_f/step.hlo.pb", "jit_f", NULL); /* the folder is no part of the name */
  check_group("d/my_module_0001.module_0002.jit_f.x.hlo.pb", "jit_f", "d/my_module_0001.module_0002.jit_f");
}

static void check_damaged(const char *path, const char *expected) {
  static const char *const groups[] = {"d/module_0001.a", "d/module_0001.a.b", "d/module_0001.x",
                                       "d/module_0002\tlong"};
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  const char *group;
  cr_assert(mv_name_group_of_damaged(&group, path, groups, sizeof groups / sizeof *groups, arena, &status));
  if (expected == NULL) {
    cr_assert_null(group);
  } else {
    cr_assert_str_eq(group, expected);
  }
  mv_arena_free(arena);
}

Test(names, damaged__joins_the_longest_group_its_name_continues) {
  check_damaged("d/module_0001.a.b.cpu_after_optimizations.hlo.pb", "d/module_0001.a.b");
  check_damaged("d/module_0001.a.sm_9.0_gpu_after_optimizations.hlo.pb", "d/module_0001.a");
  check_damaged("d/module_0001.ab.cpu_after_optimizations.hlo.pb", "d/module_0001.ab");
  check_damaged("e/module_0001.a.b.cpu_after_optimizations.hlo.pb", "e/module_0001.a");
  check_damaged("d/module_0002.after_optimizations.hlo.pb", "d/module_0002.after_optimizations");
  check_damaged("d/step.hlo.pb", NULL);
}

Test(names, kind__by_the_ending) {
  cr_assert_eq(mv_name_kind_of("d/x.hlo.pb"), MV_NAME_DUMP);
  cr_assert_eq(mv_name_kind_of("d/x.hlo.pb.gz"), MV_NAME_DUMP);
  cr_assert_eq(mv_name_kind_of("d/x.xplane.pb"), MV_NAME_PROFILE);
  cr_assert_eq(mv_name_kind_of("d/x.xplane.pb.gz"), MV_NAME_PROFILE);
  cr_assert_eq(mv_name_kind_of("d/jit_f(3).hlo_proto.pb"), MV_NAME_CACHE);
  cr_assert_eq(mv_name_kind_of("d/NO_MODULE.hlo_proto.pb"), MV_NAME_NONE);
  cr_assert_eq(mv_name_kind_of("d/x.hlo.pb.zst"), MV_NAME_DUMP);
  cr_assert_eq(mv_name_kind_of("d/x.hlo_snapshot.pb"), MV_NAME_SNAPSHOT);
  cr_assert_eq(mv_name_kind_of("d/x.hlo_unoptimized_snapshot.pb"), MV_NAME_SNAPSHOT);
  cr_assert_eq(mv_name_kind_of("d/x.riegeli"), MV_NAME_RIEGELI);
  cr_assert_eq(mv_name_kind_of("d/x.gpu_executable.riegeli"), MV_NAME_NONE);
  cr_assert_eq(mv_name_kind_of("d/x.pb"), MV_NAME_OTHER);
  cr_assert_eq(mv_name_kind_of("d/x.txt"), MV_NAME_TEXT);
  cr_assert_eq(mv_name_kind_of("d/module_0001.jit_f.after_optimizations-memory-usage-report.pb"), MV_NAME_NONE);
  cr_assert_eq(mv_name_kind_of("d/module_0001.jit_f.execution_options.pb"), MV_NAME_NONE);
  cr_assert_eq(mv_name_kind_of("d/hlo.pb"), MV_NAME_OTHER);
  cr_assert_eq(mv_name_kind_of("d.hlo.pb/x"), MV_NAME_NONE);
}

static void expect_host(const char *path, const char *expected) {
  const mv_bytes host = mv_name_host(path);
  cr_expect(mv_bytes_equal_string(host, expected), "%s: %.*s", path, (int)host.size, (const char *)host.data);
}

Test(names, host__of_a_profile) {
  expect_host("run/vm.xplane.pb", "vm");
  expect_host("run/t1v-n-0.local.xplane.pb.gz", "t1v-n-0.local");
  expect_host("vm.xplane.pb.zst", "vm");
  expect_host("run/.xplane.pb", "");
  expect_host("run/xplane.pb", "");
  expect_host("vm.xplane.pb/a.hlo.pb", "");
  expect_host("run/jit_f(3).hlo_proto.pb", "");
}

Test(names, rank__prefers_what_has_the_assignment_and_is_not_packed) {
  static const char *const in_order[] = {
      "d/module_0001.f.sm_9.0_gpu_after_optimizations.hlo.pb",
      "d/module_0001.f.after_optimizations.hlo.pb.gz",
      "d/module_0001.f.after_optimizations_after_buffer_assignment.hlo.pb",
      "d/module_0001.f.0001.pass.after_a.before_b.hlo.pb",
      "d/module_0001.f.after_codegen.hlo.pb",
      "d/module_0001.f.after_optimizations_before_buffer_assignment.hlo.pb",
      "d/module_0001.f.before_optimizations.hlo.pb",
      "d/module_0001.f.execution_0000.hlo_snapshot.pb",
  };
  for (size_t i = 1; i < sizeof in_order / sizeof *in_order; i++) {
    cr_assert_lt(mv_name_rank(in_order[i - 1]), mv_name_rank(in_order[i]), "%s", in_order[i]);
  }
}
