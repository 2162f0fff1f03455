/* listing.h: collecting the entries of a source; private to core/source.
 *
 *   file       --head--> format --+-- HloProto, HloModuleProto, BufferAssignmentProto: one entry
 *                                 +-- XSpace: xspace.c, one entry for each module in it
 *   directory  --walk--> files, the stages of one module together --> one entry for each module
 */
#ifndef MV_SOURCE_LISTING_H
#define MV_SOURCE_LISTING_H

#include "base/limits.h"
#include "source/detect.h"
#include "source/source.h"

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

/* A new entry for the file at `path` (kept; NULL for a BLOB), readable and of unknown name; NULL when memory ran out. */
mv_entry *mv_listing_add(mv_listing *listing, const char *path, const mv_file_id *file_id);

/* An entry that only says what is wrong with a file. */
bool mv_listing_add_problem(mv_listing *listing, const char *path, const mv_file_id *file_id, const char *problem);

/* Add what one file holds. False with the status set when it holds nothing that can be shown (MV_FORMAT, MV_IO,
 * MV_LIMIT: the caller decides whether that is an error or a row) or the listing can't go on (MV_NOMEM,
 * MV_INTERRUPTED). */
bool mv_list_stream(mv_listing *listing, mv_stream *stream, const char *path, const mv_file_id *file_id);

/* xspace.c: add the modules of a profile. */
bool mv_list_xspace(mv_listing *listing, mv_stream *stream, const char *path, const mv_file_id *file_id);

/* directory.c: add what a directory holds, its subdirectories included. */
bool mv_list_directory(mv_listing *listing, const char *path);

/* head.c: what a stream holds, by its first bytes and where these do not tell by its last. `head` is good until the
 * stream is read. */
bool mv_head_detect(mv_format *format, mv_bytes *head, mv_stream *stream, mv_status *status);

/* The module's name from the first bytes of an HloProto or HloModuleProto; empty when they do not reach. */
mv_bytes mv_head_module_name(mv_bytes head, mv_format format);

/* The same of a stream at its beginning, kept and clean; a name that the head does not reach is read from the stream,
 * which has moved then. *name is NULL where there is none, or one of more than 64 KiB: loading the module tells. */
enum { MV_MAX_MODULE_NAME = 64 << 10 };
bool mv_head_keep_name(const char **name, mv_listing *listing, mv_stream *stream, mv_bytes head, mv_format format);

#endif
