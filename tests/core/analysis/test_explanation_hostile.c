/* Files that go in circles, that name what is not there, and that have far too much of something: an answer comes, and
 * its time grows with the file. */
#include <stdio.h>
#include <time.h>

#include "core/analysis/explained.h"

static void explain_all(mv_module *m) {
  mv_status st = MV_STATUS_INIT;
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    cr_assert_not_null(mv_explain_buffer(m, i, NULL, &st), "%s", st.message);
  }
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    cr_assert_not_null(mv_explain_allocation(m, i, NULL, &st), "%s", st.message);
  }
}

static void add_buffers(hlo *h, int64_t count) {
  for (int64_t id = 1; id <= count; id++) {
    hlo_buffer(h, (hlo_buffer_args){.id = id, .size = 8, .instruction = id});
    hlo_buffer(h, (hlo_buffer_args){.id = 1000000 + id, .size = 8, .instruction = id, .index = "0,1"});
  }
}

static void load_and_explain(hlo *h, int64_t count) {
  add_buffers(h, count);
  mv_module *m = hlo_load(h);
  explain_all(m);
  mv_module_free(m);
}

/* Every opcode that is followed reads itself and the next one, and calls the computation that it stands in. */
Test(explanation_hostile, circles_of_operands_and_calls) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "all");
  hlo_entry(&h, 77);
  int64_t id = 1;
  for (unsigned o = MV_OPCODE_OTHER + 1; o < MV_OPCODE_COUNT; o++, id++) {
    char operands[64];
    snprintf(operands, sizeof operands, "%d %d", (int)id, (int)id + 1);
    hlo_instruction(&h, (args){.id = id, .opcode = mv_opcode_name((uint8_t)o), .operands = operands, .calls = "1 1 1"});
  }
  hlo_root(&h, 5);
  hlo_schedule(&h, 1, "1 1 1 5 77 5");
  load_and_explain(&h, id);
}

Test(explanation_hostile, a_computation_that_calls_itself) {
  static const char *const opcodes[] = {"fusion", "call", "while", "conditional", "async-start"};
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
    hlo h = hlo_new("m");
    hlo_computation(&h, 1, "self");
    hlo_entry(&h, 2);
    hlo_instruction(&h, (args){.id = 1, .opcode = "parameter"});
    hlo_instruction(&h, (args){.id = 2, .opcode = opcodes[i], .operands = "1 1", .calls = "1 1"});
    hlo_root(&h, 2);
    hlo_computation(&h, 2, "main");
    hlo_instruction(&h, (args){.id = 3, .opcode = "add"});
    load_and_explain(&h, 3);
  }
}

Test(explanation_hostile, nothing_that_is_named_is_there) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "main");
  hlo_root(&h, 99);
  for (int64_t o = MV_OPCODE_OTHER + 1; o < MV_OPCODE_COUNT; o++) {
    hlo_instruction(&h, (args){.id = o,
                               .opcode = mv_opcode_name((uint8_t)o),
                               .operands = "98 97",
                               .calls = "5 6",
                               .number = o % 2 == 0 ? -1 : INT64_MAX});
  }
  hlo_schedule(&h, 7, "98 97 96");
  load_and_explain(&h, MV_OPCODE_COUNT);
}

Test(explanation_hostile, several_things_with_one_id) {
  hlo h = hlo_new("m");
  for (int i = 0; i < 3; i++) {
    hlo_computation(&h, 1, "twin");
    hlo_root(&h, 1);
    hlo_instruction(&h, (args){.id = 1, .opcode = "parameter"});
    hlo_instruction(&h, (args){.id = 1, .opcode = "call", .operands = "1 1", .calls = "1"});
    hlo_instruction(&h, (args){.id = 1, .opcode = "parameter"});
  }
  load_and_explain(&h, 2);
}

Test(explanation_hostile, no_instructions_at_all) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "empty");
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 8, .is_parameter = true, .parameter_number = -5});
  hlo_assign(&h, 1, 0);
  load_and_explain(&h, 2);
}

Test(explanation_hostile, an_assignment_without_a_module) {
  hlo h = hlo_new("m");
  mv_text_free(&h.module);
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 8, .is_live_out = true});
  hlo_assign(&h, 1, 0);
  load_and_explain(&h, 2);
}

/* ---- Too much of something ---- */

typedef void (*writer)(hlo *h, int64_t count);

static double seconds_of(writer write, int64_t count) {
  hlo h = hlo_new("m");
  write(&h, count);
  mv_module *m = hlo_load(&h);
  const clock_t start = clock();
  explain_all(m);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  mv_module_free(m);
  return seconds;
}

/* Four times as much takes four times as long; quadratic time would take sixteen. */
static void expect_linear(const char *what, writer write, int64_t count) {
  double ratio = 0;
  for (int attempt = 0; attempt < 3; attempt++) { /* other processes may take the processor's caches */
    const double small = seconds_of(write, count);
    const double large = seconds_of(write, 4 * count);
    ratio = small > 0 ? large / small : 0;
    if (ratio < 9) {
      return;
    }
  }
  cr_expect(false, "%s: four times as much takes %.1f times as long", what, ratio);
}

static const char *number(int64_t value) {
  static char text[24];
  snprintf(text, sizeof text, "%lld", (long long)value);
  return text;
}

static mv_text numbers(int64_t first, int64_t last) {
  mv_text text = MV_TEXT_INIT;
  for (int64_t i = first; i <= last; i++) {
    mv_text_format(&text, "%s%lld", i > first ? " " : "", (long long)i);
  }
  return text;
}

static void a_chain_of_copies(hlo *h, int64_t count) {
  hlo_instruction(h, (args){.id = 1, .opcode = "parameter", .op_name = "x"});
  for (int64_t id = 2; id <= count; id++) {
    hlo_instruction(h, (args){.id = id, .opcode = "copy", .operands = number(id - 1)});
    hlo_buffer(h, (hlo_buffer_args){.id = id, .size = 8, .instruction = id});
  }
}

/* A nameless op of `count` results, each read by a get-tuple-element. */
static void many_results(hlo *h, int64_t count) {
  hlo_instruction(h, (args){.id = 1, .opcode = "infeed"});
  for (int64_t k = 0; k < count; k++) {
    hlo_instruction(h, (args){.id = k + 2, .opcode = "get-tuple-element", .operands = "1", .number = k});
    hlo_buffer(h, (hlo_buffer_args){.id = k + 1, .size = 8, .instruction = 1, .index = number(k)});
  }
}

/* `count` values that all go into one tuple, which as many nameless ops read. */
static void many_readers(hlo *h, int64_t count) {
  for (int64_t id = 1; id <= count; id++) {
    hlo_instruction(h, (args){.id = id, .opcode = "iota"});
    hlo_buffer(h, (hlo_buffer_args){.id = id, .size = 8, .instruction = id});
  }
  mv_text operands = numbers(1, count);
  hlo_instruction(h, (args){.id = count + 1, .opcode = "tuple", .operands = operands.data});
  mv_text_free(&operands);
  for (int64_t k = 0; k < count; k++) {
    hlo_instruction(h, (args){.id = count + 2 + k, .opcode = "negate", .operands = number(count + 1)});
  }
}

/* As many buffers of copies of one op that reads `count` others. */
static void many_operands(hlo *h, int64_t count) {
  for (int64_t id = 1; id <= count; id++) {
    hlo_instruction(h, (args){.id = id, .opcode = "iota", .shape = "f32[4]{0}"});
  }
  mv_text operands = numbers(1, count);
  hlo_instruction(h, (args){.id = count + 1, .opcode = "concatenate", .operands = operands.data});
  mv_text_free(&operands);
  for (int64_t k = 1; k <= count; k++) {
    hlo_instruction(h, (args){.id = count + 1 + k, .opcode = "copy", .operands = number(count + 1)});
    hlo_buffer(h, (hlo_buffer_args){.id = k, .size = 8, .instruction = count + 1 + k});
  }
}

/* An async-start with as many updates, whose computation reads what they hand over. */
static void many_updates(hlo *h, int64_t count) {
  hlo_computation(h, 1, "async");
  for (int64_t k = 0; k <= count; k++) {
    hlo_instruction(h, (args){.id = 1000000 + k, .opcode = "parameter", .number = k});
    hlo_buffer(h, (hlo_buffer_args){.id = k + 1, .size = 8, .instruction = 1000000 + k});
  }
  hlo_computation(h, 9, "main");
  hlo_entry(h, 9);
  hlo_instruction(h, (args){.id = 1, .opcode = "iota"});
  hlo_instruction(h, (args){.id = 2, .opcode = "async-start", .operands = "1", .calls = "1"});
  for (int64_t k = 0; k < count; k++) {
    hlo_instruction(h, (args){.id = 3 + k, .opcode = "async-update", .operands = "2 1"});
  }
}

/* Computations inside each other, `count` deep. */
static void deep_calls(hlo *h, int64_t count) {
  for (int64_t c = 1; c <= count; c++) {
    hlo_computation(h, c, "nested");
    hlo_instruction(h, (args){.id = 2 * c, .opcode = "parameter"});
    char callee[24];
    snprintf(callee, sizeof callee, "%lld", (long long)c - 1);
    hlo_instruction(h, (args){.id = 2 * c + 1,
                              .opcode = c > 1 ? "while" : "copy",
                              .operands = number(2 * c),
                              .calls = c > 1 ? callee : NULL});
    hlo_root(h, 2 * c + 1);
    hlo_buffer(h, (hlo_buffer_args){.id = c, .size = 8, .instruction = 2 * c});
  }
  hlo_entry(h, count);
}

/* An entry of `count` nameless calls of one computation of as many. */
static void many_calls(hlo *h, int64_t count) {
  hlo_computation(h, 1, "called");
  for (int64_t k = 0; k < count; k++) {
    hlo_instruction(h, (args){.id = 1000000 + k, .opcode = "add", .op_name = "a/add"});
  }
  hlo_root(h, 1000000);
  hlo_computation(h, 9, "main");
  hlo_entry(h, 9);
  for (int64_t k = 1; k <= count; k++) {
    hlo_instruction(h, (args){.id = k, .opcode = "call", .calls = "1", .op_name = "b/call"});
    hlo_buffer(h, (hlo_buffer_args){.id = k, .size = 8, .instruction = k});
  }
}

Test(explanation_hostile, time_grows_with_the_file) {
  expect_linear("a chain of copies", a_chain_of_copies, 2000);
  expect_linear("many results", many_results, 5000);
  expect_linear("many readers", many_readers, 5000);
  expect_linear("many operands", many_operands, 5000);
  expect_linear("many updates", many_updates, 5000);
  expect_linear("deep calls", deep_calls, 2000);
  expect_linear("many calls", many_calls, 5000);
}

/* One name of a megabyte, interned, on every instruction. */
Test(explanation_hostile, a_name_that_all_share) {
  enum { COUNT = 2000, SIZE = 1 << 20 };
  hlo h = hlo_new("m");
  for (int i = 1; i <= COUNT; i++) {
    mv_text metadata = MV_TEXT_INIT;
    mv_text payload = MV_TEXT_INIT;
    pb_message(&metadata, 20, &payload);
    hlo_instruction(&h, (args){.id = i, .opcode = "add", .operands = number(i - 1), .metadata = &metadata});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 8, .instruction = i});
  }
  mv_text name = MV_TEXT_INIT;
  mv_text interned = MV_TEXT_INIT;
  for (int i = 0; i < SIZE / 2; i++) {
    mv_text_add(&name, "a/");
  }
  pb_bytes(&interned, 2, name.data, name.size);
  pb_message(&h.module, 22, &interned);
  mv_text_free(&name);
  mv_module *m = hlo_load(&h);
  explain_all(m);
  const mv_explanation *first = explained_buffer(m, 1);
  cr_expect_eq(first->scope.size, SIZE - 1);
  cr_expect_eq(explained_buffer(m, COUNT)->scope.data, first->scope.data, "taken apart once");
  cr_expect_lt(mv_module_footprint(m), m->bytes.size + 8 * SIZE);
  mv_module_free(m);
}

static bool stop(void *arg) {
  return --*(int *)arg < 0;
}

Test(explanation_hostile, is_interrupted) {
  hlo h = hlo_new("m");
  a_chain_of_copies(&h, 500);
  mv_module *m = hlo_load(&h);
  mv_status st = MV_STATUS_INIT;
  int looks = 3;
  const mv_limits limits = {.interrupted = stop, .arg = &looks};
  uint32_t i = 0;
  while (i < m->buffer_count && mv_explain_buffer(m, i, &limits, &st) != NULL) {
    i++;
  }
  cr_expect_lt(i, m->buffer_count);
  cr_expect_eq(st.code, MV_INTERRUPTED);
  explain_all(m); /* and goes on where it stopped */
  mv_module_free(m);
}
