#include "wire/wire.h"

/* A varint within the message: returns the byte behind it, NULL with *fault set. */
static const uint8_t *take_varint(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
  const uint8_t *const next = mv_varint(p, value);
  if (next != NULL && next <= end) {
    return next;
  }
  *fault = next == NULL && end - p >= 10 ? MV_FAULT_MALFORMED : MV_FAULT_CUT;
  return NULL;
}

const uint8_t *mv_wire_header(mv_bytes bytes, mv_tag *tag, mv_fault *fault) {
  const uint8_t *const end = bytes.data + bytes.size;
  uint64_t key;
  *tag = (mv_tag){0}; /* no fault leaves the slice of another field behind */
  const uint8_t *p = take_varint(bytes.data, end, &key, fault);
  if (p == NULL) {
    return NULL;
  }
  tag->type = (uint32_t)(key & 7);
  tag->field = (uint32_t)(key >> 3);
  if (key < 8 || key >> 3 > 0x1FFFFFFF) {
    *fault = MV_FAULT_MALFORMED;
    return NULL;
  }
  switch (tag->type) {
    case MV_FIXED64: tag->value = 8; return p;
    case MV_FIXED32: tag->value = 4; return p;
    case MV_VARINT:
    case MV_LENGTH: return take_varint(p, end, &tag->value, fault);
    default: *fault = MV_FAULT_MALFORMED; return NULL;
  }
}

static uint64_t little_endian(const uint8_t *p, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) {
    value = value << 8 | p[i];
  }
  return value;
}

bool mv_wire_next_slow(mv_wire *w, mv_tag *tag) {
  const uint8_t *p = mv_wire_header(mv_bytes_of(w->p, (size_t)(w->end - w->p)), tag, &w->fault);
  if (p == NULL) {
    return false;
  }
  if (tag->type == MV_VARINT) {
    w->p = p;
    return true;
  }
  const uint64_t left = (uint64_t)(w->end - p);
  const bool is_whole = tag->value <= left;
  if (tag->type == MV_LENGTH) {
    tag->bytes = mv_bytes_of(p, (size_t)(is_whole ? tag->value : left));
  }
  if (!is_whole) {
    w->fault = MV_FAULT_CUT;
    return false;
  }
  w->p = p + tag->value;
  if (tag->type != MV_LENGTH) {
    tag->value = little_endian(p, (size_t)tag->value);
  }
  return true;
}
