#include <inttypes.h>

#include "render/card.h"
#include "render/label.h"
#include "render/palette.h"
#include "render/timeline.h"

static const mv_timeline_room ROOM = {.cards = 4000, .boxes = 24000};

enum {
  MERGED_RECTANGLES = 6000,
  CHAR_PERMILLE = 6622, /* width of a character of the class "name": 0.602 em of 11 px, in thousandths of a pixel */
  LINE = 13,            /* pixels from line to line in a box */
  INSET = 5,            /* pixels left free at the ends of a label */
  CHARS = 60,           /* most of a label */
  CHECK_EVERY = 256,
};

static const char STYLE[] = ".box{stroke-width:.6}.box:hover{stroke-width:2}.small{font-size:10px;opacity:.8}\n";

static void draw_caption(mv_text *svg, const mv_module *m, const mv_frame_box *f) {
  const mv_panel *p = &f->panel;
  const int64_t y = p->y0 - 8 * MV_PX;
  const int64_t peak = mv_scale_at(&p->x, f->heap->peak_position);
  const bool is_peak_left = peak - p->x0 < (p->x1 - p->x0) / 2;
  mv_svg_text(svg, is_peak_left ? "axis end" : "axis", is_peak_left ? p->x1 : p->x0, y);
  if (f->heap->allocation != MV_NONE) {
    mv_text_format(svg, "allocation %" PRId64 " \xC2\xB7 ", m->allocations[f->heap->allocation].id);
  } else {
    mv_text_add(svg, "heap without an allocation \xC2\xB7 ");
  }
  mv_text_size(svg, f->size_bytes);
  mv_text_add(svg, " \xC2\xB7 ");
  mv_count_add(svg, f->heap->block_count);
  mv_text_add(svg, " blocks in ");
  mv_count_add(svg, f->heap->event_count);
  mv_text_add(svg, " events</text>\n");
  mv_svg_text(svg, is_peak_left ? "hot strong" : "hot strong end",
              is_peak_left && peak - p->x0 < 2 * MV_PX ? p->x0 : peak, y);
  mv_text_add(svg, "peak ");
  mv_text_size(svg, f->heap->peak_bytes);
  mv_text_add(svg, " at ");
  mv_count_add(svg, f->heap->peak_position);
  mv_text_add(svg, "</text>\n");
}

static void draw_merged(mv_text *svg, mv_timeline *t) {
  if (t->merged_count == 0) {
    return;
  }
  mv_text_add(svg, "<path class=\"merged\" d=\"");
  mv_raster_path(svg, &t->merged, MERGED_RECTANGLES);
  mv_text_add(svg, "\"><title>");
  mv_count_add(svg, t->merged_count);
  mv_text_add(svg, " small blocks, merged</title></path>\n");
}

/* Boxes without a card: one path for each swatch. */
static void draw_plain(mv_text *svg, const mv_timeline *t) {
  for (int swatch = 0; swatch < MV_PALETTE_SIZE && t->plain_count > 0; swatch++) {
    mv_text_format(svg, "<path class=\"box c%d\" d=\"M0 0", swatch);
    for (size_t i = 0; i < t->box_count; i++) {
      const mv_box *box = &t->boxes[i];
      if (box->has_card || box->swatch != swatch) {
        continue;
      }
      mv_text_char(svg, 'M');
      mv_place_add(svg, box->x0);
      mv_text_char(svg, ' ');
      mv_place_add(svg, box->y0);
      mv_text_char(svg, 'h');
      mv_place_add(svg, box->x1 - box->x0);
      mv_text_char(svg, 'v');
      mv_place_add(svg, box->y1 - box->y0);
      mv_text_char(svg, 'H');
      mv_place_add(svg, box->x0);
      mv_text_char(svg, 'z');
    }
    mv_text_add(svg, "\"/>\n");
  }
}

static bool draw_boxes(mv_chart *chart, const mv_timeline *t, mv_card *card, mv_status *status) {
  mv_text *svg = &chart->body;
  const mv_module *m = chart->picture->module;
  for (size_t i = 0; i < t->box_count; i++) {
    const mv_box *box = &t->boxes[i];
    const mv_block *block = &m->blocks[box->block];
    if (i % CHECK_EVERY == 0 && !mv_check_interrupt(chart->picture->limits, status)) {
      return false;
    }
    if (!box->has_card) {
      continue;
    }
    char class_name[16] = "box c";
    class_name[5] = (char)(box->swatch < 10 ? '0' + box->swatch : '1');
    class_name[6] = (char)(box->swatch < 10 ? '\0' : '0' + box->swatch - 10);
    mv_svg_rect(svg, class_name, box->x0, box->y0, box->x1 - box->x0, box->y1 - box->y0);
    mv_text_char(svg, '>');
    const mv_live live = mv_live_of_block(m, block);
    if (!mv_card_title(svg, card, &live, m->heaps[block->heap].event_count, status)) {
      return false;
    }
    mv_text_add(svg, "</rect>\n");
  }
  mv_card_note(&chart->notes, card);
  return true;
}

/* How many characters of the class "name" fit in so many places. */
static size_t fitting(int64_t length) {
  const int64_t room = length - 2 * INSET * MV_PX;
  const int64_t count = room > 0 ? room * 10 / CHAR_PERMILLE : 0;
  return count > CHARS ? CHARS : (size_t)count;
}

typedef struct labels {
  mv_text *svg;
  const mv_module *module;
  mv_raster taken; /* where labels are: two of blocks that overlap could not be read */
  mv_text name;
  mv_text size;
} labels;

/* A text whose middle lies `down` pixels across the middle of the box. */
static void add_line(labels *l, const mv_box *box, bool is_upright, int64_t down, const char *class_name,
                     const mv_text *words) {
  const int64_t x = (box->x0 + box->x1) / 2;
  const int64_t y = (box->y0 + box->y1) / 2;
  const int64_t base = (down + 4) * MV_PX; /* from the middle of a line to where its letters stand */
  if (is_upright) {
    mv_text_add(l->svg, "<text class=\"");
    mv_text_add(l->svg, class_name);
    mv_text_add(l->svg, "\" transform=\"translate(");
    mv_place_add(l->svg, x + base);
    mv_text_char(l->svg, ' ');
    mv_place_add(l->svg, y);
    mv_text_add(l->svg, ")rotate(-90)\">");
  } else {
    mv_svg_text(l->svg, class_name, x, y + base);
  }
  mv_text_xml(l->svg, mv_bytes_of(words->data, words->size));
  mv_text_add(l->svg, "</text>\n");
}

/* The name, with the size below or behind it where there is room; upright in boxes that are higher than wide. */
static void draw_label(labels *l, const mv_box *box) {
  enum { MIN_CHARS = 5 };
  const int64_t width = box->x1 - box->x0;
  const int64_t height = box->y1 - box->y0;
  const bool is_upright = width < MIN_CHARS * 10 * MV_PX && height > 2 * width;
  const size_t chars = fitting(is_upright ? height : width);
  const int64_t across = is_upright ? width : height;
  if (chars < MIN_CHARS || across < LINE * MV_PX) {
    return;
  }
  const mv_live live = mv_live_of_block(l->module, &l->module->blocks[box->block]);
  mv_text_clear(&l->name);
  mv_text_clear(&l->size);
  mv_card_name(&l->name, l->module, &live, chars);
  mv_text_size(&l->size, live.size_bytes);
  const bool is_below = across >= 2 * LINE * MV_PX && l->size.size <= chars;
  if (!is_below && l->name.size + l->size.size + 3 <= chars) {
    mv_text_add(&l->name, " \xC2\xB7 ");
    mv_text_add(&l->name, l->size.data != NULL ? l->size.data : "");
  }
  const size_t cells = mv_label_length(mv_bytes_of(l->name.data, l->name.size), chars);
  const int64_t half = (int64_t)cells * CHAR_PERMILLE / 20;
  const int64_t half_across = (is_below ? LINE : LINE / 2) * MV_PX;
  const int64_t x = (box->x0 + box->x1) / 2;
  const int64_t y = (box->y0 + box->y1) / 2;
  const int64_t dx = is_upright ? half_across : half;
  const int64_t dy = is_upright ? half : half_across;
  if (mv_raster_is_painted(&l->taken, x - dx, y - dy, x + dx, y + dy)) {
    return;
  }
  mv_raster_paint(&l->taken, x - dx, y - dy, x + dx, y + dy);
  add_line(l, box, is_upright, is_below ? -LINE / 2 : 0, "name mid", &l->name);
  if (is_below) {
    add_line(l, box, is_upright, LINE / 2, "name mid small", &l->size);
  }
  l->svg->failed = l->svg->failed || l->name.failed || l->size.failed;
}

static bool draw_labels(mv_chart *chart, const mv_timeline *t, mv_arena *arena, mv_status *status) {
  labels l = {.svg = &chart->body, .module = chart->picture->module};
  if (!mv_raster_new(&l.taken, MV_CHART_WIDTH, MV_CHART_TOP + t->height, arena, status)) {
    return false;
  }
  for (size_t i = 0; i < t->box_count; i++) {
    draw_label(&l, &t->boxes[i]);
  }
  mv_text_free(&l.name);
  mv_text_free(&l.size);
  return true;
}

static bool draw(mv_chart *chart, mv_timeline *t, mv_card *card, mv_arena *arena, mv_status *status) {
  mv_text *svg = &chart->body;
  const mv_module *m = chart->picture->module;
  for (size_t i = 0; i < t->frame_count; i++) {
    mv_panel_draw(svg, &t->frames[i].panel, true);
  }
  draw_merged(svg, t);
  draw_plain(svg, t);
  if (!draw_boxes(chart, t, card, status)) {
    return false;
  }
  for (size_t i = 0; i < t->frame_count; i++) {
    const mv_frame_box *f = &t->frames[i];
    const mv_panel *p = &f->panel;
    const int64_t peak = mv_scale_at(&p->x, f->heap->peak_position);
    mv_svg_rect(svg, "frame", p->x0, p->y0, p->x1 - p->x0, p->y1 - p->y0);
    mv_text_add(svg, "/>\n");
    mv_svg_line(svg, "mark", peak, p->y0 - 5 * MV_PX, peak, p->y1);
    draw_caption(svg, m, f);
  }
  if (!draw_labels(chart, t, arena, status)) {
    return false;
  }
  mv_text style = MV_TEXT_INIT;
  mv_text_add(&style, STYLE);
  mv_chart_swatches(&style);
  svg->failed = svg->failed || style.failed;
  const bool ok = mv_chart_finish(chart, t->height, style.data, status);
  mv_text_free(&style);
  return ok;
}

bool mv_timeline_svg(mv_text *out, const mv_picture *picture, mv_status *status) {
  mv_chart chart = {.out = out, .picture = picture, .kind = "Allocation timeline"};
  mv_card card = {.module = picture->module, .arena = mv_arena_new(status)};
  mv_arena *arena = mv_arena_new(status);
  mv_timeline t;
  bool ok = arena != NULL && card.arena != NULL && mv_timeline_lay_out(&t, picture, ROOM, arena, status);
  if (ok) {
    mv_timeline_describe(&chart, &t);
    const char *problem = mv_timeline_problem(picture, &t);
    ok = problem != NULL ? mv_chart_empty(&chart, problem, status) : draw(&chart, &t, &card, arena, status);
  }
  mv_chart_free(&chart);
  mv_card_free(&card);
  mv_arena_free(arena);
  return ok;
}
