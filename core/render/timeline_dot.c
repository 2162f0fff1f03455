/* timeline_dot.c: a point is a pixel, and y grows upwards. Nodes are drawn in the order in which they stand. */
#include <inttypes.h>

#include "render/card.h"
#include "render/palette.h"
#include "render/timeline.h"

static const mv_timeline_room ROOM = {.cards = 4000, .boxes = 6000};

enum {
  MERGED_RECTANGLES = 1500,
  FONT = 10,      /* points; a character of Courier is 0.6 em wide */
  CHAR_WIDTH = 6, /* points */
  CHARS = 40,
  CHECK_EVERY = 256,
};

#define REPLACEMENT "\xEF\xBF\xBD"

/* Append bytes inside the quotes of an escString: graphviz reads escapes, and entities as in HTML, and writes SVG from
 * it, so that what XML forbids must go. */
static void add_escaped(mv_text *dot, mv_bytes bytes) {
  mv_text clean = MV_TEXT_INIT;
  mv_text_bytes(&clean, bytes);
  dot->failed = dot->failed || clean.failed;
  for (size_t i = 0; i < clean.size; i++) {
    const char c = clean.data[i];
    switch (c) {
      case '\\': mv_text_add(dot, "\\\\"); break;
      case '"': mv_text_add(dot, "\\\""); break;
      case '&': mv_text_add(dot, "&amp;"); break;
      case '\n': mv_text_add(dot, "\\n"); break;
      default:
        if ((unsigned char)c < 0x20) {
          mv_text_add(dot, REPLACEMENT);
        } else if (clean.size - i >= 3 && memcmp(clean.data + i, "\xEF\xBF", 2) == 0 &&
                   (unsigned char)clean.data[i + 2] >= 0xBE) { /* U+FFFE and U+FFFF */
          mv_text_add(dot, REPLACEMENT);
          i += 2;
        } else {
          mv_text_char(dot, c);
        }
    }
  }
  mv_text_free(&clean);
}

/* A length in places as inches: a point is 1/72 of one. */
static void add_inches(mv_text *dot, int64_t length) {
  const int64_t fraction = length * 100 / 72; /* in ten thousandths */
  mv_text_format(dot, "%" PRId64 ".%04" PRId64, fraction / 10000, fraction % 10000);
}

/* `  n1 [pos="x,y" width= height=`, open: attributes and "];" follow. */
static void open_node(mv_text *dot, char kind, size_t number, const mv_timeline *t, int64_t x0, int64_t y0, int64_t x1,
                      int64_t y1) {
  mv_text_format(dot, "  %c%zu [pos=\"", kind, number);
  mv_place_add(dot, (x0 + x1) / 2);
  mv_text_char(dot, ',');
  mv_place_add(dot, (MV_CHART_TOP + t->height) * MV_PX - (y0 + y1) / 2);
  mv_text_add(dot, "\" width=");
  add_inches(dot, x1 - x0);
  mv_text_add(dot, " height=");
  add_inches(dot, y1 - y0);
}

static void add_frame(mv_text *dot, const mv_timeline *t, size_t i, const mv_module *m) {
  const mv_frame_box *f = &t->frames[i];
  const mv_panel *p = &f->panel;
  open_node(dot, 'f', i, t, p->x0, p->y0, p->x1, p->y1);
  mv_text_add(dot, " fillcolor=\"#f7f8fa\" color=\"#8c959f\" tooltip=\"\"];\n");
  open_node(dot, 't', i, t, p->x0, p->y0 - 20 * MV_PX, p->x1, p->y0);
  mv_text_add(dot, " shape=plaintext style=\"\" tooltip=\"\" label=\"");
  if (f->heap->allocation != MV_NONE) {
    mv_text_format(dot, "allocation %" PRId64 ", ", m->allocations[f->heap->allocation].id);
  }
  mv_text_size(dot, f->size_bytes);
  mv_text_add(dot, ", peak ");
  mv_text_size(dot, f->heap->peak_bytes);
  mv_text_format(dot, " at position %" PRId64 " of %" PRId64 "\"];\n", f->heap->peak_position, f->heap->event_count);
}

typedef struct merged {
  mv_text *dot;
  const mv_timeline *timeline;
  size_t count;
} merged;

static void add_merged(void *arg, int64_t x, int64_t y, int64_t width, int64_t height) {
  merged *g = arg;
  open_node(g->dot, 'm', g->count++, g->timeline, x * MV_PX, y * MV_PX, (x + width) * MV_PX, (y + height) * MV_PX);
  mv_text_add(g->dot, " fillcolor=\"#a7afb8\" color=\"#a7afb8\" penwidth=0 tooltip=\"small blocks, merged\"];\n");
}

static void add_label(mv_text *dot, const mv_module *m, const mv_box *box, const mv_live *live) {
  enum { MIN_CHARS = 5, MIN_HEIGHT = 14, INSET = 8 };
  const int64_t room = ((box->x1 - box->x0) / MV_PX - INSET) / CHAR_WIDTH;
  if (room < MIN_CHARS || box->y1 - box->y0 < MIN_HEIGHT * MV_PX) {
    return;
  }
  mv_text name = MV_TEXT_INIT;
  mv_card_name(&name, m, live, room < CHARS ? (size_t)room : CHARS);
  mv_text_add(dot, " label=\"");
  add_escaped(dot, mv_bytes_of(name.data, name.size));
  mv_text_char(dot, '"');
  dot->failed = dot->failed || name.failed;
  mv_text_free(&name);
}

static bool add_boxes(mv_text *dot, const mv_picture *picture, const mv_timeline *t, mv_card *card, mv_status *status) {
  const mv_module *m = picture->module;
  for (size_t i = 0; i < t->box_count; i++) {
    const mv_box *box = &t->boxes[i];
    const mv_block *block = &m->blocks[box->block];
    if (i % CHECK_EVERY == 0 && !mv_check_interrupt(picture->limits, status)) {
      return false;
    }
    const mv_live live = mv_live_of_block(m, block);
    mv_text_clear(&card->text);
    if (box->has_card && !mv_card_write(card, &live, m->heaps[block->heap].event_count, dot->size, status)) {
      return false;
    }
    open_node(dot, 'b', i, t, box->x0, box->y0, box->x1, box->y1);
    mv_text_add(dot, " fillcolor=\"");
    mv_rgb_add(dot, mv_palette[box->swatch].light_fill);
    mv_text_add(dot, "\" color=\"");
    mv_rgb_add(dot, mv_palette[box->swatch].light_stroke);
    mv_text_char(dot, '"');
    add_label(dot, m, box, &live);
    mv_text_add(dot, " tooltip=\"");
    add_escaped(dot, mv_bytes_of(card->text.data, card->text.size));
    mv_text_add(dot, "\"];\n");
  }
  return true;
}

static void add_head(mv_text *dot) {
  mv_text_format(dot,
                 "graph timeline {\n  graph [outputorder=nodesfirst];\n"
                 "  node [shape=box fixedsize=shape margin=0 style=filled label=\"\" penwidth=0.5 "
                 "fontname=\"Courier\" fontsize=%d];\n",
                 FONT);
}

/* Title, subtitle and notes as the graph's label; or why there is nothing. */
static void add_foot(mv_text *dot, const mv_chart *chart, const char *problem) {
  mv_text title = MV_TEXT_INIT;
  mv_text_add(&title, "Allocation timeline of ");
  mv_chart_module(&title, chart->picture->module);
  if (chart->picture->space != MV_NONE) {
    mv_text_add(&title, ", ");
    mv_chart_space(&title, chart->picture);
  }
  mv_text_add(dot, "  graph [labelloc=t fontname=\"Helvetica\" fontsize=14 label=\"");
  add_escaped(dot, mv_bytes_of(title.data, title.size));
  add_escaped(dot, mv_bytes_of(chart->subtitle.data, chart->subtitle.size));
  mv_text_add(dot, "\\n");
  add_escaped(dot, mv_bytes_of(chart->notes.data, chart->notes.size));
  add_escaped(dot, mv_bytes_of_string(problem));
  mv_text_add(dot, "\"];\n}\n");
  dot->failed = dot->failed || title.failed;
  mv_text_free(&title);
}

bool mv_timeline_dot(mv_text *out, const mv_picture *picture, mv_status *status) {
  mv_chart chart = {.out = out, .picture = picture};
  mv_card card = {.module = picture->module, .arena = mv_arena_new(status)};
  mv_arena *arena = mv_arena_new(status);
  mv_timeline t;
  bool ok = arena != NULL && card.arena != NULL && mv_timeline_lay_out(&t, picture, ROOM, arena, status);
  if (ok) {
    mv_timeline_describe(&chart, &t);
    const char *problem = mv_timeline_problem(picture, &t);
    add_head(out);
    for (size_t i = 0; problem == NULL && i < t.frame_count; i++) {
      add_frame(out, &t, i, picture->module);
    }
    if (problem == NULL && t.merged_count > 0) {
      merged g = {out, &t, 0};
      mv_raster_rectangles(&t.merged, MERGED_RECTANGLES, add_merged, &g);
    }
    ok = problem != NULL || add_boxes(out, picture, &t, &card, status);
    mv_card_note(&chart.notes, &card);
    add_foot(out, &chart, problem);
  }
  ok = ok && ((!out->failed && !chart.notes.failed && !chart.subtitle.failed) || mv_fail_nomem(status));
  mv_chart_free(&chart);
  mv_card_free(&card);
  mv_arena_free(arena);
  return ok;
}
