/* Instructions, computations, payloads and what a module says of itself. */
#include <criterion/criterion.h>

#include "load/load.h"
#include "model/fusions.h"
#include "model/instruction.h"
#include "support/hlo_builder.h"

static bool is(const mv_module *m, mv_ref ref, const char *text) {
  return mv_bytes_equal_string(mv_module_bytes(m, ref), text);
}

Test(module_index, computations_hold_their_instructions) {
  hlo h = hlo_new("jit_f");
  pb_string(&h.module, 2, "main.7");
  pb_int(&h.module, 5, 42);
  hlo_computation(&h, 3, "fused");
  hlo_instruction(&h, (hlo_instruction_args){.id = 10, .name = "p.10"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 11, .name = "add.11"});
  hlo_computation(&h, 4, "empty");
  hlo_computation(&h, 5, "main.7");
  hlo_instruction(&h, (hlo_instruction_args){.id = 12, .name = "fusion.12"});
  mv_module *m = hlo_load(&h);
  cr_expect(is(m, m->name, "jit_f"));
  cr_expect(is(m, m->entry_computation_name, "main.7"));
  cr_expect_eq(m->id, 42);
  cr_assert_eq(m->computation_count, 3);
  static const uint32_t counts[] = {2, 0, 1};
  static const uint32_t firsts[] = {0, 2, 2};
  for (uint32_t i = 0; i < 3; i++) {
    cr_expect_eq(m->computations[i].id, 3 + i);
    cr_expect_eq(m->computations[i].instruction_count, counts[i]);
    cr_expect_eq(m->computations[i].first_instruction, firsts[i]);
  }
  cr_assert_eq(m->instruction_count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    cr_expect_eq(mv_instruction_id(m, i), 10 + i);
    cr_expect_eq(mv_idmap_find(&m->instructions_by_id, 10 + i), i);
    cr_expect_eq(mv_module_computation_of(m, i), &m->computations[i < 2 ? 0 : 2]);
  }
  cr_expect(mv_bytes_equal_string(mv_instruction_name(m, 1), "add.11"));
  cr_expect_eq(mv_instruction_name(m, MV_NONE).size, 0);
  mv_module_free(m);
}

Test(module_index, unpadded_size_of_an_instructions_shape) {
  static const struct {
    const char *shape;
    int64_t bytes;
  } shapes[] = {{"f32[8,100]{1,0:T(8,128)}", 3200}, {"(f32[2], s8[3])", 16}, {"token[]", 0}, {"pred[]", 1}, {NULL, -1}};
  enum { COUNT = sizeof shapes / sizeof *shapes };
  hlo h = hlo_new("m");
  for (int i = 0; i < COUNT; i++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = i + 1, .name = "x", .shape = shapes[i].shape});
  }
  mv_module *m = hlo_load(&h);
  for (int i = 0; i < COUNT; i++) {
    cr_expect_eq(m->instructions[i].unpadded_bytes, shapes[i].bytes, "%s: %lld", shapes[i].shape,
                 (long long)m->instructions[i].unpadded_bytes);
  }
  mv_module_free(m);
}

Test(module_index, parts_of_a_message_that_stand_apart_are_joined) {
  /* protobuf merges a message that comes twice: an encoder may write it in parts */
  mv_text module = MV_TEXT_INIT;
  mv_text proto = MV_TEXT_INIT;
  hlo first = hlo_new("m");
  hlo_instruction(&first, (hlo_instruction_args){.id = 1, .name = "a"});
  proto = hlo_proto(&first);
  hlo second = hlo_new("m");
  hlo_computation(&second, 9, "other");
  hlo_instruction(&second, (hlo_instruction_args){.id = 2, .name = "b"});
  module = hlo_proto(&second);
  pb_raw(&proto, module.data, module.size);
  mv_text_free(&module);
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(pb_view(&proto), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m);
  cr_expect_eq(m->instruction_count, 2);
  cr_expect_eq(m->computation_count, 2);
  cr_expect_eq(mv_module_computation_of(m, 1), &m->computations[1]);
  mv_text_free(&proto);
  mv_module_free(m);
}

/* What a file of many small modules takes must grow with the file, not with its square. */
Test(module_index, many_parts_take_linear_memory) {
  enum { PARTS = 2000, EACH = 20 };
  mv_text proto = MV_TEXT_INIT;
  for (int i = 0; i < PARTS; i++) {
    mv_text computation = MV_TEXT_INIT;
    for (int k = 0; k < EACH; k++) {
      pb_bytes(&computation, 2, "", 0);
    }
    mv_text module = MV_TEXT_INIT;
    pb_message(&module, 3, &computation);
    pb_message(&proto, 1, &module);
  }
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(pb_view(&proto), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m);
  cr_expect_eq(m->instruction_count, PARTS * EACH);
  cr_expect_lt(mv_module_footprint(m), 10 * (PARTS * EACH * (sizeof(mv_instruction) + sizeof(mv_run)) + proto.size));
  mv_text_free(&proto);
  mv_module_free(m);
}

Test(module_index, contents_of_other_kinds) {
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("alone");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a"});
  pb_message(&h.module, 3, &h.computation);
  mv_module *m = load_bytes(pb_view(&h.module), MV_CONTENT_HLO_MODULE_PROTO, &st);
  cr_assert_not_null(m);
  cr_expect(m->has_module && !m->has_assignment);
  cr_expect_eq(m->instruction_count, 1);
  cr_expect_eq(m->id, 0);
  cr_expect_str_eq(m->problem, "no buffer assignment: this is not the stage of the dump that has one");
  mv_text_free(&h.module);
  mv_module_free(m);

  hlo a = {0};
  hlo_buffer(&a, (hlo_buffer_args){.id = 1, .size = 5, .instruction = 3});
  m = load_bytes(pb_view(&a.assignment), MV_CONTENT_BUFFER_ASSIGNMENT_PROTO, &st);
  cr_assert_not_null(m);
  cr_expect(!m->has_module && m->has_assignment);
  cr_expect_eq(m->buffer_count, 1);
  cr_expect_eq(m->buffers[0].unpadded_bytes, -1);
  cr_expect_eq(m->id, -1);
  cr_expect_str_eq(m->problem, "no HLO module: sizes only, without names and shapes");
  mv_text_free(&a.assignment);
  mv_module_free(m);
}

Test(module_index, an_hlo_proto_without_a_module) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 5});
  mv_module *m = hlo_load(&h);
  cr_expect_str_eq(m->problem, "no HLO module in it");
  cr_expect_eq(m->id, -1, "there is no program whose id it could be");
  cr_expect_eq(m->buffers[0].instruction, MV_NONE);
  mv_module_free(m);
}

static bool yes(void *arg) {
  ++*(int *)arg;
  return true;
}

Test(module_index, stops_when_the_host_asks_for_it) {
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  for (int64_t id = 1; id <= 5000; id++) { /* what is read in no time asks for nothing */
    hlo_instruction(&h, (hlo_instruction_args){.id = id, .name = "a"});
  }
  mv_text proto = hlo_proto(&h);
  mv_blob blob;
  cr_assert(mv_blob_new(&blob, proto.size, &st));
  memcpy(blob.data, proto.data, proto.size);
  blob.size = proto.size;
  mv_text_free(&proto);
  int asked = 0;
  const mv_limits limits = {.interrupted = yes, .arg = &asked};
  cr_expect_null(mv_module_load(&blob, MV_CONTENT_HLO_PROTO, NULL, &limits, &st));
  cr_expect_eq(st.code, MV_INTERRUPTED);
  cr_expect_gt(asked, 0);
}

/* A computation of instructions with ids from `first`, `tail` behind them. */
static void add_computation(mv_text *module, int64_t first, int count, const char *config, mv_bytes tail) {
  mv_text computation = MV_TEXT_INIT;
  for (int i = 0; i < count; i++) {
    mv_text instruction = MV_TEXT_INIT;
    pb_string(&instruction, 1, "x");
    mv_text shape = MV_TEXT_INIT;
    pb_int(&shape, 2, 11); /* F32 */
    pb_int(&shape, 3, 8);
    pb_message(&instruction, 3, &shape);
    pb_int(&instruction, 35, first + i);
    if (config != NULL && *config == '{') {
      pb_string(&instruction, 43, config);
    } else if (config != NULL) {
      pb_string(&instruction, 28, config); /* a custom call's target */
    }
    pb_message(&computation, 2, &instruction);
  }
  pb_raw(&computation, tail.data, tail.size);
  pb_message(module, 3, &computation);
}

static mv_module *load_module(mv_text *module, int64_t buffer_at) {
  mv_text proto = MV_TEXT_INIT;
  pb_string(module, 1, "m");
  pb_message(&proto, 1, module);
  mv_text assignment = MV_TEXT_INIT;
  if (buffer_at >= 0) {
    mv_text location = MV_TEXT_INIT;
    pb_int(&location, 4, buffer_at);
    mv_text buffer = MV_TEXT_INIT;
    pb_int(&buffer, 1, 1);
    pb_int(&buffer, 2, 64);
    pb_message(&buffer, 3, &location);
    pb_message(&assignment, 1, &buffer);
  }
  pb_message(&proto, 3, &assignment);
  mv_status st = MV_STATUS_INIT;
  mv_module *m = load_bytes(pb_view(&proto), MV_CONTENT_HLO_PROTO, &st);
  cr_assert_not_null(m, "%s", st.message);
  mv_text_free(&proto);
  return m;
}

#define TPU_CONFIG "{\"flag_configs\":[],\"used_scoped_memory_configs\":[]}"
#define SCOPED_CONFIG "{\"used_scoped_memory_configs\":[{\"memory_space\":\"1\",\"size\":\"77\"}]}"

/* is_fusion_computation = true, and what else may stand at the end of a computation. */
static const uint8_t IS_FUSION[] = {7 << 3, 1};
static const uint8_t IS_FUSION_AND_THREAD[] = {7 << 3, 1, 8 << 3 | 2, 4, 'm', 'a', 'i', 'n'};
static const uint8_t ENDS_LIKE_A_FUSION[] = {8 << 3 | 2, 2, 7 << 3, 1};

Test(module_index, insides_of_fusions_are_skipped) {
  mv_text module = MV_TEXT_INIT;
  add_computation(&module, 10, 5, NULL, mv_bytes_of(IS_FUSION, sizeof IS_FUSION));
  add_computation(&module, 20, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
  mv_module *m = load_module(&module, 21);
  cr_expect(m->has_skipped && m->computations[0].is_skipped && !m->computations[1].is_skipped);
  cr_expect_eq(m->instruction_count, 7);
  cr_expect_eq(m->computations[0].instruction_count, 5);
  for (uint32_t i = 0; i < 5; i++) {
    cr_expect_eq(m->instructions[i].unpadded_bytes, MV_NOT_INDEXED);
    cr_expect_eq(mv_instruction_id(m, i), 10 + i, "though its id is there when it is shown");
    cr_expect(mv_bytes_equal_string(mv_instruction_name(m, i), "x"));
  }
  cr_expect_eq(m->buffers[0].instruction, 6);
  cr_expect_eq(m->buffers[0].unpadded_bytes, 32);
  mv_module_free(m);
}

Test(module_index, a_buffer_may_be_defined_in_a_fusion_all_the_same) {
  mv_text module = MV_TEXT_INIT;
  add_computation(&module, 10, 5, NULL, mv_bytes_of(IS_FUSION, sizeof IS_FUSION));
  add_computation(&module, 20, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
  mv_module *m = load_module(&module, 13);
  cr_expect_not(m->has_skipped);
  cr_expect_eq(m->buffers[0].instruction, 3);
  cr_expect_eq(m->buffers[0].unpadded_bytes, 32);
  cr_expect_str_eq(m->problem, "");
  mv_module_free(m);
}

Test(module_index, what_only_ends_like_a_fusion_is_none) {
  static const struct {
    mv_bytes tail;
    bool is_skipped;
  } tails[] = {
      {{IS_FUSION, sizeof IS_FUSION}, true},
      {{IS_FUSION_AND_THREAD, sizeof IS_FUSION_AND_THREAD}, false}, /* it is one, but who would know */
      {{ENDS_LIKE_A_FUSION, sizeof ENDS_LIKE_A_FUSION}, false},
      {{NULL, 0}, false},
  };
  for (size_t t = 0; t < sizeof tails / sizeof *tails; t++) {
    mv_text module = MV_TEXT_INIT;
    add_computation(&module, 10, 5, NULL, tails[t].tail);
    add_computation(&module, 20, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
    mv_module *m = load_module(&module, -1);
    cr_expect_eq(m->computations[0].is_skipped, tails[t].is_skipped, "tail %zu", t);
    for (int64_t i = 0; i < 5; i++) {
      cr_expect_eq(mv_idmap_find(&m->instructions_by_id, 10 + i), tails[t].is_skipped ? MV_NONE : i, "tail %zu", t);
    }
    mv_module_free(m);
  }
}

Test(module_index, scoped_memory_inside_a_fusion_counts) {
  mv_text module = MV_TEXT_INIT;
  add_computation(&module, 10, 3, NULL, mv_bytes_of(IS_FUSION, sizeof IS_FUSION));
  add_computation(&module, 20, 3, SCOPED_CONFIG, mv_bytes_of(IS_FUSION, sizeof IS_FUSION));
  add_computation(&module, 30, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
  mv_module *m = load_module(&module, -1);
  cr_expect(m->computations[0].is_skipped);
  cr_assert_eq(m->scoped_count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    cr_expect_eq(m->scoped[i].instruction, 3 + i);
    cr_expect_eq(m->scoped[i].size_bytes, 77);
    cr_expect_eq(mv_instruction_scoped_bytes(m, 3 + i), 77);
  }
  mv_module_free(m);
}

Test(module_index, fusions_are_looked_into_where_nothing_else_tells_the_platform) {
  mv_text module = MV_TEXT_INIT;
  add_computation(&module, 10, 3, "tpu_custom_call", mv_bytes_of(IS_FUSION, sizeof IS_FUSION));
  add_computation(&module, 20, 2, NULL, mv_bytes_of(NULL, 0));
  mv_module *m = load_module(&module, -1);
  cr_expect_eq(m->platform, MV_PLATFORM_TPU);
  mv_module_free(m);
}

Test(module_index, a_payload_may_hold_the_scoped_memory_of_what_stands_in_a_fusion) {
  mv_text reference = MV_TEXT_INIT;
  pb_int(&reference, 2, 0); /* Payload.id */
  mv_text instruction = MV_TEXT_INIT;
  pb_int(&instruction, 35, 10);
  pb_message(&instruction, 99, &reference);
  mv_text fusion = MV_TEXT_INIT;
  pb_message(&fusion, 2, &instruction);
  pb_raw(&fusion, IS_FUSION, sizeof IS_FUSION);
  mv_text module = MV_TEXT_INIT;
  pb_message(&module, 3, &fusion);
  add_computation(&module, 20, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
  pb_string(&module, 22, SCOPED_CONFIG);
  mv_module *m = load_module(&module, -1);
  cr_assert_eq(m->scoped_count, 1);
  cr_expect_eq(m->scoped[0].instruction, 0);
  cr_expect_eq(m->scoped[0].size_bytes, 77);
  mv_module_free(m);
}

Test(module_index, damage_inside_a_fusion_is_met_when_all_is_indexed) {
  static const char group[] = {1 << 3 | 3};
  mv_text fusion = MV_TEXT_INIT;
  pb_bytes(&fusion, 2, group, sizeof group);
  pb_raw(&fusion, IS_FUSION, sizeof IS_FUSION);
  mv_text module = MV_TEXT_INIT;
  pb_message(&module, 3, &fusion);
  add_computation(&module, 20, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
  mv_module *m = load_module(&module, 20);
  mv_status st = MV_STATUS_INIT;
  for (int i = 0; i < 2; i++) {
    cr_expect_not(mv_module_index_all(m, NULL, &st), "each time it is asked");
    cr_expect_eq(st.code, MV_FORMAT);
    cr_expect_not_null(strstr(st.message, "not a valid protobuf at byte"), "%s", st.message);
  }
  mv_module_free(m);
}

Test(module_index, all_is_indexed_at_the_second_call_too) {
  mv_text module = MV_TEXT_INIT;
  add_computation(&module, 10, 5, NULL, mv_bytes_of(IS_FUSION, sizeof IS_FUSION));
  add_computation(&module, 20, 2, TPU_CONFIG, mv_bytes_of(NULL, 0));
  mv_module *m = load_module(&module, 20);
  mv_status st = MV_STATUS_INIT;
  for (int i = 0; i < 2; i++) {
    cr_expect(mv_module_index_all(m, NULL, &st));
    for (uint32_t k = 0; k < 7; k++) {
      uint32_t found;
      cr_expect(mv_module_find_instruction(&found, m, k < 5 ? 10 + k : 15 + k, NULL, &st));
      cr_expect_eq(found, k);
    }
  }
  mv_module_free(m);
}

/* Sizes are kept by the bytes of the shapes: each of many more shapes than there are places, twice, far apart. */
Test(module_index, every_shape_has_its_own_size) {
  enum { SHAPES = 3000 };
  mv_text computation = MV_TEXT_INIT;
  for (int i = 0; i < 2 * SHAPES; i++) {
    const int64_t dimensions[] = {i % SHAPES / 50 + 1, i % SHAPES % 50 + 1, 1000};
    mv_text shape = MV_TEXT_INIT;
    pb_int(&shape, 2, i % 2 == 0 ? 11 : 16); /* F32, BF16 */
    for (int d = 0; d < 3; d++) {
      pb_int(&shape, 3, dimensions[d]);
    }
    mv_text instruction = MV_TEXT_INIT;
    pb_message(&instruction, 3, &shape);
    pb_int(&instruction, 35, i);
    pb_message(&computation, 2, &instruction);
  }
  mv_text module = MV_TEXT_INIT;
  pb_message(&module, 3, &computation);
  mv_module *m = load_module(&module, -1);
  cr_assert_eq(m->instruction_count, 2 * SHAPES);
  for (int i = 0; i < 2 * SHAPES; i++) {
    cr_assert_eq(m->instructions[i].unpadded_bytes,
                 (i % SHAPES / 50 + 1) * (i % SHAPES % 50 + 1) * 1000 * (i % 2 == 0 ? 4 : 2), "shape %d", i);
  }
  mv_module_free(m);
}
