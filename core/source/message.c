#include "source/message.h"

#include <inttypes.h>

bool mv_message_fail_cut(const mv_stream *stream, const char *where, mv_status *status) {
  return mv_fail(status, MV_FORMAT, "cut short at byte %" PRIu64 " of field %s", mv_stream_position(stream), where);
}

bool mv_message_next(mv_stream *stream, uint64_t end, mv_tag *tag, bool *is_end, const char *where, mv_status *status) {
  mv_bytes ahead = {0};
  *is_end = mv_stream_position(stream) >= end;
  if (*is_end) {
    return true;
  }
  if (!mv_stream_peek(stream, &ahead, status)) {
    return false;
  }
  if (ahead.size == 0) {
    *is_end = end == UINT64_MAX;
    return *is_end || mv_message_fail_cut(stream, where, status);
  }
  mv_fault fault = MV_FAULT_NONE;
  const uint8_t *payload = mv_wire_header(ahead, tag, &fault);
  if (payload == NULL && fault == MV_FAULT_CUT) {
    return mv_message_fail_cut(stream, where, status);
  }
  if (payload == NULL || (tag->type == MV_LENGTH && tag->value > INT64_MAX)) {
    return mv_fail(status, MV_FORMAT, "not a valid protobuf at byte %" PRIu64 ", in field %s",
                   mv_stream_position(stream), where);
  }
  uint64_t skipped;
  if (!mv_stream_skip(stream, (uint64_t)(payload - ahead.data), &skipped, status)) {
    return false;
  }
  if (tag->type == MV_LENGTH && end != UINT64_MAX && tag->value > end - mv_stream_position(stream)) {
    return mv_fail(status, MV_FORMAT, "a field of %s reaches beyond its message at byte %" PRIu64, where,
                   mv_stream_position(stream));
  }
  return true;
}

static bool skip_bytes(mv_stream *stream, uint64_t size, const char *where, mv_status *status) {
  uint64_t skipped = 0;
  return mv_stream_skip(stream, size, &skipped, status) &&
         (skipped == size || mv_message_fail_cut(stream, where, status));
}

bool mv_message_skip(mv_stream *stream, const mv_tag *tag, const char *where, mv_status *status) {
  return tag->type == MV_VARINT || skip_bytes(stream, tag->value, where, status);
}

bool mv_message_skip_to(mv_stream *stream, uint64_t end, const char *where, mv_status *status) {
  const uint64_t at = mv_stream_position(stream);
  return end <= at || skip_bytes(stream, end - at, where, status);
}

bool mv_message_read(mv_bytes *out, mv_stream *stream, const mv_tag *tag, size_t max_size, const char *where,
                     mv_arena *arena, mv_status *status) {
  const size_t size = tag->value < max_size ? (size_t)tag->value : max_size;
  uint8_t *data = mv_arena_alloc(arena, size + MV_READABLE, status);
  size_t got;
  if (data == NULL || !mv_stream_read(stream, data, size, &got, status)) {
    return false;
  }
  if (got < size) {
    return mv_message_fail_cut(stream, where, status);
  }
  memset(data + size, 0, MV_READABLE);
  *out = mv_bytes_of(data, size);
  return skip_bytes(stream, tag->value - size, where, status);
}
