/* unpack.h: protobuf-c into an arena; the only place that calls it. */
#ifndef MV_WIRE_UNPACK_H
#define MV_WIRE_UNPACK_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"

/* Decode a message of at most a few levels into `arena`; *(T **)out is its struct, or NULL when the bytes are no such
 * message. False only when memory ran out. The messages of proto/ do not nest without end, which bounds protobuf-c's
 * recursion. */
bool mv_unpack(void *out, const ProtobufCMessageDescriptor *descriptor, mv_bytes bytes, mv_arena *arena,
               mv_status *status);

#endif
