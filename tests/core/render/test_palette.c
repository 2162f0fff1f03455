#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "render/palette.h"
#include "support/hlo_builder.h"

/* Contrast as WCAG 2.1 defines it (relative luminance, success criteria 1.4.3 and 1.4.11). */
static double luminance(uint32_t rgb) {
  double sum = 0;
  static const double weights[] = {0.0722, 0.7152, 0.2126};
  for (int i = 0; i < 3; i++) {
    const double c = (double)(rgb >> 8 * i & 255) / 255;
    sum += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

static double contrast(uint32_t a, uint32_t b) {
  const double x = luminance(a) + 0.05;
  const double y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}

/* The text and page swatches of the pictures' style sheet. */
enum { LIGHT_TEXT = 0x1B1F24, LIGHT_GROUND = 0xF7F8FA, DARK_TEXT = 0xF0F3F6, DARK_GROUND = 0x161C23 };

Test(swatch, text_can_be_read_on_every_fill) {
  for (int i = 0; i < MV_PALETTE_SIZE; i++) {
    cr_expect_geq(contrast(mv_palette[i].light_fill, LIGHT_TEXT), 7.0, "swatch %d", i);
    cr_expect_geq(contrast(mv_palette[i].dark_fill, DARK_TEXT), 4.5, "swatch %d", i);
  }
}

Test(swatch, every_stroke_stands_out_from_the_ground) {
  for (int i = 0; i < MV_PALETTE_SIZE; i++) {
    cr_expect_geq(contrast(mv_palette[i].light_stroke, LIGHT_GROUND), 3.0, "swatch %d", i);
    cr_expect_geq(contrast(mv_palette[i].dark_stroke, DARK_GROUND), 3.0, "swatch %d", i);
  }
}

Test(swatch, is_written_as_hexadecimal) {
  mv_text text = MV_TEXT_INIT;
  mv_rgb_add(&text, 0x0A1FF0);
  cr_expect_str_eq(text.data, "#0a1ff0");
  mv_text_free(&text);
}

/* Buffers 1..count, one instruction each, at the given offsets of one allocation. */
static mv_module *stacked(int64_t count, const int64_t *offsets, int64_t size, const char *events) {
  hlo h = hlo_new("stacked");
  for (int64_t i = 1; i <= count; i++) {
    char name[32];
    snprintf(name, sizeof name, "op.%lld", (long long)i);
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = name, .opcode = "fusion", .shape = "s8[8]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = size, .instruction = i});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1 << 20});
  for (int64_t i = 1; i <= count; i++) {
    hlo_assign(&h, i, offsets != NULL ? offsets[i - 1] : (i - 1) * size);
  }
  hlo_trace(&h, 0, events);
  return hlo_load(&h);
}

static uint8_t *swatches_of(const mv_module *m, mv_arena **arena) {
  mv_status status = MV_STATUS_INIT;
  *arena = mv_arena_new(&status);
  uint8_t *swatches = mv_palette_of_heap(m, &m->heaps[0], NULL, *arena, &status);
  cr_assert_not_null(swatches);
  return swatches;
}

Test(swatch, neighbours_in_memory_differ) {
  enum { COUNT = 500 };
  mv_text events = MV_TEXT_INIT;
  for (int i = 0; i < COUNT; i++) { /* in an order that comes back to both sides of what is there */
    mv_text_format(&events, "A%d ", i * 137 % COUNT + 1);
  }
  mv_module *m = stacked(COUNT, NULL, 64, events.data);
  mv_arena *arena;
  const uint8_t *swatches = swatches_of(m, &arena);
  uint8_t by_place[COUNT];
  for (uint32_t i = 0; i < m->block_count; i++) {
    by_place[m->buffers[m->blocks[i].root].offset_bytes / 64] = swatches[i];
  }
  for (int i = 0; i < COUNT; i++) {
    cr_expect_lt(by_place[i], MV_PALETTE_SIZE);
    cr_expect(i == 0 || by_place[i] != by_place[i - 1], "block %d", i);
  }
  mv_arena_free(arena);
  mv_module_free(m);
  mv_text_free(&events);
}

Test(swatch, blocks_behind_each_other_at_one_address_differ) {
  const int64_t offsets[] = {0, 0, 0, 0, 0, 0};
  mv_module *m = stacked(6, offsets, 64, "A1 F1 A2 F2 A3 F3 A4 F4 A5 F5 A6 F6");
  mv_arena *arena;
  const uint8_t *swatches = swatches_of(m, &arena);
  for (uint32_t i = 1; i < m->block_count; i++) {
    cr_expect_neq(swatches[i], swatches[i - 1]);
  }
  mv_arena_free(arena);
  mv_module_free(m);
}

/* The swatch a buffer would like depends on its name alone. */
Test(swatch, is_the_same_whatever_else_there_is) {
  mv_module *few = stacked(1, NULL, 64, "A1 F1");
  mv_module *many = stacked(40, NULL, 64, "A40 F40 A1 F1");
  cr_expect_eq(mv_palette_of(few, &few->buffers[0]), mv_palette_of(many, &many->buffers[0]));
  mv_module_free(few);
  mv_module_free(many);
}

Test(swatch, names_use_the_whole_palette) {
  mv_module *m = stacked(200, NULL, 64, "A1 F1");
  uint32_t seen = 0;
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    seen |= UINT32_C(1) << mv_palette_of(m, &m->buffers[i]);
  }
  cr_expect_eq(seen, (UINT32_C(1) << MV_PALETTE_SIZE) - 1);
  mv_module_free(m);
}
