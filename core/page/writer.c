#include "page/writer.h"

#define MAX_EXACT (INT64_C(1) << 53) /* the largest integer up to which a JavaScript number holds all */

enum { CHECK_EVERY = 256 }; /* rows */

bool mv_page_is_ok(const mv_page_writer *w) {
  return w->status->code == MV_OK && !w->text->failed;
}

bool mv_page_goes_on(mv_page_writer *w, size_t i) {
  return (i % CHECK_EVERY != 0 || mv_check_interrupt(w->limits, w->status)) && mv_page_is_ok(w);
}

void mv_page_column(mv_page_writer *w, const char *name) {
  mv_json_key(w->text, name);
  mv_json_begin(w->text, '[');
}

void mv_page_end_column(mv_page_writer *w) {
  mv_json_end(w->text, ']');
}

int64_t mv_page_clamp(mv_page_writer *w, int64_t value) {
  if (value > MAX_EXACT || value < -MAX_EXACT) {
    w->is_clamped = true;
    return value > 0 ? MAX_EXACT : -MAX_EXACT;
  }
  return value;
}

void mv_page_size(mv_page_writer *w, int64_t value) {
  mv_json_i64(w->text, mv_page_clamp(w, value));
}

void mv_page_text(mv_page_writer *w, mv_bytes bytes) {
  int64_t number = -1;
  if (mv_strings_number(&number, &w->strings, bytes, w->status)) {
    mv_json_i64(w->text, number);
  }
}

int64_t mv_page_place(mv_page_writer *w, uint32_t item, uint32_t *places, mv_array *list) {
  if (item == MV_NONE) {
    return -1;
  }
  if (places[item] == MV_NONE) {
    uint32_t *slot = mv_array_push(list, sizeof *slot, w->arena, w->status);
    if (slot == NULL) {
      return -1;
    }
    *slot = item;
    places[item] = (uint32_t)list->count - 1;
  }
  return places[item];
}

void mv_page_buffer(mv_page_writer *w, uint32_t buffer) {
  mv_json_i64(w->text, mv_page_place(w, buffer, w->buffer_places, &w->buffers));
}

void mv_page_named_text(mv_page_writer *w, const char *name, mv_bytes value) {
  mv_json_key(w->text, name);
  if (value.size > 0) {
    mv_json_string(w->text, value);
  } else {
    mv_json_null(w->text);
  }
}
