/* Which op needs a value last. The value is mostly of instruction 1, named 'v', in the entry computation. */
#include "core/analysis/explained.h"

static hlo entry(void) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "v"});
  return h;
}

Test(last_use, the_one_that_runs_last) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "add", .operands = "1", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "1", .op_name = "b"});
  expect_buffer(&h, 1, NULL, "v | own | b");
  h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "add", .operands = "1", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "1", .op_name = "b"});
  hlo_schedule(&h, 9, "1 3 2");
  expect_buffer(&h, 1, NULL, "v | own | a");
}

Test(last_use, of_what_leaves_the_program) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "tuple", .operands = "1"});
  hlo_root(&h, 2);
  expect_buffer(&h, 1, NULL, "v | own | result");
}

/* Whatever is a use goes before leaving the program. */
Test(last_use, an_op_goes_before_the_result) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "add", .operands = "1", .op_name = "a"});
  hlo_root(&h, 1);
  expect_buffer(&h, 1, NULL, "v | own | a");
}

Test(last_use, through_aliases_and_nameless_operations) {
  static const char *const opcodes[] = {"bitcast", "reshape",     "copy",   "copy-start", "copy-done",
                                        "domain",  "opt-barrier", "negate", "transpose",  "fusion"};
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
    hlo h = entry();
    hlo_instruction(&h, (args){.id = 2, .opcode = opcodes[i], .operands = "1"});
    hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "2", .op_name = "a"});
    /* a fusion without a computation leads nowhere */
    expect_buffer(&h, 1, NULL, strcmp(opcodes[i], "fusion") == 0 ? "v | own | -" : "v | own | a");
  }
}

/* What is an alias is looked through even with a name; what moves data into another shape is not. */
Test(last_use, names_of_aliases_do_not_count) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "copy", .operands = "1", .op_name = "c"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "2", .op_name = "a"});
  expect_buffer(&h, 1, NULL, "v | own | a");
  h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "transpose", .operands = "1", .op_name = "t"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "2", .op_name = "a"});
  expect_buffer(&h, 1, NULL, "v | own | t");
}

Test(last_use, only_its_own_element_of_a_tuple) {
  static const char *const expected[] = {"v | own | a", "v | own | b", "v | own | -"};
  for (int k = 0; k < 3; k++) {
    const char index[] = {(char)('0' + k), '\0'};
    hlo h = entry();
    hlo_instruction(&h, (args){.id = 2, .opcode = "get-tuple-element", .operands = "1"});
    hlo_instruction(&h, (args){.id = 3, .opcode = "get-tuple-element", .operands = "1", .number = 1});
    hlo_instruction(&h, (args){.id = 4, .opcode = "add", .operands = "2", .op_name = "a"});
    hlo_instruction(&h, (args){.id = 5, .opcode = "add", .operands = "3", .op_name = "b"});
    expect_buffer(&h, 1, index, expected[k]);
  }
}

/* Of a tuple's table each element counts, in the order in which they run. */
Test(last_use, of_a_whole_tuple) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "get-tuple-element", .operands = "1", .number = 5});
  hlo_instruction(&h, (args){.id = 3, .opcode = "get-tuple-element", .operands = "1", .number = 1});
  hlo_instruction(&h, (args){.id = 4, .opcode = "add", .operands = "2", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 5, .opcode = "add", .operands = "3", .op_name = "b"});
  hlo_schedule(&h, 9, "1 3 2 4 5");
  expect_buffer(&h, 1, NULL, "v | own | a");
}

/* Elements and other users, in the order in which they run. */
Test(last_use, elements_and_whole_tuples_mix) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "get-tuple-element", .operands = "1"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "2", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "custom-call", .operands = "1", .op_name = "b"});
  hlo_schedule(&h, 9, "1 4 2 3");
  expect_buffer(&h, 1, "0", "v | own | a");
  h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "get-tuple-element", .operands = "1"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "2", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "custom-call", .operands = "1", .op_name = "b"});
  expect_buffer(&h, 1, "0", "v | own | b");
}

Test(last_use, into_a_tuple_and_out_of_it) {
  hlo h = entry();
  hlo_instruction(&h, (args){.id = 2, .opcode = "tuple", .operands = "99 1"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "get-tuple-element", .operands = "2"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "get-tuple-element", .operands = "2", .number = 1});
  hlo_instruction(&h, (args){.id = 5, .opcode = "add", .operands = "4", .op_name = "a"});
  hlo_instruction(&h, (args){.id = 6, .opcode = "add", .operands = "3", .op_name = "b"});
  expect_buffer(&h, 1, NULL, "v | own | a");
}

/* A while whose body reads its parameter's first element by 'inside'; `after` reads the while. */
static hlo loop(const char *inside) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "body");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "get-tuple-element", .operands = "10"});
  hlo_instruction(&h, (args){.id = 12, .opcode = "add", .operands = "11", .op_name = inside});
  hlo_instruction(&h, (args){.id = 13, .opcode = "tuple", .operands = "11 12"});
  hlo_root(&h, 13);
  hlo_computation(&h, 2, "condition");
  hlo_instruction(&h, (args){.id = 20, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 21, .opcode = "get-tuple-element", .operands = "20"});
  hlo_root(&h, 21);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "v"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "tuple", .operands = "1 1"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "while", .operands = "2", .calls = "1 2", .op_name = "while"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "get-tuple-element", .operands = "3"});
  hlo_instruction(&h, (args){.id = 5, .opcode = "add", .operands = "4", .op_name = "after"});
  return h;
}

Test(last_use, into_a_loop_and_behind_it) {
  hlo h = loop("inside");
  expect_buffer(&h, 1, NULL, "v | own | after"); /* the body's root, which runs last there, leads to the while */
  h = loop("inside");
  expect_buffer(&h, 12, NULL, "inside | own | -");
  h = loop("inside");
  expect_buffer(&h, 21, NULL, "v | moved | -"); /* a while's condition ends in it */
}

Test(last_use, into_calls_branches_and_nameless_fusions) {
  static const struct {
    const char *opcode;
    const char *operands;
    const char *op_name;
    const char *expected;
  } cases[] = {{"call", "99 1", "c", "v | own | inside"},         {"call", "1 99", "c", "v | own | -"},
               {"fusion", "99 1", NULL, "v | own | inside"},      {"fusion", "99 1", "f", "v | own | f"},
               {"async-start", "99 1", NULL, "v | own | inside"}, {"async-start", "99 1", "s", "v | own | s"},
               {"conditional", "1", "c", "v | own | c"},          {"reduce", "99 1", "r", "v | own | r"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo h = hlo_new("m");
    hlo_computation(&h, 1, "called");
    hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
    hlo_instruction(&h, (args){.id = 11, .opcode = "parameter", .number = 1});
    hlo_instruction(&h, (args){.id = 12, .opcode = "add", .operands = "11", .op_name = "inside"});
    hlo_root(&h, 12);
    hlo_computation(&h, 9, "main");
    hlo_entry(&h, 9);
    hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "v"});
    hlo_instruction(&h, (args){.id = 2,
                               .opcode = cases[i].opcode,
                               .operands = cases[i].operands,
                               .op_name = cases[i].op_name,
                               .calls = "1"});
    expect_buffer(&h, 1, NULL, cases[i].expected);
  }
}

Test(last_use, a_branch_gets_the_operand_behind_the_index) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "branch_0");
  hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "add", .operands = "10", .op_name = "first"});
  hlo_root(&h, 11);
  hlo_computation(&h, 2, "branch_1");
  hlo_instruction(&h, (args){.id = 20, .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 21, .opcode = "add", .operands = "20", .op_name = "second"});
  hlo_root(&h, 21);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "v"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "conditional", .operands = "99 98 1", .calls = "1 2"});
  expect_buffer(&h, 1, NULL, "v | own | second");
}

/* An async computation's root is element 1 of its start, and what the done gives. */
Test(last_use, out_of_an_async_computation) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "async");
  hlo_instruction(&h, (args){.id = 10, .opcode = "all-gather", .op_name = "v"});
  hlo_root(&h, 10);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 2, .opcode = "async-start", .calls = "1"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "async-update", .operands = "2"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "async-done", .operands = "3"});
  hlo_instruction(&h, (args){.id = 5, .opcode = "add", .operands = "4", .op_name = "a"});
  expect_buffer(&h, 10, NULL, "v | own | a");
}

Test(last_use, a_late_operand_of_an_async_computation) {
  for (int named = 0; named < 2; named++) {
    hlo h = hlo_new("m");
    hlo_computation(&h, 1, "async");
    hlo_instruction(&h, (args){.id = 10, .opcode = "parameter"});
    hlo_instruction(&h, (args){.id = 11, .opcode = "parameter", .number = 1});
    hlo_instruction(&h, (args){.id = 12, .opcode = "add", .operands = "11", .op_name = "inside"});
    hlo_root(&h, 12);
    hlo_computation(&h, 9, "main");
    hlo_entry(&h, 9);
    hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "v"});
    hlo_instruction(
        &h,
        (args){.id = 2, .opcode = "async-start", .operands = "99", .calls = "1", .op_name = named ? "start" : NULL});
    hlo_instruction(&h, (args){.id = 3, .opcode = "async-update", .operands = "2 1"});
    expect_buffer(&h, 1, NULL, named ? "v | own | start" : "v | own | inside");
  }
}

/* 'user' names what has no name of its own; it goes before 'computed'. */
Test(last_use, names_a_nameless_buffer) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "x"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "iota"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "1"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "add", .operands = "2 3", .op_name = "a"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 8, .instruction = 2});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 8, .instruction = 3});
  mv_module *m = hlo_load(&h);
  expect_explained(explained_buffer(m, 2), "a | user | a");
  expect_explained(explained_buffer(m, 3), "a | user | a");
  mv_module_free(m);
}
