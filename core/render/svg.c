#include "render/svg.h"

void mv_svg_place(mv_text *svg, const char *name, int64_t place) {
  mv_text_char(svg, ' ');
  mv_text_add(svg, name);
  mv_text_add(svg, "=\"");
  mv_place_add(svg, place);
  mv_text_char(svg, '"');
}

static void open_element(mv_text *svg, const char *element, const char *class_name) {
  mv_text_char(svg, '<');
  mv_text_add(svg, element);
  if (class_name != NULL) {
    mv_text_add(svg, " class=\"");
    mv_text_add(svg, class_name);
    mv_text_char(svg, '"');
  }
}

void mv_svg_rect(mv_text *svg, const char *class_name, int64_t x, int64_t y, int64_t width, int64_t height) {
  open_element(svg, "rect", class_name);
  mv_svg_place(svg, "x", x);
  mv_svg_place(svg, "y", y);
  mv_svg_place(svg, "width", width);
  mv_svg_place(svg, "height", height);
}

void mv_svg_line(mv_text *svg, const char *class_name, int64_t x1, int64_t y1, int64_t x2, int64_t y2) {
  open_element(svg, "path", class_name);
  mv_text_add(svg, " d=\"M");
  mv_place_add(svg, x1);
  mv_text_char(svg, ' ');
  mv_place_add(svg, y1);
  mv_text_char(svg, 'L');
  mv_place_add(svg, x2);
  mv_text_char(svg, ' ');
  mv_place_add(svg, y2);
  mv_text_add(svg, "\"/>\n");
}

void mv_svg_text(mv_text *svg, const char *class_name, int64_t x, int64_t y) {
  open_element(svg, "text", class_name);
  mv_svg_place(svg, "x", x);
  mv_svg_place(svg, "y", y);
  mv_text_char(svg, '>');
}

void mv_svg_words(mv_text *svg, const char *class_name, int64_t x, int64_t y, const char *words) {
  mv_svg_text(svg, class_name, x, y);
  mv_text_xml(svg, mv_bytes_of_string(words));
  mv_text_add(svg, "</text>\n");
}
