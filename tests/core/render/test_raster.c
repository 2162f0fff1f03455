#include <criterion/criterion.h>

#include "render/raster.h"

typedef struct painted {
  mv_arena *arena;
  mv_raster raster;
} painted;

static painted new_raster(int64_t width, int64_t height) {
  mv_status status = MV_STATUS_INIT;
  painted p = {.arena = mv_arena_new(&status)};
  cr_assert(mv_raster_new(&p.raster, width, height, p.arena, &status));
  return p;
}

static void expect_path(painted *p, size_t most, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_raster_path(&text, &p->raster, most);
  cr_expect_str_eq(text.data != NULL ? text.data : "", expected);
  mv_text_free(&text);
  mv_arena_free(p->arena);
}

Test(raster, nothing_painted_is_no_path) {
  painted p = new_raster(10, 10);
  expect_path(&p, 100, "");
}

Test(raster, a_sliver_takes_the_pixels_it_touches) {
  painted p = new_raster(10, 10);
  mv_raster_paint(&p.raster, 250, 120, 610, 130);
  expect_path(&p, 100, "M2 1h5v1h-5z");
}

Test(raster, an_empty_rectangle_takes_one_pixel) {
  painted p = new_raster(10, 10);
  mv_raster_paint(&p.raster, 300, 300, 300, 300);
  expect_path(&p, 100, "M3 3h1v1h-1z");
}

Test(raster, what_lies_outside_is_cut_off) {
  painted p = new_raster(4, 4);
  mv_raster_paint(&p.raster, -500, -500, 9900, 150);
  mv_raster_paint(&p.raster, 9000, 9000, 9900, 9900);
  expect_path(&p, 100, "M0 0h4v2h-4zM3 3h1v1h-1z");
}

Test(raster, equal_runs_below_each_other_are_one_rectangle) {
  painted p = new_raster(10, 10);
  mv_raster_paint(&p.raster, 100, 100, 300, 500);
  mv_raster_paint(&p.raster, 500, 200, 600, 300);
  expect_path(&p, 100, "M1 1h2v4h-2zM5 2h1v1h-1z");
}

Test(raster, too_many_rectangles_make_it_coarser) {
  painted p = new_raster(8, 8);
  for (int64_t i = 0; i < 32; i++) { /* a chessboard */
    const int64_t x = i % 4 * 2 + i / 4 % 2;
    const int64_t y = i / 4;
    mv_raster_paint(&p.raster, x * 100, y * 100, x * 100 + 100, y * 100 + 100);
  }
  expect_path(&p, 31, "M0 0h8v8h-8z");
}

Test(raster, coarser_cells_keep_odd_edges) {
  painted p = new_raster(5, 3);
  mv_raster_paint(&p.raster, 400, 200, 500, 300);
  mv_raster_paint(&p.raster, 0, 0, 100, 100);
  expect_path(&p, 1, "M0 0h8v4h-8z");
}

static painted across_words(void) {
  painted p = new_raster(150, 3);
  mv_raster_paint(&p.raster, 6300, 100, 6500, 200);
  mv_raster_paint(&p.raster, 13000, 0, 13100, 100);
  return p;
}

Test(raster, runs_go_across_words) {
  painted p = across_words();
  cr_expect(mv_raster_is_painted(&p.raster, 0, 100, 6310, 110));
  cr_expect(mv_raster_is_painted(&p.raster, 6400, 100, 6410, 110));
  cr_expect_not(mv_raster_is_painted(&p.raster, 6500, 0, 13000, 300));
  expect_path(&p, 2, "M130 0h1v1h-1zM63 1h2v1h-2z");
}

Test(raster, coarser_cells_meet_across_words) { /* 63, 64 and 130; 31, 32 and 65; 15, 16 and 32; ... 0, 1 and 2 */
  painted p = across_words();
  expect_path(&p, 1, "M0 0h192v64h-192z");
}

Test(raster, is_painted_tells_what_is_taken) {
  painted p = new_raster(10, 10);
  mv_raster_paint(&p.raster, 200, 200, 400, 400);
  cr_expect(mv_raster_is_painted(&p.raster, 350, 350, 900, 900));
  cr_expect_not(mv_raster_is_painted(&p.raster, 400, 200, 900, 900));
  mv_arena_free(p.arena);
}

Test(raster, covered_is_what_painted_would_be) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  for (int round = 0; round < 50; round++) {
    mv_raster painted_at_once;
    mv_raster covered;
    cr_assert(mv_raster_new(&painted_at_once, 137, 23, arena, &status));
    cr_assert(mv_raster_new(&covered, 137, 23, arena, &status));
    uint32_t random = (uint32_t)round * 2654435761u + 1;
    for (int i = 0; i < round; i++) {
      int64_t place[4];
      for (size_t k = 0; k < 4; k++) {
        random = random * 1664525u + 1013904223u;
        place[k] = (int64_t)(random >> 8) % (k % 2 == 0 ? 15000 : 4500) - 300;
      }
      mv_raster_paint(&painted_at_once, place[0], place[1], place[2], place[3]);
      cr_assert(mv_raster_cover(&covered, place[0], place[1], place[2], place[3], arena, &status));
    }
    mv_text expected = MV_TEXT_INIT;
    mv_text text = MV_TEXT_INIT;
    mv_raster_path(&expected, &painted_at_once, 1000);
    mv_raster_path(&text, &covered, 1000);
    cr_expect_str_eq(text.data != NULL ? text.data : "", expected.data != NULL ? expected.data : "");
    mv_text_free(&expected);
    mv_text_free(&text);
  }
  mv_arena_free(arena);
}
