#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/proto_builder.h"
#include "wire/wire.h"

/* Walk the bytes to their end or fault: how many fields were whole, and the last tag. The bytes are in an allocation of
 * their own, with what a walk requires behind them, so that a sanitizer sees a read behind that. */
static int walk(const void *bytes, size_t size, mv_fault *fault, mv_tag *last) {
  uint8_t *copy = malloc(size + MV_READABLE);
  cr_assert_not_null(copy);
  memset(copy + size, 0x81, MV_READABLE); /* not to be believed */
  if (size > 0) {
    memcpy(copy, bytes, size);
  }
  mv_wire w = mv_wire_of(mv_bytes_of(copy, size));
  mv_tag tag = {0};
  int count = 0;
  while (mv_wire_next(&w, &tag)) {
    *last = tag;
    count++;
  }
  *fault = w.fault;
  free(copy);
  return count;
}

static void expect_fault(const void *bytes, size_t size, int whole, mv_fault expected) {
  mv_fault fault;
  mv_tag last;
  const int count = walk(bytes, size, &fault, &last);
  cr_expect_eq(count, whole, "%d fields, not %d", count, whole);
  cr_expect_eq(fault, expected, "fault %d, not %d", (int)fault, (int)expected);
}

#define FAULT(literal, whole, fault) expect_fault(literal, sizeof(literal) - 1, whole, fault)

Test(wire, nothing_is_a_message_without_fields) {
  expect_fault(NULL, 0, 0, MV_FAULT_NONE);
}

Test(wire, varints_of_one_to_ten_bytes) {
  for (unsigned bits = 0; bits <= 64; bits++) {
    const uint64_t values[] = {bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
                               bits < 64 ? UINT64_C(1) << bits : 0};
    for (size_t i = 0; i < 2; i++) {
      mv_text proto = MV_TEXT_INIT;
      pb_int(&proto, 3, (int64_t)values[i]);
      mv_fault fault;
      mv_tag tag;
      cr_assert_eq(walk(proto.data, proto.size, &fault, &tag), 1);
      cr_expect_eq(tag.field, 3);
      cr_expect_eq(tag.type, MV_VARINT);
      cr_expect_eq(tag.value, values[i]);
      mv_text_free(&proto);
    }
  }
}

Test(wire, overlong_varints_are_read) {
  mv_fault fault;
  mv_tag tag;
  cr_assert_eq(walk("\x08\x81\x80\x80\x00", 5, &fault, &tag), 1);
  cr_expect_eq(tag.value, 1);
  cr_assert_eq(walk("\x08\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, &fault, &tag), 1);
  cr_expect_eq(tag.value, 1);
  cr_assert_eq(walk("\x88\x80\x00\x07", 4, &fault, &tag), 1, "the key may be overlong as well");
  cr_expect_eq(tag.field, 1);
  cr_expect_eq(tag.value, 7);
}

Test(wire, bits_beyond_64_are_dropped) {
  mv_fault fault;
  mv_tag tag;
  cr_assert_eq(walk("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 11, &fault, &tag), 1);
  cr_expect_eq(tag.value, UINT64_MAX);
}

Test(wire, a_varint_of_eleven_bytes_is_a_fault) {
  FAULT("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 0, MV_FAULT_MALFORMED);
  FAULT("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00", 0, MV_FAULT_MALFORMED);
  FAULT("\x0A\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 0, MV_FAULT_MALFORMED);
}

Test(wire, cut_anywhere) {
  FAULT("\x08\x01\x08", 1, MV_FAULT_CUT); /* behind a key */
  FAULT("\x08\x01\x88", 1, MV_FAULT_CUT); /* in a key */
  FAULT("\x08\x80", 0, MV_FAULT_CUT);     /* in a varint */
  FAULT("\x0A", 0, MV_FAULT_CUT);         /* before a length */
  FAULT("\x0A\x81", 0, MV_FAULT_CUT);     /* in a length */
  FAULT("\x0A\x03"
        "ab",
        0, MV_FAULT_CUT); /* in the bytes */
  FAULT("\x09\x01\x02\x03\x04\x05\x06\x07", 0, MV_FAULT_CUT);
  FAULT("\x0D\x01\x02\x03", 0, MV_FAULT_CUT);
}

Test(wire, a_length_to_the_end_is_whole) {
  FAULT("\x0A\x02"
        "ab",
        1, MV_FAULT_NONE);
  FAULT("\x0A\x00", 1, MV_FAULT_NONE);
}

Test(wire, lengths_that_would_overflow_a_pointer_are_cut) {
  FAULT("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"
        "ab",
        0, MV_FAULT_CUT);
  FAULT("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"
        "ab",
        0, MV_FAULT_CUT);
}

Test(wire, fixed_fields_are_little_endian) {
  mv_fault fault;
  mv_tag tag;
  cr_assert_eq(walk("\x11\x01\x02\x03\x04\x05\x06\x07\x08", 9, &fault, &tag), 1);
  cr_expect_eq(tag.field, 2);
  cr_expect_eq(tag.type, MV_FIXED64);
  cr_expect_eq(tag.value, UINT64_C(0x0807060504030201));
  cr_assert_eq(walk("\x15\x01\x02\x03\x84", 5, &fault, &tag), 1);
  cr_expect_eq(tag.type, MV_FIXED32);
  cr_expect_eq(tag.value, UINT64_C(0x84030201));
}

Test(wire, field_0_groups_and_unknown_types_are_faults) {
  FAULT("\x00\x01", 0, MV_FAULT_MALFORMED);
  FAULT("\x02\x00", 0, MV_FAULT_MALFORMED);
  FAULT("\x0B\x0C", 0, MV_FAULT_MALFORMED); /* a group begins */
  FAULT("\x0C", 0, MV_FAULT_MALFORMED);     /* a group ends */
  FAULT("\x0E\x01", 0, MV_FAULT_MALFORMED);
  FAULT("\x0F\x01", 0, MV_FAULT_MALFORMED);
}

Test(wire, field_numbers_end_at_29_bits) {
  mv_text proto = MV_TEXT_INIT;
  pb_int(&proto, 0x1FFFFFFF, 5);
  mv_fault fault;
  mv_tag tag;
  cr_assert_eq(walk(proto.data, proto.size, &fault, &tag), 1);
  cr_expect_eq(tag.field, 0x1FFFFFFF);
  mv_text_clear(&proto);
  pb_varint(&proto, UINT64_C(0x20000000) << 3);
  pb_varint(&proto, 5);
  expect_fault(proto.data, proto.size, 0, MV_FAULT_MALFORMED);
  for (unsigned type = 0; type < 6; type++) { /* field 2^32 + 1 is not field 1 */
    mv_text_clear(&proto);
    pb_varint(&proto, UINT64_C(0x100000001) << 3 | type);
    pb_raw(&proto, "\x01\x01\x01\x01\x01\x01\x01\x01", 8);
    expect_fault(proto.data, proto.size, 0, MV_FAULT_MALFORMED);
  }
  mv_text_free(&proto);
}

Test(wire, at_a_fault_the_place_is_the_tag_of_the_field) {
  const uint8_t bytes[] = {0x08, 0x01, 0x12, 0x05, 'a'};
  mv_wire w = mv_wire_of(mv_bytes_of(bytes, sizeof bytes));
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {}
  cr_expect_eq(w.p - bytes, 2);
  cr_expect_eq(tag.field, 2);
  cr_expect_eq(tag.bytes.size, 1, "what is there of it");
  cr_expect_not(mv_wire_next(&w, &tag), "and it stays there");
}

Test(wire, packed_values) {
  const uint8_t bytes[] = {0x01, 0x96, 0x01, 0x00};
  mv_wire w = mv_wire_of(mv_bytes_of(bytes, sizeof bytes));
  uint64_t values[4];
  size_t n = 0;
  while (n < 4 && mv_wire_next_packed(&w, &values[n])) {
    n++;
  }
  cr_expect_eq(n, 3);
  cr_expect_eq(values[1], 150);
  cr_expect_eq(w.fault, MV_FAULT_NONE);
  w = mv_wire_of(mv_bytes_of(bytes, 2));
  cr_expect(mv_wire_next_packed(&w, values));
  cr_expect_not(mv_wire_next_packed(&w, values));
  cr_expect_eq(w.fault, MV_FAULT_CUT);
}

/* Fields that are taken in order, and what is left to mv_wire_next. */
Test(wire, take__what_stands_next_and_nothing_else) {
  mv_text proto = MV_TEXT_INIT;
  pb_int(&proto, 1, 5);
  pb_int(&proto, 2, INT64_C(1) << 40);
  pb_string(&proto, 3, "name");
  pb_int(&proto, 5, 7);
  const mv_bytes message = pb_view(&proto);
  mv_wire w = mv_wire_of(message);
  int64_t value = -1;
  mv_bytes bytes = {0};
  cr_expect_not(mv_wire_take_int(&w, 2, &value), "another field comes first");
  cr_expect_not(mv_wire_take_bytes(&w, 1, &bytes), "the field is of another type");
  cr_expect_eq(value, -1);
  cr_expect_eq(w.p, message.data, "nothing was taken");
  cr_expect(mv_wire_take_int(&w, 1, &value) && value == 5);
  cr_expect(mv_wire_take_int(&w, 2, &value) && value == INT64_C(1) << 40);
  cr_expect_not(mv_wire_take_int(&w, 3, &value));
  cr_expect(mv_wire_take_bytes(&w, 3, &bytes) && mv_bytes_equal_string(bytes, "name"));
  cr_expect_not(mv_wire_take_int(&w, 4, &value), "left out");
  cr_expect(mv_wire_take_int(&w, 5, &value) && value == 7);
  cr_expect_not(mv_wire_take_int(&w, 5, &value), "the end");
  cr_expect_eq(w.p, w.end);
  mv_text_free(&proto);
}

Test(wire, take__leaves_what_is_cut_to_the_walk) {
  static const uint8_t value_beyond[4 + MV_READABLE] = {1 << 3, 0x80, 0x80, 1};
  static const uint8_t size_beyond[7 + MV_READABLE] = {1 << 3 | 2, 5};
  static const uint8_t too_long[11 + MV_READABLE] = {1 << 3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1};
  int64_t value = 0;
  mv_bytes bytes = {0};
  mv_tag tag;
  for (size_t size = 0; size <= 3; size++) {
    mv_wire w = mv_wire_of(mv_bytes_of(value_beyond, size));
    cr_expect_not(mv_wire_take_int(&w, 1, &value), "%zu bytes", size);
    cr_expect_eq(w.fault, MV_FAULT_NONE);
    cr_expect_not(mv_wire_next(&w, &tag));
    cr_expect_eq(w.fault, size > 0 ? MV_FAULT_CUT : MV_FAULT_NONE);
  }
  for (size_t size = 0; size <= 6; size++) {
    mv_wire w = mv_wire_of(mv_bytes_of(size_beyond, size));
    cr_expect_not(mv_wire_take_bytes(&w, 1, &bytes), "%zu bytes", size);
    cr_expect_not(mv_wire_next(&w, &tag));
    cr_expect_eq(w.fault, size > 0 ? MV_FAULT_CUT : MV_FAULT_NONE);
  }
  mv_wire whole = mv_wire_of(mv_bytes_of(size_beyond, 7));
  cr_expect(mv_wire_take_bytes(&whole, 1, &bytes) && bytes.size == 5);
  mv_wire longer = mv_wire_of(mv_bytes_of(too_long, 11));
  cr_expect(mv_wire_take_int(&longer, 1, &value) && value == -1);
}

Test(wire, take__slices_of_less_than_16_KiB) {
  static const size_t sizes[] = {0, 1, 127, 128, 129, 16383, 16384};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    mv_text proto = MV_TEXT_INIT;
    char *bytes = calloc(sizes[i] + 1, 1);
    cr_assert_not_null(bytes);
    pb_bytes(&proto, 1, bytes, sizes[i]);
    free(bytes);
    const size_t whole = proto.size;
    pb_bytes(&proto, 2, "0123456789abcdef", 16);
    for (size_t cut = 0; cut <= 1; cut++) {
      mv_wire w = mv_wire_of(mv_bytes_of(proto.data, whole - cut));
      mv_bytes slice;
      const bool taken = mv_wire_take_bytes(&w, 1, &slice);
      cr_expect_eq(taken, cut == 0 && sizes[i] < 16384, "%zu bytes, cut by %zu", sizes[i], cut);
      cr_expect(!taken || (slice.size == sizes[i] && w.p == w.end));
    }
    mv_text_free(&proto);
  }
}
