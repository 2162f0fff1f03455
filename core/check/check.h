/* check.h: whether a loaded module keeps its promises.
 *
 * Whatever a file says, a module that loads holds together: references point at something, arrays stand in their order,
 * and the numbers of a memory space agree with each other, as counted here a second time and another way. The tests,
 * the fuzz targets and debug builds of the extension check everything they load.
 */
#ifndef MV_CHECK_CHECK_H
#define MV_CHECK_CHECK_H

#include "model/module.h"

/* False with the first broken promise in the status (MV_FORMAT): a fault of memview, not of the file. MV_NOMEM when
 * there was no room to count. Linear in the size of the module. */
bool mv_module_check(const mv_module *module, mv_status *status);

#endif
