/* wire.h: walking protobuf bytes without decoding them.
 *
 *   mv_wire w = mv_wire_of(bytes);
 *   mv_tag tag;
 *   while (mv_wire_next(&w, &tag)) { switch (tag.field) { ... } }
 *   if (w.fault) ...
 *
 * Inline where it counts, because the whole of a file passes through here. A nested message is a slice (tag.bytes) to
 * walk or to skip. The encoding: protobuf.dev/programming-guides/encoding. Groups (wire types 3 and 4) do not occur in
 * XLA's messages and are faults, as are field number 0, a varint of more than ten bytes and a length beyond the end.
 *
 * REQUIRES of every message that is walked: MV_READABLE bytes behind its end can be read, whatever they are. A field is
 * then read without looking for the end, and held against it before it is used. Blobs have these bytes (base/blob.h).
 */
#ifndef MV_WIRE_WIRE_H
#define MV_WIRE_WIRE_H

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

/* Field and type are not neighbours: compilers then compare both at once, with a load of eight bytes that were just
 * written as twice four, and processors wait with such a load until the writes are through. */
typedef struct mv_tag {
  uint32_t field;
  uint64_t value; /* of a varint or fixed field; the length of a MV_LENGTH field */
  uint32_t type;  /* MV_VARINT ... */
  mv_bytes bytes; /* of a MV_LENGTH field; in a fault of kind MV_FAULT_CUT what is there of it, else {NULL} */
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

/* The varint at `p`: returns the byte behind it, NULL when it has more than ten bytes. REQUIRES: ten readable bytes. */
MV_INLINE const uint8_t *mv_varint(const uint8_t *p, uint64_t *value) {
  uint64_t v = *p;
  if (MV_LIKELY(v < 0x80)) {
    *value = v;
    return p + 1;
  }
  v &= 0x7F;
  for (unsigned i = 1; i < 10; i++) {
    const uint64_t c = p[i];
    v |= (c & 0x7F) << 7 * i;
    if (c < 0x80) {
      *value = v;
      return p + i + 1;
    }
  }
  return NULL;
}

/* The first field of `bytes` without its payload, for messages of which only a part is at hand: tag->value is that of a
 * varint, else the size of the payload; tag->bytes stays empty. Returns the byte behind it; NULL with *fault set. */
const uint8_t *mv_wire_header(mv_bytes bytes, mv_tag *tag, mv_fault *fault);

/* mv_wire_next for what is seldom: long keys, values of a fixed size, the end of the message, faults. */
bool mv_wire_next_slow(mv_wire *w, mv_tag *tag);

/* The next field; false at the end and at a fault. */
MV_INLINE bool mv_wire_next(mv_wire *w, mv_tag *tag) {
  const uint8_t *p = w->p;
  if (p == w->end) {
    return false;
  }
  /* A key of two bytes at most, and a value. */
  uint32_t key = *p++;
  if (key >= 0x80) {
    key += (uint32_t)(*p++ - 1) << 7; /* takes the 0x80 away */
  }
  const uint32_t type = key & 7;
  uint64_t value = 0;
  p = mv_varint(p, &value);
  /* Below 8 is field 0; above 14 bits is a key of three bytes, or the second byte of one. */
  if (MV_LIKELY(key - 8 < (1 << 14) - 8 && p != NULL && p <= w->end)) {
    if (type == MV_LENGTH && MV_LIKELY(value <= (uint64_t)(w->end - p))) {
      tag->field = key >> 3;
      tag->type = type;
      tag->value = value;
      tag->bytes.data = p;
      tag->bytes.size = (size_t)value;
      w->p = p + value;
      return true;
    }
    if (type == MV_VARINT) {
      tag->field = key >> 3;
      tag->type = type;
      tag->value = value;
      tag->bytes.data = NULL;
      tag->bytes.size = 0;
      w->p = p;
      return true;
    }
  }
  /* A walk whose address is taken is kept in memory, not in registers: a copy of it is not. */
  mv_wire slow = *w;
  mv_tag slow_tag;
  const bool ok = mv_wire_next_slow(&slow, &slow_tag);
  *w = slow;
  *tag = slow_tag;
  return ok;
}

/* The next field when it is what it mostly is: a varint, or a slice of less than 16 KiB, of a field numbered
 * below 16. Writers put fields in the order of their numbers. Whoever takes them so first and leaves the rest to
 * mv_wire_next reads messages of any order, and most in a third of the time. False, with nothing done, when it is
 * anything else. */
MV_INLINE bool mv_wire_take_int(mv_wire *w, uint32_t field, int64_t *value) {
  const uint8_t *const p = w->p;
  if (p == w->end || p[0] != (field << 3 | MV_VARINT)) {
    return false;
  }
  uint64_t v = 0;
  const uint8_t *const next = mv_varint(p + 1, &v);
  if (next == NULL || next > w->end) {
    return false;
  }
  *value = (int64_t)v;
  w->p = next;
  return true;
}

MV_INLINE bool mv_wire_take_bytes(mv_wire *w, uint32_t field, mv_bytes *bytes) {
  const uint8_t *p = w->p;
  if (p == w->end || p[0] != (field << 3 | MV_LENGTH)) {
    return false;
  }
  size_t size = p[1];
  p += 2;
  if (size >= 0x80) {
    if (*p >= 0x80) {
      return false;
    }
    size = (size & 0x7F) | (size_t)*p++ << 7;
  }
  if (p > w->end || size > (size_t)(w->end - p)) {
    return false;
  }
  bytes->data = p;
  bytes->size = size;
  w->p = p + size;
  return true;
}

/* The next value of a packed repeated varint field; false at the end and at a fault. */
MV_INLINE bool mv_wire_next_packed(mv_wire *w, uint64_t *value) {
  if (w->p == w->end) {
    return false;
  }
  const uint8_t *const next = mv_varint(w->p, value);
  if (MV_LIKELY(next != NULL && next <= w->end)) {
    w->p = next;
    return true;
  }
  w->fault = next == NULL && w->end - w->p >= 10 ? MV_FAULT_MALFORMED : MV_FAULT_CUT;
  return false;
}

/* A field and its wire type as one number, for `case` labels. */
#define mv_proto_key(field, type) ((uint32_t)(field) << 3 | (uint32_t)(type))

/* An int32 and an enumeration travel as a varint of which protobuf keeps the low 32 bits. */
static inline int64_t mv_proto_int32(uint64_t value) {
  return (int64_t)(int32_t)(uint32_t)value;
}

static inline int64_t mv_proto_enum(uint64_t value) {
  return mv_proto_int32(value);
}

/* The values of one occurrence of a repeated number: one, or packed ones. None when the wire type is another.
 *
 *   mv_numbers n = mv_numbers_of(&tag);
 *   while (mv_numbers_next(&n, &value)) { ... }
 *   if (n.packed.fault) ... */
typedef struct mv_numbers {
  mv_wire packed;
  uint64_t single;
  bool has_single;
} mv_numbers;

MV_INLINE mv_numbers mv_numbers_of(const mv_tag *tag) {
  const mv_bytes packed = {tag->bytes.data, tag->type == MV_LENGTH ? tag->bytes.size : 0};
  return (mv_numbers){mv_wire_of(packed), tag->value, tag->type == MV_VARINT};
}

MV_INLINE bool mv_numbers_next(mv_numbers *n, int64_t *value) {
  uint64_t next = n->single;
  const bool found = n->has_single || mv_wire_next_packed(&n->packed, &next);
  n->has_single = false;
  *value = (int64_t)next;
  return found;
}

#endif
