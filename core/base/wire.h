/* wire.h: walking protobuf bytes without decoding them.
 *
 *   mv_wire w = mv_wire_of(bytes);
 *   mv_tag tag;
 *   while (mv_wire_next(&w, &tag)) { switch (tag.field) { ... } }
 *   if (w.fault) ...
 *
 * Inline, because the whole of a file passes through here. A nested message is a slice (tag.bytes) to walk or to skip.
 * The encoding: protobuf.dev/programming-guides/encoding. Groups (wire types 3 and 4) do not occur in XLA's messages
 * and are faults, as are field number 0, a varint of more than ten bytes and a length beyond the end.
 */
#ifndef MV_BASE_WIRE_H
#define MV_BASE_WIRE_H

#include "base/bytes.h"
#include "base/status.h"

enum { MV_VARINT = 0, MV_FIXED64 = 1, MV_LENGTH = 2, MV_FIXED32 = 5 };

typedef enum mv_fault {
  MV_FAULT_NONE = 0,
  MV_FAULT_CUT,       /* the bytes end inside a field */
  MV_FAULT_MALFORMED, /* no protobuf */
} mv_fault;

typedef struct mv_wire {
  const uint8_t *p; /* the next byte; at a fault, the tag of the faulty field */
  const uint8_t *end;
  mv_fault fault;
} mv_wire;

typedef struct mv_tag {
  uint32_t field;
  uint32_t type;  /* MV_VARINT ... */
  uint64_t value; /* of a varint or fixed field; the length of a MV_LENGTH field */
  mv_bytes bytes; /* of a MV_LENGTH field; in a fault of kind MV_FAULT_CUT what is there of it */
} mv_tag;

static inline mv_wire mv_wire_of(mv_bytes bytes) {
  return (mv_wire){bytes.data, bytes.size > 0 ? bytes.data + bytes.size : bytes.data, MV_FAULT_NONE};
}

/* A varint at `p`: returns the byte behind it, NULL with *fault set when there is none. */
static inline const uint8_t *mv_varint_slow(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
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

static inline const uint8_t *mv_varint(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
  if (p < end && *p < 0x80) {
    *value = *p;
    return p + 1;
  }
  return mv_varint_slow(p, end, value, fault);
}

/* The next field; false at the end and at a fault. */
static inline bool mv_wire_next(mv_wire *w, mv_tag *tag) {
  if (w->p == w->end) {
    return false;
  }
  uint64_t key;
  const uint8_t *p = mv_varint(w->p, w->end, &key, &w->fault);
  if (p == NULL) {
    return false;
  }
  tag->type = (uint32_t)(key & 7);
  if (key < 8 || key >> 3 > 0x1FFFFFFF) {
    w->fault = MV_FAULT_MALFORMED;
    return false;
  }
  tag->field = (uint32_t)(key >> 3);
  switch (tag->type) {
    case MV_VARINT:
      p = mv_varint(p, w->end, &tag->value, &w->fault);
      if (p == NULL) {
        return false;
      }
      break;
    case MV_LENGTH:
      p = mv_varint(p, w->end, &tag->value, &w->fault);
      if (p == NULL) {
        return false;
      }
      if (tag->value > (uint64_t)(w->end - p)) {
        tag->bytes = (mv_bytes){p, (size_t)(w->end - p)};
        w->fault = MV_FAULT_CUT;
        return false;
      }
      tag->bytes = (mv_bytes){p, (size_t)tag->value};
      p += tag->value;
      break;
    case MV_FIXED64:
    case MV_FIXED32: {
      const size_t n = tag->type == MV_FIXED64 ? 8 : 4;
      if ((size_t)(w->end - p) < n) {
        w->fault = MV_FAULT_CUT;
        return false;
      }
      tag->value = 0;
      for (size_t i = n; i-- > 0;) {
        tag->value = tag->value << 8 | p[i];
      }
      p += n;
      break;
    }
    default:
      w->fault = MV_FAULT_MALFORMED;
      return false;
  }
  w->p = p;
  return true;
}

/* The next value of a packed repeated varint field; false at the end and at a fault. */
static inline bool mv_wire_next_packed(mv_wire *w, uint64_t *value) {
  if (w->p == w->end) {
    return false;
  }
  const uint8_t *p = mv_varint(w->p, w->end, value, &w->fault);
  if (p == NULL) {
    return false;
  }
  w->p = p;
  return true;
}

#endif
