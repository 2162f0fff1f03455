/* Memory that instructions use for themselves, from their backend configs. */
#include <criterion/criterion.h>

#include "check/check.h"
#include "load/load.h"
#include "model/instruction.h"
#include "support/hlo_builder.h"

#define CONFIG(list) "{\"flag_configs\":[],\"used_scoped_memory_configs\":" list ",\"estimated_cycles\":\"3\"}"

static const char *const strings = CONFIG("[{\"memory_space\":\"1\",\"offset\":\"0\",\"size\":\"4550656\"}]");
static const char *const numbers = CONFIG("[{\"memory_space\":1,\"offset\":0,\"size\":4550656}]");

static mv_text payload_of(const char *value, int64_t id) {
  mv_text payload = MV_TEXT_INIT;
  if (value != NULL) {
    pb_string(&payload, 1, value);
  }
  if (id != 0) {
    pb_int(&payload, 2, id);
  }
  return payload;
}

static int64_t scoped_of(const char *config) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "call", .config = config});
  mv_module *m = hlo_load(&h);
  const int64_t bytes = mv_instruction_scoped_bytes(m, 0);
  mv_module_free(m);
  return bytes;
}

Test(scoped, numbers_and_strings) {
  cr_expect_eq(scoped_of(strings), 4550656);
  cr_expect_eq(scoped_of(numbers), 4550656);
  cr_expect_eq(scoped_of(CONFIG(" [ { \"size\" : \"77\" } ] ")), 77, "the space 0 is left out");
}

Test(scoped, the_largest_entry_of_an_instruction) {
  cr_expect_eq(scoped_of(CONFIG("[{\"memory_space\":1,\"size\":5},{\"memory_space\":2,\"size\":9},{\"size\":7}]")), 9);
}

Test(scoped, configs_that_say_nothing) {
  cr_expect_eq(scoped_of(""), -1);
  cr_expect_eq(scoped_of("{}"), -1);
  cr_expect_eq(scoped_of(CONFIG("[]")), -1);
  cr_expect_eq(scoped_of(CONFIG(" [ ] ")), -1);
  cr_expect_eq(scoped_of(CONFIG("null")), -1);
  cr_expect_eq(scoped_of(CONFIG("[{\"memory_space\":1}]")), -1);
  cr_expect_eq(scoped_of(CONFIG("[{\"memory_space\":\"x\",\"size\":5}]")), -1);
  cr_expect_eq(scoped_of(CONFIG("[{\"size\":-5}]")), -1);
  cr_expect_eq(scoped_of("{\"scoped_memory_configs\":[{\"size\":5}]}"), -1, "what it may use, not what it does");
  cr_expect_eq(scoped_of("used_scoped_memory_configs"), -1);
  cr_expect_eq(scoped_of("{\"used_scoped_memory_configs\":[{\"size\":5"), -1, "cut");
}

Test(scoped, of_a_space_the_largest_of_all_instructions) {
  hlo h = hlo_new("m");
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 1, .name = "a", .config = CONFIG("[{\"memory_space\":1,\"size\":5}]")});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "b"});
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 3, .name = "c", .config = CONFIG("[{\"memory_space\":1,\"size\":8}]")});
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 4, .name = "d", .config = CONFIG("[{\"memory_space\":1,\"size\":8}]")});
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 5, .name = "e", .config = CONFIG("[{\"memory_space\":4,\"size\":99}]")});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 1, .color = 1});
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->space_count, 3);
  cr_expect_eq(m->spaces[0].scoped_bytes, -1);
  cr_expect_eq(m->spaces[0].scoped_instruction, MV_NONE);
  cr_expect_eq(m->spaces[1].scoped_bytes, 8);
  cr_expect(mv_bytes_equal_string(mv_instruction_name(m, m->spaces[1].scoped_instruction), "c"));
  cr_expect_eq(mv_instruction_scoped_bytes(m, 0), 5);
  cr_expect_eq(mv_instruction_scoped_bytes(m, 1), -1);
  cr_expect_eq(mv_instruction_scoped_bytes(m, 4), 99);
  cr_expect_eq(m->spaces[2].color, 4);
  cr_expect_eq(m->spaces[2].scoped_bytes, 99);
  mv_module_free(m);
}

static void expect_sound(const mv_module *m) {
  mv_status status = MV_STATUS_INIT;
  cr_expect(mv_module_check(m, &status), "%s", status.message);
}

/* A space that nothing lies in: as the scoped VMEM of TPU v4, which has no VMEM of XLA's own. */
Test(scoped, a_space_without_an_allocation_stands_among_the_others) {
  hlo h = hlo_new("m");
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 1, .name = "a", .config = CONFIG("[{\"memory_space\":1,\"size\":5}]")});
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 2, .name = "b", .config = CONFIG("[{\"memory_space\":9,\"size\":7}]")});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 10, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 10, .color = 3});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 1, .color = 0, .is_constant = true});
  hlo_trace(&h, 0, "A1 F1");
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->space_count, 4);
  static const int64_t colors[] = {0, 1, 3, 9};
  static const int64_t scoped[] = {-1, 5, -1, 7};
  static const int64_t peaks[] = {1, 0, 10, 0};
  for (uint32_t i = 0; i < 4; i++) {
    const mv_space *s = &m->spaces[i];
    cr_expect_eq(s->color, colors[i]);
    cr_expect_eq(s->scoped_bytes, scoped[i]);
    cr_expect_eq(s->peak_bytes, peaks[i]);
    cr_expect_eq(s->position_count, s->heap_count > 0 ? 3 : 1, "a space without a heap has one row of the curve");
    for (uint32_t p = s->first_position; p < s->first_position + s->position_count; p++) {
      cr_expect_eq(m->positions[p].space, i);
    }
  }
  cr_expect_eq(m->allocations[0].space, 2);
  cr_expect_eq(m->heaps[0].space, 2);
  expect_sound(m);
  mv_module_free(m);
}

Test(scoped, a_space_that_only_another_stage_tells_of) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a"});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 10, .color = 3, .is_constant = true});
  mv_module *m = hlo_load(&h);
  h = hlo_new("m");
  hlo_instruction(&h,
                  (hlo_instruction_args){.id = 1, .name = "a", .config = CONFIG("[{\"memory_space\":1,\"size\":5}]")});
  mv_module *stage = hlo_load(&h);
  mv_status status = MV_STATUS_INIT;
  cr_assert(mv_module_take_scoped(m, stage, NULL, &status));
  cr_assert_eq(m->space_count, 2);
  cr_expect_eq(m->spaces[0].color, 1);
  cr_expect_eq(m->spaces[0].scoped_bytes, 5);
  cr_expect_eq(m->allocations[0].space, 1);
  expect_sound(m);
  mv_module_free(stage);
  mv_module_free(m);
}

Test(scoped, without_a_buffer_assignment_there_is_no_space) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .config = CONFIG("[{\"size\":5}]")});
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->space_count, 0);
  cr_expect_eq(m->position_count, 0);
  mv_module_free(m);
}

Test(scoped, a_config_in_a_payload) {
  hlo h = hlo_new("m");
  mv_text by_id = payload_of(NULL, 1);
  mv_text by_id_0 = payload_of(NULL, 0); /* an id of 0 is left out of the file */
  mv_text by_value = payload_of(CONFIG("[{\"size\":3}]"), 0);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .payload = &by_id});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "b", .config = CONFIG("[{\"size\":2}]")});
  hlo_instruction(&h, (hlo_instruction_args){.id = 3, .name = "c", .payload = &by_value});
  hlo_instruction(&h, (hlo_instruction_args){.id = 4, .name = "d", .payload = &by_id_0});
  pb_string(&h.module, 22, CONFIG("[{\"size\":4}]"));
  pb_string(&h.module, 22, CONFIG("[{\"size\":1}]"));
  mv_module *m = hlo_load(&h);
  for (uint32_t i = 0; i < 4; i++) {
    cr_expect_eq(mv_instruction_scoped_bytes(m, i), i + 1, "instruction %u", i + 1);
  }
  mv_module_free(m);
}

Test(scoped, a_payload_that_is_not_there_is_noted) {
  hlo h = hlo_new("m");
  mv_text payload = payload_of(NULL, 7);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .payload = &payload});
  pb_string(&h.module, 22, CONFIG("[{\"size\":4}]"));
  mv_module *m = hlo_load(&h);
  cr_expect_eq(mv_instruction_scoped_bytes(m, 0), -1);
  cr_expect_not_null(strstr(m->problem, "names a payload that is not there"), "%s", m->problem);
  mv_module_free(m);
}
