/* names.h: what the name of a file tells; private to core/source.
 *
 *   [prefix.]module_0001.jit_step.[backend_]after_optimizations.hlo.pb[.gz]
 *            \________ group ___/ \___________ stage ________/
 *
 * XLA names its dumps so (xla/service/dump.cc); it replaces / \ [ ] and blanks in a module's name by _, and leaves a
 * name out that would make the file's too long. A name may have dots in it, and so may the backend ("sm_9.0_gpu_"): a
 * file's own module name tells where its group ends. The number alone is no key: it starts again in each process.
 */
#ifndef MV_SOURCE_NAMES_H
#define MV_SOURCE_NAMES_H

#include "base/arena.h"

typedef enum mv_name_kind {
  MV_NAME_NONE,     /* no module can be in it */
  MV_NAME_DUMP,     /* .hlo.pb */
  MV_NAME_CACHE,    /* .hlo_proto.pb: XProf keeps modules so beside a profile */
  MV_NAME_PROFILE,  /* .xplane.pb */
  MV_NAME_SNAPSHOT, /* .hlo_snapshot.pb, .hlo_unoptimized_snapshot.pb */
  MV_NAME_RIEGELI,
  MV_NAME_OTHER,  /* .pb: taken when a module is in it, skipped when not */
  MV_NAME_DEVICE, /* device.h: tells the device of a module beside it */
  MV_NAME_TEXT,   /* HLO text, which is counted to say why a folder of text has nothing */
} mv_name_kind;

/* The last part of a path. */
mv_bytes mv_name_of(const char *path);

/* By the ending, which may have that of a compression behind it (.gz, and those that can't be read: .zst, .xz, ...). */
mv_name_kind mv_name_kind_of(const char *path);

/* Whether a file of this kind should have held a module: when it can't be read it has a row that says why. */
bool mv_name_tells_module(mv_name_kind kind);

/* The host that a profile is of: "vm" of "run/vm.xplane.pb"; empty for every other file. */
mv_bytes mv_name_host(const char *path);

/* Whether a file of this name tells the device of a module beside it: device.h. */
#define MV_TPU_DEVICE_ENDING ".target_arguments.pb"
#define MV_GPU_DEVICE_ENDING ".gpu_target_config.pbtxt"
bool mv_name_is_device(mv_bytes name);

/* Whether XLA dumped it. */
bool mv_name_is_dump(mv_bytes name);

/* Which stage of a module to try first: lower ones, those that may have the buffer assignment and are cheap to read. */
int mv_name_rank(const char *path);

/* Whether it is the stage after code generation, which tells the scoped memory on TPU. */
bool mv_name_is_codegen(const char *path);

/* What the stages of one module have in common; `module` is the name that the file gives it. *group is NULL for a file
 * that XLA did not name. False when memory ran out. */
bool mv_name_group(const char **group, const char *path, const char *module, mv_arena *arena, mv_status *status);

/* The group of a file that does not tell its module's name, being damaged: the longest of `groups` (sorted) that its
 * path continues, else one made of the path up to the dot behind the next word. */
bool mv_name_group_of_damaged(const char **group, const char *path, const char *const *groups, size_t count,
                              mv_arena *arena, mv_status *status);

#endif
