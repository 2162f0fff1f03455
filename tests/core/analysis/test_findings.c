/* Findings: each kind by hand, and what must hold of those of real dumps. */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "analysis/devices.h"
#include "analysis/findings.h"
#include "analysis/groups.h"
#include "support/files.h"
#include "support/hlo_builder.h"

typedef hlo_instruction_args args;

static mv_arena *arena;

static mv_finding_list findings_on(const mv_module *m, const char *device) {
  mv_status status = MV_STATUS_INIT;
  mv_finding_list list;
  arena = arena != NULL ? arena : mv_arena_new(&status);
  cr_assert(mv_findings_of(&list, m, device, 0, arena, NULL, &status), "%s", status.message);
  return list;
}

static mv_finding_list findings_of(const mv_module *m) {
  return findings_on(m, NULL);
}

static void done(mv_module *m) {
  mv_module_free(m);
  mv_arena_free(arena);
  arena = NULL;
}

static size_t count(mv_finding_list list, mv_finding_kind kind) {
  size_t n = 0;
  for (size_t i = 0; i < list.count; i++) {
    n += list.items[i].kind == kind;
  }
  return n;
}

/* The only one of a kind. */
static const mv_finding *only(mv_finding_list list, mv_finding_kind kind) {
  cr_assert_eq(count(list, kind), 1, "%zu of '%s'", count(list, kind), mv_finding_name(kind));
  size_t i = 0;
  while (list.items[i].kind != kind) {
    i++;
  }
  return &list.items[i];
}

static bool says(const mv_finding *f, const char *words) {
  return strstr((const char *)f->text.data, words) != NULL;
}

/* An argument `w` of 4,000 bytes and what `opcode` makes of it, both live at the peak with a third buffer. */
static mv_module *with_copy(const char *opcode, const char *shape) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "main");
  hlo_instruction(&h, (args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[1000]{0}", .op_name = "w"});
  hlo_instruction(&h, (args){.id = 2, .name = "b", .opcode = "bitcast", .shape = "f32[10,100]{1,0}", .operands = "1"});
  hlo_instruction(&h, (args){.id = 3, .name = "c", .opcode = opcode, .shape = shape, .operands = "2"});
  hlo_instruction(&h, (args){.id = 4, .name = "d", .opcode = "add", .shape = "f32[10]{0}", .operands = "3 1"});
  hlo_root(&h, 4);
  hlo_entry(&h, 1);
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 4000, .instruction = 1});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 3000, .instruction = 3});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 40, .instruction = 4});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 4000, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 3000});
  hlo_assign(&h, 2, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 40, .is_live_out = true});
  hlo_assign(&h, 3, 0);
  hlo_trace(&h, 1, "A2 F2");
  return hlo_load(&h);
}

Test(findings, copy__is_live_together_with_what_it_copies) {
  mv_module *m = with_copy("convert", "bf16[10,100]{1,0}");
  const mv_finding *f = only(findings_of(m), MV_FINDING_COPY);
  cr_expect_eq(f->bytes, 3000);
  cr_expect_eq(m->buffers[f->buffer].id, 2);
  cr_expect_eq(m->allocations[f->allocation].id, 1);
  cr_expect(mv_bytes_equal_string(f->key, "w"), "what is copied");
  cr_expect(says(f, "c copies w in another type"), "%s", (const char *)f->text.data);
  done(m);
  m = with_copy("transpose", "f32[100,10]{1,0}");
  cr_expect(says(only(findings_of(m), MV_FINDING_COPY), "another order"));
  done(m);
  m = with_copy("negate", "f32[10,100]{1,0}");
  cr_expect_eq(count(findings_of(m), MV_FINDING_COPY), 0, "it computes");
  done(m);
}

/* w and x have the shape of the one result; y has it too, and is donated; z has another layout. */
static mv_module *with_arguments(const char *result_shape) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "main");
  static const char *const names[] = {"w", "x", "z"};
  static const char *const shapes[] = {"f32[8,16]{1,0}", "f32[8,16]{1,0}", "f32[8,16]{0,1}"};
  for (int64_t i = 0; i < 3; i++) {
    hlo_instruction(&h, (args){.id = i + 1, .name = names[i], .opcode = "parameter", .shape = shapes[i],
                               .op_name = names[i], .number = i});
  }
  hlo_instruction(&h, (args){.id = 4, .name = "r", .opcode = "add", .shape = result_shape, .operands = "1 2"});
  hlo_root(&h, 4);
  hlo_entry(&h, 1);
  for (int64_t i = 1; i <= 4; i++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 512, .instruction = i});
  }
  for (int64_t i = 0; i < 3; i++) {
    hlo_allocation(&h, (hlo_allocation_args){.id = i, .size = 512, .is_parameter = true, .parameter_number = i});
    hlo_assign(&h, i + 1, 0);
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 3, .size = 512, .is_live_out = true});
  hlo_assign(&h, 4, 0);
  return hlo_load(&h);
}

Test(findings, donation__as_many_arguments_as_results_of_one_shape_and_layout) {
  mv_module *m = with_arguments("f32[8,16]{1,0}");
  const mv_finding *f = only(findings_of(m), MV_FINDING_DONATION);
  cr_expect_eq(f->bytes, 512);
  cr_expect(mv_bytes_equal_string(f->key, "w"), "the first of both");
  cr_expect(says(f, "upper bound") && says(f, "could be"), "%s", (const char *)f->text.data);
  done(m);
  m = with_arguments("f32[8,16]{0,1}");
  cr_expect(mv_bytes_equal_string(only(findings_of(m), MV_FINDING_DONATION)->key, "z"), "by layout");
  done(m);
  m = with_arguments("s32[8,16]{1,0}");
  cr_expect_eq(count(findings_of(m), MV_FINDING_DONATION), 0, "by type");
  done(m);
}

/* One buffer of `size` with 4 bytes in it, in an allocation of `allocated`, in TPU's HBM. */
static mv_module *with_buffer(int64_t size, int64_t allocated) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (args){.id = 1, .name = "a", .opcode = "add", .shape = "f32[4]{0:T(128)}", .op_name = "jit(f)/l0/add"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 7, .size = allocated});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 7, "A1 F1");
  return hlo_load(&h);
}

Test(findings, padding__from_twice_the_elements_on) {
  mv_module *m = with_buffer(32, 32);
  const mv_finding *f = only(findings_of(m), MV_FINDING_PADDING);
  cr_expect_eq(f->bytes, 16);
  cr_expect(mv_bytes_equal_string(f->key, "jit(f)/l0/add"));
  done(m);
  m = with_buffer(31, 31);
  cr_expect_eq(count(findings_of(m), MV_FINDING_PADDING), 0);
  done(m);
}

Test(findings, unused__more_than_one_percent) {
  mv_module *m = with_buffer(10000, 10101);
  const mv_finding *f = only(findings_of(m), MV_FINDING_UNUSED);
  cr_expect_eq(f->bytes, 101);
  cr_expect_eq(m->allocations[f->allocation].id, 7);
  cr_expect_eq(f->buffer, MV_NONE);
  done(m);
  m = with_buffer(10000, 10100);
  cr_expect_eq(count(findings_of(m), MV_FINDING_UNUSED), 0);
  done(m);
}

Test(findings, overlap__of_a_peak_above_what_is_allocated) {
  mv_module *m = with_buffer(100, 60);
  const mv_finding *f = only(findings_of(m), MV_FINDING_OVERLAP);
  cr_expect_eq(f->bytes, 40);
  done(m);
}

Test(findings, over_capacity__only_where_the_device_is_known) {
  const int64_t capacity = mv_device_capacity("TPU v5e", 0, MV_PLATFORM_TPU, 0);
  mv_module *m = with_buffer(capacity, capacity + 5);
  cr_expect_eq(count(findings_of(m), MV_FINDING_OVER_CAPACITY), 0);
  const mv_finding *f = only(findings_on(m, "TPU v5e"), MV_FINDING_OVER_CAPACITY);
  cr_expect_eq(f->bytes, 5, "by what is allocated, though the peak fits");
  cr_expect(says(f, "though its peak is"), "%s", (const char *)f->text.data);
  cr_expect_eq(count(findings_on(m, "TPU v5p"), MV_FINDING_OVER_CAPACITY), 0);
  done(m);
}

/* 16 x 8 scores of 256 positions, and a value kept for the backward pass. */
Test(findings, group__is_told_by_facts) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "main");
  hlo_instruction(&h, (args){.id = 1, .name = "s", .opcode = "exp", .shape = "f32[1,2,256,256]{3,2,1,0}",
                             .op_name = "jit(f)/jvp(l0)/attention/exp"});
  hlo_instruction(&h, (args){.id = 2, .name = "k", .opcode = "add", .shape = "f32[64]{0}",
                             .op_name = "jit(f)/jvp(l0)/mlp/add", .operands = "1"});
  hlo_instruction(&h, (args){.id = 3, .name = "t", .opcode = "add", .shape = "f32[2]{0}", .operands = "2",
                             .op_name = "jit(f)/transpose(jvp(l0))/mlp/add"});
  hlo_root(&h, 3);
  hlo_entry(&h, 1);
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 600, .instruction = 1});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 400, .instruction = 2});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 8, .instruction = 3});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 1008});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 600);
  hlo_assign(&h, 3, 1000);
  hlo_trace(&h, 1, "A1 A2 A3 F1 F2 F3");
  mv_module *m = hlo_load(&h);
  const mv_finding_list list = findings_of(m);
  cr_assert_eq(count(list, MV_FINDING_GROUP), 2);
  cr_expect(mv_bytes_equal_string(list.items[0].key, "l*/attention"));
  cr_expect_eq(list.items[0].bytes, 600);
  cr_expect(says(&list.items[0], "attention in blocks"), "%s", (const char *)list.items[0].text.data);
  cr_expect(mv_bytes_equal_string(list.items[1].key, "l*/mlp"));
  cr_expect_eq(list.items[1].bytes, 408);
  cr_expect(says(&list.items[1], "usually rematerialisation (jax.checkpoint) helps"), "%s",
            (const char *)list.items[1].text.data);
  done(m);
}

Test(findings, real_dumps__in_order_and_as_the_tables_say) {
  char **names = list_data(".hlo.pb");
  for (char **name = names; *name != NULL; name++) {
    mv_status status = MV_STATUS_INIT;
    mv_module *m = load_data(*name);
    const mv_finding_list list = findings_of(m);
    const mv_group_list *groups = mv_module_groups(m, MV_BY_LAYER, NULL, &status);
    size_t large = 0;
    for (size_t i = 0; i < groups->count; i++) {
      const int64_t saving = groups->items[i].saving_bytes;
      large += saving > 0 && saving * 20 >= m->spaces[groups->items[i].space].peak_bytes;
    }
    cr_expect_eq(count(list, MV_FINDING_GROUP), large, "%s", *name);
    for (size_t i = 0; i < list.count; i++) {
      const mv_finding *f = &list.items[i];
      cr_expect_gt(f->bytes, 0);
      cr_expect(i == 0 || list.items[i - 1].bytes >= f->bytes, "most bytes first");
      cr_expect(mv_utf8_is_clean(f->text) && memchr(f->text.data, '\n', f->text.size) == NULL);
    }
    done(m);
    free(*name);
  }
  free(names);
}

/* Operands, calls and tuples in circles, and copies of themselves. */
Test(findings, circles_end) {
  hlo h = hlo_new("m");
  hlo_computation(&h, 1, "main");
  hlo_instruction(&h, (args){.id = 1, .opcode = "copy", .shape = "f32[4]{0}", .operands = "2"});
  hlo_instruction(&h, (args){.id = 2, .opcode = "get-tuple-element", .shape = "f32[4]{0}", .operands = "3"});
  hlo_instruction(&h, (args){.id = 3, .opcode = "copy-done", .shape = "f32[4]{0}", .operands = "2"});
  hlo_instruction(&h, (args){.id = 4, .opcode = "copy", .shape = "f32[4]{0}", .operands = "4"});
  hlo_instruction(&h, (args){.id = 5, .opcode = "fusion", .shape = "f32[4]{0}", .operands = "9", .calls = "1"});
  hlo_root(&h, 5);
  hlo_entry(&h, 1);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 100});
  for (int64_t i = 1; i <= 5; i++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 16, .instruction = i});
  }
  for (int64_t i = 1; i <= 5; i++) {
    hlo_assign(&h, i, 16 * i);
  }
  hlo_trace(&h, 1, "A1 A4 A5");
  mv_module *m = hlo_load(&h);
  cr_expect_eq(count(findings_of(m), MV_FINDING_COPY), 0);
  done(m);
}
