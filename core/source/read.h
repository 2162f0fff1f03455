/* read.h: from an entry of a source to its module. */
#ifndef MV_SOURCE_READ_H
#define MV_SOURCE_READ_H

#include "base/limits.h"
#include "source/entry.h"

/* Read the module of entry `index` and fill its summary. On failure the entry's `problem` tells why too, and unless it
 * was MV_IO the entry stays unreadable until the source is opened anew; MV_NOMEM and MV_INTERRUPTED leave it as it was.
 * Owned by the caller: mv_module_free. */
mv_module *mv_source_load(mv_source *source, size_t index, const mv_limits *limits, mv_status *status);

/* mv_module_index_all of an entry's module; what can't be read is told in the entry's `problem` too. */
bool mv_source_index_all(mv_source *source, size_t index, const mv_module *module, const mv_limits *limits,
                         mv_status *status);

#endif
