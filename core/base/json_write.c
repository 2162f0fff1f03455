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

/* What stands for the ASCII character `c`, NULL for itself. */
static const char *escape_of(uint8_t c, char buffer[8]) {
  static const char hex[] = "0123456789abcdef";
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    default: break;
  }
  if (c >= 0x20 && c != '<' && c != 0x7F) {
    return NULL;
  }
  memcpy(buffer, "\\u00", 4);
  buffer[4] = hex[c >> 4];
  buffer[5] = hex[c & 15];
  buffer[6] = '\0';
  return buffer;
}

void mv_json_string(mv_text *text, mv_bytes bytes) {
  separate(text);
  mv_text_char(text, '"');
  char buffer[8];
  size_t start = 0;
  size_t i = 0;
  while (i < bytes.size) {
    const uint8_t *p = bytes.data + i;
    const char *instead = NULL;
    size_t n = 1;
    if (*p < 0x80) {
      instead = *p == 0 ? NULL : escape_of(*p, buffer); /* NUL is left to mv_text_bytes */
    } else {
      n = mv_utf8_length(p, bytes.size - i);
      if (n == 3 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9)) {
        instead = p[2] == 0xA8 ? "\\u2028" : "\\u2029";
      }
      n = n == 0 ? 1 : n;
    }
    if (instead != NULL) {
      mv_text_bytes(text, mv_bytes_of(bytes.data + start, i - start));
      mv_text_add(text, instead);
      start = i + n;
    }
    i += n;
  }
  if (start < bytes.size) {
    mv_text_bytes(text, mv_bytes_of(bytes.data + start, bytes.size - start));
  }
  mv_text_char(text, '"');
}
