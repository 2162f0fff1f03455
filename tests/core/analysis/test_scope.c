/* What op_names tell: phase, path, layer. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "analysis/scope_memo.h"
#include "base/text.h"

typedef struct expected {
  const char *op_name;
  const char *phase;
  const char *path;
  const char *layer;
} expected;

static void expect_text(const char *op_name, const char *what, mv_bytes bytes, const char *text) {
  cr_expect_not_null(bytes.data, "%s: %s is unknown", op_name, what);
  cr_expect(mv_bytes_equal_string(bytes, text), "%s: %s '%.*s', not '%s'", op_name, what, (int)bytes.size,
            (const char *)bytes.data, text);
}

static void expect_all(const expected *cases, size_t count) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  for (size_t i = 0; i < count; i++) {
    const mv_bytes op_name = mv_bytes_of_string(cases[i].op_name);
    mv_bytes path;
    mv_bytes layer;
    cr_assert(mv_scope_path(&path, op_name, arena, &st) && mv_scope_layer(&layer, path, arena, &st));
    cr_expect_str_eq(mv_phase_name((uint8_t)mv_scope_phase(op_name)), cases[i].phase, "%s", cases[i].op_name);
    expect_text(cases[i].op_name, "path", path, cases[i].path);
    expect_text(cases[i].op_name, "layer", layer, cases[i].layer);
  }
  mv_arena_free(arena);
}

#define EXPECT(...)                                                                                                    \
  do {                                                                                                                 \
    static const expected cases[] = {__VA_ARGS__};                                                                     \
    expect_all(cases, sizeof cases / sizeof *cases);                                                                   \
  } while (0)

Test(scope, the_last_part_is_the_primitive) {
  EXPECT({"", "other", "", ""}, {"add", "other", "", ""}, {"jit(f)/add", "other", "", ""},
         {"encoder/add", "other", "encoder", "encoder"}, {"a/b/c/add", "other", "a/b/c", "a/b/c"},
         {"/add", "other", "", ""}, {"a//add", "other", "a", "a"}, {"a/", "other", "a", "a"});
}

Test(scope, phases_by_the_wrappers) {
  EXPECT({"jit(step)/jvp(gpt)/mlp/dot", "forward", "gpt/mlp", "gpt/mlp"},
         {"jit(step)/transpose(jvp(gpt))/mlp/dot", "backward", "gpt/mlp", "gpt/mlp"},
         {"jit(step)/jvp()/dot", "forward", "", ""}, {"jit(step)/transpose(jvp())/dot", "backward", "", ""},
         {"jit(step)/vmap(transpose(jvp(m)))/dot", "backward", "m", "m"},
         {"jit(step)/jvp(transpose(jvp(m)))/dot", "backward", "m", "m"}, {"jit(step)/vmap(m)/dot", "other", "m", "m"},
         {"gradient_tape/sequential/dense_1/MatMul", "backward", "sequential/dense_1", "sequential/dense_*"},
         {"jit(step)/transposed/dot", "other", "transposed", "transposed"});
}

Test(scope, recomputed) {
  EXPECT({"jit(step)/transpose(jvp(m))/checkpoint/rematted_computation/mlp/dot", "recompute", "m/mlp", "m/mlp"},
         {"jit(step)/rematted_computation/transpose(jvp(m))/dot", "recompute", "m", "m"},
         {"rematted_computation/gradient_tape/dot", "backward", "", ""});
}

/* A checkpoint in the backward pass tells the path once more. */
Test(scope, a_jvp_behind_a_transpose_begins_anew) {
  EXPECT({"transpose(jvp(T))/l1/jvp(T)/l1/checkpoint/mlp/mul", "backward", "T/l1/mlp", "T/l*/mlp"},
         {"jvp(T)/l1/jvp(T)/l1/mul", "forward", "T/l1/T/l1", "T/l*/T/l*"},
         {"transpose(T)/l1/vmap(jvp(U))/mul", "backward", "U", "U"});
}

Test(scope, the_frameworks_own_names_are_left_out) {
  EXPECT({"jit(f)/pjit(g)/xla_call(h)/pmap(i)/m/add", "other", "m", "m"}, {"m/jvp(jit(relu))/max", "forward", "m", "m"},
         {"m/while/body/l/add", "other", "m/l", "m/l"}, {"m/while/cond/lt", "other", "m", "m"},
         {"m/body/add", "other", "m/body", "m/body"}, {"m/cond/branch_0_fun/n/add", "other", "m/n", "m/n"},
         {"m/branch_x_fun/branch__fun/branch_12_fun/add", "other", "m/branch_x_fun/branch__fun",
          "m/branch_x_fun/branch__fun"},
         {"m/closed_call/core_call/checkpoint/remat/remat2/shard_map/pallas_call/add", "other", "m", "m"},
         {"m/custom_jvp_call/custom_vjp_call/custom_vjp_call_jaxpr/n/add", "other", "m/n", "m/n"},
         {"m/bqd,bkd->bqk/dot_general", "other", "m", "m"}, {"m/vmap(while)/body/add", "other", "m/body", "m/body"});
}

Test(scope, slashes_in_brackets_do_not_cut) {
  EXPECT({"m/transpose[permutation=(1/0)]", "other", "m", "m"}, {"m/f[a/b]/add", "other", "m/f[a/b]", "m/f[a/b]"},
         {"m)/n/add", "other", "m)/n", "m)/n"}, {"jit(f/g)/m/{a/b}/add", "other", "m/{a/b}", "m/{a/b}"},
         {"vmap(a/b)/add", "other", "a/b", "a/b"});
}

Test(scope, what_follows_a_semicolon_is_of_other_ops) {
  EXPECT({"a/b/add;c/transpose(jvp(d))/mul", "other", "a/b", "a/b"}, {";a/b", "other", "", ""});
}

Test(scope, wrappers_need_a_name_and_both_brackets) {
  EXPECT({"(a)/add", "other", "(a)", "(a)"}, {"2d(a)/add", "other", "2d(a)", "2d(a)"},
         {"jvp(a)b/add", "other", "jvp(a)b", "jvp(a)b"}, {"jvp(/add", "other", "", ""},
         {"jvp(a)(b)/add", "forward", "a)(b", "a)(b"}, {"_w(a)/add", "other", "a", "a"});
}

Test(scope, digits_become_stars) {
  EXPECT({"layers_12/mlp3/x", "other", "layers_12/mlp3", "layers_*/mlp*"}, {"12/x", "other", "12", "*"},
         {"a1b/x", "other", "a1b", "a1b"}, {"p['h'][0]['up']/x", "other", "p['h'][0]['up']", "p['h'][*]['up']"},
         {"p[12]/q[1][2]/x", "other", "p[12]/q[1][2]", "p[*]/q[*][*]"}, {"p[1a]/x", "other", "p[1a]", "p[1a]"},
         {"[7/x", "other", "", ""});
}

Test(scope, all_phases_have_names) {
  cr_expect_null(mv_phase_name(MV_PHASE_NONE));
  cr_expect_str_eq(mv_phase_name(MV_PHASE_ARGUMENT), "argument");
  cr_expect_str_eq(mv_phase_name(MV_PHASE_UPDATE), "update");
  cr_expect_str_eq(mv_phase_name(MV_PHASE_OTHER), "other");
}

/* As deep as a file likes, in linear time. */
Test(scope, wrappers_inside_each_other_without_end) {
  enum { DEPTH = 200000 };
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  mv_text text = MV_TEXT_INIT;
  for (int i = 0; i < DEPTH; i++) {
    mv_text_add(&text, "jvp(");
  }
  mv_text_add(&text, "m");
  for (int i = 0; i < DEPTH; i++) {
    mv_text_char(&text, ')');
  }
  mv_text_add(&text, "/add");
  const mv_bytes name = mv_bytes_of(text.data, text.size);
  mv_bytes path;
  cr_assert(mv_scope_path(&path, name, arena, &st));
  expect_text("jvp(jvp(…", "path", path, "m");
  cr_expect_eq(mv_scope_phase(name), MV_PHASE_FORWARD);
  mv_text_free(&text);
  mv_arena_free(arena);
}

Test(scope_memo, names_are_found_again_by_their_bytes) {
  mv_status st = MV_STATUS_INIT;
  mv_scope_memo memo = {.arena = mv_arena_new(&st)};
  enum { NAMES = 5000 };
  static char texts[2][NAMES][32];
  mv_scope *first[NAMES];
  for (int i = 0; i < NAMES; i++) {
    for (int k = 0; k < 2; k++) {
      snprintf(texts[k][i], sizeof texts[k][i], "jvp(l%d)/add", i);
    }
    first[i] = mv_scope_memo_find(&memo, mv_bytes_of_string(texts[0][i]), &st);
    cr_assert_not_null(first[i]);
    cr_expect_eq(first[i]->phase, MV_PHASE_FORWARD);
  }
  for (int i = 0; i < NAMES; i++) {
    mv_scope *again = mv_scope_memo_find(&memo, mv_bytes_of_string(texts[1][i]), &st);
    cr_expect_eq(again, first[i]);
    cr_expect(mv_scope_memo_path(&memo, again, &st) && mv_scope_memo_name_layer(&memo, again, &st));
  }
  expect_text(texts[0][7], "path", first[7]->path, "l7");
  expect_text(texts[0][7], "layer", first[7]->path_layer, "l*");
  expect_text(texts[0][7], "layer of the name", first[7]->name_layer, "jvp(l7)/add");
  mv_arena_free(memo.arena);
}

Test(scope_memo, a_very_long_name_is_found_where_it_stands) {
  mv_status st = MV_STATUS_INIT;
  mv_scope_memo memo = {.arena = mv_arena_new(&st)};
  mv_text text = MV_TEXT_INIT;
  for (int i = 0; i < 2000; i++) {
    mv_text_add(&text, "part/");
  }
  const mv_bytes name = mv_bytes_of(text.data, text.size);
  const mv_scope *scope = mv_scope_memo_find(&memo, name, &st);
  cr_expect_eq(mv_scope_memo_find(&memo, name, &st), scope);
  cr_expect_neq(mv_scope_memo_find(&memo, mv_bytes_of(name.data + 5, name.size - 5), &st), scope);
  mv_text_free(&text);
  mv_arena_free(memo.arena);
}
