#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* vsnprintf may cut a UTF-8 sequence in two: drop the incomplete one at the end. */
static void drop_partial_character(char *text) {
  const size_t n = strlen(text);
  size_t lead = n;
  while (lead > 0 && n - lead < 3 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80) {
    lead--;
  }
  if (lead == 0) {
    return;
  }
  const unsigned char c = (unsigned char)text[lead - 1];
  const size_t want = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
  if (want > 1 && n - (lead - 1) < want) {
    text[lead - 1] = '\0';
  }
}

bool mv_fail(mv_status *status, mv_code code, const char *format, ...) {
  if (status->code == MV_OK) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(status->message, sizeof status->message, format, args);
    va_end(args);
    status->code = code;
    if (n < 0) {
      status->message[0] = '\0';
    } else if ((size_t)n >= sizeof status->message) {
      drop_partial_character(status->message);
    }
  }
  return false;
}

bool mv_fail_nomem(mv_status *status) {
  return mv_fail(status, MV_NOMEM, "out of memory");
}

void mv_status_prefix(mv_status *status, const char *format, ...) {
  if (status->code == MV_OK) {
    return;
  }
  char prefix[sizeof status->message];
  char message[sizeof status->message];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(prefix, sizeof prefix, format, args);
  va_end(args);
  if (n < 0) {
    return;
  }
  drop_partial_character(prefix);
  memcpy(message, status->message, sizeof message);
  /* The cause matters more than the name: a prefix that would push it out is shortened. */
  const size_t room = sizeof status->message - 1;
  size_t keep = strlen(prefix);
  const size_t tail = strlen(message);
  if (keep + tail > room) {
    keep = tail >= room ? 0 : room - tail;
    prefix[keep] = '\0';
    drop_partial_character(prefix);
    keep = strlen(prefix);
  }
  memcpy(status->message, prefix, keep);
  memcpy(status->message + keep, message, tail + 1);
}
