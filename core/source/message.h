/* message.h: walking a protobuf that is read forward from a stream; private to core/source.
 *
 * As wire.h walks bytes, for what is too large to be read: a field's key and length are taken, and its payload is then
 * walked, read or skipped. `where` names the message in the texts of failures: "cut short at byte 1234 of field
 * planes".
 */
#ifndef MV_SOURCE_MESSAGE_H
#define MV_SOURCE_MESSAGE_H

#include "base/arena.h"
#include "source/stream.h"
#include "wire/wire.h"

/* The next field of a message that ends at `end` (UINT64_MAX: with the stream); *is_end when there is none. The stream
 * then stands at its payload, of tag->value bytes unless it is a varint. tag->bytes stays empty. */
bool mv_message_next(mv_stream *stream, uint64_t end, mv_tag *tag, bool *is_end, const char *where, mv_status *status);

/* Past the payload of a field. */
bool mv_message_skip(mv_stream *stream, const mv_tag *tag, const char *where, mv_status *status);

/* Up to the message's end, wherever in it the stream stands. */
bool mv_message_skip_to(mv_stream *stream, uint64_t end, const char *where, mv_status *status);

/* A payload of at most `max_size` bytes into `arena`; of a longer one the beginning, the rest is skipped. It can be
 * walked (MV_READABLE). */
bool mv_message_read(mv_bytes *out, mv_stream *stream, const mv_tag *tag, size_t max_size, const char *where,
                     mv_arena *arena, mv_status *status);

/* The failure of a message that ends where the stream stands. Always false. */
bool mv_message_fail_cut(const mv_stream *stream, const char *where, mv_status *status);

#endif
