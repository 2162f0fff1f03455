/* pb.h: writing protobufs by hand, for generated inputs.
 *
 * A message inside another is built in a buffer of its own and then appended. Memory that runs out ends the program.
 */
#ifndef MV_BENCH_PB_H
#define MV_BENCH_PB_H

#include <stddef.h>
#include <stdint.h>

typedef struct pb {
  uint8_t *data;
  size_t size;
  size_t capacity;
} pb;

void pb_free(pb *out);
void pb_raw(pb *out, const void *bytes, size_t size);
void pb_varint(pb *out, uint64_t value);

/* Fields. As proto3 does, an integer of 0 is left out. */
void pb_integer(pb *out, int field, uint64_t value);
void pb_bytes(pb *out, int field, const void *bytes, size_t size);
void pb_string(pb *out, int field, const char *text);

/* What stands before the `size` bytes of a field. */
void pb_head(pb *out, int field, uint64_t size);

/* Append `message` and empty it for the next use. */
void pb_message(pb *out, int field, pb *message);

/* Write to a new file; failure ends the program. */
void pb_write(const pb *out, const char *path);

#endif
