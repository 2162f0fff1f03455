/* What is not a whole HloProto of today: parts of one, older and newer ones, wrappers, and what is something else. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "model/instruction.h"
#include "source/source.h"
#include "support/files.h"
#include "support/hlo_builder.h"
#include "support/rewriter.h"

static const char *const CASES[] = {
    "cpu-mlp.hlo.pb",
    "cpu-jax-0.4.13.hlo.pb",
    "cpu-tensorflow-2.15.hlo.pb",
    "gpu-h100-mlp.hlo.pb",
    "gpu-h100-collective.hlo.pb",
    "tpu-v5e-mlp.hlo.pb",
    "tpu-v5e-conv.hlo.pb",
    "tpu-v5e-pallas.hlo.pb",
    "tpu-v4-mlp.hlo.pb",
    "synth-5000.hlo.pb",
    "synth-5005.hlo.pb",
    "dump/module_0000.jit_pallas_step.cl_1014260217.after_codegen.hlo.pb",
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static mv_source *must_open(mv_bytes bytes) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_of(bytes, NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  return s;
}

/* The one module of some bytes. */
static mv_module *must_load(mv_bytes bytes, char *problem, size_t room) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = must_open(bytes);
  cr_assert_eq(s->count, 1);
  mv_module *m = mv_source_load(s, 0, NULL, &status);
  cr_assert_not_null(m, "%s", status.message);
  snprintf(problem, room, "%s", s->entries[0].problem != NULL ? s->entries[0].problem : "");
  mv_source_free(s);
  return m;
}

/* Opening or reading fails; the line that says why is left in `message`. */
static void must_fail(mv_bytes bytes, char *message, size_t room) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_of(bytes, NULL, &status);
  if (s != NULL) {
    mv_module *m = mv_source_load(s, 0, NULL, &status);
    cr_assert_null(m);
    cr_assert_str_eq(s->entries[0].problem, status.message);
    mv_source_free(s);
  }
  cr_assert_eq(status.code, MV_FORMAT);
  snprintf(message, room, "%s", status.message);
}

static mv_bytes field_of(mv_bytes bytes, unsigned field) {
  mv_wire w = mv_wire_of(bytes);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == field && tag.type == MV_LENGTH) {
      return tag.bytes;
    }
  }
  cr_assert(false, "no field %u", field);
  return mv_bytes_of(NULL, 0);
}

/* ---- Parts ---- */

static void compare_sizes(const mv_module *a, const mv_module *b) {
  cr_assert_eq(a->buffer_count, b->buffer_count);
  cr_assert_eq(a->allocation_count, b->allocation_count);
  cr_assert_eq(a->space_count, b->space_count);
  cr_assert_eq(a->position_count, b->position_count);
  cr_assert_eq(a->block_count, b->block_count);
  for (uint32_t i = 0; i < a->space_count; i++) {
    const mv_space *x = &a->spaces[i];
    const mv_space *y = &b->spaces[i];
    cr_assert_eq(x->color, y->color);
    cr_assert_eq(x->peak_bytes, y->peak_bytes);
    cr_assert_eq(x->baseline_bytes, y->baseline_bytes);
    cr_assert_eq(x->heap_peak_bytes, y->heap_peak_bytes);
    cr_assert_eq(x->occupied_peak_bytes, y->occupied_peak_bytes);
    cr_assert_eq(x->total_bytes, y->total_bytes);
    cr_assert_eq(x->temporary_bytes, y->temporary_bytes);
  }
  for (uint32_t i = 0; i < a->position_count; i++) {
    cr_assert_eq(a->positions[i].bytes, b->positions[i].bytes);
    cr_assert_eq(a->positions[i].occupied_bytes, b->positions[i].occupied_bytes);
    cr_assert_eq(a->positions[i].position, b->positions[i].position);
  }
  for (uint32_t i = 0; i < a->buffer_count; i++) {
    cr_assert_eq(a->buffers[i].id, b->buffers[i].id);
    cr_assert_eq(a->buffers[i].size_bytes, b->buffers[i].size_bytes);
    cr_assert_eq(a->buffers[i].start_position, b->buffers[i].start_position);
    cr_assert_eq(a->buffers[i].end_position, b->buffers[i].end_position);
    cr_assert_eq(a->buffers[i].offset_bytes, b->buffers[i].offset_bytes);
  }
}

Test(source, buffer_assignment_alone__has_all_sizes) {
  for (size_t i = 0; i + 1 < CASE_COUNT; i++) {
    char problem[400];
    mv_text whole = read_data(CASES[i]);
    mv_module *m = must_load(pb_view(&whole), problem, sizeof problem);
    mv_module *part = must_load(field_of(pb_view(&whole), 3), problem, sizeof problem);
    cr_assert_not_null(strstr(problem, "no HLO module: sizes and lifetimes only, without names and shapes"), "%s: %s",
                       CASES[i], problem);
    compare_sizes(m, part);
    cr_assert_not(part->has_module);
    for (uint32_t b = 0; b < part->buffer_count; b++) {
      cr_assert_eq(part->buffers[b].instruction, MV_NONE);
      cr_assert_eq(part->buffers[b].unpadded_bytes, -1);
    }
    mv_module_free(m);
    mv_module_free(part);
    mv_text_free(&whole);
  }
}

Test(source, hlo_module_alone__has_its_instructions) {
  for (size_t i = 0; i < CASE_COUNT; i++) {
    char problem[400];
    mv_text whole = read_data(CASES[i]);
    const mv_bytes module = field_of(pb_view(&whole), 1);
    mv_module *m = must_load(pb_view(&whole), problem, sizeof problem);
    mv_module *part = must_load(module, problem, sizeof problem);
    cr_assert_str_eq(problem, "no buffer assignment: this is not the stage of the dump that has one");
    cr_assert_eq(part->instruction_count, m->instruction_count);
    cr_assert_eq(part->computation_count, m->computation_count);
    cr_assert(mv_bytes_equal(mv_module_bytes(part, part->name), mv_module_bytes(m, m->name)));
    cr_assert_eq(part->scoped_count, m->scoped_count);
    cr_assert_eq(part->platform, m->platform);
    cr_assert_eq(part->space_count, 0);
    mv_module_free(m);
    mv_module_free(part);
    mv_text_free(&whole);
  }
}

/* ---- Older and newer files: the same module written otherwise reads the same ---- */

static void compare_bytes(mv_bytes a, mv_bytes b) {
  cr_assert(mv_bytes_equal(a, b), "%.*s is not %.*s", (int)b.size, (const char *)b.data, (int)a.size,
            (const char *)a.data);
}

static void compare_modules(mv_module *a, mv_module *b) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  compare_sizes(a, b);
  cr_assert_eq(a->platform, b->platform);
  cr_assert_eq(a->instruction_count, b->instruction_count);
  cr_assert_eq(a->scoped_count, b->scoped_count);
  for (uint32_t i = 0; i < a->instruction_count; i++) {
    mv_instruction_details x;
    mv_instruction_details y;
    cr_assert(mv_instruction_details_read(&x, a, i, arena, &status));
    cr_assert(mv_instruction_details_read(&y, b, i, arena, &status));
    compare_bytes(x.name, y.name);
    compare_bytes(x.opcode, y.opcode);
    compare_bytes(x.shape, y.shape);
    compare_bytes(x.op_name, y.op_name);
    compare_bytes(x.source_file, y.source_file);
    cr_assert_eq(x.source_line, y.source_line);
    cr_assert_eq(x.stack_frame_id, y.stack_frame_id);
    cr_assert_eq(mv_instruction_scoped_bytes(a, i), mv_instruction_scoped_bytes(b, i));
  }
  for (uint32_t i = 0; i < a->buffer_count; i++) {
    cr_assert_eq(a->buffers[i].instruction, b->buffers[i].instruction);
    cr_assert_eq(a->buffers[i].unpadded_bytes, b->buffers[i].unpadded_bytes);
  }
  for (uint32_t i = 0; i < a->space_count; i++) {
    cr_assert_eq(a->spaces[i].scoped_bytes, b->spaces[i].scoped_bytes);
    cr_assert_eq(a->spaces[i].scoped_instruction, b->spaces[i].scoped_instruction);
    cr_assert_eq(a->spaces[i].peak_unpadded_bytes, b->spaces[i].peak_unpadded_bytes);
  }
  mv_arena_free(arena);
}

/* The rewritten bytes are of the same module. */
static void check_same(const char *name, mv_bytes whole, mv_bytes changed) {
  char problem[400];
  char expected[400];
  mv_module *a = must_load(whole, expected, sizeof expected);
  mv_module *b = must_load(changed, problem, sizeof problem);
  cr_assert_str_eq(problem, expected, "%s: %s", name, problem);
  compare_modules(a, b);
  mv_module_free(a);
  mv_module_free(b);
}

static const rewrite_path MODULE = {{1}, 1};
static const rewrite_path METADATA = {{1, 3, 2, 7}, 4};
static const rewrite_path BACKEND_CONFIG = {{1, 3, 2, 43}, 4};
static const rewrite_path INSTRUCTIONS[] = {{{1}, 1}, {{1, 3}, 2}, {{1, 3, 2}, 3}};
static const rewrite_path LOCATIONS[] = {{{3}, 1}, {{3, 1}, 2}, {{3, 1, 3}, 3}};

typedef struct interning {
  mv_text payloads; /* fields 22 of the module */
  int64_t count;
  bool is_inline; /* the payload has the value itself */
  bool is_first;  /* the payloads come before the computations */
} interning;

static void add_payload(mv_text *out, interning *in, unsigned field, mv_bytes value) {
  mv_text payload = MV_TEXT_INIT;
  if (in->is_inline) {
    pb_bytes(&payload, 1, value.data, value.size);
  } else {
    pb_int(&payload, 2, in->count++); /* a oneof: the 0 is written */
    pb_bytes(&in->payloads, 22, value.data, value.size);
  }
  pb_message(out, field, &payload);
}

/* backend_config becomes backend_config_payload, what stands in a metadata goes into its metadata_payload. */
static bool intern(mv_text *out, const mv_tag *tag, const rewrite_path *path, void *arg) {
  if (rewrite_is(path, &BACKEND_CONFIG)) {
    add_payload(out, arg, 99, tag->bytes);
    return true;
  }
  if (rewrite_is(path, &METADATA)) {
    mv_text metadata = MV_TEXT_INIT;
    add_payload(&metadata, arg, 20, tag->bytes);
    pb_message(out, 7, &metadata);
    return true;
  }
  return false;
}

static bool add_payloads(mv_text *out, const mv_tag *tag, const rewrite_path *path, void *arg) {
  const interning *in = arg;
  if (!rewrite_is(path, &MODULE)) {
    return false;
  }
  mv_text module = MV_TEXT_INIT;
  mv_wire w = mv_wire_of(tag->bytes);
  mv_tag field;
  while (mv_wire_next(&w, &field)) {
    rewrite_copy(&module, &field);
    if (in->is_first && field.field == 1) { /* behind the name */
      pb_raw(&module, in->payloads.data, in->payloads.size);
    }
  }
  if (!in->is_first) {
    pb_raw(&module, in->payloads.data, in->payloads.size);
  }
  pb_message(out, 1, &module);
  return true;
}

Test(source, interned_payloads__read_as_what_they_stand_for) {
  for (size_t i = 0; i < 3 * CASE_COUNT; i++) {
    interning in = {.payloads = MV_TEXT_INIT, .is_inline = i % 3 == 1, .is_first = i % 3 == 2};
    mv_text whole = read_data(CASES[i / 3]);
    mv_text interned = rewrite(pb_view(&whole), INSTRUCTIONS, 3, intern, &in);
    mv_text changed = rewrite(pb_view(&interned), NULL, 0, add_payloads, &in);
    check_same(CASES[i / 3], pb_view(&whole), pb_view(&changed));
    mv_text_free(&changed);
    mv_text_free(&interned);
    mv_text_free(&whole);
    mv_text_free(&in.payloads);
  }
}

Test(source, interned_payloads__that_are_not_there_are_told) {
  char problem[400];
  hlo h = hlo_new("jit_f");
  mv_text payload = MV_TEXT_INIT;
  pb_int(&payload, 2, 7);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = "f32[8]{0}", .payload = &payload});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1});
  mv_text proto = hlo_proto(&h);
  mv_module *m = must_load(pb_view(&proto), problem, sizeof problem);
  cr_assert_not_null(strstr(problem, "backend_config_payload names a payload that is not there"), "%s", problem);
  mv_module_free(m);
  mv_text_free(&proto);
}

/* An instruction's name by its id. */
static mv_bytes name_by_id(mv_module *m, int64_t id) {
  const uint32_t i = mv_idmap_find(&m->instructions_by_id, id);
  cr_assert_neq(i, MV_NONE);
  return mv_instruction_name(m, i);
}

static bool name_locations(mv_text *out, const mv_tag *tag, const rewrite_path *path, void *arg) {
  static const rewrite_path id = {{3, 1, 3, 4}, 4};
  if (!rewrite_is(path, &id)) {
    return false;
  }
  const mv_bytes name = name_by_id(arg, (int64_t)tag->value);
  pb_string(out, 1, "a_computation");
  pb_bytes(out, 2, name.data, name.size);
  return true;
}

Test(source, locations_by_name__find_the_same_instructions) {
  for (size_t i = 0; i < CASE_COUNT; i++) {
    char problem[400];
    mv_text whole = read_data(CASES[i]);
    mv_module *m = must_load(pb_view(&whole), problem, sizeof problem);
    mv_text changed = rewrite(pb_view(&whole), LOCATIONS, 3, name_locations, m);
    check_same(CASES[i], pb_view(&whole), pb_view(&changed));
    mv_module_free(m);
    mv_text_free(&changed);
    mv_text_free(&whole);
  }
}

/* The assignment before the module, and in the module the computations before all else. */
static mv_text reordered(mv_bytes bytes) {
  mv_text module = MV_TEXT_INIT;
  for (int pass = 0; pass < 2; pass++) {
    mv_wire w = mv_wire_of(field_of(bytes, 1));
    mv_tag tag;
    while (mv_wire_next(&w, &tag)) {
      if ((tag.field == 3) == (pass == 0)) {
        rewrite_copy(&module, &tag);
      }
    }
  }
  mv_text out = MV_TEXT_INIT;
  mv_wire w = mv_wire_of(bytes);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field != 1) {
      rewrite_copy(&out, &tag);
    }
  }
  pb_message(&out, 1, &module);
  return out;
}

Test(source, fields__in_another_order) {
  for (size_t i = 0; i < CASE_COUNT; i++) {
    mv_text whole = read_data(CASES[i]);
    mv_text changed = reordered(pb_view(&whole));
    check_same(CASES[i], pb_view(&whole), pb_view(&changed));
    mv_text_free(&changed);
    mv_text_free(&whole);
  }
}

static bool odd_types(mv_text *out, const mv_tag *tag, const rewrite_path *path, void *arg) {
  static const rewrite_path type = {{1, 3, 2, 3, 2}, 5};
  (void)arg;
  if (!rewrite_is(path, &type) || tag->value == 13) { /* a tuple stays one */
    return false;
  }
  pb_int(out, 2, 99);
  return true;
}

Test(source, unknown_element_types__leave_the_size_without_padding_unknown) {
  static const rewrite_path messages[] = {{{1}, 1}, {{1, 3}, 2}, {{1, 3, 2}, 3}, {{1, 3, 2, 3}, 4}};
  for (size_t i = 0; i + 1 < CASE_COUNT; i++) {
    char problem[400];
    mv_text whole = read_data(CASES[i]);
    mv_text changed = rewrite(pb_view(&whole), messages, 4, odd_types, NULL);
    mv_module *a = must_load(pb_view(&whole), problem, sizeof problem);
    mv_module *b = must_load(pb_view(&changed), problem, sizeof problem);
    compare_sizes(a, b);
    bool has_unknown = false;
    for (uint32_t j = 0; j < b->buffer_count; j++) {
      cr_assert(b->buffers[j].unpadded_bytes == -1 || b->buffers[j].unpadded_bytes == a->buffers[j].unpadded_bytes);
      has_unknown = has_unknown || b->buffers[j].unpadded_bytes == -1;
    }
    cr_assert(has_unknown);
    mv_module_free(a);
    mv_module_free(b);
    mv_text_free(&changed);
    mv_text_free(&whole);
  }
}

Test(source, buffer_0__is_a_buffer) {
  char problem[400];
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 0, .name = "a", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 0, .size = 32, .instruction = 0});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 32});
  hlo_assign(&h, 0, 0);
  hlo_trace(&h, 0, "A0 F0");
  mv_text proto = hlo_proto(&h);
  mv_module *m = must_load(pb_view(&proto), problem, sizeof problem);
  cr_assert_str_eq(problem, "");
  cr_assert_eq(m->spaces[0].peak_bytes, 32);
  cr_assert_eq(m->buffers[0].instruction, 0);
  mv_module_free(m);
  mv_text_free(&proto);
}

/* ---- What is something else ---- */

Test(source, wrappers__are_refused_by_name) {
  char message[400];
  for (size_t i = 0; i < CASE_COUNT; i++) {
    mv_text whole = read_data(CASES[i]);
    const mv_bytes module = field_of(pb_view(&whole), 1);
    mv_text literal = MV_TEXT_INIT;
    mv_text snapshot = MV_TEXT_INIT;
    pb_string(&literal, 1, "a literal");
    pb_bytes(&snapshot, 1, whole.data, whole.size);
    pb_bytes(&snapshot, 2, literal.data, literal.size);
    pb_string(&snapshot, 4, "TPU");
    must_fail(pb_view(&snapshot), message, sizeof message);
    cr_assert_str_eq(message,
                     "the BLOB is an HloSnapshot: save the HloProto inside it, or dump with --xla_dump_hlo_as_proto");
    mv_text_clear(&snapshot);
    pb_bytes(&snapshot, 1, module.data, module.size);
    pb_bytes(&snapshot, 2, literal.data, literal.size);
    pb_int(&snapshot, 3, 1);
    must_fail(pb_view(&snapshot), message, sizeof message);
    cr_assert_not_null(strstr(message, "is an HloUnoptimizedSnapshot"), "%s: %s", CASES[i], message);
    mv_text_free(&snapshot);
    mv_text_free(&literal);
    mv_text_free(&whole);
  }
}

Test(source, other_files__are_named_and_not_echoed) {
  static const struct {
    const char *bytes;
    size_t size;
    const char *message;
  } files[] = {
      {"", 0, "the BLOB is empty (0 bytes): a writer that meets protobuf's limit of 2 GiB leaves such a file"},
      {"password=SECRET\n", 16, "the BLOB is text, not an HloProto or XSpace"},
      {"HloModule SECRET, is_scheduled=true", 35,
       "the BLOB is HLO text, which has no buffer assignment: dump with --xla_dump_hlo_as_proto"},
      {"\x83\xAF\x70\xD1\x0D\x88\x4A\x3F\0\0SECRET", 16, "the BLOB is a riegeli file, which can't be read yet"},
      {"\x7F"
       "ELF\x02\x01\x01SECRET",
       13, "the BLOB is not an HloProto or XSpace"},
      {"\0\0\0\0\0\0\0\0", 8, "the BLOB is not an HloProto or XSpace"},
      {"PK\x03\x04SECRET", 10, "the BLOB is a zip archive: unpack it first"},
      {"\x28\xB5\x2F\xFDSECRET", 10, "the BLOB is compressed with zstd: unpack it first"},
      {"\x1F\x8B\x08SECRET", 9, NULL},
      {"\x1F\x8B", 2, NULL},
      {"\x0A\x06SECRET\xFF\xFF", 10, NULL},
      {"\x0A\x7FSECRET", 8, NULL},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char message[600];
    must_fail(mv_bytes_of(files[i].bytes, files[i].size), message, sizeof message);
    cr_assert(files[i].message == NULL || strcmp(message, files[i].message) == 0, "%zu: %s", i, message);
    cr_assert_null(strstr(message, "SECRET"), "%s", message);
  }
}

Test(source, memory_usage_report__is_named) {
  char message[400];
  mv_text report = read_data("dump/module_0000.jit_mlp_step.cl_1014260217.after_optimizations-memory-usage-report.pb");
  must_fail(pb_view(&report), message, sizeof message);
  cr_assert_str_eq(message, "the BLOB is a memory usage report: open the .hlo.pb beside it");
  mv_text_free(&report);
}

Test(source, cut_anywhere__is_sound) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .opcode = "add", .shape = "(f32[8]{0}, s4[3]{0})"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1, .index = "0"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 3, .instruction = 1, .index = "1"});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 32);
  hlo_trace(&h, 0, "A1 S2=1 F1 F2");
  mv_text proto = hlo_proto(&h);
  for (size_t size = 0; size < proto.size; size++) {
    mv_status status = MV_STATUS_INIT;
    mv_source *s = mv_source_of(mv_bytes_of(proto.data, size), NULL, &status);
    mv_module *m = s != NULL ? mv_source_load(s, 0, NULL, &status) : NULL;
    cr_assert(m != NULL || status.message[0] != '\0');
    cr_assert(m == NULL || s->entries[0].problem != NULL, "%zu of %zu reads without a word", size, proto.size);
    mv_module_free(m);
    mv_source_free(s);
  }
  mv_text_free(&proto);
}

Test(source, cut_dump__says_where) {
  char message[400];
  mv_text whole = read_data("tpu-v5e-mlp.hlo.pb");
  must_fail(mv_bytes_of(whole.data, 20000), message, sizeof message);
  cr_assert_str_eq(message, "cut short at byte 20000 of field hlo_module");
  must_fail(mv_bytes_of(whole.data, whole.size - 1), message, sizeof message);
  cr_assert_not_null(strstr(message, "of field buffer_assignment"), "%s", message);
  mv_text packed = gzip_of(pb_view(&whole));
  must_fail(mv_bytes_of(packed.data, packed.size / 2), message, sizeof message);
  cr_assert_not_null(strstr(message, "gzip data cut short at byte"), "%s", message);
  mv_text_free(&packed);
  mv_text_free(&whole);
}
