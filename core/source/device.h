/* device.h: the device that a module was compiled for, told by what the compiler writes beside it; private to
 * core/source.
 *
 *   module_0001.jit_step.cl_1014260217.target_arguments.pb     TPU
 *   module_0001.jit_step.gpu_target_config.pbtxt               GPU: GpuTargetConfigProto, as text
 *
 * A module itself does not tell. Nothing is guessed: what is not exactly as it is known leaves the device unknown.
 */
#ifndef MV_SOURCE_DEVICE_H
#define MV_SOURCE_DEVICE_H

#include "source/listing.h"

/* Take the device that the file at `path` tells into an entry. Call it once for each such file of the module: where two
 * tell different devices, neither is believed. A file that can't be read tells nothing. False when memory ran out or
 * the host wants to stop. */
bool mv_device_take(mv_entry *entry, const char *path, mv_listing *listing);

/* The same for an entry that was listed by its own path: from files of its module that lie in the same folder. All
 * paths that are tried are watched, so that the source is no longer current when one of them appears. */
bool mv_device_take_beside(mv_entry *entry, mv_listing *listing);

#endif
