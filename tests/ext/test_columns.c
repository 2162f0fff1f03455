/* What a column shows of a row: each kind, each origin, and when it is NULL. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "column.h"
#include "ext/db.h"

typedef struct thing {
  int64_t number;
  int64_t other;
  uint32_t count;
  bool flag;
  uint8_t name;
  mv_bytes bytes;
  mv_ref ref;
  const char *string;
} thing;

static const char *name_of(uint8_t value) {
  return value == 3 ? "three" : NULL;
}

typedef struct shown { /* what the SQL function shows */
  const mv_column *column;
  mv_row *row;
} shown;

static void show(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  const shown *s = sqlite3_user_data(context);
  mv_column_result(s->column, s->row, context);
}

/* The column's value in the row, as quote() writes it. */
static void expect_shown(const mv_column *column, mv_row *row, const char *expected) {
  sqlite3 *db = db_open();
  shown s = {column, row};
  cr_assert_eq(sqlite3_create_function(db, "show", 0, SQLITE_UTF8, &s, show, NULL, NULL), SQLITE_OK);
  db_expect(db, "SELECT quote(show())", expected);
  db_close(db);
}

static void expect_item(mv_column column, thing item, const char *expected) {
  static uint8_t bytes[] = "abcdefghijklmnopqrstuvwxyz";
  const mv_module module = {.bytes = {bytes, sizeof bytes - 1}};
  mv_row row = {.module = &module, .item = &item, .instruction = MV_NONE};
  expect_shown(&column, &row, expected);
}

Test(column, integer_and_what_is_unknown) {
  const mv_column integer = MV_INTEGER(thing, number, "n", "");
  expect_item(integer, (thing){.number = -1}, "-1");
  const mv_column size = MV_SIZE(thing, number, "n", "");
  expect_item(size, (thing){.number = -1}, "NULL");
  expect_item(size, (thing){.number = 0}, "0");
  const mv_column positive = MV_POSITIVE(thing, number, "n", "");
  expect_item(positive, (thing){.number = 0}, "NULL");
  expect_item(positive, (thing){.number = 1}, "1");
  const mv_column count = MV_COUNT(thing, count, "n", "");
  expect_item(count, (thing){.count = UINT32_MAX}, "4294967295");
  const mv_column flag = MV_BOOL(thing, flag, "n", "");
  expect_item(flag, (thing){.flag = true}, "1");
}

Test(column, difference_is_null_when_one_is_unknown) {
  const mv_column difference = MV_DIFFERENCE(thing, number, other, "n", "");
  expect_item(difference, (thing){.number = 3, .other = 5}, "-2");
  expect_item(difference, (thing){.number = 3, .other = -1}, "NULL");
}

Test(column, condition) {
  const mv_column conditional = MV_INTEGER_IF(thing, number, flag, "n", "");
  expect_item(conditional, (thing){.number = 7, .flag = true}, "7");
  expect_item(conditional, (thing){.number = 7}, "NULL");
}

Test(column, texts) {
  const mv_column name = MV_NAME_OF(thing, name, name_of, "n", "TEXT", "");
  expect_item(name, (thing){.name = 3}, "'three'");
  expect_item(name, (thing){.name = 4}, "NULL");
  const mv_column bytes = MV_BYTES(thing, bytes, "n", "");
  const mv_column text = MV_TEXT(thing, bytes, "n", "");
  expect_item(bytes, (thing){.bytes = mv_bytes_of("a\xff", 2)}, "'a\xef\xbf\xbd'");
  expect_item(bytes, (thing){.bytes = mv_bytes_of("", 0)}, "NULL");
  expect_item(text, (thing){.bytes = mv_bytes_of("", 0)}, "''");
  expect_item(text, (thing){.bytes = mv_bytes_of(NULL, 0)}, "NULL");
  const mv_column ref = MV_REF(thing, ref, "n", "");
  expect_item(ref, (thing){.ref = {2, 3}}, "'cde'");
  expect_item(ref, (thing){.ref = {2, 0}}, "NULL");
  const mv_column string = MV_STRING(thing, string, "n", "");
  expect_item(string, (thing){.string = ""}, "''");
  expect_item(string, (thing){0}, "NULL");
  const mv_column path = MV_PATH(thing, string, "n", "");
  expect_item(path, (thing){.string = "\xff/b"}, "'\xef\xbf\xbd/b'");
}

Test(column, of_shapes_is_null_without_a_module) {
  const mv_column column = MV_INTEGER_OF_SHAPES(thing, number, "n", "");
  expect_item(column, (thing){.number = 7}, "NULL");
  const mv_module module = {.has_module = true};
  const thing item = {.number = 7};
  mv_row row = {.module = &module, .item = &item};
  expect_shown(&column, &row, "7");
}

/* The type of a structure tells where the row has it; where it has none, the column is NULL. */
Test(column, origins) {
  const mv_column in_heap = MV_INTEGER(mv_heap, peak_bytes, "n", "");
  const mv_column in_buffer = MV_INTEGER(mv_buffer, id, "n", "");
  const mv_column in_allocation = MV_INTEGER(mv_allocation, id, "n", "");
  const mv_column in_entry = MV_STRING(mv_entry, name, "n", "");
  const mv_column in_row = MV_INTEGER(mv_row, module_id, "n", "");
  const mv_column in_root = {
      .kind = MV_COLUMN_INTEGER, .origin = MV_OF_SHARING_ROOT, .offset = offsetof(mv_buffer, id)};
  mv_buffer buffers[] = {{.id = 20, .shares_with = 1}, {.id = 21, .shares_with = MV_NONE}};
  const mv_heap heap = {.peak_bytes = 10};
  const mv_allocation allocation = {.id = 30};
  const mv_entry entry = {.name = "m"};
  const mv_module module = {.buffers = buffers, .buffer_count = 2};
  mv_row row = {.module = &module, .module_id = 5, .instruction = MV_NONE};
  const mv_column *all[] = {&in_heap, &in_buffer, &in_allocation, &in_entry, &in_root};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    expect_shown(all[i], &row, "NULL");
  }
  row.heap = &heap;
  row.buffer = &buffers[0];
  row.allocation = &allocation;
  row.entry = &entry;
  expect_shown(&in_heap, &row, "10");
  expect_shown(&in_buffer, &row, "20");
  expect_shown(&in_allocation, &row, "30");
  expect_shown(&in_entry, &row, "'m'");
  expect_shown(&in_row, &row, "5");
  expect_shown(&in_root, &row, "21");
  row.buffer = &buffers[1];
  expect_shown(&in_root, &row, "NULL");
}
