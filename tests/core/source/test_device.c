/* The device that files beside a module tell. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "source/source.h"
#include "support/hlo_builder.h"
#include "support/tree.h"

#define STEM "module_0001.jit_f"
#define MODULE STEM ".sm_9.0_gpu_after_optimizations.hlo.pb"
#define TPU_FILE STEM ".cl_101.target_arguments.pb"
#define GPU_FILE STEM ".gpu_target_config.pbtxt"

static mv_source *must_open(const char *path) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(path, NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  return s;
}

static void expect_device(const char *path, const char *device, int64_t memory_bytes) {
  mv_source *s = must_open(path);
  const mv_entry *e = &s->entries[0];
  cr_assert_eq(s->count, 1, "what tells the device is no module");
  cr_assert_null(e->problem);
  cr_assert_eq(e->device == NULL, device == NULL, "%s: %s", path, e->device != NULL ? e->device : "none");
  cr_assert(device == NULL || strcmp(e->device, device) == 0, "%s: %s", path, e->device);
  cr_assert_eq(e->device_memory_bytes, memory_bytes);
  cr_assert(mv_source_is_current(s));
  mv_source_free(s);
}

static void write_module(const char *folder, const char *file, const char *name) {
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 32, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_text proto = hlo_proto(&h);
  tree_write(folder, file, pb_view(&proto));
  mv_text_free(&proto);
}

/* Target arguments; NULL leaves a text out. */
static mv_text arguments(int64_t generation, const char *variant, const char *cores) {
  mv_text target = MV_TEXT_INIT;
  mv_text all = MV_TEXT_INIT;
  pb_int(&target, 1, generation);
  if (variant != NULL) {
    pb_string(&target, 2, variant);
  }
  pb_int(&target, 3, 1);
  if (cores != NULL) {
    pb_string(&target, 4, cores);
  }
  pb_int(&all, 3, 1);
  pb_message(&all, 6, &target);
  return all;
}

static void write_arguments(const char *folder, const char *file, int64_t generation, const char *variant,
                            const char *cores) {
  mv_text all = arguments(generation, variant, cores);
  tree_write(folder, file, pb_view(&all));
  mv_text_free(&all);
}

static void write_text(const char *folder, const char *file, const char *text) {
  tree_write(folder, file, mv_bytes_of_string(text));
}

Test(device, real_dumps__of_each_generation) {
  static const struct {
    const char *folder;
    const char *device;
    int64_t memory_bytes;
  } dumps[] = {
      {"v2", "TPU v2", 0},
      {"v3", "TPU v3", 0},
      {"v4", "TPU v4", 0},
      {"v4-megacore", "TPU v4 megacore", 0},
      {"v5e", "TPU v5e", 0},
      {"v5p", "TPU v5p", 0},
      {"v5p-megacore", "TPU v5p", 0},
      {"v6e", "TPU v6e", 0},
      {"tpu7x", "TPU7x", 0},
      {"gpu-h100-donate_right", "NVIDIA H100 80GB HBM3", INT64_C(84942979072)},
  };
  for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, MV_TEST_DATA "/devices/%s", dumps[i].folder);
    expect_device(path, dumps[i].device, dumps[i].memory_bytes);
    mv_source *s = must_open(path);
    snprintf(path, sizeof path, "%s", s->entries[0].path);
    mv_source_free(s);
    expect_device(path, dumps[i].device, dumps[i].memory_bytes); /* the module alone looks beside itself */
  }
}

Test(device, target_arguments__anything_else_is_unknown) {
  static const struct {
    int64_t generation;
    const char *variant;
    const char *cores;
    const char *device;
  } known[] = {
      {1, NULL, "default", "TPU v2"},   {4, "lite", "default", "TPU v5e"},
      {4, NULL, "megacore", "TPU v5p"}, {0, NULL, "default", NULL},
      {7, NULL, "default", NULL},       {3, "lite", "default", NULL},
      {4, "pro", "default", NULL},      {4, NULL, NULL, NULL},
      {4, NULL, "other", NULL},         {5, NULL, "megacore", NULL},
      {4, "lite", "megacore", NULL},    {INT64_C(4) << 32, NULL, "default", NULL},
  };
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, MODULE, "jit_f");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    write_arguments(folder, TPU_FILE, known[i].generation, known[i].variant, known[i].cores);
    expect_device(folder, known[i].device, 0);
  }
  mv_text all = arguments(4, "lite", "default");
  for (size_t size = 0; size < all.size; size++) { /* cut anywhere: no other device, no fault */
    tree_write(folder, TPU_FILE, mv_bytes_of(all.data, size));
    expect_device(folder, NULL, 0);
  }
  mv_text_free(&all);
  write_text(folder, TPU_FILE, "no protobuf at all");
  expect_device(folder, NULL, 0);
  tree_remove(folder);
}

Test(device, target_config__as_text_format_is_written) {
  static const struct {
    const char *text;
    const char *device;
    int64_t memory_bytes;
  } texts[] = {
      {"gpu_device_info { device_memory_size: 7 }\ndevice_description_str: \"A\"", "A", 7},
      {"device_description_str:'A \\'1\\'' # x {\ngpu_device_info: < core_count: 1, device_memory_size : 8; >", "A '1'",
       8},
      {"device_description_str: \"A\" \"B\"", "A", 0},
      {"gpu_device_info { cuda { device_memory_size: 9 } list: [1, \"}\", 2] name: \"{\" }\n"
       "other { device_memory_size: 3 device_description_str: \"no\" }\ndevice_description_str: \"A\"\n",
       "A", 0},
      {"gpu_device_info { device_memory_size: 99999999999999999999 } device_description_str: \"A\"", "A", 0},
      {"gpu_device_info { device_memory_size: -1 } device_description_str: \"A\"", "A", 0},
      {"gpu_device_info { device_memory_size: 7 }", NULL, 0},
      {"device_description_str: \"\"", NULL, 0},
      {"device_description_str: \"A\" gpu_device_info {", NULL, 0},
      {"device_description_str: \"A\" }", NULL, 0},
      {"device_description_str: \"A", NULL, 0},
      {"device_description_str: \"A\\", NULL, 0},
      {"device_description_str:", NULL, 0},
      {"device_description_str: \"A\" \x01", NULL, 0},
      {"", NULL, 0},
  };
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, MODULE, "jit_f");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    write_text(folder, GPU_FILE, texts[i].text);
    expect_device(folder, texts[i].device, texts[i].memory_bytes);
  }
  tree_remove(folder);
}

Test(device, too_large__is_not_read) {
  char folder[PATH_ROOM];
  make_folder(folder);
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "device_description_str: \"A\" #");
  while (text.size < 1 << 16) {
    mv_text_add(&text, "0123456789abcdef");
  }
  write_module(folder, MODULE, "jit_f");
  tree_write(folder, GPU_FILE, pb_view(&text));
  expect_device(folder, NULL, 0);
  mv_text_free(&text);
  tree_remove(folder);
}

Test(device, two_that_differ__neither_is_believed) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, MODULE, "jit_f");
  write_arguments(folder, TPU_FILE, 1, NULL, "default");
  write_arguments(folder, STEM ".cl_102.target_arguments.pb", 1, NULL, "default");
  expect_device(folder, "TPU v2", 0);
  write_arguments(folder, STEM ".cl_102.target_arguments.pb", 2, NULL, "default");
  expect_device(folder, NULL, 0);
  write_arguments(folder, STEM ".cl_103.target_arguments.pb", 2, NULL, "default");
  expect_device(folder, NULL, 0); /* two of three are no proof either */
  tree_remove(folder);
}

/* Of another module, without a number, in another folder: not of this module. */
Test(device, other_files__tell_nothing_of_this_module) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_module(folder, "a/" MODULE, "jit_f");
  write_arguments(folder, "a/module_0001.jit_f2.cl_1.target_arguments.pb", 1, NULL, "default");
  write_arguments(folder, "a/module_0002.jit_f.cl_1.target_arguments.pb", 1, NULL, "default");
  write_arguments(folder, "a/target_arguments.pb", 1, NULL, "default");
  write_arguments(folder, "b/" TPU_FILE, 1, NULL, "default");
  expect_device(folder, NULL, 0);
  char path[2 * PATH_ROOM];
  snprintf(path, sizeof path, "%s/a/" MODULE, folder);
  expect_device(path, NULL, 0);
  tree_remove(folder);
}

/* A folder of one file each is no longer what it was when the file that tells changes, appears or goes. */
static void expect_stale(const char *path, const char *folder, const char *change) {
  mv_source *s = must_open(path);
  cr_assert(mv_source_is_current(s));
  if (change != NULL) {
    write_text(folder, GPU_FILE, change);
  } else {
    char file[2 * PATH_ROOM];
    snprintf(file, sizeof file, "%s/" GPU_FILE, folder);
    cr_assert_eq(remove(file), 0);
  }
  cr_assert_not(mv_source_is_current(s));
  mv_source_free(s);
}

Test(device, watched__the_answer_does_not_go_stale) {
  char folder[PATH_ROOM];
  char file[2 * PATH_ROOM];
  make_folder(folder);
  write_module(folder, MODULE, "jit_f");
  snprintf(file, sizeof file, "%s/" MODULE, folder);
  expect_stale(file, folder, "device_description_str: \"first\"");
  expect_device(file, "first", 0);
  expect_stale(file, folder, "device_description_str: \"2\"");
  expect_device(file, "2", 0);
  expect_stale(folder, folder, "device_description_str: \"third\"");
  expect_device(folder, "third", 0);
  expect_stale(file, folder, NULL);
  expect_device(file, NULL, 0);
  expect_device(folder, NULL, 0);
  tree_remove(folder);
}
