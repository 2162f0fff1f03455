/* source.h: what a user points at, as a list of modules.
 *
 *   path or BLOB --open--> entries: one for each module, and one with a problem for each file that should have had one
 *   entry --load--> mv_module                   read.h
 *
 * Opening reads no more than is needed to tell the modules apart: the first kilobytes of a file, the metadata plane of
 * a profile. Loading reads the one module.
 */
#ifndef MV_SOURCE_SOURCE_H
#define MV_SOURCE_SOURCE_H

#include "base/limits.h"
#include "source/entry.h"
#include "source/read.h"

/* Open a file or directory. Fails when nothing can be read there at all: the message names the path and says why. */
mv_source *mv_source_open(const char *path, const mv_limits *limits, mv_status *status);

/* Open the bytes of a file; they are copied. */
mv_source *mv_source_of(mv_bytes bytes, const mv_limits *limits, mv_status *status);

void mv_source_free(mv_source *source);

/* Whether all that the source was made of still is what it was when it was opened: one stat for each file and
 * directory. Always true for a BLOB. */
bool mv_source_is_current(const mv_source *source);

/* Bytes of memory the source holds, its modules not counted. */
size_t mv_source_footprint(const mv_source *source);

#endif
