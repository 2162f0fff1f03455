/* proto_builder.h: protobuf bytes by hand, field after field, into a mv_text (freed with mv_text_free).
 *
 * Nothing is checked: a test may write what no encoder would. What was built can be walked: MV_READABLE bytes behind it
 * are there.
 */
#ifndef MV_TESTS_PROTO_BUILDER_H
#define MV_TESTS_PROTO_BUILDER_H

#include "base/text.h"

void pb_varint(mv_text *out, uint64_t value);

/* The tag of a field: its number and wire type. */
void pb_tag(mv_text *out, unsigned field, unsigned type);

void pb_int(mv_text *out, unsigned field, int64_t value);
void pb_raw(mv_text *out, const void *data, size_t size);
void pb_bytes(mv_text *out, unsigned field, const void *data, size_t size);
void pb_string(mv_text *out, unsigned field, const char *text);

/* A nested message; `message` is freed. */
void pb_message(mv_text *out, unsigned field, mv_text *message);

static inline mv_bytes pb_view(const mv_text *proto) {
  return mv_bytes_of(proto->data, proto->size);
}

#endif
