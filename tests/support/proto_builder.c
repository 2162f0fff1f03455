#include "support/proto_builder.h"

void pb_varint(mv_text *out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    mv_text_char(out, (char)(value | 0x80));
  }
  mv_text_char(out, (char)value);
  mv_text_reserve(out, MV_READABLE);
}

void pb_tag(mv_text *out, unsigned field, unsigned type) {
  pb_varint(out, (uint64_t)field << 3 | type);
}

void pb_int(mv_text *out, unsigned field, int64_t value) {
  pb_tag(out, field, 0);
  pb_varint(out, (uint64_t)value);
}

void pb_raw(mv_text *out, const void *data, size_t size) {
  const char *p = data;
  for (size_t i = 0; i < size; i++) {
    mv_text_char(out, p[i]);
  }
  mv_text_reserve(out, MV_READABLE);
}

void pb_bytes(mv_text *out, unsigned field, const void *data, size_t size) {
  pb_tag(out, field, 2);
  pb_varint(out, size);
  pb_raw(out, data, size);
}

void pb_string(mv_text *out, unsigned field, const char *text) {
  pb_bytes(out, field, text, strlen(text));
}

void pb_message(mv_text *out, unsigned field, mv_text *message) {
  pb_bytes(out, field, message->data, message->size);
  mv_text_free(message);
}
