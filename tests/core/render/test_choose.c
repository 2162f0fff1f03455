#include <criterion/criterion.h>
#include <stdio.h>

#include "render/choose.h"
#include "support/files.h"
#include "support/hlo_builder.h"
#include "support/profile_builder.h"
#include "support/tree.h"

typedef struct chosen {
  bool ok;
  int64_t module_id;
  int64_t color; /* -1: no space */
  mv_status status;
} chosen;

static const mv_limits no_limits = {0};

static chosen choose_of(mv_source_cache *cache, mv_source_ref *ref, mv_selector module, mv_selector space) {
  chosen c = {.status = MV_STATUS_INIT, .color = -1};
  mv_choice choice;
  c.ok = mv_choose(&choice, cache, ref, module, space, &c.status);
  if (c.ok) {
    c.module_id = (int64_t)choice.index + 1;
    c.color = choice.space != MV_NONE ? choice.module->spaces[choice.space].color : -1;
  } else {
    cr_expect_null(choice.module);
  }
  mv_choice_release(&choice, cache, ref);
  mv_choice_release(&choice, cache, ref); /* twice does no harm */
  return c;
}

static chosen choose_in(const char *data, mv_selector module, mv_selector space) {
  mv_status status = MV_STATUS_INIT;
  char path[PATH_ROOM];
  snprintf(path, sizeof path, "%s/%s", MV_TEST_DATA, data);
  mv_source_cache *cache = mv_source_cache_new(&no_limits, MV_SOURCE_CACHE_DEFAULT_BYTES, &status);
  mv_source_ref *ref = mv_source_cache_open(cache, path, &status);
  cr_assert_not_null(ref, "%s", status.message);
  const chosen c = choose_of(cache, ref, module, space);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  return c;
}

static chosen choose_in_bytes(mv_text *proto, mv_selector module, mv_selector space) {
  mv_status status = MV_STATUS_INIT;
  mv_source_cache *cache = mv_source_cache_new(&no_limits, MV_SOURCE_CACHE_DEFAULT_BYTES, &status);
  mv_source_ref *ref = mv_source_cache_open_bytes(cache, pb_view(proto), &status);
  cr_assert_not_null(ref, "%s", status.message);
  const chosen c = choose_of(cache, ref, module, space);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  mv_text_free(proto);
  return c;
}

static mv_selector any(void) {
  return (mv_selector){.kind = MV_SELECT_DEFAULT};
}

static mv_selector number(int64_t n) {
  return (mv_selector){.kind = MV_SELECT_NUMBER, .number = n};
}

static mv_selector name(const char *text) {
  return (mv_selector){.kind = MV_SELECT_NAME, .name = text};
}

static void expect_chosen(chosen c, int64_t module_id, int64_t color) {
  cr_expect(c.ok, "%s", c.status.message);
  cr_expect_eq(c.module_id, module_id, "module %lld", (long long)c.module_id);
  cr_expect_eq(c.color, color, "color %lld", (long long)c.color);
}

static void expect_message(chosen c, const char *message) {
  cr_expect_not(c.ok);
  cr_expect_str_eq(c.status.message, message);
}

#define PROFILE "logdir"

Test(choose, by_default_the_module_with_the_largest_peak) {
  expect_chosen(choose_in(PROFILE, any(), any()), 5, 0); /* 6,422,648 bytes */
  expect_chosen(choose_in("dump", any(), any()), 2, 0);
}

Test(choose, by_default_among_those_that_have_the_space) {
  expect_chosen(choose_in("dump", any(), name("SMEM")), 1, 4); /* the module with the largest peak has none */
  expect_chosen(choose_in("dump", any(), number(1)), 2, 1);
}

Test(choose, a_module_by_its_id) {
  expect_chosen(choose_in(PROFILE, number(13), any()), 13, 0);
}

Test(choose, a_module_by_its_name) {
  expect_chosen(choose_in(PROFILE, name("jit_unstack"), any()), 4, 0);
  expect_chosen(choose_in("cpu-mlp.hlo.pb", name("jit_train_step"), any()), 1, 0);
}

Test(choose, a_module_by_name_and_program_id) {
  expect_chosen(choose_in(PROFILE, name("jit__normal(16)"), any()), 9, 0);
}

Test(choose, a_name_of_several_lists_them) {
  expect_message(choose_in(PROFILE, name("jit__normal"), any()),
                 "several modules are named 'jit__normal', give a module_id or 'name(program_id)': 5 jit__normal(8) of "
                 "host0.xplane.pb, 8 jit__normal(14) of host0.xplane.pb, 9 jit__normal(16) of host0.xplane.pb");
}

Test(choose, a_program_id_that_only_the_module_tells) {
  expect_chosen(choose_in("cpu-mlp.hlo.pb", name("jit_train_step(24)"), any()), 1, 0);
  cr_expect_not(choose_in("cpu-mlp.hlo.pb", name("jit_train_step(0)"), any()).ok);
}

Test(choose, numbers_that_come_as_text) {
  expect_chosen(choose_in(PROFILE, name("13"), name("0")), 13, 0);
  expect_chosen(choose_in("tpu-v5e-mlp.hlo.pb", name("1"), name("1")), 1, 1);
  cr_expect_not(choose_in(PROFILE, name("14"), any()).ok);
  cr_expect_not(choose_in(PROFILE, name("1x"), any()).ok);
  cr_expect_not(choose_in(PROFILE, name(""), any()).ok);
}

Test(choose, an_unknown_name_lists_some) {
  expect_message(choose_in(PROFILE, name("jit_no"), any()),
                 "no module is named 'jit_no'; the modules: 1 jit_stage(0), 2 jit__threefry_seed(2), 3 "
                 "jit__threefry_split(4), 4 jit_unstack(6), 5 jit__normal(8), 6 jit_convert_element_type(10), 7 "
                 "jit_broadcast_in_dim(12), 8 jit__normal(14) and 5 more");
  cr_expect_not(choose_in(PROFILE, name("jit__normal(17)"), any()).ok);
  cr_expect_not(choose_in(PROFILE, name("jit__normal("), any()).ok);
  cr_expect_not(choose_in(PROFILE, name(""), any()).ok);
}

Test(choose, an_unknown_id_lists_what_there_is) {
  expect_message(choose_in("dump", number(3), any()),
                 "there is no module_id 3; the modules: 1 jit_mlp_step, 2 jit_pallas_step");
  cr_expect_not(choose_in("dump", number(0), any()).ok);
  cr_expect_not(choose_in("dump", number(INT64_MIN), any()).ok);
}

Test(choose, a_long_name_is_shortened_in_the_message) {
  char text[3000];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  const chosen c = choose_in("dump", name(text), any());
  cr_expect_not(c.ok);
  cr_expect_not_null(strstr(c.status.message, "x\xE2\x80\xA6'; the modules: 1 jit_mlp_step, 2 jit_pallas_step"));
}

Test(choose, a_space_by_name_or_color) {
  expect_chosen(choose_in("dump", number(1), name("VMEM")), 1, 1);
  expect_chosen(choose_in("dump", number(1), number(2)), 1, 2);
  expect_chosen(choose_in("cpu-mlp.hlo.pb", any(), name("Host")), 1, 0);
}

Test(choose, an_unknown_space_lists_what_there_is) {
  expect_message(choose_in("dump", number(1), name("HBM2")),
                 "the module has no memory space 'HBM2'; its memory spaces: HBM (0), VMEM (1), SFLAG (2), SMEM (4)");
  expect_message(choose_in("dump", number(2), number(4)),
                 "the module has no memory space with color 4; its memory spaces: HBM (0), VMEM (1), SFLAG (2)");
  cr_expect_not(choose_in("dump", any(), name("HBM2")).ok);
}

Test(choose, without_color_0_the_first_space) {
  hlo h = hlo_new("jit_f");
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 8, .color = 3});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 8, .color = 2});
  mv_text proto = hlo_proto(&h);
  expect_chosen(choose_in_bytes(&proto, any(), any()), 1, 2);
}

Test(choose, a_module_without_spaces_is_chosen_without_one) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .opcode = "fusion", .shape = "f32[]"});
  h.has_assignment = true;
  mv_text proto = hlo_proto(&h);
  expect_chosen(choose_in_bytes(&proto, any(), any()), 1, -1);
}

Test(choose, a_module_without_buffer_assignment_is_an_error) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .opcode = "fusion", .shape = "f32[]"});
  mv_text proto = hlo_proto(&h);
  const chosen c = choose_in_bytes(&proto, any(), any());
  cr_expect_not(c.ok);
  cr_expect_not_null(strstr(c.status.message, "no buffer assignment"), "%s", c.status.message);
}

/* What can't be read is skipped by the default, and says why when it was asked for. */
Test(choose, unreadable_entries) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  mv_status status = MV_STATUS_INIT;
  mv_text good = read_data("cpu-mlp.hlo.pb");
  make_folder(folder);
  write_file(path, folder, "a.hlo.pb", mv_bytes_of(good.data, good.size / 2));
  write_file(path, folder, "b.hlo.pb", pb_view(&good));
  mv_source_cache *cache = mv_source_cache_new(&no_limits, MV_SOURCE_CACHE_DEFAULT_BYTES, &status);
  mv_source_ref *ref = mv_source_cache_open(cache, folder, &status);
  cr_assert_not_null(ref, "%s", status.message);
  expect_chosen(choose_of(cache, ref, any(), any()), 2, 0);
  expect_chosen(choose_of(cache, ref, name("jit_train_step(24)"), any()), 2, 0);
  const chosen c = choose_of(cache, ref, number(1), any());
  cr_expect_not(c.ok);
  cr_expect_not_null(strstr(c.status.message, "a.hlo.pb': "), "%s", c.status.message);
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  remove_folder(folder);
  mv_text_free(&good);
}

/* ---- Several hosts ---- */

/* A profile of one host with the given programs, all called "jit_f" but with ids of their own. */
static void write_profile(const char *folder, const char *file, const uint64_t *ids, size_t count) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 32, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_text module = hlo_proto(&h);
  profile_program programs[4];
  for (size_t i = 0; i < count; i++) {
    programs[i] = (profile_program){.event = "jit_f", .module = pb_view(&module), .has_stat = true, .id = ids[i]};
  }
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 1}, programs, count);
  tree_write(folder, file, pb_view(&space));
  mv_text_free(&space);
  mv_text_free(&module);
}

static chosen choose_in_folder(const char *folder, const char *text) {
  mv_status status = MV_STATUS_INIT;
  mv_source_cache *cache = mv_source_cache_new(&no_limits, MV_SOURCE_CACHE_DEFAULT_BYTES, &status);
  mv_source_ref *ref = mv_source_cache_open(cache, folder, &status);
  cr_assert_not_null(ref, "%s", status.message);
  const chosen c = choose_of(cache, ref, name(text), any());
  mv_source_cache_release(cache, ref);
  mv_source_cache_free(cache);
  return c;
}

Test(choose, of_several_hosts_the_first_or_the_one_named) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_profile(folder, "run/h0.xplane.pb", (uint64_t[]){3, 4}, 2);
  write_profile(folder, "run/h1.xplane.pb", (uint64_t[]){3}, 1);
  write_profile(folder, "run/h2.local.xplane.pb", (uint64_t[]){3, UINT64_MAX}, 2);
  expect_chosen(choose_in_folder(folder, "jit_f(3)"), 1, 0);
  expect_chosen(choose_in_folder(folder, "jit_f(3)@h0"), 1, 0);
  expect_chosen(choose_in_folder(folder, "jit_f(3)@h1"), 3, 0);
  expect_chosen(choose_in_folder(folder, "jit_f(3)@h2.local"), 4, 0);
  expect_chosen(choose_in_folder(folder, "jit_f(18446744073709551615)@h2.local"), 5, 0);
  expect_chosen(choose_in_folder(folder, "jit_f(-1)@h2.local"), 5, 0);
  expect_chosen(choose_in_folder(folder, "jit_f@h1"), 3, 0);
  expect_message(choose_in_folder(folder, "jit_f(4)@h1"),
                 "no module is named 'jit_f(4)@h1'; the modules: 1 jit_f(3), 2 jit_f(4), 3 jit_f(3), 4 jit_f(3), "
                 "5 jit_f(-1)");
  cr_expect_not(choose_in_folder(folder, "jit_f(3)@").ok);
  cr_expect_not(choose_in_folder(folder, "jit_f(3)@h").ok);
  cr_expect_not(choose_in_folder(folder, "jit_f(3)@h00").ok);
  expect_message(choose_in_folder(folder, "jit_f"),
                 "several modules are named 'jit_f', give a module_id or 'name(program_id)@host': 1 jit_f(3) of "
                 "h0.xplane.pb, 2 jit_f(4) of h0.xplane.pb, 3 jit_f(3) of h1.xplane.pb, 4 jit_f(3) of "
                 "h2.local.xplane.pb, 5 jit_f(-1) of h2.local.xplane.pb");
  expect_message(choose_in_folder(folder, "jit_f@h0"),
                 "several modules are named 'jit_f@h0', give a module_id or 'name(program_id)@host': 1 jit_f(3) of "
                 "h0.xplane.pb, 2 jit_f(4) of h0.xplane.pb");
  write_profile(folder, "run2/h1.xplane.pb", (uint64_t[]){3}, 1);
  expect_message(choose_in_folder(folder, "jit_f(3)@h1"),
                 "several modules are named 'jit_f(3)@h1', give a module_id: 3 jit_f(3) of h1.xplane.pb, 6 jit_f(3) of "
                 "h1.xplane.pb");
  tree_remove(folder);
}

/* Two runs may have compiled two programs of one name and id: only the number tells them apart. */
Test(choose, of_several_runs_of_a_host_none) {
  char folder[PATH_ROOM];
  make_folder(folder);
  write_profile(folder, "a/h0.xplane.pb", (uint64_t[]){3}, 1);
  write_profile(folder, "a/h1.xplane.pb", (uint64_t[]){3}, 1);
  write_profile(folder, "b/h0.xplane.pb", (uint64_t[]){3}, 1);
  cr_expect_not(choose_in_folder(folder, "jit_f(3)").ok);
  cr_expect_not(choose_in_folder(folder, "jit_f(3)@h0").ok);
  expect_chosen(choose_in_folder(folder, "jit_f(3)@h1"), 2, 0);
  expect_chosen(choose_in_folder(folder, "3"), 3, 0);
  tree_remove(folder);
}

Test(choose, names_with_line_breaks_stay_in_their_line) {
  hlo h = hlo_new("jit\n\tf");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .opcode = "fusion", .shape = "f32[]"});
  h.has_assignment = true;
  mv_text proto = hlo_proto(&h);
  mv_text again = MV_TEXT_INIT;
  mv_text_append(&again, proto.data, proto.size);
  expect_chosen(choose_in_bytes(&proto, name("jit\n\tf"), any()), 1, -1);
  expect_message(choose_in_bytes(&again, name("a\nb"), any()), "no module is named 'a\\nb'; the modules: 1 jit\\n\\tf");
}
