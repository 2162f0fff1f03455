/* metadata.h: where an instruction comes from: its OpMetadata, walked.
 *
 * A metadata may be interned: its payload, or the module's payload of that number, is an OpMetadata of its own. What
 * stands in the instruction itself goes before what is interned.
 */
#ifndef MV_MODEL_METADATA_H
#define MV_MODEL_METADATA_H

#include "model/module.h"

typedef struct mv_metadata {
  mv_bytes op_name; /* {NULL, 0}: none, as in the following */
  mv_bytes source_file;
  int64_t source_line;    /* 0: none */
  int64_t stack_frame_id; /* 0: none */
} mv_metadata;

/* Read an OpMetadata; the slices point into the module. A part that is no protobuf is left out. */
void mv_metadata_read(mv_metadata *out, const mv_module *module, mv_bytes proto);

#endif
