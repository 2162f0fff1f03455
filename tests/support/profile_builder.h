/* profile_builder.h: XSpaces by hand. */
#ifndef MV_TESTS_PROFILE_BUILDER_H
#define MV_TESTS_PROFILE_BUILDER_H

#include "support/proto_builder.h"

typedef struct profile_program {
  const char *event; /* name of its event metadata: "jit_f(3)" */
  mv_bytes module;   /* HloProto; empty: none */
  bool has_stat;     /* of the name program_id, with the value `id` */
  uint64_t id;
  bool is_signed; /* the stat is an int64 */
  bool is_old;    /* the module stands in XEventMetadata.metadata, as older writers have it */
} profile_program;

typedef struct profile_plane {
  const char *name; /* NULL: none */
  int64_t id;       /* 0: none */
  bool name_last;
  bool stats_first; /* stat_metadata before event_metadata */
  int64_t stat_id;  /* of program_id; 0: 5 */
  bool key_only;    /* the id of the stat stands in the map's key only */
} profile_plane;

/* Append a plane with programs; the plane of modules is called "/host:metadata". */
void profile_add(mv_text *space, profile_plane plane, const profile_program *programs, size_t count);

/* Append a plane of traces: one line with `events` events. */
void profile_add_traces(mv_text *space, const char *name, size_t events);

#endif
