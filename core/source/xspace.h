/* xspace.h: the entries of a profile; private to core/source. */
#ifndef MV_SOURCE_XSPACE_H
#define MV_SOURCE_XSPACE_H

#include "source/listing.h"
#include "source/stream.h"

/* Add the modules of a profile. Fails as mv_list_stream does. */
bool mv_list_xspace(mv_listing *listing, mv_stream *stream, const char *path, const mv_file_id *file_id);

#endif
