#include "base/os/clock.h"

#include <time.h>

int64_t mv_now_ns(void) {
  struct timespec now;
  return timespec_get(&now, TIME_UTC) == TIME_UTC ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec : 0;
}
