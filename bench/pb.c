#include "pb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

void pb_free(pb *out) {
  free(out->data);
  *out = (pb){0};
}

void pb_raw(pb *out, const void *bytes, size_t size) {
  if (size > out->capacity - out->size) {
    while (size > out->capacity - out->size) {
      out->capacity = out->capacity > 0 ? 2 * out->capacity : 256;
    }
    out->data = realloc(out->data, out->capacity);
    if (out->data == NULL) {
      bench_fail("out of memory");
    }
  }
  if (size > 0) {
    memcpy(out->data + out->size, bytes, size);
    out->size += size;
  }
}

void pb_varint(pb *out, uint64_t value) {
  uint8_t bytes[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7) {
    bytes[n++] = (uint8_t)(value | 0x80);
  }
  bytes[n++] = (uint8_t)value;
  pb_raw(out, bytes, n);
}

void pb_integer(pb *out, int field, uint64_t value) {
  if (value != 0) {
    pb_varint(out, (uint64_t)field << 3);
    pb_varint(out, value);
  }
}

void pb_head(pb *out, int field, uint64_t size) {
  pb_varint(out, (uint64_t)field << 3 | 2);
  pb_varint(out, size);
}

void pb_bytes(pb *out, int field, const void *bytes, size_t size) {
  pb_head(out, field, size);
  pb_raw(out, bytes, size);
}

void pb_string(pb *out, int field, const char *text) {
  pb_bytes(out, field, text, strlen(text));
}

void pb_message(pb *out, int field, pb *message) {
  pb_bytes(out, field, message->data, message->size);
  message->size = 0;
}

void pb_write(const pb *out, const char *path) {
  FILE *file = fopen(path, "wb");
  const int ok = file != NULL && fwrite(out->data, 1, out->size, file) == out->size;
  if (file == NULL || fclose(file) != 0 || !ok) {
    bench_fail("'%s' can't be written", path);
  }
}
