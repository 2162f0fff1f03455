/* status.h: how a call says why it failed.
 *
 * Every call of core that can fail takes a mv_status as its last argument and returns false (or NULL) after it was
 * filled. A status starts as MV_STATUS_INIT; the first failure stays, later ones are ignored, so that a caller may make
 * several calls and look once.
 */
#ifndef MV_BASE_STATUS_H
#define MV_BASE_STATUS_H

#include <stdbool.h>

typedef enum mv_code {
  MV_OK = 0,
  MV_NOMEM,       /* an allocation failed */
  MV_IO,          /* the operating system refused: the message holds its words */
  MV_FORMAT,      /* the bytes are not what they should be */
  MV_LIMIT,       /* larger or deeper than what is allowed */
  MV_ARGUMENT,    /* the caller asked for something that is not there */
  MV_INTERRUPTED, /* the host asked to stop */
} mv_code;

typedef struct mv_status {
  mv_code code;
  char message[512]; /* one line, without a full stop; UTF-8; always terminated */
} mv_status;

#define MV_STATUS_INIT {MV_OK, ""}

#if defined(__GNUC__)
#define MV_PRINTF(position, first) __attribute__((format(printf, position, first)))
#else
#define MV_PRINTF(position, first)
#endif

/* Record a failure unless one is recorded already. Always returns false, for `return mv_fail(...)`. A message that is
 * too long is cut at a character's boundary. */
bool mv_fail(mv_status *status, mv_code code, const char *format, ...) MV_PRINTF(3, 4);

/* The failure every allocation reports. Always returns false. */
bool mv_fail_nomem(mv_status *status);

/* Whether the failure says nothing of what was asked for: memory ran out, or the host asked to stop. It ends
 * everything, where another failure is the problem of one file or module. */
static inline bool mv_status_is_passing(const mv_status *status) {
  return status->code == MV_NOMEM || status->code == MV_INTERRUPTED;
}

/* Put "<prefix>" before the message of a recorded failure, such as the file's name. */
void mv_status_prefix(mv_status *status, const char *format, ...) MV_PRINTF(2, 3);

#endif
