/* Which instruction names a value: one small module for each rule. No value here has a use with a name. */
#include <stdio.h>

#include "core/analysis/explained.h"

static hlo entry(void) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 90, .name = "x", .opcode = "parameter", .op_name = "x"});
  return h;
}

Test(origin, its_own_name) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "add", .operands = "90", .op_name = "jit(f)/add"});
  expect_buffer(&h, 91, NULL, "jit(f)/add | own | -");
}

Test(origin, an_argument_without_a_name_has_its_instructions) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .name = "p0.1", .opcode = "parameter"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 8, .instruction = 1});
  mv_module *m = hlo_load(&h);
  const mv_explanation *e = explained_buffer(m, 1);
  expect_explained(e, "p0.1 | own | -");
  cr_expect_eq(e->phase, MV_PHASE_ARGUMENT);
  cr_expect(mv_bytes_equal_string(e->scope, "p0.1"));
  cr_expect(mv_bytes_equal_string(e->layer, "p0.*"));
  mv_module_free(m);
}

Test(origin, moved_through_whatever_only_moves_data) {
  static const char *const opcodes[] = {"copy",      "bitcast", "reshape",    "slice",      "dynamic-slice",
                                        "transpose", "convert", "pad",        "domain",     "concatenate",
                                        "broadcast", "reverse", "copy-start", "opt-barrier"};
  hlo h = entry();
  int64_t id = 90;
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++, id++) {
    char operand[24];
    snprintf(operand, sizeof operand, "%d", (int)id);
    hlo_instruction(&h, (args){.id = id + 1, .opcode = opcodes[i], .operands = operand});
  }
  expect_buffer(&h, id, NULL, "x | moved | -");
}

Test(origin, moved_by_custom_calls_of_the_compiler) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "custom-call", .operands = "90", .target = "ConcatBitcast"});
  expect_buffer(&h, 91, NULL, "x | moved | -");
  h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "custom-call", .operands = "90", .target = "other"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "custom-call", .operands = "91", .target = "other"});
  expect_buffer(&h, 92, NULL, "- | - | -");
}

Test(origin, a_name_that_xla_made_up_is_passed_over) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "copy", .operands = "90", .op_name = "copy.5"});
  expect_buffer(&h, 91, NULL, "x | moved | -");
}

Test(origin, through_a_tuple_and_out_of_it) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "add", .op_name = "jit(f)/a"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "tuple", .operands = "90 91"});
  hlo_instruction(&h, (args){.id = 93, .opcode = "tuple", .operands = "90 92"});
  hlo_instruction(&h, (args){.id = 94, .opcode = "get-tuple-element", .operands = "93", .number = 1});
  hlo_instruction(&h, (args){.id = 95, .opcode = "get-tuple-element", .operands = "94", .number = 1});
  expect_buffer(&h, 95, NULL, "jit(f)/a | moved | -");
}

Test(origin, of_a_tuples_table_nothing) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 92, .opcode = "tuple", .operands = "90 90"});
  expect_buffer(&h, 92, NULL, "- | - | -");
  h = entry();
  hlo_instruction(&h, (args){.id = 92, .opcode = "tuple", .operands = "90 90"});
  expect_buffer(&h, 92, "1", "x | moved | -");
  h = entry();
  hlo_instruction(&h, (args){.id = 92, .opcode = "tuple", .operands = "90 90"});
  expect_buffer(&h, 92, "2", "- | - | -");
}

Test(origin, the_largest_operand_first_of_equals) {
  static const struct {
    const char *shapes[3];
    const char *expected;
  } cases[] = {{{"f32[4]", "f32[8]", "f32[7]"}, "b | moved | -"},
               {{"f32[8]", "f32[8]", "f32[8]"}, "a | moved | -"},
               {{"f32[8]", "(f32[4], (f32[4], s8[1]))", "f32[8]"}, "b | moved | -"},
               {{NULL, NULL, "s8[1]"}, "c | moved | -"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo h = hlo_new("m");
    for (int k = 0; k < 3; k++) {
      const char name[] = {(char)('a' + k), '\0'};
      hlo_instruction(&h, (args){.id = k + 1, .opcode = "infeed", .op_name = name, .shape = cases[i].shapes[k]});
    }
    hlo_instruction(&h, (args){.id = 4, .opcode = "concatenate", .operands = "1 2 99 3"});
    expect_buffer(&h, 4, NULL, cases[i].expected);
  }
}

/* A fusion of x whose computation is 1: parameter 10, then `op` 11, then perhaps a root 12. */
static hlo fusion(const char *inner_name, const char *own_name, bool has_tuple) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "fused");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "add", .operands = "10 10", .op_name = inner_name});
  if (has_tuple) {
    hlo_instruction(&h, (args){.id = 12, .opcode = "tuple", .operands = "10 11"});
  }
  hlo_root(&h, has_tuple ? 12 : 11);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 90, .name = "x", .opcode = "parameter", .op_name = "x"});
  hlo_instruction(&h, (args){.id = 91, .opcode = "fusion", .operands = "90", .calls = "1", .op_name = own_name});
  return h;
}

Test(origin, fused_when_only_the_inside_has_a_name) {
  hlo h = fusion("jit(f)/add", NULL, false);
  expect_buffer(&h, 91, NULL, "jit(f)/add | fused | -");
  h = fusion("jit(f)/add", "jit(f)/own", false);
  expect_buffer(&h, 91, NULL, "jit(f)/own | own | -");
}

Test(origin, an_element_goes_before_the_fusions_own_name) {
  hlo h = fusion("jit(f)/add", "jit(f)/own", true);
  expect_buffer(&h, 91, "1", "jit(f)/add | element | -");
  h = fusion("jit(f)/add", "jit(f)/own", true);
  expect_buffer(&h, 91, "0", "jit(f)/own | own | -");
  h = fusion("jit(f)/add", "jit(f)/own", true);
  expect_buffer(&h, 91, NULL, "jit(f)/own | own | -");
  h = fusion(NULL, "jit(f)/own", true);
  expect_buffer(&h, 91, "1", "jit(f)/own | own | -");
  h = fusion("jit(f)/add", "jit(f)/own", true);
  hlo_instruction(&h, (args){.id = 92, .opcode = "get-tuple-element", .operands = "91", .number = 1});
  expect_buffer(&h, 92, NULL, "jit(f)/add | moved | -");
}

Test(origin, computed_by_one_nameless_operation) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "add", .operands = "90"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "copy", .operands = "91"});
  expect_buffer(&h, 92, NULL, "x | computed | -");
  h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "add", .operands = "90"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "add", .operands = "91"});
  expect_buffer(&h, 92, NULL, "- | - | -");
}

/* All that one fusion does counts as one. */
Test(origin, a_nameless_fusion_is_one_operation) {
  hlo h = fusion(NULL, NULL, false);
  expect_buffer(&h, 91, NULL, "x | computed | -");
  h = fusion(NULL, NULL, false);
  hlo_instruction(&h, (args){.id = 92, .opcode = "add", .operands = "91"});
  expect_buffer(&h, 92, NULL, "- | - | -");
}

Test(origin, computed_from_an_argument_without_a_name_is_none) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .name = "p", .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "add", .operands = "1"});
  expect_buffer(&h, 2, NULL, "- | - | -");
}

Test(origin, into_a_computation_and_out_of_it) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "called");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "parameter", .number = 1});
  hlo_instruction(&h, (args){.id = 12, .opcode = "copy", .operands = "11"});
  hlo_root(&h, 12);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 90, .opcode = "add", .op_name = "jit(f)/a"});
  hlo_instruction(&h, (args){.id = 91, .opcode = "add", .op_name = "jit(f)/b"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "call", .operands = "90 91", .calls = "1"});
  expect_buffer(&h, 92, NULL, "jit(f)/b | moved | -");
}

Test(origin, a_whiles_parameter_is_its_operand) {
  for (int in_condition = 0; in_condition < 2; in_condition++) {
    hlo h = hlo_new("m");
    hlo_computation(&h, 1, "body");
    hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
    hlo_root(&h, 10);
    hlo_computation(&h, 2, "condition");
    hlo_instruction(&h, (args){.id = 20, .opcode = "parameter"});
    hlo_computation(&h, 9, "main");
    hlo_entry(&h, 9);
    hlo_instruction(&h, (args){.id = 90, .opcode = "add", .op_name = "jit(f)/a"});
    hlo_instruction(&h, (args){.id = 91, .opcode = "while", .operands = "90", .calls = "1 2"});
    expect_buffer(&h, in_condition ? 20 : 10, NULL, "jit(f)/a | moved | -");
  }
}

Test(origin, a_branchs_parameter_is_the_operand_behind_the_index) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "branch_0");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_computation(&h, 2, "branch_1");
  hlo_instruction(&h, (args){.id = 20, .opcode = "parameter"});
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  for (int i = 0; i < 3; i++) {
    const char name[] = {(char)('a' + i), '\0'};
    hlo_instruction(&h, (args){.id = 90 + i, .opcode = "add", .op_name = name});
  }
  hlo_instruction(&h, (args){.id = 93, .opcode = "conditional", .operands = "90 91 92", .calls = "1 2"});
  expect_buffer(&h, 20, NULL, "c | moved | -");
}

/* The async computation 1 of an op 11, started by 92. */
static hlo async(const char *op_name, const char *start_name) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "async");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "all-gather", .operands = "10", .op_name = op_name});
  hlo_root(&h, 11);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 90, .name = "x", .opcode = "parameter", .op_name = "x"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "async-start", .operands = "90", .calls = "1", .op_name = start_name});
  hlo_instruction(&h, (args){.id = 93, .opcode = "async-update", .operands = "92"});
  hlo_instruction(&h, (args){.id = 94, .opcode = "async-done", .operands = "93"});
  return h;
}

Test(origin, an_async_start_is_operands_and_result) {
  static const struct {
    int64_t id;
    const char *index;
    const char *expected;
  } cases[] = {{92, "0,0", "x | moved | -"},         {92, "1", "jit(f)/all | moved | -"},
               {92, NULL, "jit(f)/all | moved | -"}, {92, "0", "- | - | -"},
               {93, "0,0", "x | moved | -"},         {94, NULL, "jit(f)/all | moved | -"},
               {10, NULL, "x | moved | jit(f)/all"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo h = async("jit(f)/all", NULL);
    expect_buffer(&h, cases[i].id, cases[i].index, cases[i].expected);
  }
}

Test(origin, an_async_op_has_its_name_on_the_start) {
  hlo h = async(NULL, "jit(f)/start");
  expect_buffer(&h, 11, NULL, "jit(f)/start | own | -");
  h = async("jit(f)/all", "jit(f)/start");
  expect_buffer(&h, 11, NULL, "jit(f)/all | own | -");
}

Test(origin, late_operands_of_an_async_computation) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "async");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "parameter", .number = 1});
  hlo_root(&h, 10);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 90, .opcode = "add", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 91, .opcode = "add", .op_name = "b"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "async-start", .operands = "90", .calls = "1"});
  hlo_instruction(&h, (args){.id = 93, .opcode = "async-update", .operands = "92 91"});
  expect_buffer(&h, 11, NULL, "b | moved | -");
}

Test(origin, copies_begin_and_end) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 91, .opcode = "copy-start", .operands = "90"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "copy-done", .operands = "91"});
  expect_buffer(&h, 92, NULL, "x | moved | -");
}

/* A chain of 1,000 values is walked, of more not. */
Test(origin, chains_have_an_end) {
  for (int length = 999; length <= 1000; length++) {
    hlo h = entry();
    for (int i = 0; i < length; i++) {
      char operand[24];
      snprintf(operand, sizeof operand, "%d", i == 0 ? 90 : 999 + i);
      hlo_instruction(&h, (args){.id = 1000 + i, .opcode = "copy", .operands = operand});
    }
    expect_buffer(&h, 1000 + length - 1, NULL, length == 999 ? "x | moved | -" : "- | - | -");
  }
}
