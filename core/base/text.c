#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD */

void mv_text_free(mv_text *text) {
  free(text->data);
  *text = (mv_text)MV_TEXT_INIT;
}

void mv_text_clear(mv_text *text) {
  text->size = 0;
  text->failed = false;
  if (text->data != NULL) {
    text->data[0] = '\0';
  }
}

void mv_text_cut(mv_text *text, size_t size) {
  if (!text->failed && size < text->size) {
    text->size = size;
    text->data[size] = '\0';
  }
}

bool mv_text_reserve(mv_text *text, size_t more) {
  if (text->failed) {
    return false;
  }
  if (more < text->capacity - text->size) {
    return true;
  }
  if (more > SIZE_MAX / 4 || text->size > SIZE_MAX / 4) {
    text->failed = true;
    return false;
  }
  size_t capacity = text->capacity < 64 ? 64 : text->capacity * 2;
  if (capacity < text->size + more + 1) {
    capacity = text->size + more + 1;
  }
  char *data = realloc(text->data, capacity);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void mv_text_append(mv_text *text, const void *data, size_t size) {
  if (mv_text_reserve(text, size)) {
    if (size > 0) {
      memcpy(text->data + text->size, data, size);
    }
    text->size += size;
    text->data[text->size] = '\0';
  }
}

void mv_text_i64(mv_text *text, int64_t value) {
  char digits[20];
  char *p = digits + sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do {
    *--p = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (value < 0) {
    *--p = '-';
  }
  mv_text_append(text, p, (size_t)(digits + sizeof digits - p));
}

void mv_text_format(mv_text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) {
    text->failed = true;
  } else if (mv_text_reserve(text, (size_t)n)) {
    vsnprintf(text->data + text->size, (size_t)n + 1, format, again);
    text->size += (size_t)n;
  }
  va_end(again);
}

size_t mv_utf8_length(const uint8_t *p, size_t size) {
  if (size == 0) {
    return 0;
  }
  const uint8_t c = p[0];
  if (c < 0x80) {
    return 1;
  }
  const size_t n = c >= 0xC2 && c <= 0xDF ? 2 : c >= 0xE0 && c <= 0xEF ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
  if (n == 0 || size < n) {
    return 0;
  }
  const uint8_t low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
  if (p[1] < low || p[1] > high) {
    return 0;
  }
  for (size_t i = 2; i < n; i++) {
    if ((p[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return n;
}

/* What stands for an ASCII character in XML, NULL for itself. */
static const char *xml_escape(uint8_t c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return c < 0x20 ? REPLACEMENT : NULL;
  }
}

/* U+FFFE and U+FFFF are well-formed UTF-8 and no XML characters. */
static bool is_xml_forbidden(const uint8_t *p, size_t n) {
  return n == 3 && p[0] == 0xEF && p[1] == 0xBF && p[2] >= 0xBE;
}

/* What stands for a control character within a line. */
static const char *line_escape(uint8_t c) {
  switch (c) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    default: return REPLACEMENT;
  }
}

/* C0 and C1 controls and DEL: they break lines, and terminals obey them. */
static bool is_control(const uint8_t *p, size_t n) {
  return n == 1 ? *p < 0x20 || *p == 0x7F : n == 2 && p[0] == 0xC2 && p[1] < 0xA0;
}

typedef enum cleaning { CLEAN_UTF8, CLEAN_XML, CLEAN_LINE, CLEAN_JSON } cleaning;

/* What stands for an ASCII character in JSON within HTML, NULL for itself. */
static const char *json_escape(uint8_t c, char buffer[8]) {
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

/* What stands for the character of n bytes at `p`, n being 0 where there is none; NULL for itself. */
static const char *replacement(const uint8_t *p, size_t n, cleaning kind, char buffer[8]) {
  if (n == 0 || *p == 0) {
    return REPLACEMENT;
  }
  switch (kind) {
    case CLEAN_XML: return n == 1 ? xml_escape(*p) : is_xml_forbidden(p, n) ? REPLACEMENT : NULL;
    case CLEAN_LINE: return is_control(p, n) ? line_escape(*p) : NULL;
    case CLEAN_JSON:
      if (n == 3 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9)) {
        return p[2] == 0xA8 ? "\\u2028" : "\\u2029";
      }
      return n == 1 ? json_escape(*p, buffer) : NULL;
    default: return NULL;
  }
}

/* ASCII that stays as it is in every kind of text. */
static bool is_plain(uint8_t c) {
  return c >= 0x20 && c < 0x7F && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'' && c != '\\';
}

/* How many of the bytes, from the first on, are plain: nearly all of a name or a path. */
static size_t plain_prefix(const uint8_t *p, size_t size) {
  size_t i = 0;
  while (i < size && is_plain(p[i])) {
    i++;
  }
  return i;
}

bool mv_utf8_is_clean(mv_bytes bytes) {
  size_t i = 0;
  while (i < bytes.size) {
    i += plain_prefix(bytes.data + i, bytes.size - i);
    if (i == bytes.size) {
      break;
    }
    const size_t n = bytes.data[i] == 0 ? 0 : mv_utf8_length(bytes.data + i, bytes.size - i);
    if (n == 0) {
      return false;
    }
    i += n;
  }
  return true;
}

static void add_clean(mv_text *text, mv_bytes bytes, cleaning kind) {
  size_t start = 0;
  size_t i = 0;
  while (i < bytes.size) {
    i += plain_prefix(bytes.data + i, bytes.size - i);
    if (i == bytes.size) {
      break;
    }
    char buffer[8];
    const uint8_t *p = bytes.data + i;
    const size_t n = mv_utf8_length(p, bytes.size - i);
    const char *instead = replacement(p, n, kind, buffer);
    if (instead != NULL) {
      mv_text_append(text, bytes.data + start, i - start);
      mv_text_add(text, instead);
    }
    i += n > 0 ? n : 1;
    start = instead != NULL ? i : start;
  }
  if (start < bytes.size) {
    mv_text_append(text, bytes.data + start, bytes.size - start);
  }
}

void mv_text_bytes(mv_text *text, mv_bytes bytes) {
  add_clean(text, bytes, CLEAN_UTF8);
}

void mv_text_line(mv_text *text, mv_bytes bytes) {
  add_clean(text, bytes, CLEAN_LINE);
}

void mv_text_xml(mv_text *text, mv_bytes bytes) {
  add_clean(text, bytes, CLEAN_XML);
}

void mv_text_json(mv_text *text, mv_bytes bytes) {
  add_clean(text, bytes, CLEAN_JSON);
}

/* magnitude / 2^bits in units of 10^-decimals, rounded to the nearest, to even between two. */
static uint64_t rounded(uint64_t magnitude, unsigned bits, unsigned decimals) {
  const uint64_t mask = (UINT64_C(1) << bits) - 1;
  uint64_t whole = magnitude >> bits;
  uint64_t rest = magnitude & mask; /* below 2^60: ten times it still fits */
  for (; decimals > 0; decimals--) {
    whole = whole * 10 + (rest * 10 >> bits);
    rest = rest * 10 & mask;
  }
  const uint64_t half = (mask + 1) / 2;
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

/* In integers: what printf makes of a double depends on the process's locale. */
void mv_text_size(mv_text *text, int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const uint64_t magnitude = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
  unsigned unit = 0;
  /* 1023.5 would be printed as 1024: such values already take the next unit. */
  while (unit + 1 < sizeof units / sizeof *units &&
         (unit == 0 ? magnitude >= 1024 : magnitude >= UINT64_C(2047) << (10 * unit - 1))) {
    unit++;
  }
  if (bytes < 0) {
    mv_text_char(text, '-');
  }
  unsigned decimals = unit == 0 ? 0 : 2;
  uint64_t digits = unit == 0 ? magnitude : rounded(magnitude, 10 * unit, decimals);
  while (decimals > 0 && digits >= 1000) { /* three significant digits */
    digits = rounded(magnitude, 10 * unit, --decimals);
  }
  const uint64_t power = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
  mv_text_i64(text, (int64_t)(digits / power));
  if (decimals > 0) {
    mv_text_char(text, '.');
    mv_text_char(text, (char)('0' + digits * 10 / power % 10));
  }
  if (decimals == 2) {
    mv_text_char(text, (char)('0' + digits % 10));
  }
  mv_text_char(text, ' ');
  mv_text_add(text, units[unit]);
}

static uint64_t hash_more(uint64_t h, const void *data, size_t size) {
  const uint8_t *p = data;
  for (size_t i = 0; i < size; i++) {
    h = (h ^ p[i]) * UINT64_C(0x100000001B3);
  }
  return h;
}

int64_t mv_text_hash(mv_bytes bytes) {
  uint64_t h = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < bytes.size;) {
    const size_t n = bytes.data[i] == 0 ? 0 : mv_utf8_length(bytes.data + i, bytes.size - i);
    h = n > 0 ? hash_more(h, bytes.data + i, n) : hash_more(h, REPLACEMENT, sizeof REPLACEMENT - 1);
    i += n > 0 ? n : 1;
  }
  return (int64_t)h;
}
