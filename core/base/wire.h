/* wire.h: walking protobuf bytes without decoding them.
 *
 *   mv_wire w = mv_wire_of(bytes);
 *   mv_tag tag;
 *   while (mv_wire_next(&w, &tag)) { switch (tag.field) { ... } }
 *   if (w.fault) ...
 *
 * Inline where it counts, because the whole of a file passes through here. A nested message is a slice (tag.bytes) to walk or to skip.
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

/* What is small enough to be worth it is inlined whatever the compiler thinks: these are the innermost loops. */
#if defined(__GNUC__)
#define MV_INLINE static inline __attribute__((always_inline))
#define MV_NOINLINE __attribute__((noinline))
#define MV_LIKELY(condition) __builtin_expect((condition), 1)
#else
#define MV_INLINE static inline
#define MV_NOINLINE
#define MV_LIKELY(condition) (condition)
#endif

/* A varint at `p` that is long, near the end, or none: returns the byte behind it, NULL with *fault set. */
const uint8_t *mv_varint_slow(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault);

MV_INLINE const uint8_t *mv_varint(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault) {
  if (MV_LIKELY(p < end && *p < 0x80)) {
    *value = *p;
    return p + 1;
  }
  if (MV_LIKELY(end - p >= 2 && p[1] < 0x80)) {
    *value = (uint64_t)(p[0] & 0x7F) | (uint64_t)p[1] << 7;
    return p + 2;
  }
  /* What goes to another function by its address can't stay in a register: copies go there. */
  uint64_t slow_value = 0;
  mv_fault slow_fault = MV_FAULT_NONE;
  p = mv_varint_slow(p, end, &slow_value, &slow_fault);
  *value = slow_value;
  if (p == NULL) {
    *fault = slow_fault;
  }
  return p;
}

/* The next field when its value is of a fixed size, or a fault: seldom. `p` stands behind the key. */
bool mv_wire_next_fixed(mv_wire *w, mv_tag *tag, const uint8_t *p);

/* The next field; false at the end and at a fault. */
MV_INLINE bool mv_wire_next(mv_wire *w, mv_tag *tag) {
  if (w->p == w->end) {
    return false;
  }
  uint64_t key;
  const uint8_t *p = mv_varint(w->p, w->end, &key, &w->fault);
  if (p == NULL) {
    return false;
  }
  tag->type = (uint32_t)(key & 7);
  tag->field = (uint32_t)(key >> 3);
  if (!MV_LIKELY(key >= 8 && key >> 3 <= 0x1FFFFFFF && (tag->type == MV_VARINT || tag->type == MV_LENGTH))) {
    mv_wire slow = *w;
    mv_tag slow_tag = *tag;
    const bool ok = mv_wire_next_fixed(&slow, &slow_tag, p);
    *w = slow;
    *tag = slow_tag;
    return ok;
  }
  p = mv_varint(p, w->end, &tag->value, &w->fault);
  if (p == NULL) {
    return false;
  }
  if (tag->type == MV_LENGTH) {
    const uint64_t left = (uint64_t)(w->end - p);
    tag->bytes.data = p;
    if (!MV_LIKELY(tag->value <= left)) {
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

/* The next value of a packed repeated varint field; false at the end and at a fault. */
MV_INLINE bool mv_wire_next_packed(mv_wire *w, uint64_t *value) {
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
