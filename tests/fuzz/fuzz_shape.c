/* Text as a shape: what is read must print, what is printed must read as the same, and so it must as pasted text. */
#include "base/text.h"
#include "fuzz.h"
#include "shape/shape.h"

typedef struct sizes {
  bool has_padded;
  bool has_unpadded;
  int64_t padded;
  int64_t unpadded;
} sizes;

static sizes sizes_of(const mv_shape *shape) {
  sizes s = {0};
  s.has_padded = mv_shape_padded_bytes(&s.padded, shape);
  s.has_unpadded = mv_shape_unpadded_bytes(&s.unpadded, shape);
  FUZZ_CHECK(!s.has_padded || s.padded >= 0, "padded %lld", (long long)s.padded);
  FUZZ_CHECK(!s.has_unpadded || s.unpadded >= 0, "unpadded %lld", (long long)s.unpadded);
  return s;
}

static bool is_same(const sizes *a, const sizes *b) {
  return a->has_padded == b->has_padded && a->has_unpadded == b->has_unpadded && a->padded == b->padded &&
         a->unpadded == b->unpadded;
}

/* `shape` is what the text is by itself; NULL when it is none. */
static void expect_pasted(mv_bytes text, const mv_shape *shape, mv_arena *arena) {
  mv_status status = MV_STATUS_INIT;
  mv_shape pasted;
  int64_t count;
  if (!mv_shape_parse_pasted(&pasted, &count, text, arena, &status)) {
    FUZZ_CHECK(shape == NULL, "a shape, but not as pasted text: %s", status.message);
    FUZZ_CHECK(status.code != MV_OK && *status.message != '\0', "failed without a reason");
    FUZZ_CHECK(mv_utf8_is_clean(mv_bytes_of_string(status.message)), "message '%s'", status.message);
    return;
  }
  FUZZ_CHECK(status.code == MV_OK && count >= 1, "count %lld, '%s'", (long long)count, status.message);
  const sizes a = sizes_of(&pasted);
  if (shape != NULL) {
    const sizes b = sizes_of(shape);
    FUZZ_CHECK(count == 1 && is_same(&a, &b), "other sizes as pasted text");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_shape shape;
  if (arena == NULL) {
    return 0;
  }
  const mv_bytes text = mv_bytes_of(data, size);
  if (!mv_shape_parse(&shape, text, arena, &status)) {
    expect_pasted(text, NULL, arena);
    FUZZ_CHECK(status.code != MV_OK && *status.message != '\0', "failed without a reason");
    FUZZ_CHECK(mv_utf8_is_clean(mv_bytes_of_string(status.message)), "message '%s'", status.message);
    mv_arena_free(arena);
    return 0;
  }
  expect_pasted(text, &shape, arena);
  mv_text first = MV_TEXT_INIT;
  mv_text second = MV_TEXT_INIT;
  mv_shape again;
  mv_shape_print(&first, &shape);
  FUZZ_CHECK(mv_shape_parse(&again, mv_bytes_of(first.data, first.size), arena, &status), "%s: %s", first.data,
             status.message);
  mv_shape_print(&second, &again);
  FUZZ_CHECK(mv_bytes_equal(mv_bytes_of(first.data, first.size), mv_bytes_of(second.data, second.size)), "%s became %s",
             first.data, second.data);
  const sizes a = sizes_of(&shape);
  const sizes b = sizes_of(&again);
  FUZZ_CHECK(is_same(&a, &b), "%s has other sizes when it is read again", first.data);
  mv_text_free(&first);
  mv_text_free(&second);
  mv_arena_free(arena);
  return 0;
}
