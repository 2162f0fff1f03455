/* Differences: what is paired with what, and that they add up. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/diff.h"
#include "support/files.h"
#include "support/hlo_builder.h"

static void expect_pairs(const char *const *before, size_t before_count, const char *const *after, size_t after_count,
                         const char *expected) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_pair *pairs;
  size_t count;
  mv_text text = MV_TEXT_INIT;
  cr_assert(mv_names_pair(&pairs, &count, before, before_count, after, after_count, arena, &status));
  mv_text_add(&text, "");
  for (size_t i = 0; i < count; i++) {
    mv_text_format(&text, "%s%d:%d", i > 0 ? " " : "", pairs[i].before == MV_NO_PARTNER ? -1 : (int)pairs[i].before,
                   pairs[i].after == MV_NO_PARTNER ? -1 : (int)pairs[i].after);
  }
  cr_expect_str_eq(text.data, expected);
  mv_text_free(&text);
  mv_arena_free(arena);
}

Test(diff, names__the_nth_with_the_nth) {
  const char *before[] = {"step", "eval", "eval", NULL, ""};
  const char *after[] = {"eval", "", "init", "step", "step", NULL};
  expect_pairs(before, 5, after, 6, "0:3 1:0 2:-1 4:1 -1:2 -1:4");
  expect_pairs(before, 5, NULL, 0, "0:-1 1:-1 2:-1 4:-1");
  expect_pairs(NULL, 0, NULL, 0, "");
}

static int64_t peak_named(const mv_module *m, const char *name, bool *is_there) {
  int64_t sum = 0;
  *is_there = false;
  for (uint32_t i = 0; m != NULL && i < m->space_count; i++) {
    char buffer[MV_SPACE_NAME];
    if (strcmp(mv_space_name(m->platform, m->spaces[i].color, buffer), name) == 0) {
      sum += m->spaces[i].peak_bytes;
      *is_there = true;
    }
  }
  return sum;
}

/* For each space that one of them has: the sums are the peaks and their difference. */
static void check_pair(const mv_module *before, const mv_module *after, mv_group_by by, const char *what) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_array rows = {0};
  cr_assert(mv_diff_add(&rows, before, after, by, arena, NULL, &status));
  const mv_difference *d = rows.items;
  for (size_t i = 0; i < rows.count; i++) {
    int64_t sums[3] = {0};
    bool is_first = true;
    for (size_t k = 0; k < rows.count; k++) {
      if (strcmp(d[k].memory_space, d[i].memory_space) == 0) {
        is_first = is_first && k >= i;
        sums[0] += d[k].before_bytes >= 0 ? d[k].before_bytes : 0;
        sums[1] += d[k].after_bytes >= 0 ? d[k].after_bytes : 0;
        sums[2] += d[k].change_bytes;
        cr_assert_eq(d[k].before_bytes < 0, d[k].before_buffer_count == 0);
        cr_assert_eq(d[k].after_bytes < 0, d[k].after_buffer_count == 0);
      }
    }
    bool is_there[2];
    const int64_t peaks[2] = {peak_named(before, d[i].memory_space, &is_there[0]),
                              peak_named(after, d[i].memory_space, &is_there[1])};
    cr_assert(is_there[0] || is_there[1]);
    cr_assert(!is_first || (sums[0] == peaks[0] && sums[1] == peaks[1] && sums[2] == peaks[1] - peaks[0]),
              "%s, %s: %lld to %lld by %lld", what, d[i].memory_space, (long long)sums[0], (long long)sums[1],
              (long long)sums[2]);
  }
  mv_arena_free(arena);
}

Test(diff, real_dumps__add_up_to_the_peaks) {
  char **names = list_data(".hlo.pb");
  mv_module *before = NULL; /* of the first: nothing */
  for (char **name = names; *name != NULL; name++) {
    mv_module *after = load_data(*name);
    check_pair(before, after, MV_BY_OPCODE, *name);
    check_pair(after, before, MV_BY_SHAPE, *name);
    check_pair(before, after, MV_BY_LAYER, *name);
    mv_module_free(before);
    before = after;
    free(*name);
  }
  check_pair(before, NULL, MV_BY_CATEGORY, "the last");
  mv_module_free(before);
  free(names);
}

/* One buffer of an opcode in each of the colors given. */
static mv_module *module_in(const char *opcode, int64_t size, const char *device, int64_t color, int64_t other_color) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "i", .opcode = opcode, .shape = "u8[4]{0}"});
  for (int64_t i = 0; i < 2; i++) {
    hlo_buffer(&h,
               (hlo_buffer_args){.id = i, .size = size + i, .color = i == 0 ? color : other_color, .instruction = 1});
    hlo_allocation(&h, (hlo_allocation_args){
                           .id = i, .size = size + i, .color = i == 0 ? color : other_color, .is_live_out = true});
    hlo_assign(&h, i, 0);
  }
  return hlo_load_as(&h, device);
}

static void expect_rows(const mv_module *before, const mv_module *after, const char *expected) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_array rows = {0};
  mv_text text = MV_TEXT_INIT;
  cr_assert(mv_diff_add(&rows, before, after, MV_BY_OPCODE, arena, NULL, &status));
  for (size_t i = 0; i < rows.count; i++) {
    const mv_difference *d = &((const mv_difference *)rows.items)[i];
    mv_text_format(&text, "%s %.*s %lld %lld %lld\n", d->memory_space, (int)d->key.size, (const char *)d->key.data,
                   (long long)d->before_bytes, (long long)d->after_bytes, (long long)d->change_bytes);
  }
  cr_expect_str_eq(text.data, expected);
  mv_text_free(&text);
  mv_arena_free(arena);
}

/* JAX 0.12 moved the collectives of a GPU from color 1 to color 7. */
Test(diff, spaces__are_paired_by_name_not_by_color) {
  mv_module *before = module_in("add", 10, "module_0001.f.sm_9.0_gpu_after_optimizations.hlo.pb", 0, 1);
  mv_module *after = module_in("dot", 30, "module_0001.f.sm_9.0_gpu_after_optimizations.hlo.pb", 0, 7);
  expect_rows(before, after,
              "HBM dot -1 30 30\nHBM add 10 -1 -10\n"
              "Collective dot -1 31 31\nCollective add 11 -1 -11\n");
  mv_module_free(after);
  after = module_in("add", 10, "module_0001.f.cpu_after_optimizations.hlo.pb", 0, 5);
  expect_rows(before, after,
              "HBM add 10 -1 -10\nCollective add 11 -1 -11\n"
              "Host add -1 10 10\nS(5) add -1 11 11\n");
  mv_module_free(before);
  mv_module_free(after);
}
