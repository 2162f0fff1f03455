/* entry.h: a source and its entries, as they are once it is open. */
#ifndef MV_SOURCE_ENTRY_H
#define MV_SOURCE_ENTRY_H

#include "base/blob.h"
#include "base/os/file.h"
#include "model/module.h"

/* What hlo_modules shows of a module without keeping the module. */
typedef struct mv_summary {
  bool is_known; /* the module was loaded once, or failed */
  mv_platform platform;
  const char *entry_computation;
  bool has_module;
  bool has_assignment;
  int64_t computation_count;
  int64_t instruction_count;
  int64_t buffer_count;
  int64_t allocation_count;
  int64_t proto_bytes;
} mv_summary;

typedef struct mv_entry {
  const char *path; /* the file; NULL for a BLOB */
  const char *host; /* whose profile it is, by the name of the file; NULL for what is no profile */
  const char *name; /* the module's; NULL while unknown */
  bool has_program_id;
  int64_t program_id; /* XLA's 64 bits: one above 2^63 is negative here */
  mv_content content;
  const char *hint;        /* of the platform: mv_module_load */
  uint64_t offset;         /* of the module's bytes in the unpacked file */
  uint64_t size;           /* UINT64_MAX: all of the file */
  mv_bytes kept;           /* the module's bytes where they were kept at opening (gzip profiles) */
  const char *scoped_path; /* the file that tells its scoped memory, NULL when it is this one */
  mv_file_id scoped_file_id;
  const char *problem;         /* why there is nothing to show, or what is wrong with it; NULL when all is well */
  bool is_readable;            /* false: there is no module here, only the problem */
  const char *device;          /* that it was compiled for, told by files beside it; NULL when none tells */
  int64_t device_memory_bytes; /* of that device, 0 when not told */
  bool is_device_told;         /* a file was there to tell, whether it could be read or not */
  mv_file_id file_id;          /* as it was when the source was opened */
  mv_summary summary;
} mv_entry;

/* What else the list of modules depends on: a directory that was walked, a damaged file that was skipped, a file that
 * tells a device or would if it were there. */
typedef struct mv_watched {
  const char *path;
  mv_file_id file_id;
} mv_watched;

typedef struct mv_source {
  mv_arena *arena;
  const char *path; /* NULL for a BLOB */
  mv_blob blob;     /* a BLOB's own bytes */
  bool is_directory;
  mv_file_id file_id;
  mv_watched *watched;
  size_t watched_count;
  mv_entry *entries; /* in the order of path, then program id; entry i has module_id i + 1 */
  size_t count;
} mv_source;

/* A text made valid UTF-8, in `arena`. NULL for an empty one, and when memory ran out. */
const char *mv_entry_keep_clean(mv_arena *arena, mv_bytes text, mv_status *status);

/* The entry's path before the message of a failure that is its own. */
void mv_entry_prefix(mv_status *status, const mv_entry *entry);

#endif
