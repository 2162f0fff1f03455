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

/* Without the case of ASCII letters, as SQLite's NOCASE compares, whatever the locale is. */
static bool is_same_name(const char *a, const char *b) {
  for (; *a != '\0' && *b != '\0'; a++, b++) {
    const char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 'a' + 'A') : *a;
    const char y = *b >= 'a' && *b <= 'z' ? (char)(*b - 'a' + 'A') : *b;
    if (x != y) {
      return false;
    }
  }
  return *a == *b;
}

size_t mv_space_colors(int64_t colors[MV_SPACE_COLORS], mv_platform platform, const char *name) {
  char buffer[MV_SPACE_NAME];
  enum { NAMED = 8 }; /* colors that may have a name of their own */
  size_t count = 0;
  for (int64_t color = 0; color < NAMED && count < MV_SPACE_COLORS; color++) {
    if (is_same_name(mv_space_name(platform, color, buffer), name)) {
      colors[count++] = color;
    }
  }
  long long number;
  if (count == 0 && sscanf(name, "%*1[Ss](%lld", &number) == 1 &&
      is_same_name(mv_space_name(platform, number, buffer), name)) {
    colors[count++] = number;
  }
  return count;
}

const char *mv_category_name(uint8_t category) {
  static const char *const names[] = {"Parameter", "Output", "Thread-local", "Constant", "Temporary"};
  return names[category];
}

const char *mv_platform_name(mv_platform platform) {
  static const char *const names[] = {NULL, "TPU", "GPU", "CPU"};
  return names[platform];
}

const char *mv_event_name(uint8_t kind) {
  static const char *const names[] = {"ALLOC", "FREE", "SHARE_WITH"};
  return kind < sizeof names / sizeof *names ? names[kind] : NULL;
}
