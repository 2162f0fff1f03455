/* paths.h: what somebody meant by a path that there is not. */
#ifndef MV_SOURCE_PATHS_H
#define MV_SOURCE_PATHS_H

#include "base/status.h"

/* Put what is to be done behind the failure to open `path`, where the path looks like something that a shell or a
 * storage library would have made a path of: ~, $NAME, a pattern, a URL. A file may be called so: ask only when there
 * is none. Always false. */
bool mv_path_explain(const char *path, mv_status *status);

#endif
