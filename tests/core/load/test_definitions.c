/* What refers to what: buffers to instructions and allocations, and references that lead nowhere. */
#include <criterion/criterion.h>

#include "model/location.h"
#include "support/hlo_builder.h"

static const char tuple[] = "(f32[10], (s8[3], f32[100,2]), ((u8[7])))";

static mv_module *with_buffer(hlo_buffer_args args) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 0, .name = "zero", .shape = "f32[1]"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 8, .name = "eight", .shape = "f32[8]"});
  hlo_instruction(&h, (hlo_instruction_args){.id = INT64_C(5) << 32 | 3, .name = "tuple.3", .shape = tuple});
  hlo_instruction(&h, (hlo_instruction_args){.id = -4, .name = "shapeless"});
  hlo_buffer(&h, args);
  return hlo_load(&h);
}

static void expect_instruction(hlo_buffer_args args, uint32_t instruction, int64_t unpadded) {
  args.id = 1;
  mv_module *m = with_buffer(args);
  cr_expect_eq(m->buffers[0].instruction, instruction, "instruction %u", m->buffers[0].instruction);
  cr_expect_eq(m->buffers[0].unpadded_bytes, unpadded, "unpadded %lld", (long long)m->buffers[0].unpadded_bytes);
  mv_module_free(m);
}

Test(links, instruction_by_its_id) {
  expect_instruction((hlo_buffer_args){.instruction = 8}, 1, 32);
  expect_instruction((hlo_buffer_args){.instruction = INT64_C(5) << 32 | 3}, 2, 24);
  expect_instruction((hlo_buffer_args){.instruction = -4}, 3, -1);
}

Test(links, id_0_is_left_out_of_the_file) {
  expect_instruction((hlo_buffer_args){.instruction = 0}, 0, 4);
}

Test(links, instruction_by_its_name_in_older_files) {
  expect_instruction((hlo_buffer_args){.instruction = HLO_NO_ID, .instruction_name = "eight"}, 1, 32);
  expect_instruction((hlo_buffer_args){.instruction = HLO_NO_ID, .instruction_name = "eigh"}, MV_NONE, -1);
  expect_instruction((hlo_buffer_args){.instruction = HLO_NO_ID, .instruction_name = "tuple.3", .index = "0"}, 2, 40);
}

Test(links, the_id_goes_before_the_name) {
  expect_instruction((hlo_buffer_args){.instruction = 8, .instruction_name = "zero"}, 1, 32);
}

Test(links, the_whole_shape_index_is_walked) {
  const int64_t id = INT64_C(5) << 32 | 3;
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "0"}, 2, 40);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "1"}, 2, 16);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "1,0"}, 2, 3);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "1,1"}, 2, 800);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "2,0,0"}, 2, 7);
}

Test(links, a_shape_index_that_leads_nowhere_has_no_size) {
  const int64_t id = INT64_C(5) << 32 | 3;
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "3"}, 2, -1);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "-1"}, 2, -1);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "0,0"}, 2, -1);
  expect_instruction((hlo_buffer_args){.instruction = id, .index = "9223372036854775807"}, 2, -1);
  expect_instruction((hlo_buffer_args){.instruction = -4, .index = "0"}, 3, -1);
}

Test(links, an_instruction_that_is_not_there_is_noted) {
  mv_module *m = with_buffer((hlo_buffer_args){.id = 1, .size = 4, .instruction = 77});
  cr_expect_eq(m->buffers[0].instruction, MV_NONE);
  cr_expect_str_eq(m->problem, "1 buffers are defined by instructions that are not there");
  mv_module_free(m);
}

Test(links, a_module_without_instructions_defines_no_buffer) {
  hlo h = hlo_new("m");
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 4, .instruction = 0});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 4, .instruction = HLO_NO_ID, .instruction_name = "a"});
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->buffers[0].instruction, MV_NONE);
  cr_expect_eq(m->buffers[1].instruction, MV_NONE);
  cr_expect_str_eq(m->problem, "2 buffers are defined by instructions that are not there");
  mv_module_free(m);
}

Test(links, of_instructions_with_one_id_the_first_is_meant) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = "f32[1]"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "b", .shape = "f32[2]"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "c", .shape = "f32[3]"});
  for (int64_t id = 1; id <= 4; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .instruction = id <= 1 ? 1 : 2});
  }
  mv_module *m = hlo_load(&h);
  cr_expect_str_eq(m->problem, "1 instructions have the id of an earlier one");
  for (uint32_t i = 1; i < 4; i++) {
    cr_expect_eq(m->buffers[i].instruction, 1, "buffer %u", i + 1);
  }
  mv_module_free(m);
}

static mv_module *with_allocations(void) {
  hlo h = {0};
  for (int64_t id = 10; id <= 15; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = 100, .color = 3, .instruction = HLO_NO_ID});
  }
  hlo_buffer(&h, (hlo_buffer_args){.id = 15, .size = 7, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 300, .color = 1});
  hlo_assign(&h, 12, 0);
  hlo_assign(&h, 11, 200);
  hlo_assign(&h, 99, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 5, .size = 150});
  hlo_assign(&h, 13, 50);
  hlo_assign(&h, 14, 51);
  hlo_assign(&h, 11, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 5, .size = 1});
  return hlo_load(&h);
}

Test(links, assigned_buffers_get_allocation_offset_and_color) {
  mv_module *m = with_allocations();
  cr_expect_eq(m->allocations[0].buffer_count, 2);
  cr_expect_eq(m->assigned[m->allocations[0].first_assigned], 2);
  cr_expect_eq(m->assigned[m->allocations[0].first_assigned + 1], 1);
  cr_expect_eq(m->buffers[1].allocation, 0, "the first assignment holds");
  cr_expect_eq(m->buffers[1].offset_bytes, 200);
  cr_expect_eq(m->buffers[1].color, 1);
  cr_expect_eq(m->buffers[3].allocation, 1);
  cr_expect_eq(m->buffers[3].color, 0);
  mv_module_free(m);
}

Test(links, a_buffer_without_an_allocation_keeps_its_own_color) {
  mv_module *m = with_allocations();
  cr_expect_eq(m->buffers[0].allocation, MV_NONE);
  cr_expect_eq(m->buffers[0].offset_bytes, -1);
  cr_expect_eq(m->buffers[0].color, 3);
  mv_module_free(m);
}

Test(links, an_allocation_is_named_by_its_largest_buffer_then_the_smallest_id) {
  mv_module *m = with_allocations();
  cr_expect_eq(m->buffers[m->allocations[0].largest_buffer].id, 11);
  cr_expect_eq(m->buffers[m->allocations[1].largest_buffer].id, 13);
  cr_expect_eq(m->allocations[2].largest_buffer, MV_NONE);
  mv_module_free(m);
}

Test(links, what_is_wrong_is_noted_the_rest_counted) {
  mv_module *m = with_allocations();
  cr_expect_str_eq(m->problem, "1 buffers have the id of an earlier one; buffer 11 is assigned twice; "
                               "1 allocations have the id of an earlier one; and 4 more");
  mv_module_free(m);
}

Test(links, a_buffer_that_is_listed_twice_lies_outside_once) {
  hlo h = hlo_new("m");
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 64, .instruction = HLO_NO_ID});
  hlo_instruction(&h, (hlo_instruction_args){.id = 0, .name = "a", .shape = "f32[16]"});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 70, .is_constant = true});
  hlo_assign(&h, 1, 10);
  hlo_assign(&h, 1, 0);
  mv_module *m = hlo_load(&h);
  cr_expect_str_eq(m->problem, "buffer 1 is assigned twice; buffer 1 lies outside its allocation 0");
  cr_expect_eq(m->buffers[0].offset_bytes, 10);
  mv_module_free(m);
}

Test(links, of_two_shapes_of_an_instruction_the_last_counts) {
  static const char *const indexes[] = {NULL, "0"};
  for (int i = 0; i < 2; i++) {
    hlo h = hlo_new("m");
    hlo_instruction(&h, (hlo_instruction_args){.id = 0, .name = "a"});
    mv_text instruction = MV_TEXT_INIT;
    for (int64_t k = 1; k <= 2; k++) {
      mv_text element = MV_TEXT_INIT;
      pb_int(&element, 2, 11); /* F32 */
      pb_int(&element, 3, 10 * k);
      mv_text shape = MV_TEXT_INIT;
      if (i == 0) {
        shape = element;
      } else {
        pb_int(&shape, 2, 13); /* TUPLE */
        pb_message(&shape, 4, &element);
      }
      pb_message(&instruction, 3, &shape);
    }
    pb_int(&instruction, 35, 7);
    pb_message(&h.computation, 2, &instruction);
    hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 128, .instruction = 7, .index = indexes[i]});
    mv_module *m = hlo_load(&h);
    cr_expect_eq(m->buffers[0].unpadded_bytes, 80, "%d: %lld", i, (long long)m->buffers[0].unpadded_bytes);
    mv_module_free(m);
  }
}

Test(links, impossible_sizes_are_taken_as_0) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = -5, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = INT64_MAX, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 3, .size = 1});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 0);
  hlo_trace(&h, 3, "A2 A1");
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->buffers[0].size_bytes, 0);
  cr_expect_eq(m->buffers[1].size_bytes, INT64_MAX);
  cr_expect_eq(m->allocations[0].size_bytes, 0);
  cr_expect_not_null(strstr(m->problem, "buffer 1 has the impossible size -5, taken as 0"));
  cr_expect_not_null(strstr(m->problem, "allocation 3 has the impossible size 1, taken as 0"));
  cr_expect_eq(m->spaces[0].peak_bytes, INT64_MAX);
  mv_module_free(m);
}

static void expect_index(const void *proto, size_t size, const char *expected) {
  mv_location location;
  mv_location_read(&location, mv_bytes_of(proto, size));
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "");
  mv_location_print_index(&text, &location);
  cr_expect_str_eq(text.data, expected);
  mv_text_free(&text);
}

Test(location, index_packed_or_not) {
  expect_index("\x1A\x03\x01\x00\x07", 5, "1,0,7");
  expect_index("\x18\x01\x18\x00\x18\x07", 6, "1,0,7");
  expect_index("\x18\x01\x1A\x02\x00\x07", 6, "1,0,7");
  expect_index("", 0, "");
  expect_index("\x1A\x02\x01\x80", 4, "1");
}

Test(location, deeper_than_any_shape_points_nowhere) {
  mv_text proto = MV_TEXT_INIT;
  for (int i = 0; i < MV_LOCATION_DEPTH + 10; i++) {
    pb_int(&proto, 3, 0);
  }
  mv_location location;
  mv_location_read(&location, pb_view(&proto));
  cr_expect_eq(location.index_count, MV_LOCATION_DEPTH);
  cr_expect_eq(location.index[MV_LOCATION_DEPTH - 1], -1);
  mv_text_free(&proto);
}
