/* error.h: what the operating system says of a failure; private to base/os. */
#ifndef MV_BASE_OS_ERROR_H
#define MV_BASE_OS_ERROR_H

#include "base/status.h"

/* Fail with MV_IO: "<what>: <the system's words for `error`>", an errno. Always false. */
bool mv_fail_errno(mv_status *status, int error, const char *what);

#endif
