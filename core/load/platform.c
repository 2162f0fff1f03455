/* platform.c: for which kind of device a module was compiled.
 *
 * Nothing in the file says so for certain. Each instruction may give a clue: tiled layouts, the target of a custom
 * call, the first key of its backend config. The kind with the most clues wins; without any a hint decides: the dump's
 * file name (XLA puts the backend's prefix into it: xla/service/dump.h) or the planes of the profile.
 */
#include "base/json.h"
#include "load/build.h"

typedef struct clue {
  const char *prefix;
  mv_platform platform;
} clue;

static const clue targets[] = {
    {"tpu_custom_call", MV_PLATFORM_TPU}, {"ConcatBitcast", MV_PLATFORM_TPU}, {"__gpu$", MV_PLATFORM_GPU},
    {"__cublas$", MV_PLATFORM_GPU},       {"__cudnn$", MV_PLATFORM_GPU},      {"__cusolver$", MV_PLATFORM_GPU},
    {"__triton", MV_PLATFORM_GPU},        {"cusolver", MV_PLATFORM_GPU},      {"cu_", MV_PLATFORM_GPU},
    {"cublas", MV_PLATFORM_GPU},          {"hip", MV_PLATFORM_GPU},           {"__onednn$", MV_PLATFORM_CPU},
    {"lapack_", MV_PLATFORM_CPU},         {"blas_", MV_PLATFORM_CPU},         {"__xla_cpu", MV_PLATFORM_CPU},
};

static const clue config_keys[] = {
    {"flag_configs", MV_PLATFORM_TPU},
    {"used_scoped_memory_configs", MV_PLATFORM_TPU},
    {"window_config", MV_PLATFORM_TPU},
    {"scoped_memory_configs", MV_PLATFORM_TPU},
    {"operation_queue_id", MV_PLATFORM_GPU},
    {"wait_on_operation_queues", MV_PLATFORM_GPU},
    {"force_earliest_schedule", MV_PLATFORM_GPU},
    {"gemm_backend_config", MV_PLATFORM_GPU},
    {"cudnn_conv_backend_config", MV_PLATFORM_GPU},
    {"fusion_backend_config", MV_PLATFORM_GPU},
    {"outer_dimension_partitions", MV_PLATFORM_CPU},
    {"onednn_", MV_PLATFORM_CPU},
};

static const clue hint_parts[] = {
    {"/device:TPU", MV_PLATFORM_TPU}, {"/device:GPU", MV_PLATFORM_GPU}, {"/host:CPU", MV_PLATFORM_CPU},
    {".cpu_", MV_PLATFORM_CPU},       {".gpu_", MV_PLATFORM_GPU},       {"_gpu_", MV_PLATFORM_GPU},
    {".sm_", MV_PLATFORM_GPU},        {".gfx", MV_PLATFORM_GPU},        {".tpu_", MV_PLATFORM_TPU},
    {".cl_", MV_PLATFORM_TPU},
};

static const clue device_types[] = {
    {"tpu", MV_PLATFORM_TPU},  {"gpu", MV_PLATFORM_GPU}, {"cuda", MV_PLATFORM_GPU},
    {"rocm", MV_PLATFORM_GPU}, {"cpu", MV_PLATFORM_CPU}, {"host", MV_PLATFORM_CPU},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_by_prefix(mv_build *b, mv_bytes text, const clue *clues, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (mv_bytes_starts_with(text, clues[i].prefix)) {
      b->platform_clues[clues[i].platform]++;
      return;
    }
  }
}

void mv_build_platform_clue(mv_build *b, mv_bytes target, mv_bytes config) {
  enum { ENOUGH = 16 }; /* clues of one kind; the rest would say the same */
  for (size_t p = 0; p < COUNT(b->platform_clues); p++) {
    if (b->platform_clues[p] >= ENOUGH) {
      return;
    }
  }
  if (target.size > 0) {
    add_by_prefix(b, target, targets, COUNT(targets));
  }
  if (config.size > 0) {
    enum { LONGEST_KEY = 256 }; /* a longer one is none of ours, and every instruction may have one */
    config.size = config.size < LONGEST_KEY ? config.size : LONGEST_KEY;
    add_by_prefix(b, mv_json_first_key(config), config_keys, COUNT(config_keys));
  }
}

static bool same_letters(mv_bytes text, const char *lower) {
  const size_t n = strlen(lower);
  if (text.size < n) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    const uint8_t c = text.data[i];
    if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != (uint8_t)lower[i]) {
      return false;
    }
  }
  return true;
}

mv_platform mv_build_platform(const mv_build *b, const char *hint) {
  for (size_t i = 0; i < COUNT(device_types); i++) {
    if (same_letters(b->device_type, device_types[i].prefix)) {
      return device_types[i].platform;
    }
  }
  mv_platform best = MV_PLATFORM_UNKNOWN;
  unsigned most = 0;
  for (unsigned p = MV_PLATFORM_TPU; p <= MV_PLATFORM_CPU; p++) {
    if (b->platform_clues[p] > most) {
      most = b->platform_clues[p];
      best = (mv_platform)p;
    }
  }
  if (best == MV_PLATFORM_UNKNOWN && hint != NULL) {
    for (size_t i = 0; i < COUNT(hint_parts); i++) {
      if (strstr(hint, hint_parts[i].prefix) != NULL) {
        return hint_parts[i].platform;
      }
    }
  }
  return best;
}
