/* load.h: the bytes of a module -> the model.
 *
 *   bytes of an HloProto
 *     |  computations.c  computations, instructions, payloads              nothing is decoded
 *     |  assignment.c    logical buffers, allocations, heap traces
 *     |  definitions.c   buffers -> instructions, their shapes, unpadded sizes
 *     |  spaces.c        memory spaces
 *     |  replay.c        traces replayed: curve, blocks, peaks, occupied addresses
 *     v
 *   mv_module
 */
#ifndef MV_LOAD_LOAD_H
#define MV_LOAD_LOAD_H

#include "base/limits.h"
#include "model/module.h"

/* Read a module. Takes the blob over in any case: it is freed with the module, or at once on failure. `hint` may
 * tell the platform where the module does not: the dump's file name, or the name of a profile's device plane; NULL when
 * there is none. Fails with MV_FORMAT on bytes that are cut or no
 * protobuf, and with MV_NOMEM, MV_LIMIT, MV_INTERRUPTED; what is readable but wrong is shown and noted in `problem`. */
mv_module *mv_module_load(mv_blob *blob, mv_content content, const char *hint, const mv_limits *limits,
                          mv_status *status);

/* Give `module` the scoped memory that `stage` tells of instructions with the same ids, when it tells of any. On TPU
 * what an instruction really used stands in the stage after code generation. */
bool mv_module_take_scoped(mv_module *module, const mv_module *stage, const mv_limits *limits, mv_status *status);

#endif
