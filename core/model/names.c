#include <stdio.h>

#include "model/module.h"

const char *mv_space_name(mv_platform platform, int64_t color, char *buffer) {
  static const char *const tpu[] = {"HBM", "VMEM", "SFLAG", "CMEM", "SMEM", "Host", "SparseCore"};
  static const char *const gpu[] = {"HBM", "Collective", "Temp", NULL, NULL, "Host", NULL, "Collective"};
  const char *name = NULL;
  if (platform == MV_PLATFORM_CPU) {
    name = color == 0 ? "Host" : NULL;
  } else if (platform == MV_PLATFORM_GPU) {
    name = color >= 0 && color < (int64_t)(sizeof gpu / sizeof *gpu) ? gpu[color] : NULL;
  } else if (color >= 0 && color < (int64_t)(sizeof tpu / sizeof *tpu)) {
    name = tpu[color];
  }
  if (name == NULL) {
    snprintf(buffer, MV_SPACE_NAME, "S(%lld)", (long long)color);
    name = buffer;
  }
  return name;
}

bool mv_space_color(int64_t *color, mv_platform platform, const char *name) {
  char buffer[MV_SPACE_NAME];
  enum { NAMED = 8 }; /* colors that may have a name of their own */
  for (*color = 0; *color < NAMED; ++*color) {
    if (strcmp(mv_space_name(platform, *color, buffer), name) == 0) {
      return true;
    }
  }
  long long number;
  if (sscanf(name, "S(%lld", &number) != 1) {
    return false;
  }
  *color = number;
  return strcmp(mv_space_name(platform, *color, buffer), name) == 0;
}

const char *mv_category_name(uint8_t category) {
  static const char *const names[] = {"Parameter", "Output", "Thread-local", "Constant", "Temporary"};
  return names[category];
}

const char *mv_platform_name(mv_platform platform) {
  static const char *const names[] = {NULL, "TPU", "GPU", "CPU"};
  return names[platform];
}
