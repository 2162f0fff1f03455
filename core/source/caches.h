/* caches.h: the modules that XProf keeps beside profiles; private to core/source. */
#ifndef MV_SOURCE_CACHES_H
#define MV_SOURCE_CACHES_H

#include "source/folder.h"

/* Add the modules that XProf took out of profiles, but those that a profile of the same folder holds; and the
 * problems of profiles without modules, but those whose modules these are. The last to be added. */
bool mv_folder_add_caches(mv_folder *folder);

#endif
