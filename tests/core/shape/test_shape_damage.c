/* ShapeProtos made at random, most of them damaged somewhere: scanning and decoding say the same of each.
 *
 * SHAPE_RUNS=10000000 in the environment makes more of them. */
#include "fuzz/fuzz.h"
#include "shape_test.h"

enum { DEFAULT_RUNS = 100000, MAX_FIELDS = 12, MAX_DEPTH = 4 };

static uint64_t state = 0x9E3779B97F4A7C15;

static unsigned any(unsigned below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state >> 24) % below);
}

static int64_t any_number(void) {
  static const int64_t numbers[] = {0, 1, 2, 3, 7, 8, 127, 128, 129, 300, INT32_MAX, INT64_MAX, INT64_MIN, -1, -128};
  return numbers[any(sizeof numbers / sizeof *numbers)];
}

/* Mostly one that a sound shape has. */
static int64_t any_size(void) {
  return any(16) == 0 ? any_number() : any(9);
}

/* What breaks a message: cut, another bit, more bytes behind. */
static void damage(mv_text *message) {
  switch (any(4)) {
    case 0: mv_text_cut(message, any((unsigned)message->size + 1)); break;
    case 1:
      if (message->size > 0) {
        message->data[any((unsigned)message->size)] ^= (char)(1 << any(8));
      }
      break;
    case 2: mv_text_char(message, (char)any(256)); break;
    default: put_number(message, any(20) + 1, any_number()); break;
  }
}

static void put_damaged(mv_text *out, unsigned field, mv_text *message) {
  if (message->data != NULL && any(24) == 0) {
    damage(message);
  }
  put_message(out, any(64) == 0 ? any(20) + 1 : field, message);
  mv_text_free(message);
}

/* The numbers packed, one by one, or both. */
static void put_numbers(mv_text *out, unsigned field, const int64_t *values, size_t count) {
  const size_t packed = any(4) == 0 ? any((unsigned)count + 1) : count;
  mv_text message = MV_TEXT_INIT;
  for (size_t i = 0; i < packed; i++) {
    pb_varint(&message, (uint64_t)values[i]);
  }
  if (packed > 0 || any(8) == 0) {
    put_damaged(out, field, &message);
  }
  for (size_t i = packed; i < count; i++) {
    put_number(out, field, values[i]);
  }
}

static void put_some_numbers(mv_text *out, unsigned field, size_t count) {
  int64_t values[MAX_FIELDS];
  for (size_t i = 0; i < count; i++) {
    values[i] = any_size();
  }
  put_numbers(out, field, values, count);
}

/* Put the fields together in any order: each is written to a text of its own. */
static void shuffle(mv_text *out, mv_text *fields, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const size_t j = any(4) == 0 ? i + any((unsigned)(count - i)) : i;
    mv_text field = fields[j];
    fields[j] = fields[i];
    mv_text_append(out, field.data, field.size);
    mv_text_free(&field);
  }
}

static void put_any_shape(mv_text *out, int depth);

static void put_any_layout(mv_text *out, size_t rank, int depth) {
  mv_text fields[MAX_FIELDS] = {MV_TEXT_INIT};
  size_t count = 0;
  int64_t order[MAX_FIELDS];
  const size_t order_count = any(24) == 0 ? any(MAX_FIELDS) : rank;
  for (size_t i = 0; i < order_count; i++) {
    order[i] = any(48) == 0 ? any_number() : (int64_t)(order_count - 1 - i);
  }
  put_numbers(&fields[count++], 1, order, order_count);
  for (unsigned tiles = any(3); tiles > 0; tiles--) {
    mv_text tile = MV_TEXT_INIT;
    put_some_numbers(&tile, 1, any(3) + (any(8) != 0));
    put_damaged(&fields[count++], 6, &tile);
  }
  static const uint8_t numbers[] = {7, 8, 11, 12, 15, 16};
  const unsigned number = any(2 * sizeof numbers);
  if (number < sizeof numbers) {
    put_number(&fields[count++], numbers[number], any_size());
  }
  static const uint8_t lists[] = {9, 13, 14};
  if (any(8) == 0) {
    put_some_numbers(&fields[count++], lists[any(3)], any(4));
  }
  if (any(16) == 0) {
    mv_text split = MV_TEXT_INIT;
    put_number(&split, 1, any_size());
    put_some_numbers(&split, 2, any(3));
    put_damaged(&fields[count++], 17, &split);
  }
  if (any(16) == 0 && depth < MAX_DEPTH) {
    mv_text physical = MV_TEXT_INIT;
    put_any_shape(&physical, depth + 1);
    put_damaged(&fields[count++], 10, &physical);
  }
  shuffle(out, fields, count);
}

static void put_any_shape(mv_text *out, int depth) {
  static const int64_t types[] = {11, 16, 21, 1, 13, 13, 13, 14, 17, 34, 34, 0, 36, 99, -1};
  mv_text fields[MAX_FIELDS] = {MV_TEXT_INIT};
  size_t count = 0;
  const int64_t type = types[any(sizeof types / sizeof *types)];
  const size_t rank = any(4);
  put_number(&fields[count++], 2, type);
  put_some_numbers(&fields[count++], 3, rank);
  const bool nests = type == 13 || type == 34 || any(16) == 0;
  for (unsigned shapes = nests ? (type == 34 && any(4) != 0 ? 1 : any(4)) : 0; shapes > 0; shapes--) {
    mv_text nested = MV_TEXT_INIT;
    if (depth < MAX_DEPTH) {
      put_any_shape(&nested, depth + 1);
    }
    put_damaged(&fields[count++], 4, &nested);
  }
  for (unsigned layouts = any(8) == 0 ? 2 : any(3) != 0; layouts > 0; layouts--) {
    mv_text layout = MV_TEXT_INIT;
    put_any_layout(&layout, rank, depth);
    put_damaged(&fields[count++], 5, &layout);
  }
  if (any(2) == 0) {
    put_some_numbers(&fields[count++], 6, any(16) == 0 ? any(4) : rank);
  }
  shuffle(out, fields, count);
}

Test(shape_damage, scanning_and_decoding_say_the_same) {
  const char *const text = getenv("SHAPE_RUNS");
  const long runs = text != NULL ? strtol(text, NULL, 10) : DEFAULT_RUNS;
  mv_text proto = MV_TEXT_INIT;
  for (long i = 0; i < runs; i++) {
    mv_text_clear(&proto);
    put_any_shape(&proto, 0);
    if (any(8) == 0) {
      damage(&proto);
    }
    const mv_bytes bytes = exact_copy(bytes_of(&proto), proto.size); /* what fails aborts with a message */
    LLVMFuzzerTestOneInput(bytes.data, bytes.size);
    free((void *)bytes.data);
  }
  cr_assert_not(proto.failed);
  mv_text_free(&proto);
}
