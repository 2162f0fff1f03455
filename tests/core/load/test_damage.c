/* Bytes that are cut or no protobuf: one line that says where. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/files.h"
#include "support/hlo_builder.h"

/* An HloProto with all that is read, some hundred bytes. */
static mv_text small_proto(size_t *assignment_at) {
  hlo h = hlo_new("jit_f");
  mv_text payload = MV_TEXT_INIT;
  pb_int(&payload, 2, 0);
  hlo_instruction(
      &h, (hlo_instruction_args){
              .id = 1, .name = "a", .opcode = "add", .shape = "(f32[8]{0:T(128)}, s8[3])", .payload = &payload});
  pb_string(&h.module, 22, "{\"used_scoped_memory_configs\":[{\"size\":\"5\"}]}");
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1, .index = "0"});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 0, "A1 F1");
  mv_text proto = hlo_proto(&h);
  /* the module's length is that of one byte or two */
  const uint8_t *p = (const uint8_t *)proto.data;
  *assignment_at = p[1] < 0x80 ? (size_t)2 + p[1] : 3 + (p[1] & 0x7Fu) + ((size_t)p[2] << 7);
  return proto;
}

static void expect_error(const void *data, size_t size, mv_content content, const char *expected) {
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(mv_bytes_of(data, size), content, &st);
  cr_expect_null(m);
  cr_expect_eq(st.code, MV_FORMAT);
  cr_expect_str_eq(st.message, expected, "%s", st.message);
  mv_module_free(m);
}

Test(damage, a_cut_file_says_where_and_in_which_field) {
  size_t assignment_at;
  mv_text proto = small_proto(&assignment_at);
  for (size_t n = 1; n < proto.size; n++) {
    char expected[100];
    snprintf(expected, sizeof expected, "cut short at byte %zu of field %s", n,
             n < assignment_at ? "hlo_module" : "buffer_assignment");
    if (n == assignment_at) {
      continue; /* between two fields: a module without its assignment */
    }
    expect_error(proto.data, n, MV_CONTENT_HLO_PROTO, expected);
  }
  mv_text_free(&proto);
}

Test(damage, cut_between_the_fields_there_is_no_buffer_assignment) {
  size_t assignment_at;
  mv_text proto = small_proto(&assignment_at);
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(mv_bytes_of(proto.data, assignment_at), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m);
  cr_expect_not(m->has_assignment);
  cr_expect_str_eq(m->problem, "no buffer assignment: this is not the stage of the dump that has one");
  mv_module_free(m);
  mv_text_free(&proto);
}

Test(damage, every_cut_of_a_real_file_fails_or_loads) {
  mv_text bytes = read_data("synth-5010.hlo.pb");
  for (size_t n = 0; n < bytes.size; n++) {
    mv_status st = MV_STATUS_INIT;
    mv_module *m = load_bytes(mv_bytes_of(bytes.data, n), MV_CONTENT_HLO_PROTO, &st);
    cr_expect_eq(m != NULL, st.code == MV_OK);
    mv_module_free(m);
  }
  mv_text_free(&bytes);
}

/* No change of a byte may be more than an error or other numbers. */
Test(damage, every_byte_of_a_real_file_may_be_wrong) {
  static const uint8_t masks[] = {0x01, 0x08, 0x80, 0xFF};
  mv_text bytes = read_data("synth-5010.hlo.pb");
  for (size_t i = 0; i < bytes.size; i++) {
    for (size_t k = 0; k < sizeof masks; k++) {
      bytes.data[i] = (char)((uint8_t)bytes.data[i] ^ masks[k]);
      mv_status st = MV_STATUS_INIT;
      mv_module *m = load_bytes(pb_view(&bytes), MV_CONTENT_HLO_PROTO, &st);
      cr_assert_eq(m != NULL, st.code == MV_OK);
      for (uint32_t s = 0; m != NULL && s < m->space_count; s++) {
        cr_assert_geq(m->spaces[s].peak_bytes, 0, "byte %zu", i);
        cr_assert_geq(m->spaces[s].occupied_peak_bytes, 0, "byte %zu", i);
      }
      for (uint32_t p = 0; m != NULL && p < m->position_count; p++) {
        cr_assert_geq(m->positions[p].bytes, 0, "byte %zu", i);
        cr_assert_leq(m->positions[p].occupied_bytes, m->positions[p].bytes, "byte %zu", i);
      }
      mv_module_free(m);
      bytes.data[i] = (char)((uint8_t)bytes.data[i] ^ masks[k]);
    }
  }
  mv_text_free(&bytes);
}

Test(damage, a_length_beyond_its_message_is_no_cut) {
  /* hlo_module of 4 bytes, whose name claims 100; bytes enough follow */
  mv_text proto = MV_TEXT_INIT;
  pb_bytes(&proto, 1,
           "\x0A\x64"
           "ab",
           4);
  for (int i = 0; i < 60; i++) {
    pb_int(&proto, 15, 1);
  }
  expect_error(proto.data, proto.size, MV_CONTENT_HLO_PROTO, "not a valid protobuf at byte 2, in field hlo_module");
  mv_text_free(&proto);
}

static void expect_nested(unsigned outer, const unsigned *path, size_t depth, const char *field) {
  mv_text inner = MV_TEXT_INIT;
  pb_raw(&inner, "\x07", 1); /* wire type 7 */
  for (size_t i = 0; i < depth; i++) {
    mv_text next = MV_TEXT_INIT;
    pb_message(&next, path[i], &inner);
    inner = next;
  }
  mv_text proto = MV_TEXT_INIT;
  pb_message(&proto, outer, &inner);
  char expected[150];
  snprintf(expected, sizeof expected, "not a valid protobuf at byte %zu, in field %s", proto.size - 1, field);
  expect_error(proto.data, proto.size, MV_CONTENT_HLO_PROTO, expected);
  mv_text_free(&proto);
}

Test(damage, the_field_is_named_however_deep) {
  const unsigned module[] = {3};
  const unsigned instruction[] = {2, 3};
  const unsigned buffer[] = {1};
  const unsigned allocation[] = {3};
  const unsigned trace[] = {4};
  expect_nested(1, NULL, 0, "hlo_module");
  expect_nested(1, module, 1, "hlo_module.computations");
  expect_nested(1, instruction, 2, "hlo_module.computations.instructions");
  expect_nested(3, NULL, 0, "buffer_assignment");
  expect_nested(3, buffer, 1, "buffer_assignment.logical_buffers");
  expect_nested(3, allocation, 1, "buffer_assignment.buffer_allocations");
  expect_nested(3, trace, 1, "buffer_assignment.heap_simulator_traces");
}

Test(damage, groups_are_no_protobuf_of_xlas) {
  expect_error("\x0B\x0C", 2, MV_CONTENT_HLO_PROTO, "not a valid protobuf at byte 0, in field hlo_module");
  expect_error("\x7B\x7C", 2, MV_CONTENT_HLO_PROTO, "not a valid protobuf at byte 0, in field HloProto");
  expect_error("\x0B\x0C", 2, MV_CONTENT_HLO_MODULE_PROTO, "not a valid protobuf at byte 0, in field hlo_module");
  expect_error("\x0B\x0C", 2, MV_CONTENT_BUFFER_ASSIGNMENT_PROTO,
               "not a valid protobuf at byte 0, in field buffer_assignment");
}

Test(damage, behind_a_whole_field_is_in_no_field) {
  expect_error("\x0A\x00\x00", 3, MV_CONTENT_HLO_PROTO, "not a valid protobuf at byte 2, in field HloProto");
}

Test(damage, fields_that_nobody_knows_are_passed_over) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a"});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1});
  mv_text proto = hlo_proto(&h);
  pb_int(&proto, 1999, 5);
  pb_string(&proto, 2, "was hlo_ordering once");
  pb_raw(&proto, "\x7D\x01\x02\x03\x04", 5); /* field 15, fixed32 */
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(pb_view(&proto), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m, "%s", st.message);
  cr_expect_eq(m->instruction_count, 1);
  mv_module_free(m);
  mv_text_free(&proto);
}

/* At each place where fields are skipped. */
Test(damage, many_fields_of_fixed_size_are_no_recursion) {
  enum { COUNT = 300000 };
  mv_text fields = MV_TEXT_INIT;
  for (int i = 0; i < COUNT; i++) {
    pb_raw(&fields, "\x7D\x01\x02\x03\x04", 5); /* field 15, fixed32 */
  }
  mv_text instruction = MV_TEXT_INIT;
  pb_raw(&instruction, fields.data, fields.size);
  mv_text computation = MV_TEXT_INIT;
  pb_raw(&computation, fields.data, fields.size);
  pb_message(&computation, 2, &instruction);
  mv_text module = MV_TEXT_INIT;
  pb_raw(&module, fields.data, fields.size);
  pb_message(&module, 3, &computation);
  mv_text buffer = MV_TEXT_INIT;
  pb_raw(&buffer, fields.data, fields.size);
  mv_text event = MV_TEXT_INIT;
  pb_raw(&event, fields.data, fields.size);
  mv_text trace = MV_TEXT_INIT;
  pb_raw(&trace, fields.data, fields.size);
  pb_message(&trace, 1, &event);
  mv_text assignment = MV_TEXT_INIT;
  pb_raw(&assignment, fields.data, fields.size);
  pb_message(&assignment, 1, &buffer);
  pb_bytes(&assignment, 3, fields.data, fields.size);
  pb_message(&assignment, 4, &trace);
  pb_message(&fields, 1, &module);
  pb_message(&fields, 3, &assignment);
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(pb_view(&fields), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m, "%s", st.message);
  cr_expect_eq(m->instruction_count, 1);
  cr_expect_eq(m->buffer_count, 1);
  cr_expect_eq(m->heap_count, 1);
  mv_module_free(m);
  mv_text_free(&fields);
}

Test(damage, fields_of_another_wire_type_are_passed_over) {
  mv_text proto = MV_TEXT_INIT;
  pb_int(&proto, 1, 5); /* hlo_module as a number */
  pb_int(&proto, 3, 5);
  mv_text module = MV_TEXT_INIT;
  pb_int(&module, 1, 7);
  pb_int(&module, 3, 7);
  pb_string(&module, 5, "id");
  pb_message(&proto, 1, &module);
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(pb_view(&proto), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m, "%s", st.message);
  cr_expect_eq(m->id, 0);
  cr_expect_eq(m->computation_count, 0);
  mv_module_free(m);
  mv_text_free(&proto);
}
