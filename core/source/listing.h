/* listing.h: collecting the entries of a source; private to core/source.
 *
 *   file       --head--> format --+-- HloProto, HloModuleProto, BufferAssignmentProto: one entry
 *                                 +-- XSpace: xspace.c, one entry for each module in it
 *   directory  --list--> files, the stages of one module together --> one entry for each module
 */
#ifndef MV_SOURCE_LISTING_H
#define MV_SOURCE_LISTING_H

#include "base/limits.h"
#include "source/entry.h"

typedef struct mv_listing {
  mv_source *source;
  mv_array entries; /* mv_entry */
  const mv_limits *limits;
  mv_status *status;
  bool is_bare; /* the last failure: a sound profile without modules */
} mv_listing;

/* A text of the source's arena. NULL when memory ran out. */
const char *mv_listing_keep(mv_listing *listing, mv_bytes text);

/* The same, made valid UTF-8; NULL for an empty one too. */
const char *mv_listing_keep_clean(mv_listing *listing, mv_bytes text);

/* A new entry for the file at `path` (kept; NULL for a BLOB), readable and of unknown name; NULL when memory ran out.
 */
mv_entry *mv_listing_add(mv_listing *listing, const char *path, const mv_file_id *file_id);

/* An entry that only says what is wrong with a file. */
bool mv_listing_add_problem(mv_listing *listing, const char *path, const mv_file_id *file_id, const char *problem);

#endif
