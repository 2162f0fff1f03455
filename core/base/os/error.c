#define _POSIX_C_SOURCE 200809L /* the strerror_r that returns a number */

#include "base/os/error.h"

#include <stdio.h>
#include <string.h>

bool mv_fail_errno(mv_status *status, int error, const char *what) {
  char words[128] = "";
  if (strerror_r(error, words, sizeof words) != 0) {
    snprintf(words, sizeof words, "error %d", error);
  }
  return mv_fail(status, MV_IO, "%s: %s", what, words);
}
