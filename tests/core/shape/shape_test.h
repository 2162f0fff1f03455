/* shape_test.h: what the tests of shapes share: text to shape and back, and a writer of ShapeProto bytes. */
#ifndef MV_TESTS_SHAPE_TEST_H
#define MV_TESTS_SHAPE_TEST_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/text.h"
#include "shape/shape.h"
#include "support/proto_builder.h"

/* An arena for one test; fails the test when there is none. */
static inline mv_arena *new_arena(void) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  cr_assert_not_null(arena);
  return arena;
}

static inline mv_shape parsed(const char *text, mv_arena *arena) {
  mv_status st = MV_STATUS_INIT;
  mv_shape shape;
  cr_assert(mv_shape_parse(&shape, mv_bytes_of_string(text), arena, &st), "%s: %s", text, st.message);
  return shape;
}

/* The shape as text; freed by the caller. */
static inline char *printed(const mv_shape *shape) {
  mv_text text = MV_TEXT_INIT;
  mv_shape_print(&text, shape);
  cr_assert_not(text.failed);
  return text.data;
}

/* What parsing `text` and printing the shape gives. */
static inline void expect_print(const char *text, const char *expected) {
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed(text, arena);
  char *actual = printed(&shape);
  cr_expect_str_eq(actual, expected);
  free(actual);
  mv_arena_free(arena);
}

/* The writer: protobuf bytes in a mv_text, freed with mv_text_free. */
static inline void put_number(mv_text *proto, unsigned field, int64_t value) {
  pb_int(proto, field, value);
}

static inline void put_message(mv_text *proto, unsigned field, const mv_text *message) {
  pb_bytes(proto, field, message->data, message->size);
}

static inline void put_packed(mv_text *proto, unsigned field, const int64_t *values, size_t count) {
  mv_text packed = MV_TEXT_INIT;
  for (size_t i = 0; i < count; i++) {
    pb_varint(&packed, (uint64_t)values[i]);
  }
  if (count > 0) {
    put_message(proto, field, &packed);
  }
  mv_text_free(&packed);
}

static inline void put_shape(mv_text *proto, const mv_shape *shape);

static inline void put_nested_shape(mv_text *proto, unsigned field, const mv_shape *shape) {
  mv_text nested = MV_TEXT_INIT;
  put_shape(&nested, shape);
  put_message(proto, field, &nested);
  mv_text_free(&nested);
}

static inline void put_layout(mv_text *proto, const mv_layout *layout) {
  put_packed(proto, 1, layout->minor_to_major, layout->rank);
  for (size_t i = 0; i < layout->tile_count; i++) {
    mv_text tile = MV_TEXT_INIT;
    put_packed(&tile, 1, layout->tiles[i].dimensions, layout->tiles[i].rank);
    put_message(proto, 6, &tile);
    mv_text_free(&tile);
  }
  put_number(proto, 7, layout->element_bits);
  put_number(proto, 8, layout->memory_space);
  put_packed(proto, 9, layout->dim_level_types, layout->dim_level_type_count);
  if (layout->physical_shape != NULL) {
    put_nested_shape(proto, 10, layout->physical_shape);
  }
  put_number(proto, 11, layout->index_type);
  put_number(proto, 12, layout->pointer_type);
  put_packed(proto, 13, layout->dim_unique, layout->dim_unique_count);
  put_packed(proto, 14, layout->dim_ordered, layout->dim_ordered_count);
  put_number(proto, 15, layout->metadata_prefix_bytes);
  put_number(proto, 16, layout->tail_alignment);
  for (size_t i = 0; i < layout->split_count; i++) {
    mv_text split = MV_TEXT_INIT;
    put_number(&split, 1, layout->splits[i].dimension);
    put_packed(&split, 2, layout->splits[i].indices, layout->splits[i].index_count);
    put_message(proto, 17, &split);
    mv_text_free(&split);
  }
}

/* The ShapeProto of a shape, as XLA writes it. */
static inline void put_shape(mv_text *proto, const mv_shape *shape) {
  put_number(proto, 2, shape->element_type);
  put_packed(proto, 3, shape->dimensions, shape->rank);
  for (size_t i = 0; i < shape->element_count; i++) {
    put_nested_shape(proto, 4, &shape->elements[i]);
  }
  if (shape->has_layout) {
    mv_text layout = MV_TEXT_INIT;
    put_layout(&layout, &shape->layout);
    put_message(proto, 5, &layout);
    mv_text_free(&layout);
  }
  for (size_t i = 0; shape->dynamic != NULL && i < shape->rank; i++) {
    put_number(proto, 6, shape->dynamic[i]);
  }
}

static inline mv_text proto_of(const char *text) {
  mv_arena *arena = new_arena();
  const mv_shape shape = parsed(text, arena);
  mv_text proto = MV_TEXT_INIT;
  put_shape(&proto, &shape);
  cr_assert_not(proto.failed);
  mv_arena_free(arena);
  return proto;
}

static inline mv_bytes bytes_of(const mv_text *proto) {
  return mv_bytes_of(proto->data, proto->size);
}

/* A copy of the first `size` bytes at the end of its own allocation, where the sanitizer sees a read beyond it. */
static inline mv_bytes exact_copy(mv_bytes bytes, size_t size) {
  uint8_t *copy = malloc(size > 0 ? size : 1);
  cr_assert_not_null(copy);
  if (size > 0) {
    memcpy(copy, bytes.data, size);
  }
  return mv_bytes_of(copy, size);
}

/* A copy of the first `size` bytes of a ShapeProto in an allocation of its own, with what a walk requires behind them;
 * freed by the caller. */
static inline mv_bytes proto_copy(mv_bytes bytes, size_t size) {
  uint8_t *copy = malloc(size + MV_READABLE);
  cr_assert_not_null(copy);
  if (size > 0) {
    memcpy(copy, bytes.data, size);
  }
  memset(copy + size, 0x2A, MV_READABLE);
  return mv_bytes_of(copy, size);
}

/* Texts that use every part of the grammar, each as XLA prints it. */
static const char *const sample_texts[] = {
    "f32[]",
    "pred[]{:T(512)S(6)}",
    "u32[]{:S(2)}",
    "f32[0]{0}",
    "f32[1000,64]{1,0:T(8,128)(2,1)L(4)E(4)S(1)}",
    "f32[1000,64]",
    "s4[10]{0:T(128)E(4)}",
    "s8[2097152]{0:T(1024)(128)(4,1)S(1)}",
    "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
    "f32[<=10,3]{1,0}",
    "f32[?,3]",
    "f32[?]",
    "f32[10,20]{1,0:D(D,C+~)#(u32)*(u64)}",
    "f32[10,20]{0,1:D(S~,H)T(8,128)L(4)#(s32)E(64)S(5)P((f32[2]{0}, s32[]))M(16)}",
    "bf16[12,8]{1,0:T(8,128)SC(0:4,8)(1:2)}",
    "bf16[12,8]{1,0:SC(1:)}",
    "f32[3]{0:M(4)}",
    "()",
    "token[]",
    "opaque[]",
    "b(f32[8]{0})",
    "b(f32[])",
    "(f32[2], (s32[], token[]), ())",
    "(f32[1], f32[2], f32[3], f32[4], f32[5], /*index=5*/pred[3]{0}, u8[], s8[], f16[], s4[], /*index=10*/u8[])",
    "(b(c128[4]{0:S(1)}), opaque[], (((f8e4m3b11fnuz[2,2]{1,0}))))",
};

enum { SAMPLE_COUNT = sizeof sample_texts / sizeof *sample_texts };

#endif
