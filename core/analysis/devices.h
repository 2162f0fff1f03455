/* devices.h: how much memory a device has, space by space: a table of facts, each with its source. */
#ifndef MV_ANALYSIS_DEVICES_H
#define MV_ANALYSIS_DEVICES_H

#include "model/module.h"
#include "source/source.h"

typedef struct mv_device_space {
  const char *device;
  mv_platform platform;
  int64_t color;
  int64_t capacity_bytes; /* that a program can use */
  const char *per;        /* 'core' or 'chip': what has a memory of this size of its own */
  const char *source;     /* who says so */
} mv_device_space;

/* All of them, the spaces of a device one behind the other. */
extern const mv_device_space mv_device_spaces[];
extern const size_t mv_device_space_count;

/* The device of this name, whatever its case, as the table writes it; JAX's device_kind is understood too ('TPU v5
 * lite'). NULL with MV_ARGUMENT, and a message that lists the devices, when there is none. */
const char *mv_device_find(const char *name, mv_status *status);

/* The platform of a device of the table; MV_PLATFORM_UNKNOWN for any other name. */
mv_platform mv_device_platform(const char *device);

/* What a device has of a space. `device` NULL: unknown; `memory_bytes` is what a dump says of a GPU's memory, 0 when it
 * says nothing: that goes before the table. -1 when unknown. */
int64_t mv_device_capacity(const char *device, int64_t memory_bytes, mv_platform platform, int64_t color);

/* The device that an entry's module was compiled for, and what a dump says of its memory, 0 when it says nothing: as
 * files beside the module tell, else `device` for modules of that device's platform. NULL when neither does. `device`
 * is one of the table, or NULL. */
const char *mv_device_of(int64_t *memory_bytes, const mv_entry *entry, const char *device, mv_platform platform);

#endif
