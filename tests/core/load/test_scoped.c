/* Memory that instructions use for themselves, from their backend configs. */
#include <criterion/criterion.h>

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
  cr_assert_eq(m->space_count, 2);
  cr_expect_eq(m->spaces[0].scoped_bytes, -1);
  cr_expect_eq(m->spaces[0].scoped_instruction, MV_NONE);
  cr_expect_eq(m->spaces[1].scoped_bytes, 8);
  cr_expect(mv_bytes_equal_string(mv_instruction_name(m, m->spaces[1].scoped_instruction), "c"));
  cr_expect_eq(mv_instruction_scoped_bytes(m, 0), 5);
  cr_expect_eq(mv_instruction_scoped_bytes(m, 1), -1);
  cr_expect_eq(mv_instruction_scoped_bytes(m, 4), 99);
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
