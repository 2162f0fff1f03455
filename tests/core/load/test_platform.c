/* For which kind of device a module was compiled. */
#include <criterion/criterion.h>

#include "support/hlo_builder.h"

static void expect_platform(hlo *h, const char *file_name, mv_platform expected) {
  mv_module *m = hlo_load_as(h, file_name);
  cr_expect_eq(m->platform, expected, "%s", mv_platform_name(m->platform));
  mv_module_free(m);
}

static void expect_by_name(const char *file_name, mv_platform expected) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = "f32[8]{0}"});
  mv_module *m = hlo_load_as(&h, file_name);
  cr_expect_eq(m->platform, expected, "%s", file_name);
  mv_module_free(m);
}

static void expect_by_instruction(hlo_instruction_args args, mv_platform expected) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, args);
  expect_platform(&h, NULL, expected);
}

Test(platform, names) {
  cr_expect_null(mv_platform_name(MV_PLATFORM_UNKNOWN));
  cr_expect_str_eq(mv_platform_name(MV_PLATFORM_TPU), "TPU");
  cr_expect_str_eq(mv_platform_name(MV_PLATFORM_GPU), "GPU");
  cr_expect_str_eq(mv_platform_name(MV_PLATFORM_CPU), "CPU");
}

Test(platform, nothing_tells) {
  expect_by_name(NULL, MV_PLATFORM_UNKNOWN);
  expect_by_name("a.hlo.pb", MV_PLATFORM_UNKNOWN);
}

Test(platform, tiled_layouts_are_a_tpus) {
  expect_by_instruction((hlo_instruction_args){.id = 1, .shape = "f32[8,128]{1,0:T(8,128)}"}, MV_PLATFORM_TPU);
  expect_by_instruction((hlo_instruction_args){.id = 1, .shape = "f32[8,128]{1,0}"}, MV_PLATFORM_UNKNOWN);
}

Test(platform, custom_call_targets) {
  static const struct {
    const char *target;
    mv_platform platform;
  } targets[] = {{"tpu_custom_call", MV_PLATFORM_TPU},     {"__cublas$gemm", MV_PLATFORM_GPU},
                 {"__cudnn$convForward", MV_PLATFORM_GPU}, {"__gpu$xla.gpu.triton", MV_PLATFORM_GPU},
                 {"__onednn$matmul", MV_PLATFORM_CPU},     {"lapack_sgeqrf_ffi", MV_PLATFORM_CPU},
                 {"Sharding", MV_PLATFORM_UNKNOWN},        {"", MV_PLATFORM_UNKNOWN}};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    expect_by_instruction((hlo_instruction_args){.id = 1, .target = targets[i].target}, targets[i].platform);
  }
}

Test(platform, first_keys_of_backend_configs) {
  expect_by_instruction((hlo_instruction_args){.id = 1, .config = "{\"flag_configs\":[]}"}, MV_PLATFORM_TPU);
  expect_by_instruction((hlo_instruction_args){.id = 1, .config = "{\"operation_queue_id\":\"0\"}"}, MV_PLATFORM_GPU);
  expect_by_instruction((hlo_instruction_args){.id = 1, .config = "{\"outer_dimension_partitions\":[\"2\"]}"},
                        MV_PLATFORM_CPU);
  expect_by_instruction((hlo_instruction_args){.id = 1, .config = "not JSON"}, MV_PLATFORM_UNKNOWN);
}

Test(platform, the_most_clues_win) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .target = "lapack_sgeqrf"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .target = "__cublas$gemm"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 3, .target = "__cublas$gemm"});
  expect_platform(&h, "module_0001.jit_f.cpu_after_optimizations.hlo.pb", MV_PLATFORM_GPU);
}

/* A tiled layout is a clue only where nothing else of the TPU is. */
Test(platform, a_config_goes_before_the_layout_of_its_instruction) {
  hlo h = hlo_new("m");
  hlo_instruction(
      &h, (hlo_instruction_args){.id = 1, .shape = "f32[8,128]{1,0:T(8,128)}", .config = "{\"flag_configs\":[]}"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .config = "{\"outer_dimension_partitions\":[\"2\"]}"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 3, .config = "{\"outer_dimension_partitions\":[\"2\"]}"});
  expect_platform(&h, NULL, MV_PLATFORM_CPU);
}

Test(platform, the_modules_own_device_type_goes_before_all) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .shape = "f32[8,128]{1,0:T(8,128)}"});
  pb_string(&h.module, 21, "CUDA");
  expect_platform(&h, NULL, MV_PLATFORM_GPU);
}

Test(platform, file_names_of_dumps) {
  expect_by_name("module_0001.jit_f.cpu_after_optimizations.hlo.pb", MV_PLATFORM_CPU);
  expect_by_name("module_0001.jit_f.cpu_after_optimizations-buffer-assignment.hlo.pb", MV_PLATFORM_CPU);
  expect_by_name("module_0003.jit_f.sm_9.0_gpu_after_optimizations.hlo.pb", MV_PLATFORM_GPU);
  expect_by_name("module_0003.jit_f.gfx942_gpu_after_optimizations.hlo.pb", MV_PLATFORM_GPU);
  expect_by_name("module_0000.jit_f.cl_1014260217.after_optimizations.hlo.pb", MV_PLATFORM_TPU);
}

Test(platform, device_planes_of_profiles) {
  expect_by_name("/device:TPU:0", MV_PLATFORM_TPU);
  expect_by_name("/device:GPU:1", MV_PLATFORM_GPU);
  expect_by_name("/host:CPU", MV_PLATFORM_CPU);
}

Test(platform, of_real_modules) {
  static const struct {
    const char *file;
    mv_platform platform;
  } files[] = {{"tpu-v5e-mlp.hlo.pb", MV_PLATFORM_TPU},  {"tpu-v6e-mlp.hlo.pb", MV_PLATFORM_TPU},
               {"tpu-v4-mlp.hlo.pb", MV_PLATFORM_TPU},   {"tpu-v5e-pallas.hlo.pb", MV_PLATFORM_TPU},
               {"gpu-h100-mlp.hlo.pb", MV_PLATFORM_GPU}, {"gpu-h100-collective.hlo.pb", MV_PLATFORM_GPU},
               {"cpu-mlp.hlo.pb", MV_PLATFORM_CPU},      {"cpu-tensorflow-2.15.hlo.pb", MV_PLATFORM_CPU}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    mv_module *m = load_data(files[i].file);
    cr_expect_eq(m->platform, files[i].platform, "%s", files[i].file);
    mv_module_free(m);
  }
}
