/* text.h: a string that is built piece by piece.
 *
 * Append freely and check once: after a failed allocation every call is a no-op and `failed` stays true. What is
 * appended as bytes from a file is made valid UTF-8 on the way: each byte that is not part of a well-formed sequence
 * and each NUL becomes U+FFFD, so that no reader downstream meets either.
 */
#ifndef MV_BASE_TEXT_H
#define MV_BASE_TEXT_H

#include "base/bytes.h"
#include "base/status.h"

typedef struct mv_text {
  char *data; /* terminated when not NULL; owned by the text */
  size_t size;
  size_t capacity;
  bool failed;
} mv_text;

#define MV_TEXT_INIT {NULL, 0, 0, false}

void mv_text_free(mv_text *text);

/* Empty the text, keep its memory. */
void mv_text_clear(mv_text *text);

/* Forget what stands behind the first `size` bytes; there must be as many. */
void mv_text_cut(mv_text *text, size_t size);

/* Room for `more` bytes and a terminator; false once anything failed. */
bool mv_text_reserve(mv_text *text, size_t more);

/* Bytes as they are. */
void mv_text_append(mv_text *text, const void *data, size_t size);

/* Our own words: a C string, a character, a number, printf. Not checked for UTF-8. */
static inline void mv_text_add(mv_text *text, const char *words) {
  mv_text_append(text, words, strlen(words)); /* a constant's is known */
}

static inline void mv_text_char(mv_text *text, char c) {
  if (text->size + 2 <= text->capacity ? !text->failed : mv_text_reserve(text, 1)) {
    text->data[text->size++] = c;
    text->data[text->size] = '\0';
  }
}

void mv_text_i64(mv_text *text, int64_t value);
void mv_text_format(mv_text *text, const char *format, ...) MV_PRINTF(2, 3);

/* A file's bytes, made valid UTF-8. */
void mv_text_bytes(mv_text *text, mv_bytes bytes);

/* The same for text that people read in a terminal, within a line: a line break, a tab and a carriage return become \n,
 * \t and \r, other control characters U+FFFD. */
void mv_text_line(mv_text *text, mv_bytes bytes);

/* A file's bytes as XML character data or attribute value: valid UTF-8, & < > " ' escaped, and the control characters
 * that XML 1.0 forbids (section 2.2) replaced by U+FFFD. */
void mv_text_xml(mv_text *text, mv_bytes bytes);

/* A file's bytes as what stands between the quotes of a JSON string, which may stand in an HTML <script> element. */
void mv_text_json(mv_text *text, mv_bytes bytes);

/* `bytes` as a number with a binary unit, three significant digits: "0 B", "4.00 KiB", "12.3 GiB". */
void mv_text_size(mv_text *text, int64_t bytes);

/* A hash of `bytes` as mv_text_bytes shows them (FNV-1a, 64 bits). Not for tables that hostile keys must not fill
 * unevenly: whoever looks something up by it compares the text too. */
int64_t mv_text_hash(mv_bytes bytes);

/* The number of bytes of the well-formed UTF-8 sequence at `p` (Unicode 15, table 3-7), 0 when there is none. */
size_t mv_utf8_length(const uint8_t *p, size_t size);

/* Whether `bytes` are well-formed UTF-8 without a NUL: then they can be shown as they are. */
bool mv_utf8_is_clean(mv_bytes bytes);

#endif
