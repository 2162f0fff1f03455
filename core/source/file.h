/* file.h: the entries of one file; private to core/source. */
#ifndef MV_SOURCE_FILE_H
#define MV_SOURCE_FILE_H

#include "source/listing.h"
#include "source/stream.h"

/* Add what one file holds. False with the status set when it holds nothing that can be shown (MV_FORMAT, MV_IO,
 * MV_LIMIT: the caller decides whether that is an error or a row) or the listing can't go on (MV_NOMEM,
 * MV_INTERRUPTED). */
bool mv_list_stream(mv_listing *listing, mv_stream *stream, const char *path, const mv_file_id *file_id);

#endif
