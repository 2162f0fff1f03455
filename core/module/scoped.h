/* scoped.h: scoped memory from another stage of a module's dump. */
#ifndef MV_MODULE_SCOPED_H
#define MV_MODULE_SCOPED_H

#include "module/module.h"

/* Give `module` the scoped memory that `stage` tells of instructions with the same ids, when it tells of any. On TPU
 * what an instruction really used stands in the stage after code generation. */
bool mv_module_take_scoped(mv_module *module, const mv_module *stage, mv_status *status);

#endif
