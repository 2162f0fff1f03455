/* Files that are made to hurt, each through SQL as a host meets them: what must come out is said, and that it comes at
 * all, without a crash and within the time of a test. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/files.h"
#include "support/hlo_builder.h"

int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

enum { DEEP = 100000, MAX_ANSWER = 1024 };

static sqlite3 *connect(void) {
  sqlite3 *db = NULL;
  cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  cr_assert_eq(sqlite3_memview_init(db, NULL, NULL), SQLITE_OK);
  return db;
}

/* The first column of the first row as text, or the message of the error; `proto` is freed. */
static void expect_answer(mv_text *proto, const char *sql, const char *expected) {
  sqlite3 *db = connect();
  sqlite3_stmt *stmt = NULL;
  cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
  sqlite3_bind_blob64(stmt, 1, proto->data, proto->size, SQLITE_STATIC);
  const int rc = sqlite3_step(stmt);
  const char *text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : sqlite3_errmsg(db);
  cr_expect_str_eq(text != NULL ? text : "NULL", expected, "%s: %s", sql, text);
  sqlite3_finalize(stmt);
  sqlite3_close(db);
  mv_text_free(proto);
}

/* A message that holds itself `depth` times in `fields`, with `type` as its field 2 when that is not 0, innermost
 * `core`; one pass from the inside, written backwards. */
static mv_text nested(size_t depth, const uint8_t *fields, size_t field_count, uint8_t type, mv_bytes core) {
  const size_t room = depth * field_count * 8 + core.size;
  char *buffer = malloc(room);
  cr_assert_not_null(buffer);
  size_t start = room - core.size;
  memcpy(buffer + start, core.data, core.size);
  for (size_t i = 0; i < depth * field_count; i++) {
    mv_text head = MV_TEXT_INIT;
    pb_tag(&head, fields[field_count - 1 - i % field_count], 2);
    pb_varint(&head, room - start);
    start -= head.size;
    memcpy(buffer + start, head.data, head.size);
    mv_text_free(&head);
    if (type != 0 && (i + 1) % field_count == 0) {
      buffer[--start] = (char)type;
      buffer[--start] = 2 << 3;
    }
  }
  mv_text out = MV_TEXT_INIT;
  pb_raw(&out, buffer + start, room - start);
  free(buffer);
  return out;
}

/* A module of one instruction with that shape, and a buffer for it. */
static mv_text module_of_shape(mv_text *shape) {
  mv_text instruction = MV_TEXT_INIT;
  mv_text computation = MV_TEXT_INIT;
  mv_text module = MV_TEXT_INIT;
  pb_string(&instruction, 1, "a");
  pb_message(&instruction, 3, shape);
  pb_int(&instruction, 35, 1);
  pb_string(&computation, 1, "main");
  pb_message(&computation, 2, &instruction);
  pb_string(&module, 1, "hostile");
  pb_message(&module, 3, &computation);
  hlo h = hlo_new("hostile");
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 64, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 0, "A1");
  mv_text rest = hlo_proto(&h);
  mv_text file = MV_TEXT_INIT;
  pb_message(&file, 1, &module);
  pb_raw(&file, rest.data, rest.size); /* parts of a message that stand apart are one */
  mv_text_free(&rest);
  return file;
}

static mv_text deep_tuple(void) {
  static const uint8_t fields[] = {4};                   /* tuple_shapes */
  static const uint8_t core[] = {2 << 3, 11, 3 << 3, 8}; /* f32[8] */
  mv_text shape = nested(DEEP, fields, sizeof fields, 13, mv_bytes_of(core, sizeof core));
  return shape;
}

static mv_text deep_physical_shape(void) {
  static const uint8_t fields[] = {5, 10}; /* layout, physical_shape */
  static const uint8_t core[] = {2 << 3, 11};
  mv_text shape = nested(DEEP, fields, sizeof fields, 11, mv_bytes_of(core, sizeof core));
  return shape;
}

Test(hostile, tuples_nested_100000_deep) {
  mv_text shape = deep_tuple();
  mv_text proto = module_of_shape(&shape);
  expect_answer(&proto, "SELECT unpadded_bytes FROM buffers(?1)", "NULL"); /* what has no text has no size */
  shape = deep_tuple();
  proto = module_of_shape(&shape);
  expect_answer(&proto, "SELECT shape FROM buffers(?1)", "NULL"); /* nothing that XLA could print */
}

Test(hostile, physical_shapes_nested_100000_deep) {
  mv_text shape = deep_physical_shape();
  mv_text proto = module_of_shape(&shape);
  expect_answer(&proto, "SELECT unpadded_bytes FROM buffers(?1)", "NULL");
  shape = deep_physical_shape();
  proto = module_of_shape(&shape);
  expect_answer(&proto, "SELECT shape FROM instructions(?1)", "NULL");
}

Test(hostile, messages_that_memview_does_not_read_nested_100000_deep) {
  static const uint8_t fields[] = {12};
  mv_text junk = nested(DEEP, fields, sizeof fields, 0, mv_bytes_of("x", 1));
  hlo h = hlo_new("deep");
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64, .is_parameter = true});
  mv_text proto = hlo_proto(&h);
  mv_text module = MV_TEXT_INIT;
  pb_message(&module, 4, &junk);
  pb_message(&proto, 1, &module);
  expect_answer(&proto, "SELECT peak_bytes FROM memory_spaces(?1)", "64");
}

/* Each is skipped by the way for what is seldom: not by a call within a call. */
Test(hostile, a_million_numbers_of_fixed_width_in_one_instruction) {
  mv_text instruction = MV_TEXT_INIT;
  for (int i = 0; i < 1000000; i++) {
    pb_tag(&instruction, 500, 5);
    pb_raw(&instruction, "\0\0\0\0", 4);
  }
  pb_int(&instruction, 35, 7);
  mv_text computation = MV_TEXT_INIT;
  mv_text module = MV_TEXT_INIT;
  mv_text file = MV_TEXT_INIT;
  pb_message(&computation, 2, &instruction);
  pb_string(&module, 1, "wide");
  pb_message(&module, 3, &computation);
  pb_message(&file, 1, &module);
  expect_answer(&file, "SELECT instruction_id FROM instructions(?1)", "7");
}

/* A backend config of brackets, with a scoped size behind them. */
Test(hostile, json_nested_100000_deep) {
  mv_text config = MV_TEXT_INIT;
  mv_text_add(&config, "{\"a\":");
  for (int i = 0; i < DEEP; i++) {
    mv_text_char(&config, '[');
  }
  for (int i = 0; i < DEEP; i++) {
    mv_text_char(&config, ']');
  }
  mv_text_add(&config, ",\"used_scoped_memory_configs\":[{\"memory_space\":\"0\",\"size\":\"77\"}]}");
  hlo h = hlo_new("deep");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .config = config.data});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  mv_text_free(&config);
  mv_text proto = hlo_proto(&h);
  expect_answer(&proto, "SELECT scoped_bytes FROM memory_spaces(?1)", "77");
}

Test(hostile, brackets_of_a_shapes_text_100000_deep) {
  mv_text sql = MV_TEXT_INIT;
  mv_text_add(&sql, "SELECT padded_bytes('");
  for (int i = 0; i < DEEP; i++) {
    mv_text_char(&sql, '(');
  }
  mv_text_add(&sql, "')");
  mv_text nothing = MV_TEXT_INIT;
  expect_answer(&nothing, sql.data, "memview: no shape: nested deeper than 64 at character 65");
  mv_text_free(&sql);
}

/* A long list of scoped sizes in a payload that every instruction names: not their product. */
Test(hostile, a_payload_that_many_share, .timeout = 60) {
  enum { ENTRIES = 50000, INSTRUCTIONS = 20000 };
  mv_text value = MV_TEXT_INIT;
  mv_text_add(&value, "{\"used_scoped_memory_configs\":[");
  for (int i = 0; i < ENTRIES; i++) {
    mv_text_format(&value, "%s{\"memory_space\":\"0\",\"size\":\"%d\"}", i > 0 ? "," : "", i + 1);
  }
  mv_text_add(&value, "]}");
  mv_text payload = MV_TEXT_INIT;
  mv_text module = MV_TEXT_INIT;
  mv_text computation = MV_TEXT_INIT;
  for (int i = 0; i < INSTRUCTIONS; i++) {
    mv_text instruction = MV_TEXT_INIT;
    mv_text reference = MV_TEXT_INIT;
    pb_int(&reference, 2, 0);
    pb_int(&instruction, 35, i + 1);
    pb_message(&instruction, 99, &reference);
    pb_message(&computation, 2, &instruction);
  }
  pb_string(&module, 1, "shared");
  pb_message(&module, 3, &computation);
  pb_raw(&payload, value.data, value.size);
  pb_message(&module, 22, &payload);
  mv_text_free(&value);
  hlo h = hlo_new("shared");
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  mv_text rest = hlo_proto(&h);
  mv_text file = MV_TEXT_INIT;
  pb_message(&file, 1, &module);
  pb_raw(&file, rest.data, rest.size);
  mv_text_free(&rest);
  expect_answer(&file, "SELECT scoped_bytes FROM memory_spaces(?1)", "50000");
}

/* Sizes near 2^63. */
static mv_text file_of_sizes(int64_t buffer, int64_t allocation, int64_t offset) {
  hlo h = hlo_new("sizes");
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = buffer, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = allocation});
  hlo_assign(&h, 1, offset);
  hlo_trace(&h, 0, "A1");
  return hlo_proto(&h);
}

Test(hostile, sizes_near_2_to_63) {
  mv_text proto = file_of_sizes(INT64_MAX / 2, INT64_MAX / 2, 0);
  expect_answer(&proto, "SELECT peak_bytes FROM memory_spaces(?1)", "4611686018427387903");
  proto = file_of_sizes(INT64_MAX, 0, 0);
  expect_answer(&proto, "SELECT peak_bytes FROM memory_spaces(?1)", "9223372036854775807");
  proto = file_of_sizes(INT64_MAX, 1, 0); /* together more than 63 bits: the second is none */
  expect_answer(&proto, "SELECT total_bytes FROM memory_spaces(?1)", "0");
  proto = file_of_sizes(-1, 64, 0);
  expect_answer(&proto, "SELECT peak_bytes FROM memory_spaces(?1)", "0");
  proto = file_of_sizes(64, INT64_MIN, 0);
  expect_answer(&proto, "SELECT peak_bytes || ' ' || total_bytes FROM memory_spaces(?1)", "64 0");
}

Test(hostile, offsets_near_2_to_63) {
  mv_text proto = file_of_sizes(64, 128, INT64_MAX);
  expect_answer(&proto, "SELECT max(occupied_bytes) FROM usage_curve(?1)", "0");
  proto = file_of_sizes(64, 128, INT64_MIN);
  expect_answer(&proto, "SELECT count(*) FROM peak_buffers(?1)", "1");
  proto = file_of_sizes(64, 128, 100);
  expect_answer(&proto, "SELECT problem LIKE '%buffer 1 lies outside its allocation 0%' FROM hlo_modules(?1)", "1");
}

/* Two heaps hold the same buffer of 2^62 bytes: each fits in 63 bits, both do not. */
Test(hostile, heaps_that_add_up_to_more_than_63_bits) {
  for (int i = 0; i < 2; i++) {
    hlo h = hlo_new("sum");
    hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = INT64_C(1) << 62, .instruction = HLO_NO_ID});
    hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
    hlo_assign(&h, 1, 0);
    hlo_trace(&h, 0, "A1");
    hlo_trace(&h, 0, "A1");
    mv_text proto = hlo_proto(&h);
    if (i == 0) {
      expect_answer(&proto, "SELECT peak_bytes FROM memory_spaces(?1)", "9223372036854775807");
    } else {
      expect_answer(&proto,
                    "SELECT problem LIKE '%sizes that add up to more than 63 bits hold are shown as 2^63 - 1%' "
                    "FROM hlo_modules(?1)",
                    "1");
    }
  }
}

Test(hostile, products_that_overflow_are_unknown) {
  hlo h = hlo_new("product");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .shape = "f32[4294967296,4294967296]{1,0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 64, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  hlo_assign(&h, 1, 0);
  mv_text proto = hlo_proto(&h);
  expect_answer(&proto, "SELECT coalesce(unpadded_bytes, 'unknown') || ' ' || shape FROM buffers(?1)",
                "unknown f32[4294967296,4294967296]{1,0}");
  mv_text nothing = MV_TEXT_INIT;
  expect_answer(&nothing, "SELECT padded_bytes('f32[9223372036854775807]{0:T(9223372036854775807)}')", "NULL");
  expect_answer(&nothing, "SELECT padded_bytes('u8[9223372036854775807]{0:T(2)}')", "NULL");
  expect_answer(&nothing, "SELECT padded_bytes('u8[9223372036854775807]')", "9223372036854775807");
}

/* Names in bytes that are no UTF-8, and with a NUL, come out as valid text everywhere. */
Test(hostile, names_that_are_no_utf8) {
  hlo h = hlo_new("names");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a\xED\xA0\x80z", .opcode = "\xF5", .shape = "f32[8]"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 0, "A1");
  mv_text proto = hlo_proto(&h);
  expect_answer(&proto, "SELECT hex(instruction) || ' ' || hex(opcode) FROM buffers(?1)",
                "61EFBFBDEFBFBDEFBFBD7A EFBFBD");
}

/* A gzip that unpacks to very much more than the limit stops there, also where it is only skipped. */
static mv_text bomb(size_t zeros) {
  mv_text large = MV_TEXT_INIT;
  char *zero = calloc(1, zeros);
  cr_assert_not_null(zero);
  pb_tag(&large, 1, 2); /* an XSpace's plane, of which nothing is wanted */
  pb_varint(&large, zeros + 8);
  pb_tag(&large, 2, 2);
  pb_varint(&large, 5);
  mv_text_add(&large, "/none");
  pb_tag(&large, 7, 2);
  pb_varint(&large, zeros - 5);
  pb_raw(&large, zero, zeros - 5);
  mv_text packed = gzip_of(mv_bytes_of(large.data, large.size));
  mv_text_free(&large);
  free(zero);
  return packed;
}

Test(hostile, a_gzip_bomb_stops_at_the_limit_that_the_user_sets) {
  cr_assert_eq(setenv("MEMVIEW_MAX_BYTES", "1M", 1), 0);
  mv_text packed = bomb(64 << 20);
  cr_assert_lt(packed.size, 100000);
  expect_answer(&packed, "SELECT count(*) FROM hlo_modules(?1)",
                "memview: the BLOB unpacks to more than the limit of 1048576 bytes: raise it with MEMVIEW_MAX_BYTES");
  mv_text dump = read_data("tpu-v5e-mlp.hlo.pb");
  mv_text small = gzip_of(mv_bytes_of(dump.data, dump.size));
  mv_text_free(&dump);
  expect_answer(&small, "SELECT count(*) FROM hlo_modules(?1)", "1");
}

Test(hostile, a_limit_that_is_none_is_an_error) {
  static const char *const wrong[] = {"many", "-1", "0", "1T", "1Mb", "99999999999999999999", "16777216T", "G"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char expected[MAX_ANSWER];
    cr_assert_eq(setenv("MEMVIEW_MAX_BYTES", wrong[i], 1), 0);
    snprintf(expected, sizeof expected,
             "memview: MEMVIEW_MAX_BYTES is '%s', not a number of bytes such as 500000000 or 16G", wrong[i]);
    mv_text dump = read_data("synth-5010.hlo.pb");
    expect_answer(&dump, "SELECT count(*) FROM hlo_modules(?1)", expected);
  }
}

/* What is printed in a terminal: a name can't start a line of its own or give orders. */
Test(hostile, controls_in_names_stay_out_of_the_report_and_of_messages) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a\nb\x1B[2Jc\xC2\x9B" "d", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 32, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_text proto = hlo_proto(&h);
  expect_answer(&proto,
                "SELECT report GLOB '*  a\\nb\uFFFD[[]2Jc\uFFFDd  (Parameter)' || char(10) || '*' "
                "FROM (SELECT memview_report(?) AS report)",
                "1");
  proto = hlo_proto(&h);
  expect_answer(&proto, "SELECT memview_report('no\nsuch\x1B[2J')",
                "memview: 'no\\nsuch\uFFFD[2J': can't be opened: No such file or directory");
}

/* A tuple of very many, each a buffer: a part is found without walking to it from the beginning. Beside them stands the
 * buffer of the table of 800000 bytes. */
Test(hostile, a_tuple_of_100000_buffers, .timeout = 60) {
  enum { ELEMENTS = 100000 };
  mv_text shape = MV_TEXT_INIT;
  mv_text assignment = MV_TEXT_INIT;
  mv_text allocation = MV_TEXT_INIT;
  pb_int(&shape, 2, 13);
  for (int i = 0; i < ELEMENTS; i++) {
    mv_text element = MV_TEXT_INIT;
    mv_text buffer = MV_TEXT_INIT;
    mv_text location = MV_TEXT_INIT;
    pb_int(&element, 2, 6); /* u8[i] */
    pb_int(&element, 3, i);
    pb_message(&shape, 4, &element);
    pb_int(&buffer, 1, i);
    pb_int(&buffer, 2, i);
    pb_int(&location, 3, ELEMENTS - 1 - i);
    pb_int(&location, 4, 1);
    pb_message(&buffer, 3, &location);
    pb_message(&assignment, 1, &buffer);
  }
  pb_int(&allocation, 2, 64);
  pb_message(&assignment, 3, &allocation);
  mv_text file = module_of_shape(&shape);
  pb_message(&file, 3, &assignment);
  expect_answer(&file, "SELECT sum(unpadded_bytes = 99999 - buffer_id) || ' ' || sum(unpadded_bytes) FROM buffers(?1)",
                "100000 5000750000");
}
