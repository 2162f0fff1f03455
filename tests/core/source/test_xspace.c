#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "source/source.h"
#include "support/files.h"
#include "support/hlo_builder.h"
#include "support/profile_builder.h"

static const profile_plane METADATA = {.name = "/host:metadata", .id = 9};

/* A module that reads whole: one buffer of `size` bytes. */
static mv_text small_module(const char *name, int64_t size) {
  hlo h = hlo_new(name);
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  return hlo_proto(&h);
}

static mv_source *open_space(const mv_text *space, mv_status *status) {
  return mv_source_of(pb_view(space), NULL, status);
}

static mv_source *must_open(const mv_text *space) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = open_space(space, &status);
  cr_assert_not_null(s, "%s", status.message);
  return s;
}

static int64_t size_of(mv_source *s, size_t index) {
  mv_status status = MV_STATUS_INIT;
  mv_module *m = mv_source_load(s, index, NULL, &status);
  cr_assert_not_null(m, "%s", status.message);
  cr_assert_eq(m->allocation_count, 1);
  const int64_t size = m->allocations[0].size_bytes;
  mv_module_free(m);
  return size;
}

static void check_entry(mv_source *s, size_t index, const char *name, uint64_t id, int64_t size) {
  const mv_entry *e = &s->entries[index];
  cr_assert_str_eq(e->name, name);
  cr_assert(e->has_program_id);
  cr_assert_eq((uint64_t)e->program_id, id, "%llu", (unsigned long long)e->program_id);
  cr_assert_eq(size_of(s, index), size);
}

Test(xspace, log_folder__has_the_modules_of_the_run_by_program_id) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(MV_TEST_DATA "/logdir", NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  cr_assert_eq(s->count, 13);
  for (size_t i = 0; i < s->count; i++) {
    cr_assert(s->entries[i].has_program_id);
    cr_assert_eq(s->entries[i].program_id, 2 * (int64_t)i);
    cr_assert_null(s->entries[i].problem);
    mv_module_free(mv_source_load(s, i, NULL, &status));
    cr_assert_eq(status.code, MV_OK, "%s", status.message);
  }
  cr_assert_str_eq(s->entries[12].name, "jit_train_step");
  mv_module *in_profile = mv_source_load(s, 12, NULL, &status);
  mv_module *in_dump = load_data("cpu-mlp.hlo.pb");
  cr_assert_eq(in_profile->space_count, in_dump->space_count);
  cr_assert_eq(in_profile->buffer_count, in_dump->buffer_count);
  cr_assert_eq(in_profile->spaces[0].peak_bytes, in_dump->spaces[0].peak_bytes);
  cr_assert_eq(in_profile->spaces[0].peak_unpadded_bytes, in_dump->spaces[0].peak_unpadded_bytes);
  cr_assert_eq(in_profile->spaces[0].total_bytes, in_dump->spaces[0].total_bytes);
  mv_module_free(in_profile);
  mv_module_free(in_dump);
  mv_source_free(s);
}

Test(xspace, modules_of_one_name__stay_apart_by_their_id) {
  mv_text one = small_module("jit_f", 32);
  mv_text two = small_module("jit_f", 64);
  const profile_program programs[] = {
      {.event = "jit_f(18446744073709551615)", .module = pb_view(&two), .has_stat = true, .id = UINT64_MAX},
      {.event = "jit_f(7)", .module = pb_view(&one), .has_stat = true, .id = 7, .is_signed = true},
  };
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, METADATA, programs, 2);
  mv_source *s = must_open(&space);
  cr_assert_eq(s->count, 2);
  check_entry(s, 0, "jit_f", 7, 32); /* ids above 2^63 are the largest, not negative */
  check_entry(s, 1, "jit_f", UINT64_MAX, 64);
  mv_source_free(s);
  mv_text_free(&space);
  mv_text_free(&one);
  mv_text_free(&two);
}

Test(xspace, program_id__stat_goes_before_the_name) {
  mv_text module = small_module("jit_f", 32);
  const profile_program programs[] = {
      {.event = "jit_f(3)", .module = pb_view(&module)},
      {.event = "jit_f(4)", .module = pb_view(&module), .has_stat = true, .id = 1},
      {.event = "jit_f", .module = pb_view(&module), .has_stat = true, .id = 2},
      {.event = "jit_f(18446744073709551616)", .module = pb_view(&module)}, /* 2^64: no id */
  };
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, METADATA, programs, 4);
  mv_source *s = must_open(&space);
  cr_assert_eq(s->count, 4);
  cr_assert_not(s->entries[0].has_program_id);
  cr_assert_eq(s->entries[1].program_id, 1);
  cr_assert_eq(s->entries[2].program_id, 2);
  cr_assert_eq(s->entries[3].program_id, 3);
  mv_source_free(s);
  mv_text_free(&space);
  mv_text_free(&module);
}

Test(xspace, planes__in_any_order_and_with_their_names_anywhere) {
  mv_text module = small_module("jit_f", 32);
  const profile_program program = {.event = "jit_f(4)", .module = pb_view(&module), .has_stat = true, .id = 6};
  for (unsigned variant = 0; variant < 16; variant++) {
    mv_text space = MV_TEXT_INIT;
    const profile_plane plane = {
        .name = "/host:metadata",
        .id = variant & 1 ? 4 : 0,
        .name_last = (variant & 2) != 0,
        .stats_first = (variant & 4) != 0,
        .stat_id = 300,
        .key_only = (variant & 1) != 0,
    };
    if (variant & 8) {
      profile_add_traces(&space, "/device:GPU:0", 1000);
    }
    profile_add(&space, plane, &program, 1);
    profile_add_traces(&space, "/host:CPU", 10);
    mv_source *s = must_open(&space);
    cr_assert_eq(s->count, 1, "variant %u", variant);
    check_entry(s, 0, "jit_f", 6, 32);
    cr_assert_eq(s->entries[0].summary.platform, variant & 8 ? MV_PLATFORM_GPU : MV_PLATFORM_CPU);
    mv_source_free(s);
    mv_text_free(&space);
  }
  mv_text_free(&module);
}

Test(xspace, plane_of_another_name__gives_no_module) {
  static const char *const names[] = {NULL, "/host:metadata2", "/host:metadat", ""};
  mv_text module = small_module("jit_f", 32);
  const profile_program program = {.event = "jit_f(4)", .module = pb_view(&module), .has_stat = true, .id = 6};
  for (size_t i = 0; i < 8; i++) {
    mv_text space = MV_TEXT_INIT;
    mv_status status = MV_STATUS_INIT;
    profile_add(&space, (profile_plane){.name = names[i / 2], .id = 1, .name_last = i % 2}, &program, 1);
    cr_assert_null(open_space(&space, &status));
    cr_assert_str_eq(status.message, "the BLOB is a profile without HLO modules: it has no plane '/host:metadata'");
    mv_text_free(&space);
  }
  mv_text_free(&module);
}

Test(xspace, stat_ids__are_those_of_their_own_plane) {
  mv_text module = small_module("jit_f", 32);
  const profile_program one = {.event = "jit_f(1)", .module = pb_view(&module), .has_stat = true, .id = 10};
  const profile_program two = {.event = "jit_f(2)", .module = pb_view(&module), .has_stat = true, .id = 20};
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 1, .stat_id = 3}, &one, 1);
  profile_add(&space, (profile_plane){.name = "/host:metadata", .id = 2, .stat_id = 4}, &two, 1);
  profile_add(&space, (profile_plane){.name = "/host:x", .id = 2, .stat_id = 11, .name_last = true}, &two, 1);
  mv_source *s = must_open(&space);
  cr_assert_eq(s->count, 2);
  cr_assert_eq(s->entries[0].program_id, 10);
  cr_assert_eq(s->entries[1].program_id, 20);
  mv_source_free(s);
  mv_text_free(&space);
  mv_text_free(&module);
}

Test(xspace, old_writers__keep_the_module_in_the_metadata) {
  mv_text module = small_module("jit_f", 32);
  mv_text unnamed = small_module("", 64);
  const profile_program programs[] = {
      {.event = "jit_f(11)", .module = pb_view(&module), .is_old = true},
      {.event = "jit_g(12)", .module = pb_view(&unnamed), .is_old = true},
      {.event = "jit_h(13)", .module = mv_bytes_of("something else", 14), .is_old = true},
  };
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, METADATA, programs, 3);
  mv_source *s = must_open(&space);
  cr_assert_eq(s->count, 2);
  check_entry(s, 0, "jit_f", 11, 32);
  check_entry(s, 1, "jit_g", 12, 64); /* named by its event */
  mv_source_free(s);
  mv_text_free(&space);
  mv_text_free(&module);
  mv_text_free(&unnamed);
}

Test(xspace, without_modules__says_what_is_missing) {
  mv_status status = MV_STATUS_INIT;
  mv_text space = MV_TEXT_INIT;
  profile_add_traces(&space, "/device:TPU:0", 10);
  cr_assert_null(open_space(&space, &status));
  cr_assert_str_eq(status.message, "the BLOB is a profile without HLO modules: it has no plane '/host:metadata'");
  for (int64_t id = 0; id < 2; id++) { /* a plane whose id is 0 begins with its name */
    mv_text_clear(&space);
    status = (mv_status)MV_STATUS_INIT;
    profile_add(&space, (profile_plane){.name = "/host:metadata", .id = id}, NULL, 0);
    cr_assert_null(open_space(&space, &status));
    cr_assert_str_eq(status.message, "the BLOB is a profile whose metadata plane holds no HLO module");
  }
  mv_text_free(&space);
}

Test(xspace, packed__is_the_same) {
  mv_text one = small_module("jit_f", 32);
  mv_text two = small_module("jit_g", 64);
  const profile_program programs[] = {
      {.event = "jit_g(2)", .module = pb_view(&two), .has_stat = true, .id = 2},
      {.event = "jit_f(1)", .module = pb_view(&one), .has_stat = true, .id = 1},
  };
  mv_text space = MV_TEXT_INIT;
  profile_add_traces(&space, "/device:TPU:0", 100000);
  profile_add(&space, METADATA, programs, 2);
  mv_text packed = gzip_of(pb_view(&space));
  mv_source *s = must_open(&packed);
  cr_assert_eq(s->count, 2);
  check_entry(s, 0, "jit_f", 1, 32);
  check_entry(s, 1, "jit_g", 2, 64);
  mv_source_free(s);
  mv_text_free(&packed);
  mv_text_free(&space);
  mv_text_free(&one);
  mv_text_free(&two);
}

/* Opens and reads all; what is wrong is said in a message or a row, in one line. */
static size_t check_sound(mv_bytes bytes) {
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_of(bytes, NULL, &status);
  if (s == NULL) {
    cr_assert_neq(status.code, MV_OK);
    cr_assert_gt(strlen(status.message), 10);
    cr_assert_null(strchr(status.message, '\n'));
    return 0;
  }
  size_t modules = 0;
  cr_assert_gt(s->count, 0);
  for (size_t i = 0; i < s->count; i++) {
    mv_status local = MV_STATUS_INIT;
    mv_module *m = mv_source_load(s, i, NULL, &local);
    modules += m != NULL;
    cr_assert((m == NULL) == (local.code != MV_OK));
    cr_assert(m != NULL || s->entries[i].problem != NULL);
    mv_module_free(m);
  }
  mv_source_free(s);
  return modules;
}

Test(xspace, cut_anywhere__shows_the_whole_modules_and_says_where) {
  mv_text one = small_module("jit_f", 32);
  mv_text two = small_module("jit_g", 64);
  const profile_program programs[] = {
      {.event = "jit_f(1)", .module = pb_view(&one), .has_stat = true, .id = 1},
      {.event = "jit_g(2)", .module = pb_view(&two), .is_old = true},
  };
  mv_text space = MV_TEXT_INIT;
  profile_add_traces(&space, "/device:TPU:0", 5);
  profile_add(&space, METADATA, programs, 2);
  profile_add_traces(&space, "/host:CPU", 5);
  size_t last = 0;
  for (size_t size = 0; size <= space.size; size++) {
    const size_t modules = check_sound(mv_bytes_of(space.data, size));
    cr_assert_geq(modules, last, "at %zu", size); /* what was there once stays */
    last = modules;
    mv_text packed = gzip_of(mv_bytes_of(space.data, size));
    check_sound(pb_view(&packed));
    mv_text_free(&packed);
  }
  cr_assert_eq(last, 2);
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_of(mv_bytes_of(space.data, space.size - 4), NULL, &status);
  cr_assert_not_null(s);
  cr_assert_eq(s->count, 3);
  cr_assert_not(s->entries[2].is_readable);
  char expected[100];
  snprintf(expected, sizeof expected, "cut short at byte %zu of field planes", space.size - 4);
  cr_assert_str_eq(s->entries[2].problem, expected);
  mv_source_free(s);
  mv_text packed = gzip_of(pb_view(&space));
  for (size_t size = 0; size < packed.size; size++) {
    check_sound(mv_bytes_of(packed.data, size));
  }
  mv_text_free(&packed);
  mv_text_free(&space);
  mv_text_free(&one);
  mv_text_free(&two);
}

Test(xspace, any_byte_changed__is_sound) {
  mv_text module = small_module("jit_f", 32);
  const profile_program program = {.event = "jit_f(1)", .module = pb_view(&module), .has_stat = true, .id = 1};
  mv_text space = MV_TEXT_INIT;
  profile_add(&space, METADATA, &program, 1);
  for (size_t i = 0; i < space.size; i++) {
    static const uint8_t values[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    const char was = space.data[i];
    for (size_t v = 0; v < sizeof values; v++) {
      space.data[i] = (char)values[v];
      check_sound(pb_view(&space));
    }
    for (unsigned bit = 0; bit < 8; bit++) {
      space.data[i] = (char)((unsigned char)was ^ (1U << bit));
      check_sound(pb_view(&space));
    }
    space.data[i] = was;
  }
  mv_text_free(&space);
  mv_text_free(&module);
}

Test(xspace, traces_beyond_4_gib__are_passed_over) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_text module = small_module("jit_f", 32);
  const profile_program program = {.event = "jit_f(1)", .module = pb_view(&module), .has_stat = true, .id = 1};
  const uint64_t hole = UINT64_C(5) << 30;
  mv_text head = MV_TEXT_INIT; /* a plane of 5 GiB: its name, and a line that is a hole in the file */
  mv_text inside = MV_TEXT_INIT;
  pb_int(&inside, 1, 1);
  pb_string(&inside, 2, "/device:TPU:0");
  pb_tag(&inside, 3, 2);
  pb_varint(&inside, hole);
  pb_tag(&head, 1, 2);
  pb_varint(&head, inside.size + hole);
  pb_raw(&head, inside.data, inside.size);
  mv_text tail = MV_TEXT_INIT;
  profile_add(&tail, METADATA, &program, 1);
  write_file(path, folder, "host.xplane.pb", pb_view(&head));
  FILE *file = fopen(path, "r+b");
  cr_assert_not_null(file);
  cr_assert_eq(fseeko(file, (off_t)(head.size + hole), SEEK_SET), 0);
  cr_assert_eq(fwrite(tail.data, 1, tail.size, file), tail.size);
  fclose(file);
  mv_status status = MV_STATUS_INIT;
  mv_source *s = mv_source_open(path, NULL, &status);
  cr_assert_not_null(s, "%s", status.message);
  cr_assert_eq(s->count, 1);
  cr_assert_gt(s->entries[0].offset, hole);
  check_entry(s, 0, "jit_f", 1, 32);
  mv_source_free(s);
  cr_assert_eq(truncate(path, (off_t)(hole / 2)), 0);
  cr_assert_null(mv_source_open(path, NULL, &status));
  cr_assert_not_null(strstr(status.message, "cut short at byte 2684354560 of field planes"), "%s", status.message);
  remove_folder(folder);
  mv_text_free(&head);
  mv_text_free(&inside);
  mv_text_free(&tail);
  mv_text_free(&module);
}
