/* peak_svg.c: the buffers at the peak as bars, and the largest of them as a list that names what the bars can't.
 *
 *   size, program   a bar is a buffer's size, what of it is padding lighter on top
 *   padding         a bar is the padding alone
 *
 * The list has the first bars; in program order, where these say little, the largest.
 *
 * Bars under half a pixel wide or high are merged: in each column of pixels one grey bar as high as the highest.
 */
#include <inttypes.h>

#include "base/sort.h"
#include "model/instruction.h"
#include "render/card.h"
#include "render/chart.h"
#include "render/label.h"
#include "render/palette.h"

enum {
  HEIGHT = 320, /* pixels of the bars' panel */
  LISTED = 12,
  ROW = 22,      /* pixels from row to row of the list */
  LIST_TOP = 40, /* from the panel's lower end to the list's heading */
  CHECK_EVERY = 256,
};

static const char STYLE[] = ".bar{stroke-width:.5}.bar:hover{stroke-width:2}.pad{fill-opacity:.35}\n"
                            ".cell{font-size:11px}.rule{stroke:#e1e5ea;fill:none}\n"
                            "@media (prefers-color-scheme:dark){.rule{stroke:#262e37}}\n";

typedef struct bars {
  const mv_picture *picture;
  mv_live *items; /* in the order of the picture */
  uint8_t *swatches;
  size_t listed[LISTED]; /* into items */
  size_t count;
  size_t slots; /* bars there is room for: those of `count` that are high enough, and one for the rest of them */
  size_t rest;  /* too low to be seen, the last in an order by height: one grey bar as high as all together */
  int64_t rest_bytes;
  int64_t merged_count;
  mv_panel panel;
} bars;

static int64_t padding_of(const mv_live *live) {
  const bool is_padded = live->unpadded_bytes >= 0 && live->unpadded_bytes < live->size_bytes;
  return is_padded ? live->size_bytes - live->unpadded_bytes : 0;
}

static int64_t height_of(const bars *b, const mv_live *live) {
  return b->picture->order == MV_ORDER_PADDING ? padding_of(live) : live->size_bytes;
}

/* The swatches of the buffers as in the timeline; those that began no block have the one they like. */
static bool find_swatches(uint8_t *swatches, const mv_live_list *live, const mv_picture *picture, mv_arena *arena,
                         mv_status *status) {
  const mv_module *m = picture->module;
  const mv_space *s = &m->spaces[picture->space];
  size_t next = 0;
  /* the baseline and what is untraced stand first */
  for (; next < live->count && live->items[next].offset_bytes < 0; next++) {
    const uint32_t buffer = live->items[next].buffer;
    swatches[next] = buffer != MV_NONE ? mv_palette_of(m, &m->buffers[buffer]) : 0;
  }
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    const mv_heap *heap = &m->heaps[h];
    const uint8_t *of_heap = mv_palette_of_heap(m, heap, picture->limits, arena, status);
    if (of_heap == NULL) {
      return false;
    }
    for (uint32_t i = 0; i < heap->block_count && next < live->count; i++) {
      const mv_block *block = &m->blocks[heap->first_block + i];
      if (block->buffer == live->items[next].buffer && block->start == live->items[next].start_position) {
        swatches[next++] = of_heap[i];
      }
    }
  }
  return true;
}

/* What is live at the peak, with its swatches, in the order that was asked for. */
static bool collect(bars *b, mv_arena *arena, mv_status *status) {
  mv_live_list live;
  if (!mv_live_at(&live, b->picture->module, b->picture->space, -1, arena, status)) {
    return false;
  }
  uint8_t *swatches = mv_arena_zalloc(arena, live.count, 1, status);
  mv_keyed *keys = mv_sort_alloc(arena, live.count, status);
  b->items = mv_arena_alloc(arena, live.count * sizeof *b->items, status);
  b->swatches = mv_arena_zalloc(arena, live.count, 1, status);
  if (swatches == NULL || keys == NULL || b->items == NULL || b->swatches == NULL ||
      !find_swatches(swatches, &live, b->picture, arena, status)) {
    return false;
  }
  for (size_t i = 0; i < live.count; i++) {
    const uint64_t largest_first = UINT64_MAX - (uint64_t)height_of(b, &live.items[i]);
    keys[i] = (mv_keyed){b->picture->order == MV_ORDER_PROGRAM ? i : largest_first, (uint32_t)i};
  }
  mv_sort(keys, live.count);
  for (size_t i = 0; i < live.count; i++) {
    b->items[i] = live.items[keys[i].index];
    b->swatches[i] = swatches[keys[i].index];
  }
  b->count = live.count;
  for (size_t i = 0; i < b->count; i++) {
    keys[i] = (mv_keyed){UINT64_MAX - (uint64_t)height_of(b, &b->items[i]), (uint32_t)i};
  }
  mv_sort(keys, b->count);
  for (size_t i = 0; i < b->count && i < LISTED; i++) {
    b->listed[i] = keys[i].index;
  }
  return true;
}

static int64_t positions_of(const bars *b) {
  return b->picture->module->spaces[b->picture->space].longest_trace;
}

static void class_of(mv_text *svg, const char *words, uint8_t swatch) {
  mv_text_format(svg, "<rect class=\"%s c%d\"", words, swatch);
}

static void draw_rect(mv_text *svg, const char *words, uint8_t swatch, int64_t x, int64_t y, int64_t width,
                      int64_t height) {
  class_of(svg, words, swatch);
  mv_svg_place(svg, "x", x);
  mv_svg_place(svg, "y", y);
  mv_svg_place(svg, "width", width);
  mv_svg_place(svg, "height", height);
  mv_text_add(svg, "/>");
}

/* One bar with its card. */
static bool draw_bar(mv_text *svg, const bars *b, size_t i, int64_t x0, int64_t x1, mv_card *card, mv_status *status) {
  const mv_live *live = &b->items[i];
  const mv_panel *p = &b->panel;
  const int64_t width = x1 - x0 - (x1 - x0 >= 5 * MV_PX ? MV_PX : 0);
  const int64_t top = mv_scale_at(&p->y, height_of(b, live));
  const int64_t padding = padding_of(live);
  const bool is_split = b->picture->order != MV_ORDER_PADDING && padding > 0;
  const int64_t middle = is_split ? mv_scale_at(&p->y, live->size_bytes - padding) : top;
  mv_text_add(svg, "<g>");
  if (!mv_card_title(svg, card, live, positions_of(b), status)) {
    return false;
  }
  if (middle > top) {
    draw_rect(svg, "bar pad", b->swatches[i], x0, top, width, middle - top);
  }
  if (p->y1 > middle) {
    draw_rect(svg, "bar", b->swatches[i], x0, middle, width, p->y1 - middle);
  }
  mv_text_add(svg, "</g>\n");
  return true;
}

/* The merged bars of a column of pixels. */
static void draw_merged(mv_text *svg, const mv_panel *p, int64_t column, int64_t highest) {
  const int64_t height = p->y1 - mv_scale_at(&p->y, highest);
  mv_text_char(svg, 'M');
  mv_place_add(svg, column * MV_PX);
  mv_text_char(svg, ' ');
  mv_place_add(svg, p->y1);
  mv_text_add(svg, "h1v-");
  mv_place_add(svg, height < MV_PX ? MV_PX : height);
  mv_text_add(svg, "h-1z");
}

static bool is_small(const bars *b, size_t i, const mv_scale *x) {
  const int64_t height = b->panel.y1 - mv_scale_at(&b->panel.y, height_of(b, &b->items[i]));
  return height < MV_PX / 2 || mv_scale_at(x, (int64_t)i + 1) - mv_scale_at(x, (int64_t)i) < MV_PX / 2;
}

/* In an order by height the low ones come last. */
static void gather_rest(bars *b) {
  while (b->picture->order != MV_ORDER_PROGRAM && b->rest < b->count) {
    const int64_t height = height_of(b, &b->items[b->count - 1 - b->rest]);
    if (b->panel.y1 - mv_scale_at(&b->panel.y, height) >= MV_PX / 2) {
      break;
    }
    b->rest_bytes = b->rest_bytes > INT64_MAX - height ? INT64_MAX : b->rest_bytes + height;
    b->rest++;
  }
  enum { MIN_SLOTS = 16 }; /* a few bars need not fill the width */
  b->slots = b->count - b->rest + (b->rest_bytes > 0);
  b->slots = b->slots < MIN_SLOTS ? MIN_SLOTS : b->slots;
}

static void draw_rest(mv_text *svg, const bars *b) {
  const mv_panel *p = &b->panel;
  const int64_t x = mv_scale_at(&p->x, (int64_t)(b->count - b->rest));
  const int64_t width = mv_scale_at(&p->x, (int64_t)(b->count - b->rest) + 1) - x;
  const int64_t height = p->y1 - mv_scale_at(&p->y, b->rest_bytes);
  if (b->rest_bytes > 0) {
    mv_svg_rect(svg, "merged", x, p->y1 - (height < MV_PX ? MV_PX : height), width < MV_PX ? MV_PX : width,
                height < MV_PX ? MV_PX : height);
    mv_text_add(svg, "><title>");
    mv_count_add(svg, (int64_t)b->rest);
    mv_text_add(svg, " smaller ones, ");
    mv_text_size(svg, b->rest_bytes);
    mv_text_add(svg, " together</title></rect>\n");
  }
}

/* Small bars first: column by column, since bars come from left to right. */
static void draw_small(mv_text *svg, bars *b, const mv_scale *x) {
  int64_t column = -1;
  int64_t highest = 0;
  mv_text path = MV_TEXT_INIT;
  for (size_t i = 0; i < b->count - b->rest; i++) {
    if (!is_small(b, i, x)) {
      continue;
    }
    b->merged_count++;
    const int64_t first = mv_scale_at(x, (int64_t)i) / MV_PX;
    const int64_t last = (mv_scale_at(x, (int64_t)i + 1) - 1) / MV_PX;
    for (int64_t c = first; c <= last || c == first; c++) {
      if (c != column && column >= 0) {
        draw_merged(&path, &b->panel, column, highest);
        highest = 0;
      }
      const int64_t height = height_of(b, &b->items[i]);
      highest = height > highest || c != column ? height : highest;
      column = c;
    }
  }
  if (column >= 0) {
    draw_merged(&path, &b->panel, column, highest);
    mv_text_add(svg, "<path class=\"merged\" d=\"");
    mv_text_add(svg, path.data != NULL ? path.data : "");
    mv_text_add(svg, "\"><title>");
    mv_count_add(svg, b->merged_count);
    mv_text_add(svg, " small buffers, merged</title></path>\n");
  }
  svg->failed = svg->failed || path.failed;
  mv_text_free(&path);
}

/* A text that ends at x. */
static void cell_size(mv_text *svg, int64_t x, int64_t y, int64_t bytes) {
  mv_svg_text(svg, "end", x * MV_PX, y * MV_PX);
  mv_text_size(svg, bytes);
  mv_text_add(svg, "</text>");
}

static void cell_text(mv_text *svg, const char *class_name, int64_t x, int64_t y, const mv_text *text) {
  mv_svg_text(svg, class_name, x * MV_PX, y * MV_PX);
  mv_text_xml(svg, mv_bytes_of(text->data, text->size));
  mv_text_add(svg, "</text>");
  svg->failed = svg->failed || text->failed;
}

/* Columns of the list, in pixels. */
enum {
  COLUMN_NAME = 46,
  COLUMN_SIZE = 402,
  COLUMN_PADDING = 492,
  COLUMN_KIND = 516,
  COLUMN_SHAPE = 600,
  COLUMN_OP = 868
};
/* Cells that fit in them, at 0.602 em of 11 pixels each; the last is proportional text. */
enum { CELLS_NAME = 40, CELLS_SHAPE = 38, CELLS_OP = 46 };

static void draw_heading(mv_text *svg, int64_t y) {
  mv_svg_words(svg, "axis", COLUMN_NAME * MV_PX, y * MV_PX, "buffer");
  mv_svg_words(svg, "axis end", COLUMN_SIZE * MV_PX, y * MV_PX, "size");
  mv_svg_words(svg, "axis end", COLUMN_PADDING * MV_PX, y * MV_PX, "padding");
  mv_svg_words(svg, "axis", COLUMN_KIND * MV_PX, y * MV_PX, "category");
  mv_svg_words(svg, "axis", COLUMN_SHAPE * MV_PX, y * MV_PX, "shape");
  mv_svg_words(svg, "axis", COLUMN_OP * MV_PX, y * MV_PX, "framework op");
  mv_svg_line(svg, "rule", MV_CHART_MARGIN * MV_PX, (y + 7) * MV_PX, MV_CHART_RIGHT * MV_PX, (y + 7) * MV_PX);
}

static bool draw_row(mv_text *svg, const bars *b, size_t i, int64_t y, mv_card *card, mv_status *status) {
  const mv_module *m = b->picture->module;
  const mv_live *live = &b->items[i];
  mv_text *text = &card->text;
  draw_rect(svg, "bar", b->swatches[i], (MV_CHART_MARGIN + 2) * MV_PX, (y - 10) * MV_PX, 12 * MV_PX, 12 * MV_PX);
  mv_text_clear(text);
  mv_card_name(text, m, live, CELLS_NAME);
  cell_text(svg, "name", COLUMN_NAME, y, text);
  cell_size(svg, COLUMN_SIZE, y, live->size_bytes);
  if (live->unpadded_bytes >= 0) {
    cell_size(svg, COLUMN_PADDING, y, live->size_bytes - live->unpadded_bytes);
  }
  if (live->allocation != MV_NONE) {
    mv_svg_words(svg, NULL, COLUMN_KIND * MV_PX, y * MV_PX,
                 mv_category_name(m->allocations[live->allocation].category));
  }
  mv_text_clear(text);
  if (!mv_card_shape(text, card, live, CELLS_SHAPE, status)) {
    return false;
  }
  cell_text(svg, "name", COLUMN_SHAPE, y, text);
  mv_instruction_details details;
  mv_arena_reset(card->arena);
  if (!mv_instruction_details_read(
          &details, m, live->buffer != MV_NONE ? m->buffers[live->buffer].instruction : MV_NONE, card->arena, status)) {
    return false;
  }
  mv_text_clear(text);
  mv_label_add(text, details.op_name, CELLS_OP);
  cell_text(svg, "cell sub", COLUMN_OP, y, text);
  mv_text_char(svg, '\n');
  return true;
}

static void describe(mv_chart *chart, const bars *b) {
  static const char *const orders[] = {"by size, largest first", "in program order", "by padding, most first"};
  const mv_space *s = &chart->picture->module->spaces[chart->picture->space];
  mv_text *line = &chart->subtitle;
  mv_text_add(line, " \xC2\xB7 peak ");
  mv_text_size(line, s->peak_bytes);
  if (chart->picture->module->has_module) {
    const bool is_padded = s->peak_bytes >= s->peak_unpadded_bytes;
    mv_text_add(line, is_padded ? ", of it " : ", ");
    mv_text_size(line, is_padded ? s->peak_bytes - s->peak_unpadded_bytes : s->peak_unpadded_bytes);
    mv_text_add(line, is_padded ? " padding" : " without padding");
  }
  mv_text_add(line, " \xC2\xB7 ");
  mv_count_add(line, (int64_t)b->count);
  mv_text_add(line, b->count == 1 ? " buffer " : " buffers ");
  mv_text_add(line, orders[chart->picture->order]);
}

static void note(mv_chart *chart, const bars *b) {
  mv_text *notes = &chart->notes;
  const mv_space *s = &chart->picture->module->spaces[chart->picture->space];
  if (b->picture->order != MV_ORDER_PADDING && s->peak_bytes > s->peak_unpadded_bytes) {
    mv_text_add(notes, "The lighter part of a bar is padding\n");
  }
  if (mv_space_shows_untraced(s)) {
    mv_text_size(notes, s->untraced_bytes);
    mv_text_add(notes, " of the peak is untraced: temporaries without a heap trace, a bar for each allocation\n");
  }
  if (b->merged_count > 0) {
    mv_count_add(notes, b->merged_count);
    mv_text_add(notes, " of ");
    mv_count_add(notes, (int64_t)b->count);
    mv_text_add(notes, b->count == 1 ? " buffer is" : " buffers are");
    mv_text_add(notes, " under half a pixel wide or high and drawn merged, in grey\n");
  }
  if (b->rest > 0 && b->rest_bytes == 0) {
    mv_count_add(notes, (int64_t)b->rest);
    mv_text_add(notes, b->rest == 1 ? " buffer has no " : " buffers have no ");
    mv_text_add(notes, b->picture->order == MV_ORDER_PADDING ? "padding\n" : "bytes\n");
  } else if (b->rest > 0) {
    mv_text_add(notes, "The grey bar stands for ");
    mv_count_add(notes, (int64_t)b->rest);
    mv_text_add(notes, " of ");
    mv_count_add(notes, (int64_t)b->count);
    mv_text_add(notes, " buffers, each under half a pixel high: ");
    mv_text_size(notes, b->rest_bytes);
    mv_text_add(notes, " together");
    mv_text_add(notes, b->rest_bytes > b->panel.y.most ? ", more than the axis shows\n" : "\n");
  }
}

static int64_t most_of(const bars *b) {
  int64_t most = 0;
  for (size_t i = 0; i < b->count; i++) {
    const int64_t height = height_of(b, &b->items[i]);
    most = height > most ? height : most;
  }
  return most;
}

static bool draw(mv_chart *chart, bars *b, mv_card *card, mv_status *status) {
  mv_text *svg = &chart->body;
  const size_t rows = b->count < LISTED ? b->count : LISTED;
  const int64_t top = MV_CHART_TOP - 16;
  const int64_t most = most_of(b);
  const int64_t most_y = most + (most < INT64_MAX / 2 ? most / 20 : 0);
  b->panel = mv_panel_of(top, HEIGHT, 1, most_y);
  gather_rest(b);
  b->panel = mv_panel_of(top, HEIGHT, (int64_t)b->slots, most_y);
  const mv_scale *x = &b->panel.x;
  mv_panel_draw(svg, &b->panel, false);
  draw_small(svg, b, x);
  draw_rest(svg, b);
  for (size_t i = 0; i < b->count - b->rest; i++) {
    if (i % CHECK_EVERY == 0 && !mv_check_interrupt(chart->picture->limits, status)) {
      return false;
    }
    if (!is_small(b, i, x) &&
        !draw_bar(svg, b, i, mv_scale_at(x, (int64_t)i), mv_scale_at(x, (int64_t)i + 1), card, status)) {
      return false;
    }
  }
  note(chart, b);
  mv_card_note(&chart->notes, card);
  int64_t y = top + HEIGHT + LIST_TOP;
  draw_heading(svg, y);
  for (size_t i = 0; i < rows; i++) {
    y += ROW;
    if (!draw_row(svg, b, b->listed[i], y, card, status)) {
      return false;
    }
  }
  mv_text style = MV_TEXT_INIT;
  mv_text_add(&style, STYLE);
  mv_chart_swatches(&style);
  svg->failed = svg->failed || style.failed;
  const bool ok = mv_chart_finish(chart, HEIGHT + LIST_TOP + ROW * (int64_t)rows, style.data, status);
  mv_text_free(&style);
  return ok;
}

bool mv_peak_svg(mv_text *out, const mv_picture *picture, mv_status *status) {
  mv_chart chart = {.out = out, .picture = picture, .kind = "Buffers at the peak"};
  mv_card card = {.module = picture->module, .arena = mv_arena_new(status)};
  mv_arena *arena = mv_arena_new(status);
  bars b = {.picture = picture};
  const char *problem = "The module has no memory space: its buffer assignment has no allocations.";
  bool ok = arena != NULL && card.arena != NULL;
  if (ok && picture->space != MV_NONE) {
    ok = collect(&b, arena, status);
    if (ok) {
      describe(&chart, &b);
      problem = b.count == 0                         ? "Nothing is live at the peak of this memory space."
                : most_of(&b) > 0                    ? NULL
                : picture->order == MV_ORDER_PADDING ? "No buffer at the peak has padding."
                                                     : "All buffers at the peak take 0 bytes.";
    }
  }
  ok = ok && (problem != NULL ? mv_chart_empty(&chart, problem, status) : draw(&chart, &b, &card, status));
  mv_chart_free(&chart);
  mv_card_free(&card);
  mv_arena_free(arena);
  return ok;
}
