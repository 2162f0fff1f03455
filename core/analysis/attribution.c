#include "analysis/attribution.h"

#include <stddef.h>

const char *mv_attribution_name(uint8_t attribution) {
  static const char *const names[] = {NULL, "argument", "element", "own", "fused", "moved", "user", "computed"};
  return names[attribution];
}
