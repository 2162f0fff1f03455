#include "render/curve.h"

static int64_t value_at(const mv_curve *c, int64_t position) {
  int64_t value;
  memcpy(&value, (const char *)c->values + (size_t)position * c->stride, sizeof value);
  return value;
}

/* Where the path is. */
typedef struct path {
  mv_text *svg;
  int64_t x;
  int64_t y;
} path;

static void go_to_x(path *pen, int64_t x) {
  if (x != pen->x) {
    mv_text_char(pen->svg, 'H');
    mv_place_add(pen->svg, x);
    pen->x = x;
  }
}

/* Up or down at x; nothing when the value stays. */
static void step_at(path *pen, int64_t x, int64_t y) {
  if (y != pen->y) {
    go_to_x(pen, x);
    mv_text_char(pen->svg, 'V');
    mv_place_add(pen->svg, y);
    pen->y = y;
  }
}

static void add_steps(path *pen, const mv_curve *c) {
  for (int64_t p = 1; p < c->count; p++) {
    step_at(pen, mv_scale_at(&c->x, p), mv_scale_at(&c->y, value_at(c, p)));
  }
}

/* All that happens inside one pixel becomes one stroke up and down in its middle. */
static void add_strokes(path *pen, const mv_curve *c) {
  int64_t p = 0;
  while (p < c->count) {
    const int64_t pixel = mv_scale_at(&c->x, p) / MV_PX;
    const int64_t middle = pixel * MV_PX + MV_PX / 2;
    const int64_t first = value_at(c, p);
    int64_t least = first;
    int64_t most = first;
    int64_t last = first;
    bool is_most_later = false;
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
    step_at(pen, middle, mv_scale_at(&c->y, first));
    step_at(pen, middle, mv_scale_at(&c->y, is_most_later ? least : most));
    step_at(pen, middle, mv_scale_at(&c->y, is_most_later ? most : least));
    step_at(pen, middle, mv_scale_at(&c->y, last));
  }
}

void mv_curve_path(mv_text *svg, const mv_curve *c) {
  path pen = {.svg = svg, .x = mv_scale_at(&c->x, 0), .y = mv_scale_at(&c->y, value_at(c, 0))};
  mv_text_char(svg, 'M');
  mv_place_add(svg, pen.x);
  mv_text_char(svg, ' ');
  mv_place_add(svg, pen.y);
  if (c->count / 2 < c->x.length / MV_PX) {
    add_steps(&pen, c);
  } else {
    add_strokes(&pen, c);
  }
  go_to_x(&pen, mv_scale_at(&c->x, c->count));
}
