#include "analysis/devices.h"

#include <stdio.h>
#include <strings.h>

enum { HBM = 0, VMEM = 1, CMEM = 3, SMEM = 4 }; /* colors: mv_space_name */

#define KIB(n) ((int64_t)(n)*1024)
#define MIB(n) ((int64_t)(n)*1024 * 1024)
/* A compiler's message gives hundredths of a GiB. */
#define GIB_HUNDREDTHS(n) ((int64_t)(n)*1024 * 1024 * 1024 / 100)

#define LIBTPU "libtpu 0.0.52, available HBM in its out-of-memory errors"
#define PALLAS "jax 0.10.2, jax/_src/pallas/mosaic/tpu_info.py"
#define SPECS(file) "openxla, xla/backends/gpu/target_config/specs/" file ".txtpb, device_memory_size"

#define TPU(name, hbm, hbm_per, vmem, smem)                                                                            \
  {name, MV_PLATFORM_TPU, HBM, GIB_HUNDREDTHS(hbm), hbm_per, LIBTPU},                                                  \
      {name, MV_PLATFORM_TPU, VMEM, vmem, "core", PALLAS}, {                                                           \
    name, MV_PLATFORM_TPU, SMEM, smem, "core", PALLAS                                                                  \
  }
/* jax rounds its 128 MiB to 134,000,000. */
#define V4_CMEM(name)                                                                                                  \
  { name, MV_PLATFORM_TPU, CMEM, MIB(128), "chip", PALLAS }
#define GPU(name, bytes, file)                                                                                         \
  { name, MV_PLATFORM_GPU, HBM, INT64_C(bytes), "chip", SPECS(file) }

const mv_device_space mv_device_spaces[] = {
    TPU("TPU v2", 748, "core", MIB(16), KIB(16)),
    TPU("TPU v3", 1548, "core", MIB(16), KIB(16)),
    TPU("TPU v4", 1525, "core", MIB(16), MIB(1)),
    V4_CMEM("TPU v4"),
    TPU("TPU v4 megacore", 3075, "chip", MIB(16), MIB(1)),
    V4_CMEM("TPU v4 megacore"),
    TPU("TPU v5e", 1575, "chip", MIB(128), MIB(1)),
    TPU("TPU v5p", 9573, "chip", MIB(64), MIB(1)),
    TPU("TPU v6e", 3124, "chip", MIB(128), MIB(1)),
    TPU("TPU7x", 9474, "core", MIB(64), MIB(1)),
    GPU("Tesla V100-SXM2-16GB", 16935682048, "v100"),
    GPU("NVIDIA A100-SXM4-40GB", 42331013120, "a100_sxm_40"),
    GPU("NVIDIA A100-SXM4-80GB", 85100068864, "a100_sxm_80"),
    GPU("NVIDIA RTX A6000", 51041271808, "a6000"),
    GPU("NVIDIA H100 80GB HBM3", 84942979072, "h100_sxm"),
    GPU("NVIDIA H200 141GB HBM3e", 151397597184, "h200"),
    GPU("NVIDIA B200", 191514411008, "b200"),
    GPU("NVIDIA GB200", 197897748480, "gb200"),
    GPU("NVIDIA B300", 297021865984, "b300"),
    GPU("NVIDIA RTX PRO 6000 Blackwell", 103079215104, "rtx6000pro"),
};
const size_t mv_device_space_count = sizeof mv_device_spaces / sizeof *mv_device_spaces;

/* What JAX calls a device (Device.device_kind) where that is another name. */
static const struct {
  const char *kind;
  const char *device;
} kinds[] = {{"TPU v5 lite", "TPU v5e"}, {"TPU v5", "TPU v5p"}, {"TPU v6 lite", "TPU v6e"}};

const char *mv_device_find(const char *name, mv_status *status) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcasecmp(kinds[i].kind, name) == 0) {
      return kinds[i].device;
    }
  }
  char all[400] = "";
  size_t used = 0;
  const char *last = "";
  for (size_t i = 0; i < mv_device_space_count; i++) {
    const char *device = mv_device_spaces[i].device;
    if (strcasecmp(device, name) == 0) {
      return device;
    }
    if (strcmp(device, last) != 0 && used < sizeof all) {
      used += (size_t)snprintf(all + used, sizeof all - used, "%s'%s'", used > 0 ? ", " : "", device);
    }
    last = device;
  }
  mv_fail(status, MV_ARGUMENT, "no device is called '%.40s'; there is %s", name, all);
  return NULL;
}

mv_platform mv_device_platform(const char *device) {
  for (size_t i = 0; i < mv_device_space_count; i++) {
    if (strcmp(mv_device_spaces[i].device, device) == 0) {
      return mv_device_spaces[i].platform;
    }
  }
  return MV_PLATFORM_UNKNOWN;
}

int64_t mv_device_capacity(const char *device, int64_t memory_bytes, mv_platform platform, int64_t color) {
  if (device == NULL) {
    return -1;
  }
  if (memory_bytes > 0 && color == HBM && platform == MV_PLATFORM_GPU) {
    return memory_bytes;
  }
  for (size_t i = 0; i < mv_device_space_count; i++) {
    const mv_device_space *s = &mv_device_spaces[i];
    if (s->color == color && (platform == MV_PLATFORM_UNKNOWN || platform == s->platform) &&
        strcmp(s->device, device) == 0) {
      return s->capacity_bytes;
    }
  }
  return -1;
}

const char *mv_device_of(int64_t *memory_bytes, const mv_entry *entry, const char *device, mv_platform platform) {
  *memory_bytes = entry->device_memory_bytes;
  if (entry->device != NULL) {
    return entry->device;
  }
  return device != NULL && (platform == MV_PLATFORM_UNKNOWN || platform == mv_device_platform(device)) ? device : NULL;
}
