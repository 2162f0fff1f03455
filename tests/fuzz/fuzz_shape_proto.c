/* Bytes as a ShapeProto: scanning and decoding say the same of them, whatever is damaged, and so does the text. */
#include "base/text.h"
#include "fuzz.h"
#include "shape/shape.h"

enum { MAX_ELEMENTS = 4 };

/* The unpadded bytes that scanning should find; NULL is a shape that decoding refused. */
static int64_t expected_scan(const mv_shape *shape) {
  int64_t bytes;
  if (shape == NULL) {
    return -1;
  }
  if (shape->element_type == MV_TYPE_TUPLE) {
    return (int64_t)shape->element_count * 8;
  }
  return mv_shape_unpadded_bytes(&bytes, shape) ? bytes : -1;
}

static void expect_scan(mv_bytes proto, const mv_shape *shape) {
  const int64_t expected = expected_scan(shape);
  const int64_t scanned = mv_shape_scan_unpadded(proto);
  FUZZ_CHECK(scanned == expected, "scanned %lld, decoded %lld", (long long)scanned, (long long)expected);
  const bool is_tiled = shape != NULL && shape->layout.tile_count > 0;
  FUZZ_CHECK(mv_shape_scan_is_tiled(proto) == is_tiled, "decoded as %stiled", is_tiled ? "" : "not ");
}

/* Each element is found by its index, and is by itself what it is in the whole. */
static void expect_elements(mv_bytes proto, const mv_shape *shape) {
  for (size_t i = 0; i < shape->element_count && i < MAX_ELEMENTS; i++) {
    mv_bytes element;
    FUZZ_CHECK(mv_shape_walk(&element, proto, &(const int64_t){(int64_t)i}, 1), "no element %zu", i);
    expect_scan(element, &shape->elements[i]);
  }
}

/* Text has no way to say some of what bytes can, such as an unknown type; what it does say has the same sizes. */
static void expect_text(const mv_shape *shape, mv_arena *arena) {
  mv_status status = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  mv_shape again;
  mv_shape_print(&text, shape);
  if (mv_shape_parse(&again, mv_bytes_of(text.data, text.size), arena, &status)) {
    int64_t a = -1;
    int64_t b = -1;
    mv_shape_padded_bytes(&a, shape);
    mv_shape_padded_bytes(&b, &again);
    FUZZ_CHECK(a == b, "%s: padded %lld, as text %lld", text.data, (long long)a, (long long)b);
    a = -1;
    b = -1;
    mv_shape_unpadded_bytes(&a, shape);
    mv_shape_unpadded_bytes(&b, &again);
    FUZZ_CHECK(a == b, "%s: unpadded %lld, as text %lld", text.data, (long long)a, (long long)b);
  }
  mv_text_free(&text);
}

/* What can be read behind the bytes must change nothing. */
static void expect_shape(mv_bytes proto) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  if (arena == NULL) {
    return;
  }
  mv_shape shape;
  const bool ok = mv_shape_decode(&shape, proto, arena, &status);
  FUZZ_CHECK(ok == (status.code == MV_OK) && ok == (*status.message == '\0'), "'%s'", status.message);
  expect_scan(proto, ok ? &shape : NULL);
  if (ok) {
    expect_elements(proto, &shape);
    expect_text(&shape, arena);
  }
  mv_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t behind[] = {0x00, 0x2A, 0x81};
  uint8_t *memory = malloc(size + MV_READABLE);
  FUZZ_CHECK(memory != NULL, "no memory");
  if (size > 0) {
    memcpy(memory, data, size);
  }
  for (size_t i = 0; i < sizeof behind; i++) {
    memset(memory + size, behind[i], MV_READABLE);
    expect_shape(mv_bytes_of(memory, size));
  }
  free(memory);
  return 0;
}
