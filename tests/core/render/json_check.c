#include "core/render/json_check.h"

#include "base/text.h"

typedef struct reader {
  const char *p;
  const char *end;
} reader;

static bool take(reader *r, char c) {
  if (r->p < r->end && *r->p == c) {
    r->p++;
    return true;
  }
  return false;
}

static bool is_digit(const reader *r) {
  return r->p < r->end && *r->p >= '0' && *r->p <= '9';
}

static bool read_number(reader *r) {
  take(r, '-');
  if (!is_digit(r) || (*r->p == '0' && r->p + 1 < r->end && r->p[1] >= '0' && r->p[1] <= '9')) {
    return false;
  }
  while (is_digit(r)) {
    r->p++;
  }
  return true; /* the page has whole numbers only */
}

static bool read_string(reader *r) {
  if (!take(r, '"')) {
    return false;
  }
  while (r->p < r->end && *r->p != '"') {
    if ((unsigned char)*r->p < 0x20) {
      return false;
    }
    if (*r->p++ != '\\') {
      continue;
    }
    if (take(r, 'u')) {
      for (int i = 0; i < 4; i++, r->p++) {
        if (r->p == r->end || strchr("0123456789abcdefABCDEF", *r->p) == NULL) {
          return false;
        }
      }
    } else if (r->p == r->end || strchr("\"\\/bfnrt", *r->p++) == NULL) {
      return false;
    }
  }
  return take(r, '"');
}

static bool read_word(reader *r, const char *word) {
  const size_t size = strlen(word);
  if ((size_t)(r->end - r->p) < size || memcmp(r->p, word, size) != 0) {
    return false;
  }
  r->p += size;
  return true;
}

static bool read_scalar(reader *r) {
  if (r->p == r->end) {
    return false;
  }
  switch (*r->p) {
    case '"': return read_string(r);
    case 't': return read_word(r, "true");
    case 'f': return read_word(r, "false");
    case 'n': return read_word(r, "null");
    default: return read_number(r);
  }
}

bool json_is_valid(mv_bytes text) {
  char closers[64];
  size_t depth = 0;
  reader r = {(const char *)text.data, (const char *)text.data + text.size};
  if (!mv_utf8_is_clean(text)) {
    return false;
  }
  for (;;) {
    if (depth > 0 && closers[depth - 1] == '}' && !(read_string(&r) && take(&r, ':'))) {
      return false;
    }
    if (take(&r, '{') || take(&r, '[')) {
      const char closer = r.p[-1] == '{' ? '}' : ']';
      if (!take(&r, closer)) {
        if (depth == sizeof closers) {
          return false;
        }
        closers[depth++] = closer;
        continue;
      }
    } else if (!read_scalar(&r)) {
      return false;
    }
    while (depth > 0 && take(&r, closers[depth - 1])) {
      depth--;
    }
    if (depth == 0) {
      return r.p == r.end;
    }
    if (!take(&r, ',')) {
      return false;
    }
  }
}
