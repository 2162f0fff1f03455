/* Memory spaces: their names and sums. */
#include <criterion/criterion.h>

#include "support/hlo_builder.h"

static void expect_name(mv_platform platform, int64_t color, const char *expected) {
  char buffer[MV_SPACE_NAME];
  const char *name = mv_space_name(platform, color, buffer);
  cr_expect_str_eq(name, expected, "%s, not %s", name, expected);
  int64_t back[MV_SPACE_COLORS] = {0};
  const size_t count = mv_space_colors(back, platform, expected);
  cr_expect((count > 0 && back[0] == color) || (count > 1 && back[1] == color), "%s is %lld", expected,
            (long long)back[0]);
}

static void expect_no_color(mv_platform platform, const char *name) {
  int64_t colors[MV_SPACE_COLORS];
  cr_expect_eq(mv_space_colors(colors, platform, name), 0, "%s", name);
}

Test(spaces, names_on_tpu_and_where_nothing_is_known) {
  static const char *const names[] = {"HBM", "VMEM", "SFLAG", "CMEM", "SMEM", "Host", "SparseCore", "S(7)", "S(8)"};
  for (int64_t color = 0; color < 9; color++) {
    expect_name(MV_PLATFORM_TPU, color, names[color]);
    expect_name(MV_PLATFORM_UNKNOWN, color, names[color]);
  }
}

Test(spaces, names_on_gpu) {
  static const char *const names[] = {"HBM",  "Collective", "Temp",       "S(3)", "S(4)",
                                      "Host", "S(6)",       "Collective", "S(8)"};
  for (int64_t color = 0; color < 9; color++) {
    expect_name(MV_PLATFORM_GPU, color, names[color]);
  }
}

Test(spaces, two_colors_of_one_name) {
  int64_t colors[MV_SPACE_COLORS];
  cr_assert_eq(mv_space_colors(colors, MV_PLATFORM_GPU, "collective"), 2);
  cr_expect_eq(colors[0], 1);
  cr_expect_eq(colors[1], 7);
}

Test(spaces, names_are_compared_without_case) {
  static const char *const names[] = {"hbm", "Vmem", "sflag", "cMEM", "SMEM", "HOST", "sparsecore", "s(7)"};
  int64_t colors[MV_SPACE_COLORS];
  for (int64_t color = 0; color < 8; color++) {
    cr_assert_eq(mv_space_colors(colors, MV_PLATFORM_TPU, names[color]), 1, "%s", names[color]);
    cr_expect_eq(colors[0], color, "%s", names[color]);
  }
  cr_assert_eq(mv_space_colors(colors, MV_PLATFORM_TPU, "s(-9223372036854775808)"), 1);
  cr_expect_eq(colors[0], INT64_MIN);
}

Test(spaces, names_on_cpu) {
  expect_name(MV_PLATFORM_CPU, 0, "Host");
  expect_name(MV_PLATFORM_CPU, 1, "S(1)");
  expect_name(MV_PLATFORM_CPU, 5, "S(5)");
}

Test(spaces, any_color_has_a_name) {
  expect_name(MV_PLATFORM_TPU, INT64_MAX, "S(9223372036854775807)");
  expect_name(MV_PLATFORM_TPU, INT64_MIN, "S(-9223372036854775808)");
  expect_name(MV_PLATFORM_GPU, -1, "S(-1)");
}

Test(spaces, what_is_no_name) {
  expect_no_color(MV_PLATFORM_TPU, "");
  expect_no_color(MV_PLATFORM_TPU, "HB");
  expect_no_color(MV_PLATFORM_TPU, "HBM ");
  expect_no_color(MV_PLATFORM_TPU, "S(0)");
  expect_no_color(MV_PLATFORM_TPU, "S(1)");
  expect_no_color(MV_PLATFORM_TPU, "Collective");
  expect_no_color(MV_PLATFORM_GPU, "VMEM");
  expect_no_color(MV_PLATFORM_CPU, "HBM");
  expect_no_color(MV_PLATFORM_TPU, "S(7");
  expect_no_color(MV_PLATFORM_TPU, "S(7) ");
  expect_no_color(MV_PLATFORM_TPU, "S( 7)");
  expect_no_color(MV_PLATFORM_TPU, "S(07)");
  expect_no_color(MV_PLATFORM_TPU, "S(+7)");
  expect_no_color(MV_PLATFORM_TPU, "S(99999999999999999999)");
}

Test(spaces, sums_and_categories) {
  hlo h = {0};
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1, .is_parameter = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 20, .is_live_out = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 300, .is_parameter = true, .is_live_out = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 3, .size = 4000, .is_constant = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 4, .size = 50000, .is_thread_local = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 5, .size = 600000});
  hlo_allocation(&h, (hlo_allocation_args){.id = 6, .size = 7000000, .is_constant = true, .is_thread_local = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 7, .size = 5, .color = 3});
  mv_module *m = hlo_load(&h);
  static const char *const categories[] = {"Parameter",    "Output",    "Parameter",    "Constant",
                                           "Thread-local", "Temporary", "Thread-local", "Temporary"};
  for (uint32_t i = 0; i < 8; i++) {
    cr_expect_str_eq(mv_category_name(m->allocations[i].category), categories[i], "allocation %u", i);
  }
  cr_assert_eq(m->space_count, 2);
  const mv_space *s = &m->spaces[0];
  cr_expect_eq(s->total_bytes, 604321, "without the thread-local ones");
  cr_expect_eq(s->thread_local_bytes, 7050000);
  cr_expect_eq(s->argument_bytes, 301);
  cr_expect_eq(s->output_bytes, 320);
  cr_expect_eq(s->temporary_bytes, 600000);
  cr_expect_eq(s->baseline_bytes, 4321);
  cr_expect_eq(s->untraced_bytes, 600000);
  cr_expect_eq(s->peak_bytes, 604321);
  cr_expect_eq(s->occupied_peak_bytes, 604321);
  cr_expect_eq(m->spaces[1].color, 3);
  cr_expect_eq(m->spaces[1].total_bytes, 5);
  cr_expect_eq(mv_module_find_space(m, 3), 1);
  cr_expect_eq(mv_module_find_space(m, 1), MV_NONE);
  cr_expect_eq(mv_module_find_space(m, INT64_MAX), MV_NONE);
  cr_expect_eq(mv_module_find_space(m, INT64_MIN), MV_NONE);
  mv_module_free(m);
}

Test(spaces, constants_are_counted_when_they_are_no_threads_own) {
  hlo h = {0};
  hlo_allocation(&h, (hlo_allocation_args){.id = 3, .size = 4000, .is_constant = true});
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->spaces[0].constant_bytes, 4000);
  mv_module_free(m);
}

Test(spaces, the_baseline_is_unpadded_by_its_largest_buffer) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .shape = "f32[8,100]{1,0:T(8,128)}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 4096, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 4096, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 50, .is_constant = true}); /* unknown: taken as it is */
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->spaces[0].peak_bytes, 4146);
  cr_expect_eq(m->spaces[0].peak_unpadded_bytes, 3250);
  mv_module_free(m);
}

Test(spaces, a_module_without_allocations_has_none) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p"});
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->space_count, 0);
  cr_expect_eq(m->position_count, 0);
  mv_module_free(m);
}
