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
  const uint8_t *limit; /* of the memory around the message: so far may be read, though not believed */
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
  const uint8_t *end = bytes.size > 0 ? bytes.data + bytes.size : bytes.data;
  return (mv_wire){bytes.data, end, end, MV_FAULT_NONE};
}

/* The same for a message inside another one, or at least inside the same block of memory, that is read up to `limit`.
 * Then the last fields of a short message need no care about its end while they are read, only before they are used. */
static inline mv_wire mv_wire_within(mv_bytes bytes, const uint8_t *limit) {
  mv_wire w = mv_wire_of(bytes);
  if (bytes.size > 0) {
    w.limit = limit;
  }
  return w;
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

/* A varint at `p`, of any length and however near the end: returns the byte behind it, NULL with *fault set. */
const uint8_t *mv_varint(const uint8_t *p, const uint8_t *end, uint64_t *value, mv_fault *fault);

/* A varint of at most eight bytes where eight bytes can be read: returns the byte behind it, NULL for a longer one. Ids
 * of instructions (computation << 32 | number) take five and more, so they are worth a way without a loop: all at once,
 * cut behind the first byte below 0x80, the seven bits of each moved together in three steps. */
MV_INLINE const uint8_t *mv_varint_8(const uint8_t *p, uint64_t *value) {
  if (MV_LIKELY(p[0] < 0x80)) {
    *value = p[0];
    return p + 1;
  }
  if (MV_LIKELY(p[1] < 0x80)) {
    *value = (uint64_t)(p[0] & 0x7F) | (uint64_t)p[1] << 7;
    return p + 2;
  }
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t v;
  memcpy(&v, p, sizeof v);
  const uint64_t ends = ~v & UINT64_C(0x8080808080808080);
  if (MV_LIKELY(ends != 0)) {
    v &= ends ^ (ends - 1);
    v &= UINT64_C(0x7F7F7F7F7F7F7F7F);
    v = (v & UINT64_C(0x007F007F007F007F)) | (v & UINT64_C(0x7F007F007F007F00)) >> 1;
    v = (v & UINT64_C(0x00003FFF00003FFF)) | (v & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    v = (v & UINT64_C(0x000000000FFFFFFF)) | (v & UINT64_C(0x0FFFFFFF00000000)) >> 4;
    *value = v;
    return p + __builtin_ctzll(ends) / 8 + 1;
  }
#endif
  return NULL;
}

/* mv_wire_next for what is seldom: long keys and values, values of a fixed size, the end of memory, faults. */
bool mv_wire_next_slow(mv_wire *w, mv_tag *tag);

/* The same for walks in registers. What goes to another function by its address can't stay there: copies go, field by
 * field, as copies of whole structs would keep them in memory too. */
MV_INLINE bool mv_wire_next_apart(mv_wire *w, mv_tag *tag) {
  mv_wire slow = {w->p, w->end, w->limit, w->fault};
  mv_tag slow_tag;
  const bool ok = mv_wire_next_slow(&slow, &slow_tag);
  w->p = slow.p;
  w->fault = slow.fault;
  tag->field = slow_tag.field;
  tag->value = slow_tag.value;
  tag->type = slow_tag.type;
  tag->bytes.data = slow_tag.bytes.data;
  tag->bytes.size = slow_tag.bytes.size;
  return ok;
}

/* The next field; false at the end and at a fault. */
MV_INLINE bool mv_wire_next(mv_wire *w, mv_tag *tag) {
  const uint8_t *p = w->p;
  if (p == w->end) {
    return false;
  }
  if (MV_LIKELY(w->limit - p >= 16)) {
    /* A key of two bytes, and a value of eight at most. */
    uint32_t key = *p++;
    if (key >= 0x80) {
      key += (uint32_t)(*p++ - 1) << 7; /* takes the 0x80 away */
    }
    const uint32_t type = key & 7;
    uint64_t value;
    p = mv_varint_8(p, &value);
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
  }
  return mv_wire_next_apart(w, tag);
}

/* The next field when it is what it mostly is: a varint, or a slice of less than 16 KiB, of a field numbered
 * below 16. Writers put fields in the order of their numbers. Whoever takes them so first and leaves the rest to
 * mv_wire_next reads messages of any order, and most in a third of the time. False, with nothing done, when it is
 * anything else. */
MV_INLINE bool mv_wire_take_int(mv_wire *w, uint32_t field, int64_t *value) {
  const uint8_t *const p = w->p;
  if (p == w->end || w->limit - p < 16 || p[0] != (field << 3 | MV_VARINT)) {
    return false;
  }
  uint64_t v = 0;
  const uint8_t *const next = mv_varint_8(p + 1, &v);
  if (next == NULL || next > w->end) {
    return false;
  }
  *value = (int64_t)v;
  w->p = next;
  return true;
}

MV_INLINE bool mv_wire_take_bytes(mv_wire *w, uint32_t field, mv_bytes *bytes) {
  const uint8_t *p = w->p;
  if (p == w->end || w->limit - p < 16 || p[0] != (field << 3 | MV_LENGTH)) {
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

/* Field numbers below 128 as a set. */
typedef struct mv_fields {
  uint64_t bits[2];
} mv_fields;

#define MV_FIELD_BIT(word, number) ((number) / 64 == (word) ? UINT64_C(1) << (number) % 64 : 0)

MV_INLINE bool mv_is_wanted(mv_fields wanted, uint32_t field) {
  return ((field < 64 ? wanted.bits[0] >> field : field < 128 ? wanted.bits[1] >> (field - 64) : 0) & 1) != 0;
}

/* The next field whose number is in `wanted`; others are passed over in a loop that keeps all it needs in registers:
 * where most fields are not wanted it is several times as fast as mv_wire_next. */
MV_INLINE bool mv_wire_seek(mv_wire *w, mv_tag *tag, mv_fields wanted) {
  const uint8_t *const end = w->end;
  const uint8_t *const limit = w->limit;
  const uint8_t *p = w->p;
  while (p != end) {
    if (MV_LIKELY(limit - p >= 16)) {
      /* Most fields are messages and texts with a key and a length of one byte each. */
      if ((p[0] & 0x87) == MV_LENGTH && p[1] < 0x80 && p[0] >= 8) {
        const uint8_t *const next = p + 2 + p[1];
        if (MV_LIKELY(next <= end)) {
          if (mv_is_wanted(wanted, p[0] >> 3)) {
            tag->field = p[0] >> 3;
            tag->type = MV_LENGTH;
            tag->value = p[1];
            tag->bytes.data = p + 2;
            tag->bytes.size = p[1];
            w->p = next;
            return true;
          }
          p = next;
          continue;
        }
      }
      const uint8_t *value_at = p;
      uint32_t key = *value_at++;
      if (key >= 0x80) {
        key += (uint32_t)(*value_at++ - 1) << 7; /* takes the 0x80 away */
      }
      uint64_t value = 0;
      const uint8_t *const data = mv_varint_8(value_at, &value);
      const uint64_t size = (key & 7) == MV_LENGTH ? value : 0;
      if (MV_LIKELY(key - 8 < (1 << 14) - 8 && data != NULL && data <= end && size <= (uint64_t)(end - data) &&
                    ((key & 7) == MV_LENGTH || (key & 7) == MV_VARINT))) {
        if (mv_is_wanted(wanted, key >> 3)) {
          tag->field = key >> 3;
          tag->type = key & 7;
          tag->value = value;
          tag->bytes.data = data;
          tag->bytes.size = (size_t)size;
          w->p = data + size;
          return true;
        }
        p = data + size;
        continue;
      }
    }
    w->p = p;
    const bool ok = mv_wire_next_apart(w, tag);
    p = w->p;
    if (!ok || mv_is_wanted(wanted, tag->field)) {
      return ok;
    }
  }
  w->p = p;
  return false;
}

/* The next value of a packed repeated varint field; false at the end and at a fault. */
MV_INLINE bool mv_wire_next_packed(mv_wire *w, uint64_t *value) {
  if (w->p == w->end) {
    return false;
  }
  const uint8_t *p = w->p;
  if (MV_LIKELY(*p < 0x80)) {
    *value = *p;
    w->p = p + 1;
    return true;
  }
  if (MV_LIKELY(w->end - p >= 2 && p[1] < 0x80)) {
    *value = (uint64_t)(p[0] & 0x7F) | (uint64_t)p[1] << 7;
    w->p = p + 2;
    return true;
  }
  uint64_t slow_value = 0;
  mv_fault slow_fault = MV_FAULT_NONE;
  p = mv_varint(p, w->end, &slow_value, &slow_fault);
  *value = slow_value;
  w->fault = slow_fault;
  w->p = p != NULL ? p : w->p;
  return p != NULL;
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

#endif
