#include "render/raster.h"

bool mv_raster_new(mv_raster *raster, int64_t width, int64_t height, mv_arena *arena, mv_status *status) {
  *raster = (mv_raster){.width = width, .height = height};
  raster->cells = mv_arena_zalloc(arena, (size_t)width, (size_t)height, status);
  return raster->cells != NULL;
}

bool mv_raster_new_covers(mv_raster *raster, int64_t width, int64_t height, mv_arena *arena, mv_status *status) {
  if (!mv_raster_new(raster, width, height, arena, status)) {
    return false;
  }
  raster->corners = mv_arena_zalloc(arena, (size_t)(width + 1) * (size_t)(height + 1), sizeof *raster->corners, status);
  return raster->corners != NULL;
}

/* The first cell and the one behind the last that a stretch touches. */
static void cells_of(int64_t *first, int64_t *end, int64_t low, int64_t high, int64_t count) {
  *first = low < 0 ? 0 : low / MV_PX;
  *end = high <= low ? *first + 1 : (high + MV_PX - 1) / MV_PX;
  *first = *first > count - 1 ? count - 1 : *first;
  *end = *end > count ? count : *end;
  *end = *end <= *first ? *first + 1 : *end;
}

void mv_raster_paint(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
  int64_t left;
  int64_t right;
  int64_t top;
  int64_t bottom;
  cells_of(&left, &right, x0, x1, raster->width);
  cells_of(&top, &bottom, y0, y1, raster->height);
  for (int64_t y = top; y < bottom; y++) {
    memset(raster->cells + y * raster->width + left, 1, (size_t)(right - left));
  }
}

/* How often a cell is covered is the sum of the corners above and left of it: +1 where a rectangle begins, -1 behind its
 * right and its lower edge, +1 where both meet. */
void mv_raster_cover(mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
  int64_t left;
  int64_t right;
  int64_t top;
  int64_t bottom;
  cells_of(&left, &right, x0, x1, raster->width);
  cells_of(&top, &bottom, y0, y1, raster->height);
  int32_t *const upper = raster->corners + top * (raster->width + 1);
  int32_t *const lower = raster->corners + bottom * (raster->width + 1);
  upper[left]++;
  upper[right]--;
  lower[left]--;
  lower[right]++;
}

static void paint_covered(mv_raster *r) {
  const int64_t stride = r->width + 1;
  for (int64_t y = 0; r->corners != NULL && y < r->height; y++) {
    int32_t *row = r->corners + y * stride;
    int32_t sum = 0; /* of this row's corners: what the rows above add up to is in `row` already */
    for (int64_t x = 0; x < r->width; x++) {
      sum += row[x];
      r->cells[y * r->width + x] |= sum > 0;
    }
    for (int64_t x = 0; x < stride; x++) {
      row[stride + x] += row[x];
    }
  }
  r->corners = NULL;
}

bool mv_raster_is_painted(const mv_raster *raster, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
  int64_t left;
  int64_t right;
  int64_t top;
  int64_t bottom;
  cells_of(&left, &right, x0, x1, raster->width);
  cells_of(&top, &bottom, y0, y1, raster->height);
  for (int64_t y = top; y < bottom; y++) {
    if (memchr(raster->cells + y * raster->width + left, 1, (size_t)(right - left)) != NULL) {
      return true;
    }
  }
  return false;
}

/* The next run of painted cells in a row, from *x on; false when there is none. */
static bool next_run(const uint8_t *row, int64_t width, int64_t *x, int64_t *end) {
  const uint8_t *start = *x < width ? memchr(row + *x, 1, (size_t)(width - *x)) : NULL;
  if (start == NULL) {
    return false;
  }
  *x = start - row;
  const uint8_t *stop = memchr(start, 0, (size_t)(width - *x));
  *end = stop != NULL ? stop - row : width;
  return true;
}

/* Whether a row has exactly the run [x, end). */
static bool has_run(const mv_raster *r, int64_t y, int64_t x, int64_t end) {
  if (y < 0 || y >= r->height) {
    return false;
  }
  const uint8_t *row = r->cells + y * r->width;
  return row[x] && row[end - 1] && (x == 0 || !row[x - 1]) && (end == r->width || !row[end]) &&
         memchr(row + x, 0, (size_t)(end - x)) == NULL;
}

/* The rectangles: a run with the same run in each row below it. `visit` NULL only counts them. */
static size_t scan(const mv_raster *r, int64_t cell, mv_raster_visit *visit, void *arg) {
  size_t count = 0;
  for (int64_t y = 0; y < r->height; y++) {
    int64_t end = 0;
    for (int64_t x = 0; next_run(r->cells + y * r->width, r->width, &x, &end); x = end) {
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

/* In place: cell (x, y) of the half grid is written behind where its four are read, or over one of them. */
static void halve(mv_raster *r) {
  const int64_t width = (r->width + 1) / 2;
  const int64_t height = (r->height + 1) / 2;
  for (int64_t y = 0; y < height; y++) {
    for (int64_t x = 0; x < width; x++) {
      uint8_t painted = 0;
      for (int64_t i = 0; i < 4; i++) {
        const int64_t from_x = 2 * x + i % 2;
        const int64_t from_y = 2 * y + i / 2;
        if (from_x < r->width && from_y < r->height) {
          painted |= r->cells[from_y * r->width + from_x];
        }
      }
      r->cells[y * width + x] = painted;
    }
  }
  r->width = width;
  r->height = height;
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
