#include "model/metadata.h"

#include "wire/fields.h"

typedef struct payload {
  bool is_there;
  mv_bytes value;
  int64_t id;
} payload;

static bool read_payload(payload *out, mv_bytes proto) {
  out->is_there = true;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    switch (mv_proto_key(tag.field, tag.type)) {
      case mv_proto_key(MV_PAYLOAD_VALUE, MV_LENGTH): out->value = tag.bytes; break;
      case mv_proto_key(MV_PAYLOAD_ID, MV_VARINT): out->id = (int64_t)tag.value; break;
      default: break;
    }
  }
  return w.fault == MV_FAULT_NONE;
}

static mv_bytes interned(const mv_module *m, const payload *p) {
  if (p->value.size > 0) {
    return p->value;
  }
  return p->id >= 0 && p->id < (int64_t)m->payload_count ? mv_module_bytes(m, m->payloads[p->id])
                                                         : mv_bytes_of(NULL, 0);
}

/* One OpMetadata; false when it is none, with *out as it was. */
static bool walk(mv_metadata *out, payload *p, mv_bytes proto) {
  enum { MAX_FIELDS = 1000 }; /* a metadata has 20: many instructions may name one that is none */
  mv_metadata found = *out;
  int fields = 0;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (++fields > MAX_FIELDS) {
      return false;
    }
    switch (mv_proto_key(tag.field, tag.type)) {
      case mv_proto_key(MV_METADATA_OP_NAME, MV_LENGTH):
        found.op_name = tag.bytes.size > 0 ? tag.bytes : found.op_name;
        break;
      case mv_proto_key(MV_METADATA_SOURCE_FILE, MV_LENGTH):
        found.source_file = tag.bytes.size > 0 ? tag.bytes : found.source_file;
        break;
      case mv_proto_key(MV_METADATA_SOURCE_LINE, MV_VARINT):
        found.source_line = tag.value != 0 ? mv_proto_int32(tag.value) : found.source_line;
        break;
      case mv_proto_key(MV_METADATA_STACK_FRAME_ID, MV_VARINT):
        found.stack_frame_id = tag.value != 0 ? mv_proto_int32(tag.value) : found.stack_frame_id;
        break;
      case mv_proto_key(MV_METADATA_PAYLOAD, MV_LENGTH):
        if (!read_payload(p, tag.bytes)) {
          return false;
        }
        break;
      default: break;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return false;
  }
  *out = found;
  return true;
}

void mv_metadata_read(mv_metadata *out, const mv_module *m, mv_bytes proto) {
  payload p = {0};
  *out = (mv_metadata){0};
  if (walk(out, &p, proto) && p.is_there) {
    payload ignored = {0};
    *out = (mv_metadata){0};
    walk(out, &ignored, interned(m, &p));
    walk(out, &ignored, proto);
  }
}
