#include <inttypes.h>

#include "model/instruction.h"
#include "render/chart.h"
#include "render/curve.h"
#include "render/heaps.h"
#include "render/label.h"

enum {
  PANELS = 6,
  HEIGHT = 420, /* pixels of a single panel, and of several in all */
  MIN_HEIGHT = 150,
  CAPTION = 26,
  NAME = 60,  /* cells of the peak's instruction */
  LISTED = 6, /* heaps that are only named */
};

static const char STYLE[] =
    ".padded,.unpadded,.occupied,.room{fill:none;stroke-width:1.6;stroke-linejoin:round}\n"
    ".padded{stroke:#2563c9}.area{fill:#0f7b4f;fill-opacity:.14}.unpadded{stroke:#d9660b;stroke-dasharray:4 4}\n"
    ".occupied{stroke:#0f7b4f;stroke-width:1}.base{fill:#7c6fd6;fill-opacity:.22}"
    ".untraced{fill:#c4762b;fill-opacity:.3}\n"
    ".room{stroke:#8c959f;stroke-width:1;stroke-dasharray:2 3}\n"
    "@media (prefers-color-scheme:dark){.padded{stroke:#6ea8ff}.area{fill:#4fd39a}.unpadded{stroke:#ffa066}"
    ".occupied{stroke:#4fd39a}.base{fill:#a79aee}.untraced{fill:#e0a264}.room{stroke:#66707b}}\n";

/* A heap's part of the curve, or the one row of a space without a heap. */
typedef struct usage {
  const mv_module *module;
  const mv_space *space;
  const mv_heap *heap; /* NULL without */
  const mv_position *positions;
  int64_t count;
  int64_t room; /* what is live throughout, and the allocation; -1 when the heap has none */
  mv_panel panel;
} usage;

static int64_t peak_of_heap(const mv_module *m, const mv_heap *heap) {
  (void)m;
  return heap->peak_bytes;
}

static int64_t capped_sum(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static usage usage_of(const mv_module *m, const mv_space *s, const mv_heap *heap) {
  usage u = {.module = m, .space = s, .heap = heap, .room = -1};
  u.positions = &m->positions[heap != NULL ? heap->first_position : s->first_position];
  u.count = heap != NULL ? heap->event_count + 1 : 1;
  if (heap != NULL && heap->allocation != MV_NONE) {
    u.room = capped_sum(mv_space_resident_bytes(s), m->allocations[heap->allocation].size_bytes);
  }
  return u;
}

static const mv_position *peak_of(const usage *u) {
  return &u->positions[u->heap != NULL ? u->heap->peak_position : 0];
}

/* The largest size without padding. Packed types need less than that; what damaged files claim may be any number. */
static int64_t most_unpadded(const usage *u) {
  int64_t most = 0;
  for (int64_t p = 0; u->module->has_module && p < u->count; p++) {
    most = u->positions[p].unpadded_bytes > most ? u->positions[p].unpadded_bytes : most;
  }
  return most;
}

/* The most that the panel shows. */
static int64_t most_of(const usage *u) {
  const int64_t peak = peak_of(u)->bytes;
  const int64_t most = u->room > peak ? u->room : peak;
  const int64_t unpadded = most_unpadded(u);
  const int64_t twice = capped_sum(most, most);
  return unpadded <= most ? most : unpadded < twice ? unpadded : twice;
}

static void draw_curve(mv_text *svg, const usage *u, const char *class_name, size_t field) {
  const mv_curve curve = {
      .values = (const char *)u->positions + field,
      .stride = sizeof *u->positions,
      .count = u->count,
      .x = u->panel.x,
      .y = u->panel.y,
  };
  mv_text_format(svg, "<path class=\"%s\" d=\"", class_name);
  mv_curve_path(svg, &curve);
  if (strcmp(class_name, "area") == 0) { /* down to what is live throughout, and back */
    const int64_t floor = mv_scale_at(&u->panel.y, mv_space_resident_bytes(u->space));
    mv_text_char(svg, 'V');
    mv_place_add(svg, floor);
    mv_text_char(svg, 'H');
    mv_place_add(svg, u->panel.x0);
    mv_text_char(svg, 'z');
  }
  mv_text_add(svg, "\"/>\n");
}

/* What is live at every position, as a band of `bytes` that stands on `below`. */
static void draw_band(mv_text *svg, const usage *u, const char *class_name, int64_t below, int64_t bytes,
                      const char *name, const char *meaning) {
  const mv_panel *p = &u->panel;
  const int64_t low = mv_scale_at(&p->y, below);
  const int64_t high = mv_scale_at(&p->y, below + bytes);
  if (bytes <= 0) {
    return;
  }
  mv_svg_rect(svg, class_name, p->x0, high, p->x1 - p->x0, low - high);
  mv_text_format(svg, "><title>%s ", name);
  mv_text_size(svg, bytes);
  mv_text_format(svg, ": %s</title></rect>\n", meaning);
  if (low - high > 18 * MV_PX) {
    mv_svg_text(svg, "axis halo", p->x0 + 8 * MV_PX, low - 6 * MV_PX);
    mv_text_format(svg, "%s ", name);
    mv_text_size(svg, bytes);
    mv_text_add(svg, "</text>\n");
  }
}

static void draw_bands(mv_text *svg, const usage *u) {
  const mv_space *s = u->space;
  draw_band(svg, u, "base", 0, s->baseline_bytes, "baseline", "parameters, constants and results, live throughout");
  if (mv_space_shows_untraced(s)) {
    draw_band(svg, u, "untraced", s->baseline_bytes, s->untraced_bytes, "untraced",
              "temporaries without a heap trace, counted throughout");
  }
}

/* The line of what is allocated, named on the side where the peak is not. */
static void draw_room(mv_text *svg, const usage *u, bool is_peak_right) {
  const mv_panel *p = &u->panel;
  if (u->room < 0) {
    return;
  }
  const int64_t y = mv_scale_at(&p->y, u->room);
  mv_svg_line(svg, "room", p->x0, y, p->x1, y);
  mv_svg_text(svg, is_peak_right ? "axis halo" : "axis halo end", is_peak_right ? p->x0 + 8 * MV_PX : p->x1 - 8 * MV_PX,
              y - p->y0 > 18 * MV_PX ? y - 5 * MV_PX : y + 14 * MV_PX);
  mv_text_add(svg, "allocated ");
  mv_text_size(svg, u->room);
  mv_text_add(svg, "</text>\n");
}

static void draw_peak(mv_text *svg, const usage *u, bool is_peak_right) {
  const mv_panel *p = &u->panel;
  const mv_position *peak = peak_of(u);
  const int64_t left = mv_scale_at(&p->x, peak->position);
  const int64_t x = (left + mv_scale_at(&p->x, peak->position + 1)) / 2;
  const int64_t y = mv_scale_at(&p->y, peak->bytes);
  mv_svg_line(svg, "mark", x, y, x, p->y1);
  mv_text_add(svg, "<circle class=\"hot\"");
  mv_svg_place(svg, "cx", x);
  mv_svg_place(svg, "cy", y);
  mv_text_add(svg, " r=\"4\"/>\n");
  mv_svg_text(svg, is_peak_right ? "hot strong halo end" : "hot strong halo",
              is_peak_right ? x - 9 * MV_PX : x + 9 * MV_PX, y + 20 * MV_PX < p->y1 ? y + 16 * MV_PX : y - 8 * MV_PX);
  mv_text_add(svg, "peak ");
  mv_text_size(svg, peak->bytes);
  mv_text_add(svg, " at ");
  mv_count_add(svg, peak->position);
  const mv_bytes name = mv_module_bytes(u->module, peak->instruction);
  if (name.size > 0) {
    mv_text_add(svg, ", ");
    mv_label_xml(svg, name, NAME);
  }
  mv_text_add(svg, "</text>\n");
}

static void draw_caption(mv_text *svg, const usage *u) {
  const mv_panel *p = &u->panel;
  mv_svg_text(svg, "axis", p->x0, p->y0 - 8 * MV_PX);
  if (u->heap == NULL) {
    mv_text_add(svg, u->space->untraced_bytes > 0 ? "no heap trace: nothing tells when temporaries live</text>\n"
                                                  : "no heap trace: all of it is live throughout</text>\n");
    return;
  }
  if (u->heap->allocation != MV_NONE) {
    mv_text_format(svg, "heap in allocation %" PRId64, u->module->allocations[u->heap->allocation].id);
  } else {
    mv_text_add(svg, "heap without an allocation");
  }
  mv_text_add(svg, ", ");
  mv_count_add(svg, u->heap->event_count);
  mv_text_add(svg, " events</text>\n");
}

/* From right to left above the first panel. */
static void draw_legend(mv_text *svg, const usage *u) {
  static const struct {
    const char *class_name;
    const char *words;
    int width; /* pixels */
  } items[] = {{"untraced", "untraced", 84},
               {"base", "baseline", 84},
               {"occupied", "addresses in use", 140},
               {"unpadded", "without padding", 134},
               {"padded", "with padding", 116}};
  int64_t x = u->panel.x1;
  const int64_t y = u->panel.y0 - 12 * MV_PX;
  for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
    const bool is_base = strcmp(items[i].class_name, "base") == 0;
    const bool is_untraced = strcmp(items[i].class_name, "untraced") == 0;
    if ((strcmp(items[i].class_name, "unpadded") == 0 && !u->module->has_module) ||
        (is_base && u->space->baseline_bytes == 0) || (is_untraced && !mv_space_shows_untraced(u->space))) {
      continue;
    }
    x -= items[i].width * MV_PX;
    if (is_base || is_untraced) {
      mv_svg_rect(svg, items[i].class_name, x, y - 5 * MV_PX, 18 * MV_PX, 10 * MV_PX);
      mv_text_add(svg, "/>\n");
    } else {
      mv_svg_line(svg, items[i].class_name, x, y, x + 18 * MV_PX, y);
    }
    mv_svg_words(svg, "axis", x + 23 * MV_PX, y + 4 * MV_PX, items[i].words);
  }
}

static void draw_panel(mv_text *svg, const usage *u) {
  const mv_panel *p = &u->panel;
  const int64_t peak = mv_scale_at(&p->x, peak_of(u)->position);
  const bool is_peak_right = peak - p->x0 > (p->x1 - p->x0) / 2;
  mv_panel_draw(svg, p, true);
  draw_bands(svg, u);
  draw_curve(svg, u, "area", offsetof(mv_position, occupied_bytes));
  draw_room(svg, u, is_peak_right);
  draw_curve(svg, u, "occupied", offsetof(mv_position, occupied_bytes));
  draw_curve(svg, u, "padded", offsetof(mv_position, bytes));
  if (u->module->has_module) { /* dashed, so that both are seen where they are the same */
    draw_curve(svg, u, "unpadded", offsetof(mv_position, unpadded_bytes));
  }
  draw_peak(svg, u, is_peak_right);
  draw_caption(svg, u);
  mv_svg_rect(svg, "frame", p->x0, p->y0, p->x1 - p->x0, p->y1 - p->y0);
  mv_text_add(svg, "/>\n");
}

/* The heaps that have no panel, with their peaks. */
static void note_others(mv_text *notes, const mv_module *m, const mv_space *s, const uint32_t *shown, size_t count) {
  size_t others = 0;
  size_t next = 0;
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    if (next < count && shown[next] == h) {
      next++;
      continue;
    }
    if (others++ < LISTED) {
      mv_text_add(notes, others == 1 ? "Heaps with smaller peaks, not drawn: " : ", ");
      if (m->heaps[h].allocation != MV_NONE) {
        mv_text_format(notes, "allocation %" PRId64 " (", m->allocations[m->heaps[h].allocation].id);
      } else {
        mv_text_add(notes, "without an allocation (");
      }
      mv_text_size(notes, m->heaps[h].peak_bytes);
      mv_text_char(notes, ')');
    }
  }
  if (others > LISTED) {
    mv_text_format(notes, " and %zu more", others - LISTED);
  }
  if (others > 0) {
    mv_text_char(notes, '\n');
  }
}

/* A line that leaves its panel. */
static void note_beyond(mv_text *notes, const usage *u) {
  const int64_t unpadded = most_unpadded(u);
  if (unpadded > u->panel.y.most) {
    mv_text_add(notes, "Without padding it is up to ");
    mv_text_size(notes, unpadded);
    mv_text_add(notes, ", beyond the axis\n");
  }
}

static void describe(mv_chart *chart, const mv_space *s) {
  mv_text *line = &chart->subtitle;
  mv_text_add(line, " \xC2\xB7 peak ");
  mv_text_size(line, s->peak_bytes);
  if (chart->picture->module->has_module) {
    const bool is_padded = s->peak_bytes >= s->peak_unpadded_bytes;
    mv_text_add(line, is_padded ? ", of it " : ", ");
    mv_text_size(line, is_padded ? s->peak_bytes - s->peak_unpadded_bytes : s->peak_unpadded_bytes);
    mv_text_add(line, is_padded ? " padding" : " without padding");
  }
  mv_text_add(line, " \xC2\xB7 baseline ");
  mv_text_size(line, s->baseline_bytes);
  if (mv_space_shows_untraced(s)) {
    mv_text_add(line, " \xC2\xB7 untraced ");
    mv_text_size(line, s->untraced_bytes);
  }
  mv_text_add(line, " \xC2\xB7 allocated ");
  mv_text_size(line, s->total_bytes);
  if (s->heap_count > 1) {
    mv_text_add(&chart->notes, "Each panel shows what is live throughout and one heap; the peak above is that and the "
                               "peaks of all heaps\n");
  }
}

bool mv_usage_svg(mv_text *out, const mv_picture *picture, mv_status *status) {
  mv_chart chart = {.out = out, .picture = picture, .kind = "Memory usage"};
  if (picture->space == MV_NONE) {
    const bool drawn =
        mv_chart_empty(&chart, "The module has no memory space: its buffer assignment has no allocations.", status);
    mv_chart_free(&chart);
    return drawn;
  }
  const mv_module *m = picture->module;
  const mv_space *s = &m->spaces[picture->space];
  uint32_t shown[PANELS];
  size_t count;
  mv_arena *arena = mv_arena_new(status);
  bool ok = arena != NULL && mv_largest_heaps(shown, &count, PANELS, m, picture->space, peak_of_heap, arena, status);
  mv_arena_free(arena);
  if (!ok || !mv_check_interrupt(picture->limits, status)) {
    return false;
  }
  describe(&chart, s);
  if (s->peak_bytes == 0) {
    ok = mv_chart_empty(&chart, "All of this memory space takes 0 bytes.", status);
    mv_chart_free(&chart);
    return ok;
  }
  note_others(&chart.notes, m, s, shown, count);
  const size_t panels = count > 0 ? count : 1;
  const int64_t share = HEIGHT / (int64_t)panels;
  const int64_t height = share < MIN_HEIGHT ? MIN_HEIGHT : share;
  const int64_t whole = (int64_t)panels * (height + MV_CHART_AXIS) + ((int64_t)panels - 1) * CAPTION;
  usage usages[PANELS];
  for (size_t i = 0; i < panels; i++) {
    usage *u = &usages[i];
    *u = usage_of(m, s, count > 0 ? &m->heaps[shown[i]] : NULL);
    const int64_t most = most_of(u);
    const int64_t top = MV_CHART_TOP + (int64_t)i * (height + MV_CHART_AXIS + CAPTION);
    u->panel = mv_panel_of(top, height, u->count, capped_sum(most, most / 10));
    note_beyond(&chart.notes, u);
  }
  for (size_t i = 0; i < panels; i++) {
    draw_panel(&chart.body, &usages[i]);
  }
  draw_legend(&chart.body, &usages[0]);
  ok = mv_chart_finish(&chart, whole, STYLE, status);
  mv_chart_free(&chart);
  return ok;
}
