/* mutate.c: mutations that keep a protobuf a protobuf.
 *
 * A byte flipped in a deep message mostly breaks a length far above it, and all is refused at the door. Here one
 * message at a random depth is edited field by field, and the lengths of the messages around it are written anew:
 *
 *   duplicate, delete, move a field     change its number      set a varint to an interesting value
 *   put another message's bytes in its place                   let libFuzzer flip bytes within it
 *
 * A part of the mutations is left to libFuzzer as it is.
 */
#include "fuzz.h"
#include "wire/wire.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { MAX_DEPTH = 24, MAX_FIELDS = 4096, ROOM = 1 << 20 };

typedef struct slice {
  size_t start;
  size_t end;
} slice;

/* From the whole to the message that is edited: the payloads, each within the one before it. */
typedef struct path {
  slice payloads[MAX_DEPTH];
  slice fields[MAX_DEPTH]; /* the field whose payload it is, tag included; of [0] unused */
  size_t depth;
} path;

static uint32_t next(uint32_t *state, uint32_t below) {
  *state = *state * 1664525 + 1013904223;
  return below > 0 ? (*state >> 8) % below : 0;
}

/* The fields of the message at `at`; 0 when it is no message. */
static size_t fields_of(slice *fields, const uint8_t *data, slice at) {
  mv_wire w = mv_wire_of(mv_bytes_of(data + at.start, at.end - at.start));
  mv_tag tag;
  size_t count = 0;
  const uint8_t *start = w.p;
  while (count < MAX_FIELDS && mv_wire_next(&w, &tag)) {
    fields[count++] = (slice){(size_t)(start - data), (size_t)(w.p - data)};
    start = w.p;
  }
  return w.fault == MV_FAULT_NONE ? count : 0;
}

static mv_tag tag_at(const uint8_t *data, slice field) {
  mv_wire w = mv_wire_of(mv_bytes_of(data + field.start, field.end - field.start));
  mv_tag tag = {0};
  mv_wire_next(&w, &tag);
  return tag;
}

static size_t put_varint(uint8_t *out, uint64_t value) {
  size_t n = 0;
  for (; value >= 0x80; value >>= 7) {
    out[n++] = (uint8_t)(value | 0x80);
  }
  out[n++] = (uint8_t)value;
  return n;
}

static void descend(path *p, const uint8_t *data, size_t size, slice *fields, uint32_t *state) {
  p->depth = 1;
  p->payloads[0] = (slice){0, size};
  while (p->depth < MAX_DEPTH && next(state, 8) != 0) {
    const size_t count = fields_of(fields, data, p->payloads[p->depth - 1]);
    bool found = false;
    for (size_t attempt = 0; count > 0 && attempt < 8 && !found; attempt++) {
      const slice field = fields[next(state, (uint32_t)count)];
      const mv_tag tag = tag_at(data, field);
      if (tag.type != MV_LENGTH || tag.bytes.size < 2) {
        continue;
      }
      mv_wire inner = mv_wire_of(tag.bytes);
      mv_tag ignored;
      while (mv_wire_next(&inner, &ignored)) {}
      found = inner.fault == MV_FAULT_NONE;
      if (found) {
        p->fields[p->depth] = field;
        p->payloads[p->depth++] = (slice){field.end - tag.bytes.size, field.end};
      }
    }
    if (!found) {
      return;
    }
  }
}

static uint64_t interesting(uint64_t old, uint32_t *state) {
  switch (next(state, 10)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return UINT64_MAX; /* -1 */
    case 3: return INT64_MAX;
    case 4: return UINT64_C(1) << 63;
    case 5: return old + 1;
    case 6: return old - 1;
    case 7: return UINT64_C(1) << next(state, 64);
    case 8: return next(state, 16);
    default: return old ^ (UINT64_C(1) << next(state, 8));
  }
}

/* A field with another payload: `body` of `size` bytes for a MV_LENGTH field, `value` else. */
static size_t put_field(uint8_t *out, const mv_tag *tag, uint64_t value, const uint8_t *body, size_t size) {
  size_t n = put_varint(out, (uint64_t)tag->field << 3 | tag->type);
  if (tag->type == MV_LENGTH) {
    n += put_varint(out + n, size);
    if (size > 0) {
      memcpy(out + n, body, size);
    }
    return n + size;
  }
  if (tag->type == MV_VARINT) {
    return n + put_varint(out + n, value);
  }
  const size_t width = tag->type == MV_FIXED64 ? 8 : 4;
  for (size_t i = 0; i < width; i++) {
    out[n++] = (uint8_t)(value >> (8 * i));
  }
  return n;
}

/* The innermost message's bytes after one edit, into `out`. */
static size_t edit(uint8_t *out, const uint8_t *data, size_t size, slice at, slice *fields, size_t count,
                   uint32_t *state) {
  const slice field = fields[next(state, (uint32_t)count)];
  const slice other = fields[next(state, (uint32_t)count)];
  mv_tag tag = tag_at(data, field);
  size_t n = field.start - at.start;
  memcpy(out, data + at.start, n);
  const size_t length = field.end - field.start;
  switch (next(state, 7)) {
    case 0: break; /* delete it */
    case 1:        /* several times */
      for (uint32_t i = next(state, 4) + 2; i > 0 && n + length < ROOM / 2; i--) {
        memcpy(out + n, data + field.start, length);
        n += length;
      }
      break;
    case 2: /* another one in its place */
      memcpy(out + n, data + other.start, other.end - other.start);
      n += other.end - other.start;
      break;
    case 3: /* another number */
      tag.field = next(state, 2) ? tag.field + 1 : next(state, 32) + 1;
      n += put_field(out + n, &tag, tag.value, tag.bytes.data, tag.bytes.size);
      break;
    case 4: { /* bytes from anywhere in its payload */
      const size_t start = next(state, (uint32_t)size);
      const size_t most = size - start < 4096 ? size - start : 4096;
      const size_t part = most > 0 ? next(state, (uint32_t)most + 1) : 0;
      n += put_field(out + n, &tag, interesting(tag.value, state), data + start, part);
      break;
    }
    default:
      if (tag.type != MV_LENGTH) {
        n += put_field(out + n, &tag, interesting(tag.value, state), NULL, 0);
      } else {
        static uint8_t body[ROOM];
        const size_t had = tag.bytes.size < ROOM / 2 ? tag.bytes.size : ROOM / 2;
        memcpy(body, tag.bytes.data, had);
        n += put_field(out + n, &tag, 0, body, LLVMFuzzerMutate(body, had, had + 16));
      }
  }
  memcpy(out + n, data + field.end, at.end - field.end);
  return n + (at.end - field.end);
}

size_t LLVMFuzzerCustomMutator(uint8_t *out, size_t size, size_t max_size, unsigned seed) {
  static uint8_t data[ROOM / 4 + MV_READABLE];
  static slice fields[MAX_FIELDS];
  static uint8_t inner[2 * ROOM];
  static uint8_t outer[2 * ROOM];
  uint32_t state = seed;
  if (size < 2 || size > ROOM / 4 || next(&state, 8) == 0) {
    return LLVMFuzzerMutate(out, size, max_size);
  }
  memcpy(data, out, size);
  path p;
  descend(&p, data, size, fields, &state);
  const slice at = p.payloads[p.depth - 1];
  const size_t count = fields_of(fields, data, at);
  if (count == 0) {
    return LLVMFuzzerMutate(out, size, max_size);
  }
  size_t n = edit(inner, data, size, at, fields, count, &state);
  for (size_t d = p.depth - 1; d > 0; d--) { /* the message around it, with a new length before it */
    const slice around = p.payloads[d - 1];
    const slice field = p.fields[d];
    const mv_tag tag = tag_at(data, field);
    size_t m = field.start - around.start;
    memcpy(outer, data + around.start, m);
    m += put_field(outer + m, &tag, 0, inner, n);
    memcpy(outer + m, data + field.end, around.end - field.end);
    n = m + (around.end - field.end);
    if (n > ROOM) {
      return size;
    }
    memcpy(inner, outer, n);
  }
  if (n > max_size) {
    return LLVMFuzzerMutate(out, size, max_size);
  }
  memcpy(out, inner, n);
  return n;
}
