#include "base/wire.h"

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

static bool is_wanted(const mv_fields *wanted, uint32_t field) {
  return field < 128 && (wanted->bits[field / 64] >> field % 64 & 1) != 0;
}

/* Up to the next field that is wanted, true, or one that is unlike most others or near the end of memory, false: then
 * w->p is at it, or at the end. */
MV_INLINE bool seek_fast(mv_wire *w, mv_tag *tag, const mv_fields *wanted) {
  const uint8_t *const end = w->end;
  const uint8_t *const safe = w->limit - w->p >= 16 ? w->limit - 16 : w->p - 1; /* so far a field's head can be read */
  const uint8_t *p = w->p;
  const uint8_t *start = p;
  while (p != end && p <= safe) {
    start = p;
    /* Most fields are messages and texts with a key and a length of one byte each. */
    if ((p[0] & 0x87) == MV_LENGTH && p[1] < 0x80) {
      const uint8_t *const behind = p + 2 + p[1];
      if (p[0] < 8 || behind > end) {
        break;
      }
      if (wanted->bits[0] >> (p[0] >> 3) & 1) {
        tag->field = p[0] >> 3;
        tag->type = MV_LENGTH;
        tag->value = p[1];
        tag->bytes = (mv_bytes){p + 2, p[1]};
        w->p = behind;
        return true;
      }
      p = behind;
      start = p;
      continue;
    }
    uint32_t key = *p++;
    if (key >= 0x80) {
      key += (uint32_t)(*p++ - 1) << 7; /* takes the 0x80 away */
      if (key >= 1 << 14) {
        break;
      }
    }
    const uint32_t field = key >> 3;
    uint64_t value;
    p = mv_varint_8(p, &value);
    if (p == NULL || field == 0) {
      break;
    }
    const uint8_t *next = p;
    if ((key & 7) == MV_LENGTH) {
      if (p > end || value > (uint64_t)(end - p)) {
        break;
      }
      next = p + value;
    } else if ((key & 7) != MV_VARINT || p > end) {
      break;
    }
    if (is_wanted(wanted, field)) {
      tag->field = field;
      tag->type = key & 7;
      tag->value = value;
      tag->bytes = (mv_bytes){p, (key & 7) == MV_LENGTH ? (size_t)value : 0};
      w->p = next;
      return true;
    }
    p = next;
    start = p;
  }
  w->p = start;
  return false;
}

bool mv_wire_seek(mv_wire *w, mv_tag *tag, const mv_fields *wanted) {
  while (w->p != w->end) {
    if (seek_fast(w, tag, wanted)) {
      return true;
    }
    if (w->p == w->end || !mv_wire_next_slow(w, tag)) {
      return false;
    }
    if (is_wanted(wanted, tag->field)) {
      return true;
    }
  }
  return false;
}
