/* directory.h: the entries of a directory; private to core/source. */
#ifndef MV_SOURCE_DIRECTORY_H
#define MV_SOURCE_DIRECTORY_H

#include "source/listing.h"

/* Add what a directory holds, its subdirectories included. */
bool mv_list_directory(mv_listing *listing, const char *path);

#endif
