/* fusions.h: the instructions inside fusions, which loading skips: they define no buffers and are most of a module. */
#ifndef MV_MODEL_FUSIONS_H
#define MV_MODEL_FUSIONS_H

#include "base/limits.h"
#include "model/module.h"

/* Walk the instructions that loading skipped, at the first call: whoever lists all instructions wants to know that each
 * can be read. Fails with MV_FORMAT where one can't, with MV_NOMEM and MV_INTERRUPTED. */
bool mv_module_index_all(const mv_module *module, const mv_limits *limits, mv_status *status);

/* The instruction of an id, wherever it is, MV_NONE when it is nowhere; of two with one id the one outside of fusions.
 * Fails as mv_module_index_all does. */
bool mv_module_find_instruction(uint32_t *out, const mv_module *module, int64_t id, const mv_limits *limits,
                                mv_status *status);

#endif
