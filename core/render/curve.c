#include "render/curve.h"

static int64_t value_at(const mv_curve *c, int64_t position) {
  int64_t value;
  memcpy(&value, (const char *)c->values + (size_t)position * c->stride, sizeof value);
  return value;
}

static void go(mv_text *svg, char direction, int64_t place, int64_t *last) {
  if (place != *last) {
    mv_text_char(svg, direction);
    mv_place_add(svg, place);
    *last = place;
  }
}

static void add_steps(mv_text *svg, const mv_curve *c, int64_t *x, int64_t *y) {
  for (int64_t p = 1; p < c->count; p++) {
    const int64_t next = mv_scale_at(&c->y, value_at(c, p));
    if (next != *y) {
      go(svg, 'H', mv_scale_at(&c->x, p), x);
      go(svg, 'V', next, y);
    }
  }
}

/* All that happens inside one pixel becomes one stroke up and down in its middle. */
static void add_strokes(mv_text *svg, const mv_curve *c, int64_t *x, int64_t *y) {
  int64_t p = 0;
  while (p < c->count) {
    const int64_t pixel = mv_scale_at(&c->x, p) / MV_PX;
    int64_t least = value_at(c, p);
    int64_t most = least;
    int64_t last = least;
    bool is_most_later = false;
    go(svg, 'H', pixel * MV_PX + MV_PX / 2, x);
    go(svg, 'V', mv_scale_at(&c->y, least), y);
    for (p++; p < c->count && mv_scale_at(&c->x, p) / MV_PX == pixel; p++) {
      last = value_at(c, p);
      if (last > most) {
        most = last;
        is_most_later = true;
      } else if (last < least) {
        least = last;
        is_most_later = false;
      }
    }
    go(svg, 'V', mv_scale_at(&c->y, is_most_later ? least : most), y);
    go(svg, 'V', mv_scale_at(&c->y, is_most_later ? most : least), y);
    go(svg, 'V', mv_scale_at(&c->y, last), y);
  }
}

void mv_curve_path(mv_text *svg, const mv_curve *c) {
  int64_t x = mv_scale_at(&c->x, 0);
  int64_t y = mv_scale_at(&c->y, value_at(c, 0));
  mv_text_char(svg, 'M');
  mv_place_add(svg, x);
  mv_text_char(svg, ' ');
  mv_place_add(svg, y);
  if (c->count / 2 < c->x.length / MV_PX) {
    add_steps(svg, c, &x, &y);
  } else {
    add_strokes(svg, c, &x, &y);
  }
  go(svg, 'H', mv_scale_at(&c->x, c->count), &x);
}
