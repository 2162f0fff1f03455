#include "render/chart.h"

#include <inttypes.h>

#include "render/label.h"
#include "render/palette.h"

enum { MODULE_NAME = 64 };

/* Selectors, then the same for light and dark backgrounds. The fonts of a name are those of a terminal, each character
 * 0.6 em wide, so that it is known what fits. */
static const char STYLE[] =
    "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,\"Liberation Sans\","
    "sans-serif;font-size:12px;fill:#1b1f24}\n"
    ".head{font-size:18px;font-weight:600}.sub{font-size:13px}.sub,.tick,.note,.axis{fill:#57606a}\n"
    ".name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation Mono\",monospace;"
    "font-size:11px;pointer-events:none}\n"
    ".end{text-anchor:end}.mid{text-anchor:middle}.why{font-size:15px}.strong{font-weight:600}\n"
    ".page{fill:#fff}.ground{fill:#f7f8fa}.frame{fill:none;stroke:#8c959f;pointer-events:none}\n"
    ".grid,.mark{fill:none;stroke:#e1e5ea;shape-rendering:crispEdges}\n"
    ".mark{pointer-events:none;stroke:#cf222e;stroke-opacity:.6;stroke-dasharray:4 "
    "3}.hot{fill:#cf222e}.halo{paint-order:stroke;stroke:#fff;stroke-width:3px;"
    "stroke-linejoin:round}\n"
    ".merged{fill:#a7afb8;stroke:none}\n";

static const char STYLE_DARK[] =
    "text{fill:#f0f3f6}.sub,.tick,.note,.axis{fill:#9aa4af}.page{fill:#0f1419}.ground{fill:#161c23}"
    ".frame{stroke:#66707b}.grid{stroke:#262e37}.mark{stroke:#ff7b72}.hot{fill:#ff7b72}.halo{stroke:#0f1419}"
    ".merged{fill:#59636e}\n";

void mv_chart_swatches(mv_text *svg) {
  for (int dark = 0; dark < 2; dark++) {
    mv_text_add(svg, dark ? "@media (prefers-color-scheme:dark){" : "");
    for (int i = 0; i < MV_PALETTE_SIZE; i++) {
      mv_text_format(svg, ".c%d{fill:", i);
      mv_rgb_add(svg, dark ? mv_palette[i].dark_fill : mv_palette[i].light_fill);
      mv_text_add(svg, ";stroke:");
      mv_rgb_add(svg, dark ? mv_palette[i].dark_stroke : mv_palette[i].light_stroke);
      mv_text_char(svg, '}');
    }
    mv_text_add(svg, dark ? "}\n" : "\n");
  }
}

void mv_chart_module(mv_text *text, const mv_module *m) {
  const mv_bytes name = mv_module_bytes(m, m->name);
  if (name.size == 0) {
    mv_text_add(text, "(no name)");
  }
  mv_label_line(text, name, MODULE_NAME);
  if (m->id > 0) {
    mv_text_format(text, " (%" PRId64 ")", m->id);
  }
}

void mv_chart_space(mv_text *text, const mv_picture *picture) {
  char buffer[MV_SPACE_NAME];
  if (picture->space != MV_NONE) {
    const mv_module *m = picture->module;
    mv_text_add(text, mv_space_name(m->platform, m->spaces[picture->space].color, buffer));
  }
}

static int64_t note_count(const mv_chart *chart) {
  int64_t count = 0;
  for (size_t i = 0; i < chart->notes.size; i++) {
    count += chart->notes.data[i] == '\n';
  }
  return count;
}

/* "Allocation timeline of jit_f (17)" */
static void add_title(mv_text *svg, const mv_chart *chart) {
  mv_text title = MV_TEXT_INIT;
  mv_text_add(&title, chart->kind);
  mv_text_add(&title, " of ");
  mv_chart_module(&title, chart->picture->module);
  mv_text_xml(svg, mv_bytes_of(title.data, title.size));
  svg->failed = svg->failed || title.failed;
  mv_text_free(&title);
}

static void add_subtitle(mv_text *svg, const mv_chart *chart) {
  mv_text line = MV_TEXT_INIT;
  mv_chart_space(&line, chart->picture);
  mv_text_xml(svg, mv_bytes_of(line.data, line.size));
  mv_text_xml(svg, mv_bytes_of(chart->subtitle.data, chart->subtitle.size));
  svg->failed = svg->failed || line.failed;
  mv_text_free(&line);
}

static void add_style(mv_text *svg, const char *style) {
  mv_text_add(svg, "<style>\n");
  mv_text_add(svg, STYLE);
  mv_text_add(svg, "@media (prefers-color-scheme:dark){\n");
  mv_text_add(svg, STYLE_DARK);
  mv_text_add(svg, "}\n");
  if (style != NULL) {
    mv_text_add(svg, style);
  }
  mv_text_add(svg, "</style>\n");
}

static void add_head(mv_chart *chart, int64_t height, const char *style) {
  mv_text *svg = chart->out;
  mv_text_format(svg,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRId64
                 "\" viewBox=\"0 0 %d %" PRId64 "\" role=\"img\">\n<title>",
                 MV_CHART_WIDTH, height, MV_CHART_WIDTH, height);
  add_title(svg, chart);
  mv_text_add(svg, "</title>\n<desc>");
  add_subtitle(svg, chart);
  mv_text_add(svg, "</desc>\n");
  add_style(svg, style);
  mv_svg_rect(svg, "page", 0, 0, MV_CHART_WIDTH * MV_PX, height * MV_PX);
  mv_text_add(svg, "/>\n");
  mv_svg_text(svg, "head", MV_CHART_MARGIN * MV_PX, 36 * MV_PX);
  add_title(svg, chart);
  mv_text_add(svg, "</text>\n");
  mv_svg_text(svg, "sub", MV_CHART_MARGIN * MV_PX, 58 * MV_PX);
  add_subtitle(svg, chart);
  mv_text_add(svg, "</text>\n");
}

static void add_notes(mv_chart *chart, int64_t y) {
  mv_text *svg = chart->out;
  size_t start = 0;
  for (size_t i = 0; i < chart->notes.size; i++) {
    if (chart->notes.data[i] == '\n') {
      mv_svg_text(svg, "note", MV_CHART_MARGIN * MV_PX, y * MV_PX);
      mv_text_xml(svg, mv_bytes_of(chart->notes.data + start, i - start));
      mv_text_add(svg, "</text>\n");
      start = i + 1;
      y += MV_CHART_NOTE;
    }
  }
}

bool mv_chart_finish(mv_chart *chart, int64_t height, const char *style, mv_status *status) {
  mv_text *svg = chart->out;
  const int64_t end = MV_CHART_TOP + height;
  add_head(chart, end + note_count(chart) * MV_CHART_NOTE + MV_CHART_MARGIN, style);
  mv_text_add(svg, chart->body.data != NULL ? chart->body.data : "");
  add_notes(chart, end + MV_CHART_NOTE);
  mv_text_add(svg, "</svg>\n");
  svg->failed = svg->failed || chart->body.failed || chart->notes.failed || chart->subtitle.failed;
  return !svg->failed || mv_fail_nomem(status);
}

void mv_chart_free(mv_chart *chart) {
  mv_text_free(&chart->body);
  mv_text_free(&chart->notes);
  mv_text_free(&chart->subtitle);
}

bool mv_chart_empty(mv_chart *chart, const char *why, mv_status *status) {
  enum { HEIGHT = 160 };
  mv_text *svg = &chart->body;
  mv_svg_rect(svg, "ground", MV_CHART_MARGIN * MV_PX, (MV_CHART_TOP - 16) * MV_PX,
              (MV_CHART_WIDTH - 2 * MV_CHART_MARGIN) * MV_PX, HEIGHT * MV_PX);
  mv_text_add(svg, " rx=\"6\"/>\n");
  mv_svg_words(svg, "mid why", MV_CHART_WIDTH / 2 * MV_PX, (MV_CHART_TOP - 16 + HEIGHT / 2 + 5) * MV_PX, why);
  return mv_chart_finish(chart, HEIGHT, NULL, status);
}

mv_panel mv_panel_of(int64_t top, int64_t height, int64_t most_x, int64_t most_y) {
  mv_panel p = {
      .x0 = MV_CHART_LEFT * MV_PX, .x1 = MV_CHART_RIGHT * MV_PX, .y0 = top * MV_PX, .y1 = (top + height) * MV_PX};
  p.x = mv_scale_of(most_x, p.x0, p.x1 - p.x0);
  p.y = mv_scale_of(most_y, p.y1, p.y0 - p.y1);
  return p;
}

static void draw_y_axis(mv_text *svg, const mv_panel *p) {
  enum { APART = 72 }; /* pixels between two labels, at least */
  const int64_t room = (p->y1 - p->y0) / (APART * MV_PX);
  const int64_t step = mv_ticks_binary(p->y.most, room > 1 ? room : 1);
  for (int64_t value = 0;; value += step) {
    const int64_t y = mv_scale_at(&p->y, value);
    if (value > 0) {
      mv_svg_line(svg, "grid", p->x0, y, p->x1, y);
    }
    mv_svg_text(svg, "tick end", p->x0 - 8 * MV_PX, y + 4 * MV_PX);
    mv_tick_label(svg, value);
    mv_text_add(svg, "</text>\n");
    if (value > p->y.most - step) {
      return;
    }
  }
}

static void draw_x_axis(mv_text *svg, const mv_panel *p) {
  enum { APART = 72 };
  const int64_t step = mv_ticks_decimal(p->x.most, (p->x1 - p->x0) / (APART * MV_PX));
  mv_svg_words(svg, "axis end", p->x0 - 12 * MV_PX, p->y1 + 16 * MV_PX, "position");
  for (int64_t value = 0;; value += step) {
    const int64_t x = mv_scale_at(&p->x, value);
    if (value > 0) {
      mv_svg_line(svg, "grid", x, p->y0, x, p->y1);
    }
    mv_svg_text(svg, "tick mid", x, p->y1 + 16 * MV_PX);
    mv_count_add(svg, value);
    mv_text_add(svg, "</text>\n");
    if (value > p->x.most - step) {
      return;
    }
  }
}

void mv_panel_draw(mv_text *svg, const mv_panel *p, bool is_x_positions) {
  mv_svg_rect(svg, "ground", p->x0, p->y0, p->x1 - p->x0, p->y1 - p->y0);
  mv_text_add(svg, "/>\n");
  draw_y_axis(svg, p);
  if (is_x_positions) {
    draw_x_axis(svg, p);
  }
}
