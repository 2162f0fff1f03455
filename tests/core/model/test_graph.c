/* The graph of small modules, and of files that are wrong. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "model/graph.h"
#include "support/hlo_builder.h"

typedef hlo_instruction_args args;

typedef struct made {
  mv_module *module;
  const mv_graph *graph;
} made;

static made graph_of(hlo *h) {
  mv_status st = MV_STATUS_INIT;
  made m = {.module = hlo_load(h)};
  m.graph = mv_module_graph(m.module, NULL, &st);
  cr_assert_not_null(m.graph, "%s", st.message);
  return m;
}

/* "user:operand user:operand ..." */
static void expect_users(const mv_graph *g, uint32_t node, const char *expected) {
  char text[256] = "";
  size_t used = 0;
  for (uint32_t k = g->nodes[node].first_user; k < g->nodes[node + 1].first_user; k++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:%u", used > 0 ? " " : "", g->users[k].user,
                             g->users[k].operand);
  }
  cr_expect_str_eq(text, expected, "users of %u: %s", node, text);
}

/* Tells the platform, or the loader would look for it inside of fusions. */
#define TILED "f32[8,128]{1,0:T(8,128)}"

/* A fusion's computation 1 with instructions 0 to 2, and the entry 2 with 3 to 6. */
static hlo small(void) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "fused");
  hlo_instruction(&h, (args){.id = 11, .name = "b", .opcode = "parameter", .number = 1});
  hlo_instruction(&h, (args){.id = 10, .name = "a", .opcode = "parameter"});
  hlo_instruction(&h, (args){.id = 12, .name = "add", .opcode = "add", .operands = "10 11", .op_name = "jit(f)/add"});
  hlo_root(&h, 12);
  pb_int(&h.computation, 7, 1);
  hlo_computation(&h, 2, "main");
  hlo_instruction(&h, (args){.id = 20, .name = "x", .opcode = "parameter", .op_name = "x.1", .shape = TILED});
  hlo_instruction(&h, (args){.id = 21, .name = "copy", .opcode = "copy", .operands = "20", .op_name = "copy.7"});
  hlo_instruction(&h, (args){.id = 22, .name = "fusion", .opcode = "fusion", .operands = "20 21", .calls = "1"});
  hlo_instruction(&h, (args){.id = 23, .name = "neg", .opcode = "negate", .operands = "20 20 99"});
  hlo_root(&h, 22);
  hlo_entry(&h, 2);
  return h;
}

Test(graph, operands_calls_and_users) {
  hlo h = small();
  made m = graph_of(&h);
  const mv_graph *g = m.graph;
  cr_assert_eq(g->node_count, 7);
  cr_expect(m.module->has_skipped, "the loader did not look into the fusion");
  cr_expect_eq(mv_graph_operand(g, 2, 0), 1);
  cr_expect_eq(mv_graph_operand(g, 2, 1), 0);
  cr_expect_eq(mv_graph_operand(g, 2, 2), MV_NONE);
  cr_expect_eq(mv_graph_operand(g, 2, UINT64_MAX), MV_NONE);
  cr_expect_eq(mv_graph_operand(g, 6, 2), MV_NONE, "99 is not there");
  cr_expect_eq(mv_graph_called(g, 5, 0), 0);
  cr_expect_eq(mv_graph_called(g, 5, 1), MV_NONE);
  cr_expect_eq(mv_graph_called_root(g, 5, 0), 2);
  expect_users(g, 3, "6:0 6:1 5:0 4:0");
  expect_users(g, 4, "5:1");
  expect_users(g, 6, "");
  mv_module_free(m.module);
}

Test(graph, computations) {
  hlo h = small();
  made m = graph_of(&h);
  const mv_graph *g = m.graph;
  cr_expect_eq(g->entry, 1);
  cr_expect_eq(g->computations[0].root, 2);
  cr_expect_eq(g->computations[0].caller, 5);
  cr_expect_eq(g->computations[1].caller, MV_NONE);
  cr_expect_eq(mv_graph_parameter(g, 0, 0), 1);
  cr_expect_eq(mv_graph_parameter(g, 0, 1), 0);
  cr_expect_eq(mv_graph_parameter(g, 0, 2), MV_NONE);
  cr_expect(mv_graph_is_argument(g, 3));
  cr_expect_not(mv_graph_is_argument(g, 0));
  cr_expect_eq(mv_graph_argument(g, 5, 1), 4);
  mv_module_free(m.module);
}

Test(graph, names_that_xla_made_up_are_none) {
  static const struct {
    const char *op_name;
    bool is_named;
  } cases[] = {{"jit(f)/add", true},      {"broadcast.5", false}, {"a b.12", false}, {"a/broadcast.5", true},
               {"broadcast.5a", true},    {"broadcast.", true},   {"5", true},       {".5", false},
               {"jit(f)/x.5/mul.3", true}};
  enum { COUNT = sizeof cases / sizeof *cases };
  hlo h = hlo_new("m");
  for (int i = 0; i < COUNT; i++) {
    hlo_instruction(&h, (args){.id = i + 1, .name = "a", .opcode = "add", .op_name = cases[i].op_name});
  }
  hlo_instruction(&h, (args){.id = COUNT + 1, .name = "p", .opcode = "parameter", .op_name = "arg.5"});
  hlo_instruction(&h, (args){.id = COUNT + 2, .name = "n", .opcode = "add"});
  made m = graph_of(&h);
  for (int i = 0; i < COUNT; i++) {
    cr_expect_eq(m.graph->nodes[i].is_named, cases[i].is_named, "%s", cases[i].op_name);
  }
  cr_expect(m.graph->nodes[COUNT].is_named, "of a parameter any name is the program's");
  cr_expect_not(m.graph->nodes[COUNT + 1].is_named);
  mv_module_free(m.module);
}

Test(graph, the_schedule_orders_users) {
  hlo h = small();
  hlo_schedule(&h, 2, "23 20 22 77 21");
  hlo_schedule(&h, 9, "");
  made m = graph_of(&h);
  expect_users(m.graph, 3, "4:0 5:0 6:0 6:1");
  cr_expect_eq(m.graph->nodes[4].position, 4);
  cr_expect_eq(m.graph->nodes[2].position, 2, "of a computation that is not scheduled: as in the file");
  mv_module_free(m.module);
}

Test(graph, get_tuple_elements_stand_last_by_index) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "infeed"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "get-tuple-element", .operands = "1", .number = 2});
  hlo_instruction(&h, (args){.id = 3, .opcode = "get-tuple-element", .operands = "1"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "copy", .operands = "1"});
  hlo_instruction(&h, (args){.id = 5, .opcode = "get-tuple-element", .operands = "1"});
  hlo_instruction(&h, (args){.id = 6, .opcode = "copy", .operands = "1"});
  made m = graph_of(&h);
  expect_users(m.graph, 0, "5:0 3:0 4:0 2:0 1:0");
  cr_expect_eq(m.graph->nodes[0].indexed_users, 3);
  mv_module_free(m.module);
}

/* Longer than what is sorted in place: the same order. */
Test(graph, long_lists_of_users_are_in_the_same_order) {
  enum { USERS = 200 };
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1000, .opcode = "infeed"});
  for (int i = 0; i < USERS; i++) {
    hlo_instruction(&h, (args){.id = 999 - i,
                               .opcode = i % 2 == 0 ? "add" : "get-tuple-element",
                               .operands = "1000 1000",
                               .number = i % 6});
  }
  mv_text sequence = MV_TEXT_INIT;
  for (int i = 0; i < USERS; i += 4) {
    mv_text_format(&sequence, "%d ", 999 - i * 37 % USERS);
  }
  hlo_schedule(&h, 1, sequence.data);
  mv_text_free(&sequence);
  made m = graph_of(&h);
  const mv_graph *g = m.graph;
  cr_assert_eq(g->nodes[1].first_user - g->nodes[0].first_user, 2 * USERS);
  for (uint32_t k = 1; k < 2 * USERS; k++) {
    const mv_use a = g->users[k - 1];
    const mv_use b = g->users[k];
    const mv_node *x = &g->nodes[a.user];
    const mv_node *y = &g->nodes[b.user];
    const int64_t index_a = x->opcode == MV_OPCODE_GET_TUPLE_ELEMENT ? (int64_t)x->number : -1;
    const int64_t index_b = y->opcode == MV_OPCODE_GET_TUPLE_ELEMENT ? (int64_t)y->number : -1;
    if (index_a != index_b) {
      cr_expect_lt(index_a, index_b);
    } else if (x->position != y->position) {
      cr_expect_gt(x->position, y->position);
    } else if (a.user != b.user) {
      cr_expect_gt(a.user, b.user, "ids count down here: the smaller one stands behind");
    } else {
      cr_expect_lt(a.operand, b.operand);
    }
  }
  mv_module_free(m.module);
}

Test(graph, the_entry_by_id_then_by_name_then_the_last) {
  for (int by = 0; by < 3; by++) {
    hlo h = hlo_new("m");
    if (by <= 1) {
      pb_string(&h.module, 2, by == 0 ? "c" : "b");
    }
    for (int64_t id = 1; id <= 3; id++) {
      const char name[] = {(char)('a' + id - 1), '\0'};
      hlo_computation(&h, id, name);
      hlo_instruction(&h, (args){.id = id, .opcode = "add"});
    }
    hlo_entry(&h, by == 0 ? 1 : 77);
    made m = graph_of(&h);
    cr_expect_eq(m.graph->entry, by);
    mv_module_free(m.module);
  }
}

Test(graph, an_async_update_hands_over_further_operands) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "async");
  hlo_instruction(&h, (args){.id = 1, .opcode = "parameter"});
  hlo_computation(&h, 2, "main");
  hlo_instruction(&h, (args){.id = 10, .opcode = "add"});
  hlo_instruction(&h, (args){.id = 11, .opcode = "add"});
  hlo_instruction(&h, (args){.id = 12, .opcode = "async-start", .operands = "10", .calls = "1"});
  hlo_instruction(&h, (args){.id = 13, .opcode = "async-update", .operands = "12 11 10"});
  hlo_instruction(&h, (args){.id = 14, .opcode = "async-update", .operands = "12 13"});
  hlo_instruction(&h, (args){.id = 15, .opcode = "async-update", .operands = "10 11"}); /* of no async-start */
  made m = graph_of(&h);
  static const uint32_t expected[] = {1, 2, 1, 4, MV_NONE};
  for (uint64_t k = 0; k < 5; k++) {
    cr_expect_eq(mv_graph_argument(m.graph, 3, k), expected[k], "%d", (int)k);
  }
  cr_expect_eq(mv_graph_argument(m.graph, 6, 2), MV_NONE);
  mv_module_free(m.module);
}

Test(graph, unpacked_lists_of_ids) {
  hlo h = hlo_new("m");
  mv_text instruction = MV_TEXT_INIT;
  hlo_instruction(&h, (args){.id = 1, .opcode = "add"});
  pb_string(&instruction, 2, "fusion");
  pb_int(&instruction, 36, 1);
  pb_int(&instruction, 35, 2);
  pb_int(&instruction, 36, 2);
  pb_int(&instruction, 38, 1);
  pb_message(&h.computation, 2, &instruction);
  made m = graph_of(&h);
  cr_expect_eq(mv_graph_operand(m.graph, 1, 0), 0);
  cr_expect_eq(mv_graph_operand(m.graph, 1, 1), 1);
  cr_expect_eq(mv_graph_called(m.graph, 1, 0), 0);
  mv_module_free(m.module);
}

Test(graph, of_a_module_without_anything) {
  hlo h = hlo_new("m");
  made m = graph_of(&h);
  cr_expect_eq(m.graph->node_count, 0);
  cr_expect_eq(m.graph->entry, MV_NONE);
  mv_module_free(m.module);
}

Test(graph, numbers_that_are_none) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .opcode = "parameter", .number = 5});
  hlo_instruction(&h, (args){.id = 2, .opcode = "parameter", .number = -1});
  hlo_instruction(&h, (args){.id = 3, .opcode = "parameter", .number = INT64_MAX});
  made m = graph_of(&h);
  for (uint64_t k = 0; k < 6; k++) {
    cr_expect_eq(mv_graph_parameter(m.graph, 0, k), MV_NONE);
  }
  cr_expect_eq(m.graph->nodes[1].number, MV_NONE);
  mv_module_free(m.module);
}

/* The loader passes over what is inside of fusions: whoever asks for the graph is told. */
Test(graph, damage_inside_of_a_fusion_is_told) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "fused");
  mv_text damaged = MV_TEXT_INIT;
  pb_raw(&damaged, "\x0B", 1); /* a group */
  pb_message(&h.computation, 2, &damaged);
  pb_int(&h.computation, 7, 1);
  hlo_computation(&h, 2, "main");
  hlo_instruction(&h, (args){.id = 1, .opcode = "add", .shape = TILED});
  mv_status st = MV_STATUS_INIT;
  mv_module *m = hlo_load(&h);
  cr_assert(m->has_skipped);
  cr_expect_null(mv_module_graph(m, NULL, &st));
  cr_expect_eq(st.code, MV_FORMAT);
  cr_expect_not_null(strstr(st.message, "in field hlo_module.computations.instructions"), "%s", st.message);
  mv_module_free(m);
}

static bool stop(void *arg) {
  (void)arg;
  return true;
}

Test(graph, is_interrupted_and_made_at_the_next_question) {
  hlo h = hlo_new("m");
  for (int i = 1; i <= 3000; i++) {
    hlo_instruction(&h, (args){.id = i, .opcode = "add", .operands = "1"});
  }
  mv_module *m = hlo_load(&h);
  mv_status st = MV_STATUS_INIT;
  const mv_limits limits = {.interrupted = stop};
  cr_expect_null(mv_module_graph(m, &limits, &st));
  cr_expect_eq(st.code, MV_INTERRUPTED);
  const size_t before = mv_module_footprint(m);
  st = (mv_status)MV_STATUS_INIT;
  const mv_graph *graph = mv_module_graph(m, NULL, &st);
  cr_assert_not_null(graph);
  cr_expect_eq(mv_module_graph(m, &limits, &st), graph, "made once");
  cr_expect_gt(mv_module_footprint(m), before, "counted");
  mv_module_free(m);
}
