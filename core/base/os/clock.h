/* clock.h: time. */
#ifndef MV_BASE_OS_CLOCK_H
#define MV_BASE_OS_CLOCK_H

#include <stdint.h>

/* Nanoseconds on a clock that people may set: a difference can be negative or large. 0 when there is no clock. */
int64_t mv_now_ns(void);

#endif
