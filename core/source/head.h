/* head.h: what the first bytes of a file tell; private to core/source. */
#ifndef MV_SOURCE_HEAD_H
#define MV_SOURCE_HEAD_H

#include "source/detect.h"
#include "source/listing.h"
#include "source/stream.h"

/* What a stream holds, by its first bytes and where these do not tell by its last. `head` is good until the
 * stream is read. */
bool mv_head_detect(mv_format *format, mv_bytes *head, mv_stream *stream, mv_status *status);

/* The module's name from the first bytes of an HloProto or HloModuleProto; empty when they do not reach. */
mv_bytes mv_head_module_name(mv_bytes head, mv_format format);

/* The same of a stream at its beginning, kept and clean; a name that the head does not reach is read from the stream,
 * which has moved then. *name is NULL where there is none, or one of more than 64 KiB: loading the module tells. */
enum { MV_MAX_MODULE_NAME = 64 << 10 };
bool mv_head_keep_name(const char **name, mv_listing *listing, mv_stream *stream, mv_bytes head, mv_format format);

#endif
