/* What an instruction says of itself, and the stack index. */
#include <criterion/criterion.h>

#include "model/instruction.h"
#include "support/hlo_builder.h"

static mv_text metadata_of(const char *op_name, const char *file, int64_t line, int64_t frame) {
  mv_text out = MV_TEXT_INIT;
  if (op_name != NULL) {
    pb_string(&out, 2, op_name);
  }
  if (file != NULL) {
    pb_string(&out, 3, file);
  }
  if (line != 0) {
    pb_int(&out, 4, line);
  }
  if (frame != 0) {
    pb_int(&out, 15, frame);
  }
  return out;
}

static void add_payload(mv_text *metadata, const mv_text *value, int64_t id) {
  mv_text payload = MV_TEXT_INIT;
  if (value != NULL) {
    pb_bytes(&payload, 1, value->data, value->size);
  }
  if (id != 0) {
    pb_int(&payload, 2, id);
  }
  pb_message(metadata, 20, &payload);
}

static void add_location(mv_text *index, int64_t file, int64_t function, int64_t line, int64_t column) {
  mv_text out = MV_TEXT_INIT;
  pb_int(&out, 1, file);
  pb_int(&out, 2, function);
  pb_int(&out, 3, line);
  pb_int(&out, 4, column);
  pb_message(index, 3, &out);
}

static void add_frame(mv_text *index, int64_t location, int64_t parent) {
  mv_text out = MV_TEXT_INIT;
  pb_int(&out, 1, location);
  pb_int(&out, 2, parent);
  pb_message(index, 4, &out);
}

/* Frames 1 (main.py:10:3, outermost), 2 (model.py:20:5, called by 1), 3 (called by 2, no location). */
static void add_stack_index(hlo *h) {
  mv_text index = MV_TEXT_INIT;
  pb_string(&index, 1, "main.py");
  pb_string(&index, 1, "model.py");
  pb_string(&index, 2, "main");
  pb_string(&index, 2, "mlp");
  add_location(&index, 1, 1, 10, 3);
  add_location(&index, 2, 2, 20, 5);
  add_frame(&index, 1, 0);
  add_frame(&index, 2, 1);
  add_frame(&index, 99, 2);
  pb_message(&h->module, 17, &index);
}

typedef struct read_details {
  mv_module *module;
  mv_arena *arena;
  mv_instruction_details details;
} read_details;

static read_details details_of(hlo *h, uint32_t instruction) {
  mv_status st = MV_STATUS_INIT;
  read_details r = {.module = hlo_load(h), .arena = mv_arena_new(&st)};
  cr_assert(mv_instruction_details_read(&r.details, r.module, instruction, r.arena, &st));
  return r;
}

static void drop(read_details *r) {
  mv_arena_free(r->arena);
  mv_module_free(r->module);
}

#define EXPECT_TEXT(bytes, text)                                                                                       \
  cr_expect(mv_bytes_equal_string(bytes, text), "'%.*s'", (int)(bytes).size, (const char *)(bytes).data)

static void expect_stack(mv_module *m, int64_t frame, const char *expected) {
  mv_status st = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "");
  cr_assert(mv_stack_print(&text, m, frame, &st));
  cr_expect_str_eq(text.data, expected, "%s", text.data);
  mv_text_free(&text);
}

Test(details, name_opcode_and_shape) {
  hlo h = hlo_new("m");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "fusion.1", .opcode = "fusion", .shape = "f32[8]{0}"});
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.name, "fusion.1");
  EXPECT_TEXT(r.details.opcode, "fusion");
  cr_expect_gt(r.details.shape.size, 0);
  cr_expect_eq(r.details.op_name.size, 0);
  cr_expect_eq(r.details.source_line, 0);
  cr_expect_eq(r.details.stack_frame_id, 0);
  drop(&r);
}

Test(details, of_no_instruction_are_empty) {
  hlo h = hlo_new("m");
  read_details r = details_of(&h, MV_NONE);
  cr_expect_eq(r.details.name.size, 0);
  drop(&r);
}

Test(details, the_metadatas_own_source_without_a_stack) {
  hlo h = hlo_new("m");
  mv_text metadata = metadata_of("jit(f)/dot", "old.py", 7, 0);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.op_name, "jit(f)/dot");
  EXPECT_TEXT(r.details.source_file, "old.py");
  cr_expect_eq(r.details.source_line, 7);
  drop(&r);
}

Test(details, the_innermost_frame_goes_before_the_metadatas_own_source) {
  hlo h = hlo_new("m");
  mv_text metadata = metadata_of(NULL, "old.py", 7, 2);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
  add_stack_index(&h);
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.source_file, "model.py");
  cr_expect_eq(r.details.source_line, 20);
  cr_expect_eq(r.details.stack_frame_id, 2);
  drop(&r);
}

Test(details, frames_that_tell_nothing_leave_the_metadatas_own_source) {
  static const int64_t frames[] = {3, 4, 99, -1};
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    hlo h = hlo_new("m");
    mv_text metadata = metadata_of(NULL, "old.py", 7, frames[i]);
    hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
    add_stack_index(&h);
    read_details r = details_of(&h, 0);
    EXPECT_TEXT(r.details.source_file, "old.py");
    cr_expect_eq(r.details.source_line, 7);
    drop(&r);
  }
}

Test(details, interned_metadata) {
  for (int by_value = 0; by_value < 2; by_value++) {
    hlo h = hlo_new("m");
    mv_text interned = metadata_of("jit(f)/interned", "interned.py", 3, 2);
    mv_text metadata = MV_TEXT_INIT;
    add_payload(&metadata, by_value ? &interned : NULL, by_value ? 0 : 1);
    hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
    pb_string(&h.module, 22, "another");
    pb_bytes(&h.module, 22, interned.data, interned.size);
    mv_text_free(&interned);
    add_stack_index(&h);
    read_details r = details_of(&h, 0);
    EXPECT_TEXT(r.details.op_name, "jit(f)/interned");
    EXPECT_TEXT(r.details.source_file, "model.py");
    cr_expect_eq(r.details.stack_frame_id, 2);
    drop(&r);
  }
}

Test(details, the_first_payload_has_the_id_0_that_is_left_out) {
  hlo h = hlo_new("m");
  mv_text interned = metadata_of("jit(f)/first", NULL, 0, 0);
  mv_text metadata = MV_TEXT_INIT;
  add_payload(&metadata, NULL, 0);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
  pb_bytes(&h.module, 22, interned.data, interned.size);
  mv_text_free(&interned);
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.op_name, "jit(f)/first");
  drop(&r);
}

Test(details, what_stands_in_the_instruction_goes_before_what_is_interned) {
  hlo h = hlo_new("m");
  mv_text interned = metadata_of("jit(f)/interned", "interned.py", 3, 0);
  mv_text metadata = metadata_of("jit(f)/own", NULL, 0, 0);
  add_payload(&metadata, &interned, 0);
  mv_text_free(&interned);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.op_name, "jit(f)/own");
  EXPECT_TEXT(r.details.source_file, "interned.py");
  cr_expect_eq(r.details.source_line, 3);
  drop(&r);
}

Test(details, payloads_that_are_not_there_and_metadata_that_is_none) {
  static const int64_t ids[] = {1, 99, -1, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    hlo h = hlo_new("m");
    mv_text metadata = metadata_of("own", NULL, 0, 0);
    add_payload(&metadata, NULL, ids[i]);
    hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
    pb_string(&h.module, 22, "only");
    read_details r = details_of(&h, 0);
    EXPECT_TEXT(r.details.op_name, "own");
    drop(&r);
  }
  hlo h = hlo_new("m");
  mv_text garbage = MV_TEXT_INIT;
  pb_raw(&garbage,
         "\x0A\x7F"
         "cut",
         5);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .opcode = "add", .metadata = &garbage});
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.name, "a");
  EXPECT_TEXT(r.details.opcode, "add");
  cr_expect_eq(r.details.op_name.size, 0);
  drop(&r);
}

Test(stack, is_printed_innermost_first) {
  hlo h = hlo_new("m");
  add_stack_index(&h);
  mv_module *m = hlo_load(&h);
  expect_stack(m, 1, "main.py:10:3");
  expect_stack(m, 2, "model.py:20:5\nmain.py:10:3");
  expect_stack(m, 0, "");
  expect_stack(m, 4, "");
  expect_stack(m, -1, "");
  expect_stack(m, INT64_MAX, "");
  mv_module_free(m);
}

Test(stack, frames_of_the_index) {
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  add_stack_index(&h);
  mv_module *m = hlo_load(&h);
  const mv_stack_frames *frames = mv_module_frames(m, &st);
  cr_assert_not_null(frames);
  cr_assert_eq(frames->count, 3);
  cr_expect_eq(frames->items[1].id, 2);
  cr_expect_eq(frames->items[1].parent_id, 1);
  EXPECT_TEXT(frames->items[1].function, "mlp");
  EXPECT_TEXT(frames->items[1].file, "model.py");
  cr_expect_eq(frames->items[1].line, 20);
  cr_expect_eq(frames->items[1].column, 5);
  cr_expect_eq(frames->items[2].file.size, 0, "its location is not there");
  cr_expect_eq(frames->items[2].parent_id, 2);
  cr_expect_eq(mv_module_frames(m, &st), frames, "made once");
  mv_module_free(m);
}

Test(stack, ids_that_point_nowhere) {
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  mv_text index = MV_TEXT_INIT;
  pb_string(&index, 1, "a.py");
  add_location(&index, 2, -1, 5, 6);
  add_frame(&index, 1, 77);
  add_frame(&index, -1, -1);
  add_frame(&index, 0, 1);
  pb_message(&h.module, 17, &index);
  mv_module *m = hlo_load(&h);
  const mv_stack_frames *frames = mv_module_frames(m, &st);
  cr_assert_eq(frames->count, 3);
  cr_expect_eq(frames->items[0].file.size, 0);
  cr_expect_eq(frames->items[0].function.size, 0);
  cr_expect_eq(frames->items[0].line, 5);
  cr_expect_eq(frames->items[0].parent_id, 0);
  cr_expect_eq(frames->items[1].parent_id, 0);
  cr_expect_eq(frames->items[2].parent_id, 1);
  mv_module_free(m);
}

Test(stack, a_circle_of_callers_is_cut) {
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  mv_text index = MV_TEXT_INIT;
  pb_string(&index, 1, "a.py");
  for (int64_t line = 1; line <= 5; line++) {
    add_location(&index, 1, 0, line, 0);
  }
  add_frame(&index, 1, 1); /* itself */
  add_frame(&index, 2, 4);
  add_frame(&index, 3, 2);
  add_frame(&index, 4, 3);
  add_frame(&index, 5, 2); /* leads into the circle */
  pb_message(&h.module, 17, &index);
  mv_module *m = hlo_load(&h);
  cr_assert_not_null(mv_module_frames(m, &st));
  expect_stack(m, 1, "a.py:1:0");
  expect_stack(m, 2, "a.py:2:0\na.py:4:0\na.py:3:0");
  expect_stack(m, 5, "a.py:5:0\na.py:2:0\na.py:4:0\na.py:3:0");
  cr_expect_not_null(strstr(m->problem, "2 stack frames call themselves in a circle"), "%s", m->problem);
  mv_module_free(m);
}

Test(stack, a_damaged_index_is_no_failure) {
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  mv_text metadata = metadata_of(NULL, "old.py", 7, 1);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .metadata = &metadata});
  pb_bytes(&h.module, 17, "\x22\x7F", 2);
  read_details r = details_of(&h, 0);
  EXPECT_TEXT(r.details.source_file, "old.py");
  const mv_stack_frames *frames = mv_module_frames(r.module, &st);
  cr_assert_not_null(frames);
  cr_expect_eq(frames->count, 0);
  cr_expect_not_null(strstr(r.module->problem, "the stack frame index is damaged"), "%s", r.module->problem);
  drop(&r);
}

Test(stack, long_chains_of_callers_take_linear_time) {
  enum { COUNT = 100000 };
  mv_status st = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  mv_text index = MV_TEXT_INIT;
  for (int64_t i = 1; i <= COUNT; i++) {
    add_frame(&index, 0, i % COUNT + 1); /* one circle of all */
  }
  pb_message(&h.module, 17, &index);
  mv_module *m = hlo_load(&h);
  const mv_stack_frames *frames = mv_module_frames(m, &st);
  cr_assert_not_null(frames);
  cr_expect_eq(frames->items[COUNT - 1].parent_id, 0);
  mv_module_free(m);
}
