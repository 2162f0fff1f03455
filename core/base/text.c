#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"

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

static const char PAIRS[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

static size_t digits_of(uint64_t value) {
  static const uint64_t powers[] = {0, /* 0 has a digit too */
                                    10,
                                    100,
                                    1000,
                                    10000,
                                    100000,
                                    1000000,
                                    10000000,
                                    100000000,
                                    1000000000,
                                    10000000000,
                                    100000000000,
                                    1000000000000,
                                    10000000000000,
                                    100000000000000,
                                    1000000000000000,
                                    10000000000000000,
                                    100000000000000000,
                                    1000000000000000000,
                                    10000000000000000000u};
  /* The bits times log10(2): as many digits, or one fewer. */
  const size_t least = (mv_highest_bit(value | 1) + 1) * 1233 >> 12;
  return least + (value >= powers[least]);
}

/* Written where they stay, two at a time from the last. */
void mv_text_i64(mv_text *text, int64_t value) {
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  const size_t size = digits_of(rest) + (value < 0);
  if (!mv_text_reserve(text, size)) {
    return;
  }
  char *start = text->data + text->size;
  char *p = start + size;
  *p = '\0';
  for (; rest >= 100; rest /= 100) {
    p -= 2;
    memcpy(p, PAIRS + 2 * (rest % 100), 2);
  }
  if (rest >= 10) {
    memcpy(p - 2, PAIRS + 2 * rest, 2);
  } else {
    p[-1] = (char)('0' + rest);
  }
  if (value < 0) {
    *start = '-';
  }
  text->size += size;
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

/* Eight characters at a time: bits 7 of those that may not stay as they are, the first one being marked for certain and
 * those behind it perhaps too much, as the subtractions borrow from the next byte. */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static uint64_t zeros_in(uint64_t v) {
  return (v - EACH(1)) & ~v;
}

static uint64_t marks_in(uint64_t v, cleaning kind) {
  uint64_t marks = v; /* above ASCII */
  switch (kind) {
    case CLEAN_UTF8: marks |= zeros_in(v); break;
    case CLEAN_LINE: marks |= ((v - EACH(0x20)) & ~v) | zeros_in(v ^ EACH(0x7F)); break;
    case CLEAN_XML:
      marks |= ((v - EACH(0x20)) & ~v) | zeros_in((v | EACH(1)) ^ EACH('\'')) | zeros_in((v | EACH(2)) ^ EACH('>')) |
               zeros_in(v ^ EACH('"'));
      break;
    case CLEAN_JSON:
      marks |= ((v - EACH(0x20)) & ~v) | zeros_in(v ^ EACH('"')) | zeros_in(v ^ EACH('\\')) | zeros_in(v ^ EACH('<')) |
               zeros_in(v ^ EACH(0x7F));
      break;
  }
  return marks & EACH(0x80);
}

/* Eight bytes, or as many as there are and letters behind them; the first in the lowest bits. */
static uint64_t load(const uint8_t *p, size_t size) {
  uint64_t v = EACH('a');
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (size >= sizeof v) {
    memcpy(&v, p, sizeof v); /* one load */
  } else {
    memcpy(&v, p, size);
  }
#else
  for (size_t i = 0; i < size && i < sizeof v; i++) {
    v = (v & ~(UINT64_C(0xFF) << 8 * i)) | (uint64_t)p[i] << 8 * i;
  }
#endif
  return v;
}

/* How many of the bytes, from the first on, are ASCII that stays as it is. */
static size_t plain_prefix(const uint8_t *p, size_t size, cleaning kind) {
  for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
    const uint64_t marks = marks_in(load(p + i, size - i), kind);
    if (marks != 0) {
      return i + mv_lowest_bit(marks) / 8;
    }
  }
  return size;
}

bool mv_utf8_is_clean(mv_bytes bytes) {
  size_t i = 0;
  while (i < bytes.size) {
    i += plain_prefix(bytes.data + i, bytes.size - i, CLEAN_UTF8);
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
    i += plain_prefix(bytes.data + i, bytes.size - i, kind); /* nearly all of it */
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
