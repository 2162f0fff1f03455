/* paste.c: a shape in what people paste.
 *
 *   2×bf16[8,128]{1,0}                                         a count before it
 *   Shape: f32[8,128]{1,0:T(8,128)}                            XLA's reports of memory: also "Entry Parameter
 * Subshape:" allocation 1: size 128, parameter 0, shape |f32[32]| at    ... and of buffer assignment value: <7 fusion.1
 * @0> (size=128,offset=0): f32[32]{0} XLA label: %copy.1 = f32[8]{0} copy(f32[8]{0} %x)          an instruction: its
 * result
 *
 * A text that begins as a shape is one, with nothing behind it. In any other text only what stands at such a place
 * counts: a number for the wrong one of several shapes, or for half of one, would be worse than none. What stands
 * between quotes does not count, since op names hold anything.
 */
#include "shape/parse.h"

typedef enum place {
  NOWHERE,
  RESULT, /* of an instruction */
  VALUE,  /* behind size and offset of buffer assignment */
  REPORT, /* behind the word "shape" */
} place;

typedef struct found {
  place place; /* the best one */
  const uint8_t *shape;
  const uint8_t *second; /* another shape at such a place; NULL when there is none */
} found;

static const uint8_t *skip_spaces(const uint8_t *p, const uint8_t *end) {
  while (p < end && mv_is_space(*p)) {
    p++;
  }
  return p;
}

static uint8_t lower(uint8_t c) {
  return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

/* Whether `word`, in lower case, stands at `p` in any case. */
static bool is_word(const uint8_t *p, const uint8_t *end, const char *word) {
  for (; *word != '\0'; word++, p++) {
    if (p == end || lower(*p) != (uint8_t)*word) {
      return false;
    }
  }
  return true;
}

/* The sign between a count and its shape: how many bytes it has, 0 when it is none. */
static size_t times_size(const uint8_t *p, const uint8_t *end) {
  if (p < end && (lower(*p) == 'x' || *p == '*')) {
    return 1;
  }
  return end - p >= 2 && p[0] == 0xC3 && p[1] == 0x97 ? 2 : 0; /* U+00D7 */
}

/* Whether a shape begins at `p`: the parentheses of tuples and buffers, then an element type and its bracket. */
static bool begins_as_shape(const uint8_t *p, const uint8_t *end) {
  for (bool is_tuple = false;; is_tuple = true) {
    const uint8_t *const start = skip_spaces(p, end);
    for (p = start; p < end && mv_is_name(*p);) {
      p++;
    }
    const mv_bytes name = {start, (size_t)(p - start)};
    p = skip_spaces(p, end);
    if (p == end) {
      return false;
    }
    const uint8_t c = *p++;
    if (c == '[') {
      return mv_element_type_of_any_name(name) != MV_TYPE_INVALID;
    }
    if (c != '(' || (name.size > 0 && !(name.size == 1 && lower(*start) == 'b'))) {
      return c == ')' && is_tuple && name.size == 0;
    }
  }
}

/* The same for a shape that may have a count before it. */
static bool begins_as_counted(const uint8_t *p, const uint8_t *end) {
  const uint8_t *q = skip_spaces(p, end);
  const uint8_t *const digits = q;
  while (q < end && mv_is_digit(*q)) {
    q++;
  }
  if (q == digits) {
    return begins_as_shape(p, end);
  }
  q = skip_spaces(q, end);
  const size_t times = times_size(q, end);
  return times > 0 && begins_as_shape(q + times, end);
}

/* The shape of a report whose word "shape" stands at `p`: behind ":" whatever it is, behind "|" and "=" what begins as
 * one. NULL when there is none. */
static const uint8_t *shape_of_report(const uint8_t *p, const uint8_t *end) {
  p = skip_spaces(p + strlen("shape"), end);
  if (is_word(p, end, "is |")) {
    p += strlen("is ");
  }
  if (p == end || (*p != ':' && *p != '|' && *p != '=')) {
    return NULL;
  }
  const bool is_named = *p++ == ':';
  p = skip_spaces(p, end);
  if (p < end && (*p == '\'' || *p == '"')) {
    p++;
  }
  return is_named || begins_as_shape(p, end) ? p : NULL;
}

/* What place of a shape begins at `p`, if any, and the shape. */
static place place_at(const uint8_t **shape, const uint8_t *start, const uint8_t *p, const uint8_t *end) {
  if (is_word(p, end, "shape")) {
    *shape = shape_of_report(p, end);
    return *shape != NULL ? REPORT : NOWHERE;
  }
  const place kind = is_word(p, end, "): ")                                     ? VALUE
                     : is_word(p, end, " = ") && p > start && mv_is_name(p[-1]) ? RESULT
                                                                                : NOWHERE;
  *shape = p + 3;
  return kind != NOWHERE && begins_as_shape(*shape, end) ? kind : NOWHERE;
}

static found find(mv_bytes text) {
  found f = {NOWHERE, NULL, NULL};
  const uint8_t *const end = text.data + text.size;
  bool is_quoted = false;
  for (const uint8_t *p = text.data; p < end; p++) {
    if (*p == '\n') {
      is_quoted = false; /* a label that was cut */
    } else if (is_quoted && *p == '\\' && end - p >= 2 && p[1] != '\n') {
      p++;
    } else if (*p == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && (*p == ' ' || *p == ')' || lower(*p) == 's')) {
      const uint8_t *shape;
      const place kind = place_at(&shape, text.data, p, end);
      if (kind > f.place) {
        f = (found){kind, shape, NULL};
      } else if (kind == f.place && kind != NOWHERE && f.second == NULL) {
        f.second = shape;
      }
    }
  }
  return f;
}

/* What must stand behind a shape, given the character before it, so that none is taken whose rest was cut off. */
static bool check_behind(mv_lexer *lexer, place kind, char before) {
  static const char ends[] = {',', ';', ')', ']'};
  const uint8_t *const p = lexer->p;
  if (lexer->end - p >= 3 && memcmp(p, "...", 3) == 0) {
    return mv_lexer_fail(lexer, MV_ARGUMENT, p, "it is cut off");
  }
  const bool is_end = p == lexer->end || mv_is_space(*p);
  if (kind == RESULT) {
    const int c = is_end ? mv_lexer_peek(lexer) : MV_END_OF_TEXT;
    return (c >= 'a' && c <= 'z') || mv_lexer_unexpected(lexer, "the opcode of an instruction");
  }
  if (before == '|' || before == '\'' || before == '"') {
    return mv_lexer_expect(lexer, before);
  }
  return is_end || memchr(ends, *p, sizeof ends) != NULL || mv_lexer_unexpected(lexer, "white space or the end");
}

static bool parse_found(mv_shape *out, const found *f, mv_bytes text, mv_arena *arena, mv_status *status) {
  mv_lexer lexer = mv_lexer_of(text, status);
  if (f->second != NULL) {
    return mv_lexer_fail(&lexer, MV_ARGUMENT, f->second, "one alone expected, a second begins");
  }
  lexer.p = f->shape;
  return mv_shape_parse_at(out, &lexer, arena) && check_behind(&lexer, f->place, (char)f->shape[-1]) &&
         status->code == MV_OK; /* a comment behind the shape may have no end */
}

static bool parse_counted(mv_shape *out, int64_t *count, mv_bytes text, mv_arena *arena, mv_status *status) {
  mv_lexer lexer = mv_lexer_of(text, status);
  *count = 1;
  if (mv_is_digit(mv_lexer_peek(&lexer))) {
    if (!mv_lexer_number(&lexer, count, 1, INT64_MAX)) {
      return false;
    }
    const size_t times = times_size(mv_lexer_here(&lexer), lexer.end);
    if (times == 0) {
      return mv_lexer_unexpected(&lexer, "a shape behind a count and 'x'");
    }
    lexer.p += times;
  }
  return mv_shape_parse_rest(out, &lexer, arena);
}

bool mv_shape_parse_pasted(mv_shape *out, int64_t *count, mv_bytes text, mv_arena *arena, mv_status *status) {
  mv_status alone = MV_STATUS_INIT;
  if (parse_counted(out, count, text, arena, &alone)) {
    return true;
  }
  if (text.size > 0 && alone.code != MV_NOMEM && !begins_as_counted(text.data, text.data + text.size)) {
    const found f = find(text);
    if (f.place != NOWHERE) {
      *count = 1;
      return parse_found(out, &f, text, arena, status);
    }
  }
  return mv_fail(status, alone.code, "%s", alone.message);
}
