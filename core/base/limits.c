#include "base/limits.h"

#include <inttypes.h>
#include <stddef.h>

bool mv_check_interrupt(const mv_limits *limits, mv_status *status) {
  if (limits != NULL && limits->interrupted != NULL && limits->interrupted(limits->arg)) {
    return mv_fail(status, MV_INTERRUPTED, "interrupted");
  }
  return true;
}

uint64_t mv_max_bytes(const mv_limits *limits) {
  return limits != NULL && limits->max_bytes > 0 ? limits->max_bytes : (uint64_t)MV_DEFAULT_MAX_GIB << 30;
}

bool mv_check_size(const mv_limits *limits, uint64_t size, bool is_all, mv_status *status) {
  const uint64_t most = mv_max_bytes(limits);
  if (size <= most) {
    return true;
  }
  const char *name = limits != NULL ? limits->max_bytes_name : NULL;
  const char *how = name != NULL ? ": raise it with " : "";
  name = name != NULL ? name : "";
  return is_all ? mv_fail(status, MV_LIMIT, "has %" PRIu64 " bytes, more than the limit of %" PRIu64 "%s%s", size, most,
                          how, name)
                : mv_fail(status, MV_LIMIT, "unpacks to more than the limit of %" PRIu64 " bytes%s%s", most, how, name);
}
