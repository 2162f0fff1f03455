#include "wire/wire.h"

const uint8_t *mv_varint(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (p == end) {
      *fault = MV_FAULT_CUT;
      return NULL;
    }
    const uint8_t c = *p++;
    v |= shift < 64 ? (uint64_t)(c & 0x7F) << shift : 0;
    if (c < 0x80) {
      *value = v;
      return p;
    }
  }
  *fault = MV_FAULT_MALFORMED;
  return NULL;
}

static bool take_fixed(mv_wire *w, mv_tag *tag, const uint8_t *p) {
  const size_t n = tag->type == MV_FIXED64 ? 8 : 4;
  if ((size_t)(w->end - p) < n) {
    w->fault = MV_FAULT_CUT;
    return false;
  }
  tag->value = 0;
  for (size_t i = n; i-- > 0;) {
    tag->value = tag->value << 8 | p[i];
  }
  w->p = p + n;
  return true;
}

bool mv_wire_next_slow(mv_wire *w, mv_tag *tag) {
  uint64_t key;
  *tag = (mv_tag){0}; /* no fault leaves the slice of another field behind */
  const uint8_t *p = mv_varint(w->p, w->end, &key, &w->fault);
  if (p == NULL) {
    return false;
  }
  tag->type = (uint32_t)(key & 7);
  tag->field = (uint32_t)(key >> 3);
  if (key < 8 || key >> 3 > 0x1FFFFFFF) {
    w->fault = MV_FAULT_MALFORMED;
    return false;
  }
  if (tag->type == MV_FIXED64 || tag->type == MV_FIXED32) {
    return take_fixed(w, tag, p);
  }
  if (tag->type != MV_VARINT && tag->type != MV_LENGTH) {
    w->fault = MV_FAULT_MALFORMED;
    return false;
  }
  p = mv_varint(p, w->end, &tag->value, &w->fault);
  if (p == NULL) {
    return false;
  }
  if (tag->type == MV_LENGTH) {
    const uint64_t left = (uint64_t)(w->end - p);
    tag->bytes.data = p;
    if (tag->value > left) {
      tag->bytes.size = (size_t)left;
      w->fault = MV_FAULT_CUT;
      return false;
    }
    tag->bytes.size = (size_t)tag->value;
    p += tag->value;
  }
  w->p = p;
  return true;
}
