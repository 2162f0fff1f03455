#include "base/wire.h"

static const uint8_t *by_bytes(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
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

/* Instruction ids (computation << 32 | number) take five bytes and more, so they are worth a way without a loop: eight
 * bytes at once, cut behind the first that is below 0x80, the seven bits of each moved together in three steps. */
const uint8_t *mv_varint_slow(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (end - p >= 8) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    const uint64_t ends = ~v & UINT64_C(0x8080808080808080);
    if (ends != 0) {
      v &= ends ^ (ends - 1);
      v &= UINT64_C(0x7F7F7F7F7F7F7F7F);
      v = (v & UINT64_C(0x007F007F007F007F)) | (v & UINT64_C(0x7F007F007F007F00)) >> 1;
      v = (v & UINT64_C(0x00003FFF00003FFF)) | (v & UINT64_C(0x3FFF00003FFF0000)) >> 2;
      v = (v & UINT64_C(0x000000000FFFFFFF)) | (v & UINT64_C(0x0FFFFFFF00000000)) >> 4;
      *value = v;
      return p + __builtin_ctzll(ends) / 8 + 1;
    }
  }
#endif
  return by_bytes(p, end, value, fault);
}

bool mv_wire_next_fixed(mv_wire *w, mv_tag *tag, const uint8_t *p) {
  if (tag->field == 0 || tag->field > 0x1FFFFFFF || (tag->type != MV_FIXED64 && tag->type != MV_FIXED32)) {
    w->fault = MV_FAULT_MALFORMED;
    return false;
  }
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
