#include "render/label.h"

#define ELLIPSIS "\xE2\x80\xA6"

/* Bytes and cells of the character at `i`. */
static size_t step(mv_bytes name, size_t i, size_t *cells) {
  const size_t n = mv_utf8_length(name.data + i, name.size - i);
  *cells = n >= 3 ? 2 : 1;
  return n > 0 ? n : 1;
}

size_t mv_label_prefix(mv_bytes name, size_t most) {
  if (name.size <= most) { /* no character has more cells than bytes */
    return name.size;
  }
  size_t i = 0;
  while (i < name.size) {
    size_t cells;
    const size_t n = step(name, i, &cells);
    if (cells > most) {
      break;
    }
    most -= cells;
    i += n;
  }
  return i;
}

size_t mv_label_length(mv_bytes name, size_t most) {
  size_t count = 0;
  for (size_t i = 0; i < name.size && count < most;) {
    size_t cells;
    i += step(name, i, &cells);
    count += cells;
  }
  return count;
}

static void add(mv_text *text, mv_bytes name, size_t most, void (*append)(mv_text *, mv_bytes)) {
  if (mv_label_prefix(name, most) == name.size) {
    append(text, name);
  } else if (most > 0) {
    append(text, mv_bytes_of(name.data, mv_label_prefix(name, most - 1)));
    mv_text_add(text, ELLIPSIS);
  }
}

void mv_label_add(mv_text *text, mv_bytes name, size_t most) {
  add(text, name, most, mv_text_bytes);
}

void mv_label_line(mv_text *text, mv_bytes name, size_t most) {
  add(text, name, most, mv_text_line);
}

void mv_label_xml(mv_text *text, mv_bytes name, size_t most) {
  add(text, name, most, mv_text_xml);
}
