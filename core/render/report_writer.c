#include "render/report_writer.h"

enum { INDENT = 2, ITEM_INDENT = 4, FIRST_CELL = 12, CELL = 10 };

/* ---- Text ---- */

static size_t length_at(mv_bytes text, size_t i) {
  const size_t length = mv_utf8_length(text.data + i, text.size - i);
  return length > 0 ? length : 1;
}

/* The byte behind the part of `text` from `start` on that fits into `width` columns: up to a blank where there is one. */
static size_t line_end(mv_bytes text, size_t start, size_t width) {
  size_t end = start;
  size_t blank = start;
  for (size_t columns = 0; end < text.size && columns < width; columns++) {
    blank = text.data[end] == ' ' && end > start ? end : blank;
    end += length_at(text, end);
  }
  return end == text.size || text.data[end] == ' ' || blank == start ? end : blank;
}

/* Wrapped; returns the number of lines. `out` NULL only counts. */
static size_t wrap(mv_text *out, mv_bytes text, size_t first_indent, size_t indent, const char *mark) {
  size_t lines = 0;
  size_t start = 0;
  do {
    const size_t left = lines == 0 ? first_indent : indent;
    const size_t taken = left + (lines == 0 ? strlen(mark) : 0);
    const size_t end = line_end(text, start, MV_REPORT_WIDTH - taken);
    if (out != NULL) {
      mv_text_format(out, "%*s%s", (int)left, "", lines == 0 ? mark : "");
      size_t shown = end;
      while (shown > start && text.data[shown - 1] == ' ') {
        shown--;
      }
      mv_text_append(out, text.data + start, shown - start);
      mv_text_char(out, '\n');
    }
    lines++;
    start = end;
    while (start < text.size && text.data[start] == ' ') {
      start++;
    }
  } while (start < text.size);
  return lines;
}

static void put_cell(mv_text *out, mv_bytes cell, bool is_first) {
  size_t columns = 0;
  for (size_t i = 0; i < cell.size; i += length_at(cell, i)) {
    columns++;
  }
  const size_t width = is_first ? FIRST_CELL : CELL;
  const int pad = columns < width ? (int)(width - columns) : 0;
  mv_text_format(out, "%*s", is_first ? INDENT : pad, "");
  mv_text_append(out, cell.data, cell.size);
  mv_text_format(out, "%*s", is_first ? pad : 0, "");
}

/* ---- Markdown ---- */

/* As it stands in the text. "@name" and "#1" would be links, also behind a backslash: an invisible character (U+2060)
 * keeps them apart. "http:" and "www." would be links too. */
static void put_escaped(mv_text *out, mv_bytes text) {
  static const char markup[] = "\\`*_[]|~$#@!";
  for (size_t i = 0; i < text.size; i++) {
    const char c = (char)text.data[i];
    const bool is_url = c == ':' && i + 2 < text.size && text.data[i + 1] == '/' && text.data[i + 2] == '/';
    const bool is_www = c == '.' && i >= 3 && (text.data[i - 1] | 0x20) == 'w' && (text.data[i - 2] | 0x20) == 'w';
    if (c == '<') {
      mv_text_add(out, "&lt;");
    } else if (c == '>') {
      mv_text_add(out, "&gt;");
    } else if (c == '&') {
      mv_text_add(out, "&amp;");
    } else {
      if (is_url || is_www || (c != '\0' && strchr(markup, c) != NULL)) {
        mv_text_char(out, '\\');
      }
      mv_text_char(out, c);
      mv_text_add(out, c == '@' || c == '#' ? "\u2060" : "");
    }
  }
}

static bool is_markdown(const mv_report_writer *w) {
  return w->style == MV_REPORT_MARKDOWN;
}

/* ---- Both ---- */

void mv_report_title(mv_report_writer *w, mv_bytes text) {
  if (is_markdown(w)) {
    mv_text_add(w->out, "### ");
    put_escaped(w->out, text);
    mv_text_add(w->out, "\n\n");
    w->lines += 2;
  } else {
    w->lines += wrap(w->out, text, 0, INDENT, "");
  }
}

/* Sentences of ours begin with a letter: no list, no heading. */
void mv_report_line(mv_report_writer *w, mv_bytes text) {
  if (is_markdown(w)) {
    put_escaped(w->out, text);
    mv_text_add(w->out, "\n\n");
    w->lines += 2;
  } else {
    w->lines += wrap(w->out, text, INDENT, ITEM_INDENT, "");
  }
}

/* The text of an item without its mark. */
static void put_item(mv_text *out, const char *label, mv_bytes text) {
  mv_text_format(out, "%s%s", label, *label != '\0' ? ": " : "");
  mv_text_append(out, text.data, text.size);
}

void mv_report_item(mv_report_writer *w, const char *label, mv_bytes text) {
  if (is_markdown(w)) {
    if (*label != '\0') {
      mv_text_format(w->out, "- **%s:** ", label);
    } else {
      mv_text_add(w->out, "- ");
    }
    put_escaped(w->out, text);
    mv_text_char(w->out, '\n');
    w->lines++;
    return;
  }
  mv_text whole = MV_TEXT_INIT;
  put_item(&whole, label, text);
  w->lines += wrap(w->out, mv_bytes_of(whole.data, whole.size), INDENT, ITEM_INDENT, "- ");
  w->out->failed = w->out->failed || whole.failed;
  mv_text_free(&whole);
}

size_t mv_report_item_lines(mv_report_writer *w, const char *label, mv_bytes text) {
  mv_text whole = MV_TEXT_INIT;
  put_item(&whole, label, text);
  const size_t lines = is_markdown(w) ? 1 : wrap(NULL, mv_bytes_of(whole.data, whole.size), INDENT, ITEM_INDENT, "- ");
  w->out->failed = w->out->failed || whole.failed;
  mv_text_free(&whole);
  return lines;
}

void mv_report_row(mv_report_writer *w, const mv_bytes *cells, size_t count, bool is_heading) {
  for (size_t i = 0; i < count; i++) {
    if (is_markdown(w)) {
      mv_text_add(w->out, "| ");
      put_escaped(w->out, cells[i]);
      mv_text_char(w->out, ' ');
    } else {
      put_cell(w->out, cells[i], i == 0);
    }
  }
  mv_text_add(w->out, is_markdown(w) ? "|\n" : "\n");
  w->lines++;
  for (size_t i = 0; is_markdown(w) && is_heading && i < count; i++) {
    mv_text_add(w->out, i == 0 ? "| :-- " : i + 1 < count ? "| --: " : "| --: |\n");
  }
}

void mv_report_end(mv_report_writer *w) {
  if (is_markdown(w)) {
    mv_text_char(w->out, '\n');
    w->lines++;
  }
}
