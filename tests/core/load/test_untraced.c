/* Temporaries without a heap trace: what they count as, and what that means for a module. */
#include <criterion/criterion.h>

#include "check/check.h"
#include "support/hlo_builder.h"

/* Buffers 1 to 4 of 1, 10, 100 and 1000 bytes in temporary allocation 7. */
static hlo temporaries(int64_t size) {
  hlo h = {0};
  int64_t bytes = 1;
  for (int64_t id = 1; id <= 4; id++, bytes *= 10) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = bytes, .instruction = HLO_NO_ID});
  }
  hlo_buffer(&h, (hlo_buffer_args){.id = 9, .size = 100000, .instruction = HLO_NO_ID}); /* lies nowhere */
  hlo_allocation(&h, (hlo_allocation_args){.id = 7, .size = size});
  for (int64_t id = 1; id <= 4; id++) {
    hlo_assign(&h, id, 0);
  }
  return h;
}

/* Loads, and looks whether the module is sound. */
static mv_module *sound(hlo *h) {
  mv_module *m = hlo_load(h);
  mv_status status = MV_STATUS_INIT;
  cr_expect(mv_module_check(m, &status), "%s", status.message);
  return m;
}

/* What allocation 0 of the module counts as, and the id of the buffer that names it. */
static void expect_untraced(const mv_module *m, int64_t bytes, int64_t buffer) {
  const mv_allocation *a = &m->allocations[0];
  cr_expect(mv_allocation_is_untraced(a));
  cr_expect_eq(a->untraced_bytes, bytes, "%lld, not %lld", (long long)a->untraced_bytes, (long long)bytes);
  cr_assert_neq(a->untraced_buffer, MV_NONE);
  cr_expect_eq(m->buffers[a->untraced_buffer].id, buffer);
  const mv_space *s = &m->spaces[a->space];
  cr_expect_eq(s->untraced_bytes, bytes);
  cr_expect_eq(s->peak_bytes, bytes);
  cr_expect_eq(s->occupied_peak_bytes, bytes);
  cr_expect_eq(m->positions[s->first_position].bytes, bytes);
  cr_expect_eq(m->positions[s->first_position].occupied_bytes, bytes);
}

Test(untraced, counts_what_the_compiler_lists_at_the_peak) {
  hlo h = temporaries(5000);
  hlo_peak(&h, 7, "2 3");
  mv_module *m = sound(&h);
  expect_untraced(m, 110, 3);
  cr_expect_eq(m->spaces[0].total_bytes, 5000);
  mv_module_free(m);
}

Test(untraced, counts_whole_without_a_list) {
  hlo h = temporaries(5000);
  mv_module *m = sound(&h);
  expect_untraced(m, 5000, 4);
  mv_module_free(m);
}

Test(untraced, counts_whole_with_a_list_of_nothing) {
  hlo h = temporaries(5000);
  hlo_peak(&h, 7, "");
  mv_module *m = sound(&h);
  expect_untraced(m, 5000, 4);
  mv_module_free(m);
}

Test(untraced, counts_no_more_than_its_size) {
  hlo h = temporaries(1050);
  hlo_peak(&h, 7, "4 3");
  mv_module *m = sound(&h);
  expect_untraced(m, 1050, 4);
  mv_module_free(m);
}

Test(untraced, lists_of_one_allocation_are_added) {
  hlo h = temporaries(5000);
  hlo_peak(&h, 7, "1");
  hlo_peak(&h, 8, "4"); /* of an allocation that is not there */
  hlo_peak(&h, 7, "2");
  mv_module *m = sound(&h);
  expect_untraced(m, 11, 2);
  mv_module_free(m);
}

Test(untraced, a_buffer_counts_once_and_where_it_lies) {
  hlo h = temporaries(5000);
  hlo_peak(&h, 7, "2 2 9 77 1 2");
  mv_module *m = sound(&h);
  expect_untraced(m, 11, 2);
  mv_module_free(m);
}

Test(untraced, a_list_that_is_not_packed_is_read_too) {
  hlo h = temporaries(5000);
  hlo_allocation(&h, (hlo_allocation_args){.id = 8, .size = 1, .is_constant = true}); /* closes the open one */
  mv_text list = MV_TEXT_INIT;
  pb_int(&list, 2, 3);
  pb_int(&list, 1, 7); /* the order of fields is not fixed */
  pb_int(&list, 2, 1);
  pb_message(&h.assignment, 5, &list);
  mv_module *m = sound(&h);
  cr_expect_eq(m->allocations[0].untraced_bytes, 101);
  mv_module_free(m);
}

Test(untraced, of_equally_large_buffers_the_smallest_id_names_it) {
  hlo h = {0};
  for (int64_t id = 5; id >= 3; id--) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = 10, .instruction = HLO_NO_ID});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 7, .size = 30});
  hlo_assign(&h, 5, 0);
  hlo_assign(&h, 4, 10);
  hlo_assign(&h, 3, 20);
  hlo_peak(&h, 7, "5 4");
  mv_module *m = sound(&h);
  expect_untraced(m, 20, 4);
  mv_module_free(m);
}

Test(untraced, a_trace_a_baseline_a_thread_or_no_size_make_none) {
  hlo h = temporaries(5000);
  hlo_allocation(&h, (hlo_allocation_args){.id = 8, .size = 1, .is_parameter = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 9, .size = 2, .is_live_out = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 10, .size = 4, .is_constant = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 11, .size = 8, .is_thread_local = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 12, .size = 0});
  hlo_trace(&h, 7, "A4 F4");
  hlo_peak(&h, 7, "1");
  mv_module *m = sound(&h);
  for (uint32_t i = 0; i < m->allocation_count; i++) {
    cr_expect_not(mv_allocation_is_untraced(&m->allocations[i]), "allocation %u", i);
    cr_expect_eq(m->allocations[i].untraced_bytes, 0, "allocation %u", i);
  }
  cr_expect_eq(m->spaces[0].untraced_bytes, 0);
  cr_expect_eq(m->spaces[0].peak_bytes, 1007);
  mv_module_free(m);
}

Test(untraced, counts_beside_a_heap_of_another_allocation) {
  hlo h = temporaries(5000);
  hlo_buffer(&h, (hlo_buffer_args){.id = 20, .size = 10000, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 8, .size = 10000});
  hlo_assign(&h, 20, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 9, .size = 20000, .is_parameter = true});
  hlo_trace(&h, 8, "A20 F20");
  hlo_peak(&h, 7, "4");
  mv_module *m = sound(&h);
  static const int64_t bytes[] = {21000, 31000, 21000};
  for (int p = 0; p < 3; p++) {
    cr_expect_eq(m->positions[p].bytes, bytes[p], "at %d", p);
    cr_expect_eq(m->positions[p].occupied_bytes, bytes[p], "at %d", p);
  }
  cr_expect_eq(m->spaces[0].peak_bytes, 31000);
  cr_expect_eq(m->heaps[0].peak_bytes, 10000);
  cr_expect_eq(m->spaces[0].total_bytes - m->spaces[0].occupied_peak_bytes, 4000, "fragmentation");
  cr_expect_null(strstr(m->problem, "trace"), "%s", m->problem);
  mv_module_free(m);
}

Test(untraced, without_padding_it_is_the_sum_of_what_is_listed) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = "f32[100]{0:T(1024)}"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "b", .shape = "f32[200]{0:T(1024)}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 4096, .instruction = 1});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 4096, .instruction = 2});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 4096, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 8192});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 4096);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 5000}); /* no list: its only buffer's */
  hlo_assign(&h, 3, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 7, .color = 1}); /* no list, no buffer: its size */
  hlo_peak(&h, 0, "1 2");
  mv_module *m = sound(&h);
  cr_expect_eq(m->allocations[0].untraced_unpadded_bytes, 1200);
  cr_expect_eq(m->allocations[1].untraced_unpadded_bytes, 400);
  cr_expect_eq(m->allocations[2].untraced_unpadded_bytes, 7);
  cr_expect_eq(m->spaces[0].peak_bytes, 13192);
  cr_expect_eq(m->spaces[0].peak_unpadded_bytes, 1600);
  mv_module_free(m);
}

Test(untraced, a_cut_list_is_damage) {
  hlo h = temporaries(5000);
  hlo_allocation(&h, (hlo_allocation_args){.id = 8, .size = 1, .is_constant = true});
  pb_bytes(&h.assignment, 5, "\x08\x07\x12\x7f\x01", 5);
  mv_text proto = hlo_proto(&h);
  mv_status status = MV_STATUS_INIT;
  cr_expect_null(load_bytes(pb_view(&proto), MV_CONTENT_HLO_PROTO, &status));
  cr_expect_not_null(strstr(status.message, "buffer_assignment.peak_buffers"), "%s", status.message);
  mv_text_free(&proto);
}

/* --- what a module without any trace is told --- */

static const char WHOLE[] =
    "no heap trace: lifetimes are unknown, the peak counts temporaries at their whole size and is "
    "an upper bound";
static const char LISTED[] =
    "no heap trace: lifetimes are unknown, the peak counts temporaries as the compiler lists them "
    "at its own peak";

/* A module with one instruction of the shape, and one buffer of it in an allocation of the color. */
static hlo one_temporary(const char *shape, int64_t color, bool is_tuple) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = shape});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "b", .shape = "f32[8,128]{1,0:T(8,128)}"}); /* a TPU */
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 512, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 512, .color = color});
  hlo_assign(&h, 1, 0);
  pb_int(&h.allocation, 11, is_tuple);
  return h;
}

static void expect_problem(hlo *h, const char *expected) {
  mv_module *m = hlo_load(h);
  cr_expect_eq(m->platform, MV_PLATFORM_TPU);
  cr_expect_str_eq(m->problem, expected, "%s", m->problem);
  mv_module_free(m);
}

Test(untraced, a_module_without_a_trace_says_what_its_peak_is) {
  hlo h = one_temporary("f32[128]", 0, false);
  expect_problem(&h, WHOLE);
  h = one_temporary("f32[128]", 0, false);
  hlo_peak(&h, 0, "1");
  expect_problem(&h, LISTED);
}

Test(untraced, one_list_that_is_missing_makes_an_upper_bound) {
  hlo h = one_temporary("f32[128]", 0, false);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 10});
  hlo_peak(&h, 0, "1");
  expect_problem(&h, WHOLE);
}

Test(untraced, any_trace_at_all_and_nothing_is_said) {
  hlo h = one_temporary("f32[128]", 0, false);
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 4, .instruction = 2});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 4, .color = 2});
  hlo_assign(&h, 2, 0);
  hlo_trace(&h, 1, "A2 F2");
  expect_problem(&h, "");
}

Test(untraced, index_tables_of_tuples_are_never_traced) {
  hlo h = one_temporary("(f32[2], f32[3])", 0, true);
  expect_problem(&h, "");
  h = one_temporary("f32[128]", 0, true); /* of an allocation of several only some are */
  expect_problem(&h, WHOLE);
}

Test(untraced, spaces_of_sparsecore_are_never_traced) {
  hlo h = one_temporary("f32[128]", 15, false);
  expect_problem(&h, "");
  h = one_temporary("f32[128]", 1, false);
  expect_problem(&h, WHOLE);
}
