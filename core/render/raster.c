#include "render/raster.h"

#include "base/bits.h"

/* One more level, above those there are. */
static bool add_level(mv_raster *r, mv_arena *arena, mv_status *status) {
  uint64_t *rows = mv_arena_zalloc(arena, (size_t)(r->height * r->words), sizeof *rows, status);
  r->levels[r->level_count] = rows;
  r->level_count += rows != NULL;
  return rows != NULL;
}

bool mv_raster_new(mv_raster *raster, int64_t width, int64_t height, mv_arena *arena, mv_status *status) {
  *raster = (mv_raster){.width = width, .height = height, .words = (width + 63) / 64};
  return add_level(raster, arena, status);
}

/* The first cell and the one behind the last that a stretch touches. */
static void cells_of(int64_t *first, int64_t *end, int64_t low, int64_t high, int64_t count) {
  *first = low < 0 ? 0 : low / MV_PX;
  *end = high <= low ? *first + 1 : (high + MV_PX - 1) / MV_PX;
  *first = *first > count - 1 ? count - 1 : *first;
  *end = *end > count ? count : *end;
  *end = *end <= *first ? *first + 1 : *end;
}

/* The bits of [left, right) in a word that it touches. */
static uint64_t mask_of(int64_t word, int64_t left, int64_t right) {
  uint64_t mask = ~UINT64_C(0);
  if (left > word * 64) {
    mask <<= left - word * 64;
  }
  if (right < word * 64 + 64) {
    mask &= ~UINT64_C(0) >> (word * 64 + 64 - right);
  }
  return mask;
}

static void mark(const mv_raster *r, int level, int64_t y, int64_t left, int64_t right) {
  uint64_t *row = r->levels[level] + y * r->words;
  for (int64_t i = left / 64; i <= (right - 1) / 64; i++) {
    row[i] |= mask_of(i, left, right);
  }
}

void mv_raster_paint(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
  int64_t left;
  int64_t right;
  int64_t top;
  int64_t bottom;
  cells_of(&left, &right, x0, x1, raster->width);
  cells_of(&top, &bottom, y0, y1, raster->height);
  for (int64_t y = top; y < bottom; y++) {
    mark(raster, 0, y, left, right);
  }
}

/* Two stretches of the largest power of two that fits, one from the top and one to the bottom, cover the height between
 * them: where they overlap nothing is painted twice, as painted is painted. */
bool mv_raster_cover(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1, mv_arena *arena,
                     mv_status *status) {
  int64_t left;
  int64_t right;
  int64_t top;
  int64_t bottom;
  cells_of(&left, &right, x0, x1, raster->width);
  cells_of(&top, &bottom, y0, y1, raster->height);
  const int level = (int)mv_highest_bit((uint64_t)(bottom - top));
  while (raster->level_count <= level) {
    if (!add_level(raster, arena, status)) {
      return false;
    }
  }
  mark(raster, level, top, left, right);
  mark(raster, level, bottom - (INT64_C(1) << level), left, right);
  return true;
}

/* Each level to the one below it, where two bits stand for one of it. */
static void paint_covered(mv_raster *r) {
  for (int level = r->level_count - 1; level > 0; level--) {
    const int64_t half = INT64_C(1) << (level - 1);
    const int64_t count = (r->height - 2 * half + 1) * r->words;
    const uint64_t *upper = r->levels[level];
    uint64_t *lower = r->levels[level - 1];
    for (int64_t i = 0; i < count; i++) {
      lower[i] |= upper[i];
    }
    for (int64_t i = 0; i < count; i++) {
      lower[half * r->words + i] |= upper[i];
    }
  }
  r->level_count = 1;
}

bool mv_raster_is_painted(const mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
  int64_t left;
  int64_t right;
  int64_t top;
  int64_t bottom;
  cells_of(&left, &right, x0, x1, raster->width);
  cells_of(&top, &bottom, y0, y1, raster->height);
  for (int64_t y = top; y < bottom; y++) {
    const uint64_t *row = raster->levels[0] + y * raster->words;
    for (int64_t i = left / 64; i <= (right - 1) / 64; i++) {
      if ((row[i] & mask_of(i, left, right)) != 0) {
        return true;
      }
    }
  }
  return false;
}

/* The first pixel from x on that is painted, or with `flip` all ones the first that is not; behind the last word when
 * there is none. */
static int64_t find(const mv_raster *r, int64_t y, int64_t x, uint64_t flip) {
  const uint64_t *row = r->levels[0] + y * r->words;
  for (int64_t i = x / 64; i < r->words; i++) {
    const uint64_t word = (row[i] ^ flip) & (i == x / 64 ? ~UINT64_C(0) << x % 64 : ~UINT64_C(0));
    if (word != 0) {
      return i * 64 + mv_lowest_bit(word);
    }
  }
  return r->words * 64;
}

static bool is_set(const mv_raster *r, int64_t y, int64_t x) {
  return (r->levels[0][y * r->words + x / 64] >> x % 64 & 1) != 0;
}

/* The next run of painted pixels in a row, from *x on; false when there is none. */
static bool next_run(const mv_raster *r, int64_t y, int64_t *x, int64_t *end) {
  *x = find(r, y, *x, 0);
  if (*x >= r->width) {
    return false;
  }
  *end = find(r, y, *x, ~UINT64_C(0)); /* bits behind the width are never set */
  return true;
}

/* Whether a row has exactly the run [x, end). */
static bool has_run(const mv_raster *r, int64_t y, int64_t x, int64_t end) {
  return y >= 0 && y < r->height && is_set(r, y, x) && (x == 0 || !is_set(r, y, x - 1)) &&
         find(r, y, x, ~UINT64_C(0)) == end;
}

/* The rectangles: a run with the same run in each row below it. `visit` NULL only counts them. */
static size_t scan(const mv_raster *r, int64_t cell, mv_raster_visit *visit, void *arg) {
  size_t count = 0;
  for (int64_t y = 0; y < r->height; y++) {
    int64_t end = 0;
    for (int64_t x = 0; next_run(r, y, &x, &end); x = end) {
      if (has_run(r, y - 1, x, end)) {
        continue; /* part of the one above */
      }
      count++;
      if (visit != NULL) {
        int64_t bottom = y + 1;
        while (has_run(r, bottom, x, end)) {
          bottom++;
        }
        visit(arg, x * cell, y * cell, (end - x) * cell, (bottom - y) * cell);
      }
    }
  }
  return count;
}

/* The 32 pairs of a word's bits, each as one bit that is set when one of the pair is. */
static uint64_t halve_word(uint64_t v) {
  v = (v | v >> 1) & UINT64_C(0x5555555555555555);
  v = (v | v >> 1) & UINT64_C(0x3333333333333333);
  v = (v | v >> 2) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  v = (v | v >> 4) & UINT64_C(0x00FF00FF00FF00FF);
  v = (v | v >> 8) & UINT64_C(0x0000FFFF0000FFFF);
  return (v | v >> 16) & UINT64_C(0x00000000FFFFFFFF);
}

/* In place: a word of the half grid is written before where its four are read, or over the first of them. */
static void halve(mv_raster *r) {
  uint64_t *cells = r->levels[0];
  const int64_t width = (r->width + 1) / 2;
  const int64_t height = (r->height + 1) / 2;
  const int64_t words = (width + 63) / 64;
  for (int64_t y = 0; y < height; y++) {
    for (int64_t i = 0; i < words; i++) {
      uint64_t halves[2] = {0, 0};
      for (int64_t k = 0; k < 4; k++) {
        const int64_t from_word = 2 * i + k % 2;
        const int64_t from_y = 2 * y + k / 2;
        if (from_word < r->words && from_y < r->height) {
          halves[k % 2] |= cells[from_y * r->words + from_word];
        }
      }
      cells[y * words + i] = halve_word(halves[0]) | halve_word(halves[1]) << 32;
    }
  }
  r->width = width;
  r->height = height;
  r->words = words;
}

void mv_raster_rectangles(mv_raster *raster, size_t most, mv_raster_visit *visit, void *arg) {
  int64_t cell = 1;
  paint_covered(raster);
  while (scan(raster, cell, NULL, NULL) > most && raster->width * raster->height > 1) {
    halve(raster);
    cell *= 2;
  }
  scan(raster, cell, visit, arg);
}

static void add_to_path(void *arg, int64_t x, int64_t y, int64_t width, int64_t height) {
  mv_text *svg = arg;
  mv_text_char(svg, 'M');
  mv_text_i64(svg, x);
  mv_text_char(svg, ' ');
  mv_text_i64(svg, y);
  mv_text_char(svg, 'h');
  mv_text_i64(svg, width);
  mv_text_char(svg, 'v');
  mv_text_i64(svg, height);
  mv_text_char(svg, 'h');
  mv_text_i64(svg, -width);
  mv_text_char(svg, 'z');
}

void mv_raster_path(mv_text *svg, mv_raster *raster, size_t most) {
  mv_raster_rectangles(raster, most, add_to_path, svg);
}
