/* limits.h: what a host sets for all work on its behalf: how much one file may hold, and when to stop. */
#ifndef MV_BASE_LIMITS_H
#define MV_BASE_LIMITS_H

#include <stdint.h>

#include "base/status.h"

/* What a host sets for all reading on its behalf. */
typedef struct mv_limits {
  uint64_t max_bytes;             /* most bytes that one file may have after unpacking; 0 for the default */
  const char *max_bytes_name;     /* what the host's users set it by, for messages; may be NULL */
  bool (*interrupted)(void *arg); /* asked every few milliseconds; true stops with MV_INTERRUPTED; may be NULL */
  void *arg;
} mv_limits;

enum { MV_DEFAULT_MAX_GIB = 8 };

/* Most bytes that one file may have after unpacking. `limits` may be NULL here and below: the defaults. */
uint64_t mv_max_bytes(const mv_limits *limits);

/* False with MV_LIMIT when `size` is above the limit; `is_all` says that it is known how large it is in all. */
bool mv_check_size(const mv_limits *limits, uint64_t size, bool is_all, mv_status *status);

/* Fails with MV_INTERRUPTED when the host asks for it. */
bool mv_check_interrupt(const mv_limits *limits, mv_status *status);

#endif
