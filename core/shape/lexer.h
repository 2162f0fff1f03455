/* lexer.h: the characters of a shape's text, for parse.c.
 *
 * White space and comments may stand between any two tokens. Nothing is copied: a name is a slice of the text. Every
 * failure names the character it is at, counted from 1, a UTF-8 sequence being one character.
 */
#ifndef MV_SHAPE_LEXER_H
#define MV_SHAPE_LEXER_H

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

typedef struct mv_lexer {
  const uint8_t *start;
  const uint8_t *p;
  const uint8_t *end;
  mv_status *status;
} mv_lexer;

enum { MV_END_OF_TEXT = -1 };

static inline mv_lexer mv_lexer_of(mv_bytes text, mv_status *status) {
  return (mv_lexer){text.data, text.data, text.size > 0 ? text.data + text.size : text.data, status};
}

/* Record what is wrong at `at`. Always returns false. */
static bool mv_lexer_fail(mv_lexer *lexer, mv_code code, const uint8_t *at, const char *format, ...) MV_PRINTF(4, 5);
static bool mv_lexer_fail(mv_lexer *lexer, mv_code code, const uint8_t *at, const char *format, ...) {
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  size_t character = 1;
  for (const uint8_t *p = lexer->start; p < at;) {
    const size_t n = mv_utf8_length(p, (size_t)(at - p));
    p += n > 0 ? n : 1;
    character++;
  }
  return mv_fail(lexer->status, code, "no shape: %s at character %zu", what, character);
}

static inline bool mv_is_space(uint8_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool mv_is_digit(int c) {
  return c >= '0' && c <= '9';
}

static inline bool mv_is_name(uint8_t c) {
  return mv_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Pass over white space and comments. A comment without an end is a failure, and the end of the text. */
static inline void mv_lexer_skip(mv_lexer *lexer) {
  while (lexer->p < lexer->end) {
    if (mv_is_space(*lexer->p)) {
      lexer->p++;
      continue;
    }
    if (lexer->end - lexer->p < 2 || lexer->p[0] != '/' || lexer->p[1] != '*') {
      return;
    }
    const uint8_t *const comment = lexer->p;
    lexer->p += 2;
    while (lexer->end - lexer->p >= 2 && !(lexer->p[0] == '*' && lexer->p[1] == '/')) {
      lexer->p++;
    }
    if (lexer->end - lexer->p < 2) {
      mv_lexer_fail(lexer, MV_ARGUMENT, comment, "comment without an end");
      lexer->p = lexer->end;
      return;
    }
    lexer->p += 2;
  }
}

/* The next character that is no white space, without taking it; MV_END_OF_TEXT behind the last. */
static inline int mv_lexer_peek(mv_lexer *lexer) {
  mv_lexer_skip(lexer);
  return lexer->p < lexer->end ? *lexer->p : MV_END_OF_TEXT;
}

/* Where the next token begins, to blame it later. */
static inline const uint8_t *mv_lexer_here(mv_lexer *lexer) {
  mv_lexer_skip(lexer);
  return lexer->p;
}

/* Take the next character when it is `c`. */
static inline bool mv_lexer_take(mv_lexer *lexer, char c) {
  if (mv_lexer_peek(lexer) != (unsigned char)c) {
    return false;
  }
  lexer->p++;
  return true;
}

/* Fail with what was expected and what is there instead. Always returns false. */
static inline bool mv_lexer_unexpected(mv_lexer *lexer, const char *expected) {
  if (mv_lexer_peek(lexer) == MV_END_OF_TEXT) {
    return mv_lexer_fail(lexer, MV_ARGUMENT, lexer->end, "%s expected, the text ends", expected);
  }
  const uint8_t c = *lexer->p;
  const size_t n = mv_utf8_length(lexer->p, (size_t)(lexer->end - lexer->p));
  if (n == 0 || c < 0x20 || c == 0x7F) { /* what would garble the message */
    return mv_lexer_fail(lexer, MV_ARGUMENT, lexer->p, "%s expected, byte 0x%02X found", expected, c);
  }
  return mv_lexer_fail(lexer, MV_ARGUMENT, lexer->p, "%s expected, '%.*s' found", expected, (int)n,
                       (const char *)lexer->p);
}

static inline bool mv_lexer_expect(mv_lexer *lexer, char c) {
  const char expected[] = {'\'', c, '\'', '\0'};
  return mv_lexer_take(lexer, c) || mv_lexer_unexpected(lexer, expected);
}

/* Letters, digits and "_"; empty when there are none. */
static inline mv_bytes mv_lexer_name(mv_lexer *lexer) {
  const uint8_t *const start = mv_lexer_here(lexer);
  while (lexer->p < lexer->end && mv_is_name(*lexer->p)) {
    lexer->p++;
  }
  return (mv_bytes){start, (size_t)(lexer->p - start)};
}

/* A decimal number of `least` to `most`. */
static inline bool mv_lexer_number(mv_lexer *lexer, int64_t *out, int64_t least, int64_t most) {
  const int c = mv_lexer_peek(lexer);
  if (c == '-') {
    return mv_lexer_fail(lexer, MV_ARGUMENT, lexer->p, "negative number");
  }
  if (!mv_is_digit(c)) {
    return mv_lexer_unexpected(lexer, "a number");
  }
  const uint8_t *const start = lexer->p;
  int64_t value = 0;
  for (; lexer->p < lexer->end && mv_is_digit(*lexer->p); lexer->p++) {
    const int digit = *lexer->p - '0';
    if (value > (most - digit) / 10) {
      return mv_lexer_fail(lexer, MV_ARGUMENT, start, "number larger than %lld", (long long)most);
    }
    value = value * 10 + digit;
  }
  if (value < least) {
    return mv_lexer_fail(lexer, MV_ARGUMENT, start, "number smaller than %lld", (long long)least);
  }
  *out = value;
  return true;
}

#endif
