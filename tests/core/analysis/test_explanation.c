/* What is told of buffers and allocations beside their name and last use: phase, scope, source. */
#include "core/analysis/explained.h"

static void expect_phase(const mv_explanation *e, const char *expected) {
  const char *name = mv_phase_name(e->phase);
  cr_expect_str_eq(name != NULL ? name : "-", expected, "%.*s is %s", (int)e->attributed_op_name.size,
                   (const char *)e->attributed_op_name.data, name);
}

static void expect_text(mv_bytes bytes, const char *expected) {
  cr_expect(mv_bytes_equal_string(bytes, expected), "'%.*s', not '%s'", (int)bytes.size, (const char *)bytes.data,
            expected);
}

/* One buffer for each instruction, with its id. */
static void add_buffers(hlo *h, int64_t first, int64_t last) {
  for (int64_t id = first; id <= last; id++) {
    hlo_buffer(h, (hlo_buffer_args){.id = id, .size = 8, .instruction = id});
  }
}

Test(explanation, what_follows_the_backward_pass_is_the_update) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "fused");
  hlo_instruction(&h, (args){.id = 10, .opcode = "multiply", .op_name = "transpose(jvp(m))/mul"});
  hlo_root(&h, 10);
  hlo_computation(&h, 2, "called");
  hlo_instruction(&h, (args){.id = 20, .opcode = "add", .op_name = "inner/add"});
  hlo_root(&h, 20);
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 90, .opcode = "add", .op_name = "jit(step)/add"});
  hlo_instruction(&h, (args){.id = 91, .opcode = "fusion", .operands = "90", .calls = "1", .op_name = "jit(step)/f"});
  hlo_instruction(&h, (args){.id = 92, .opcode = "add", .operands = "91", .op_name = "opt/add"});
  hlo_instruction(&h, (args){.id = 93, .opcode = "call", .operands = "92", .calls = "2", .op_name = "opt/call"});
  hlo_instruction(&h, (args){.id = 94, .opcode = "add", .op_name = "jvp(m)/add", .operands = "93"});
  hlo_instruction(&h, (args){.id = 95, .opcode = "add", .op_name = "log/add", .operands = "90"});
  add_buffers(&h, 90, 95);
  add_buffers(&h, 20, 20);
  mv_module *m = hlo_load(&h);
  expect_phase(explained_buffer(m, 90), "other");
  expect_phase(explained_buffer(m, 91), "update"); /* its name says nothing; it holds something backward */
  expect_phase(explained_buffer(m, 92), "update");
  expect_phase(explained_buffer(m, 93), "update");
  expect_phase(explained_buffer(m, 94), "forward"); /* a name that says something stays */
  expect_phase(explained_buffer(m, 95), "other");
  expect_phase(explained_buffer(m, 20), "update"); /* its outermost caller */
  mv_module_free(m);
}

Test(explanation, xlas_own_rematerialization) {
  static const struct {
    const char *name;
    const char *phase;
  } cases[] = {{"fusion.remat", "recompute"},  {"fusion.3.remat2", "recompute"},
               {"copy.remat3.1", "recompute"}, {"fusion.rematx", "forward"},
               {"remat", "forward"},           {"a.remat2b.remat", "recompute"},
               {"fusion.remat_1", "forward"}};
  enum { COUNT = sizeof cases / sizeof *cases };
  hlo h = hlo_new("m");
  for (int i = 0; i < COUNT; i++) {
    hlo_instruction(&h, (args){.id = i + 1, .name = cases[i].name, .opcode = "add", .op_name = "jvp(m)/add"});
  }
  hlo_instruction(&h, (args){.id = COUNT + 1, .name = "p.remat", .opcode = "parameter", .op_name = "p"});
  add_buffers(&h, 1, COUNT + 1);
  mv_module *m = hlo_load(&h);
  for (int i = 0; i < COUNT; i++) {
    expect_phase(explained_buffer(m, i + 1), cases[i].phase);
  }
  expect_phase(explained_buffer(m, COUNT + 1), "argument");
  mv_module_free(m);
}

Test(explanation, a_text_that_is_an_arguments_name_is_the_argument) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "parameter", .op_name = "p['w'][3]"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "add", .op_name = "p['w'][3]"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .op_name = "a/p['w'][3]"});
  add_buffers(&h, 1, 3);
  mv_module *m = hlo_load(&h);
  expect_phase(explained_buffer(m, 2), "argument");
  expect_text(explained_buffer(m, 2)->scope, "p['w'][3]");
  expect_text(explained_buffer(m, 2)->layer, "p['w'][*]");
  expect_phase(explained_buffer(m, 3), "other");
  expect_text(explained_buffer(m, 3)->scope, "a");
  mv_module_free(m);
}

Test(explanation, of_a_scope_that_is_empty_and_one_that_is_unknown) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "add", .op_name = "jit(f)/add"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "add"});
  add_buffers(&h, 1, 3); /* of buffer 3 the instruction is not there */
  mv_module *m = hlo_load(&h);
  cr_expect(explained_buffer(m, 1)->scope.data != NULL && explained_buffer(m, 1)->scope.size == 0);
  cr_expect(explained_buffer(m, 1)->layer.data != NULL && explained_buffer(m, 1)->layer.size == 0);
  for (int64_t id = 2; id <= 3; id++) {
    const mv_explanation *e = explained_buffer(m, id);
    expect_explained(e, "- | - | -");
    cr_expect_null(e->scope.data);
    cr_expect_null(e->layer.data);
    cr_expect_eq(e->phase, MV_PHASE_NONE);
  }
  mv_module_free(m);
}

Test(explanation, an_arguments_allocation_is_the_parameter) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 9, "main");
  hlo_entry(&h, 9);
  hlo_instruction(&h, (args){.id = 1, .opcode = "parameter", .op_name = "x"});
  hlo_instruction(
      &h,
      (args){.id = 2, .name = "state.2", .opcode = "parameter", .number = 1, .shape = "(f32[2], (f32[2], f32[2]))"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "add", .operands = "1", .op_name = "jit(f)/add"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 8, .instruction = 1});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 8, .instruction = 2, .index = "1,0"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 64, .instruction = 3});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 3, 0); /* a donated argument: the result is written over it, and is the largest */
  hlo_allocation(&h, (hlo_allocation_args){
                         .id = 1, .size = 8, .is_parameter = true, .parameter_number = 1, .parameter_index = "1,0"});
  hlo_assign(&h, 2, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 8, .is_parameter = true, .parameter_number = 7});
  mv_module *m = hlo_load(&h);
  expect_explained(explained_allocation(m, 0), "x | argument | -");
  expect_explained(explained_allocation(m, 1), "state.2{1,0} | argument | -");
  expect_text(explained_allocation(m, 1)->scope, "state.2{1,0}");
  expect_phase(explained_allocation(m, 1), "argument");
  expect_explained(explained_allocation(m, 2), "- | - | -");
  expect_explained(explained_buffer(m, 1), "x | argument | jit(f)/add");
  expect_explained(explained_buffer(m, 2), "state.2{1,0} | argument | -");
  expect_explained(explained_buffer(m, 3), "jit(f)/add | own | -");
  mv_module_free(m);
}

/* A result's allocation may hold a larger scratch buffer while the program runs. */
Test(explanation, a_results_allocation_is_the_largest_buffer_that_leaves) {
  for (int leaves = 0; leaves < 2; leaves++) {
    hlo h = hlo_new("m");
    hlo_computation(&h, 9, "main");
    hlo_entry(&h, 9);
    static const char *const names[] = {"scratch", "small", "second", "first"};
    static const int64_t sizes[] = {64, 8, 16, 16};
    for (int i = 0; i < 4; i++) {
      hlo_instruction(&h, (args){.id = i + 1, .opcode = "iota", .op_name = names[i]});
    }
    hlo_instruction(&h, (args){.id = 5, .opcode = "negate", .operands = "1", .op_name = "use"});
    hlo_instruction(&h, (args){.id = 6, .opcode = "tuple", .operands = "2 3 4"});
    hlo_root(&h, leaves ? 6 : 5);
    hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64, .is_live_out = true});
    for (int i = 0; i < 4; i++) {
      hlo_buffer(&h, (hlo_buffer_args){.id = 10 - i, .size = sizes[i], .instruction = i + 1});
      hlo_assign(&h, 10 - i, 0);
    }
    mv_module *m = hlo_load(&h);
    expect_explained(explained_allocation(m, 0), leaves ? "first | own | result" : "scratch | own | use");
    mv_module_free(m);
  }
}

Test(explanation, other_allocations_are_the_buffer_that_names_them) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "constant", .op_name = "c"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "add", .op_name = "t"});
  add_buffers(&h, 1, 2);
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 8, .is_constant = true});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 8});
  hlo_assign(&h, 2, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 8, .is_live_out = true});
  mv_module *m = hlo_load(&h);
  expect_explained(explained_allocation(m, 0), "c | own | -");
  expect_explained(explained_allocation(m, 1), "t | own | -");
  expect_explained(explained_allocation(m, 2), "- | - | -");
  mv_module_free(m);
}

/* Of what is untraced the compiler may list what is live at its peak: the largest of these names it. */
Test(explanation, an_untraced_allocation_is_the_largest_buffer_of_its_peak) {
  for (int is_listed = 0; is_listed < 2; is_listed++) {
    hlo h = hlo_new("m");
    hlo_instruction(&h, (args){.id = 1, .opcode = "add", .op_name = "live"});
    hlo_instruction(&h, (args){.id = 2, .opcode = "add", .op_name = "larger"});
    hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 8, .instruction = 1});
    hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 64, .instruction = 2});
    hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
    hlo_assign(&h, 1, 0);
    hlo_assign(&h, 2, 0);
    if (is_listed) {
      hlo_peak(&h, 0, "1");
    }
    mv_module *m = hlo_load(&h);
    expect_explained(explained_allocation(m, 0), is_listed ? "live | own | -" : "larger | own | -");
    mv_module_free(m);
  }
}

/* ---- The author's source ---- */

static void add_frame(mv_text *index, int64_t location, int64_t parent) {
  mv_text out = MV_TEXT_INIT;
  pb_int(&out, 1, location);
  pb_int(&out, 2, parent);
  pb_message(index, 4, &out);
}

/* Frames: 1 main.py:1, 2 jax called by it, 3 flax by 2; 4 Python alone, 5 jax by it; 6 model.py:4 called by 3. */
static void add_stack_index(hlo *h) {
  static const char *const files[] = {"/home/me/main.py", "/venv/lib/python3.11/site-packages/jax/core.py",
                                      "/usr/lib/python3/dist-packages/flax/nn.py", "/home/me/model.py",
                                      "/opt/lib/python3.11/runpy.py"};
  mv_text index = MV_TEXT_INIT;
  for (int i = 0; i < 5; i++) {
    mv_text location = MV_TEXT_INIT;
    pb_string(&index, 1, files[i]);
    pb_int(&location, 1, i + 1);
    pb_int(&location, 3, i + 1);
    pb_message(&index, 3, &location);
  }
  add_frame(&index, 1, 0);
  add_frame(&index, 2, 1);
  add_frame(&index, 3, 2);
  add_frame(&index, 5, 0);
  add_frame(&index, 2, 4);
  add_frame(&index, 4, 3);
  pb_message(&h->module, 17, &index);
}

static void expect_place(const mv_explanation *e, const char *file, int64_t line) {
  expect_text(e->user_source_file, file);
  cr_expect_eq(e->user_source_line, line, "line %d", (int)e->user_source_line);
}

static void instruction_of_frame(hlo *h, int64_t id, const char *op_name, const char *operands, int64_t frame) {
  mv_text metadata = MV_TEXT_INIT;
  pb_string(&metadata, 2, op_name);
  pb_string(&metadata, 3, "own.py");
  pb_int(&metadata, 4, 9);
  pb_int(&metadata, 15, frame);
  hlo_instruction(h, (args){.id = id, .opcode = "add", .operands = operands, .metadata = &metadata});
}

Test(explanation, the_innermost_frame_outside_of_libraries) {
  hlo h = hlo_new("m");
  static const struct {
    int64_t frame;
    const char *file;
    int64_t line;
  } cases[] = {{6, "/home/me/model.py", 4},
               {3, "/home/me/main.py", 1},
               {2, "/home/me/main.py", 1},
               {5, "/venv/lib/python3.11/site-packages/jax/core.py", 2}, /* all are libraries */
               {0, "own.py", 9},
               {77, "own.py", 9}};
  enum { COUNT = sizeof cases / sizeof *cases };
  for (int i = 0; i < COUNT; i++) {
    instruction_of_frame(&h, i + 1, "jit(f)/add", NULL, cases[i].frame);
  }
  add_stack_index(&h);
  add_buffers(&h, 1, COUNT);
  mv_module *m = hlo_load(&h);
  for (int i = 0; i < COUNT; i++) {
    expect_place(explained_buffer(m, i + 1), cases[i].file, cases[i].line);
  }
  mv_module_free(m);
}

Test(explanation, the_source_of_the_last_use_where_the_name_has_none) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "infeed", .op_name = "jit(f)/a"});
  instruction_of_frame(&h, 2, "jit(f)/b", "1", 6);
  hlo_instruction(&h, (args){.id = 3, .opcode = "infeed", .op_name = "jit(f)/c"});
  add_stack_index(&h);
  add_buffers(&h, 1, 3);
  mv_module *m = hlo_load(&h);
  expect_place(explained_buffer(m, 1), "/home/me/model.py", 4);
  expect_place(explained_buffer(m, 3), "", 0);
  mv_module_free(m);
}

Test(explanation, all_attributions_have_names) {
  cr_expect_null(mv_attribution_name(MV_ATTRIBUTION_NONE));
  cr_expect_str_eq(mv_attribution_name(MV_ATTRIBUTION_ARGUMENT), "argument");
  cr_expect_str_eq(mv_attribution_name(MV_ATTRIBUTION_COMPUTED), "computed");
}
