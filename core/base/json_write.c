#include "base/json_write.h"

/* A value follows another one unless it is the first of all (what stands before is markup, or nothing), the first of
 * its brackets, or behind its key. No value ends with one of these: a string ends with its quote. */
static void separate(mv_text *text) {
  if (text->failed || text->size == 0) {
    return;
  }
  switch (text->data[text->size - 1]) {
    case '{':
    case '[':
    case ':':
    case '>':
    case '\n': break;
    default: mv_text_char(text, ',');
  }
}

void mv_json_begin(mv_text *text, char bracket) {
  separate(text);
  mv_text_char(text, bracket);
}

void mv_json_end(mv_text *text, char bracket) {
  mv_text_char(text, bracket);
}

void mv_json_key(mv_text *text, const char *key) {
  separate(text);
  mv_text_char(text, '"');
  mv_text_add(text, key);
  mv_text_add(text, "\":");
}

void mv_json_null(mv_text *text) {
  separate(text);
  mv_text_add(text, "null");
}

void mv_json_bool(mv_text *text, bool value) {
  separate(text);
  mv_text_add(text, value ? "true" : "false");
}

void mv_json_i64(mv_text *text, int64_t value) {
  separate(text);
  mv_text_i64(text, value);
}

void mv_json_id(mv_text *text, int64_t value) {
  const int64_t exact = INT64_C(1) << 53;
  if (value >= -exact && value <= exact) {
    mv_json_i64(text, value);
    return;
  }
  separate(text);
  mv_text_char(text, '"');
  mv_text_i64(text, value);
  mv_text_char(text, '"');
}

void mv_json_string(mv_text *text, mv_bytes bytes) {
  separate(text);
  mv_text_char(text, '"');
  mv_text_json(text, bytes);
  mv_text_char(text, '"');
}
