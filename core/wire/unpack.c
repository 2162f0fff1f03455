#include "wire/unpack.h"

typedef struct allocator_state {
  mv_arena *arena;
  mv_status *status;
} allocator_state;

static void *allocate(void *arg, size_t size) {
  allocator_state *state = arg;
  return mv_arena_alloc(state->arena, size, state->status);
}

static void release(void *arg, void *pointer) {
  (void)arg; /* the arena frees all at once */
  (void)pointer;
}

bool mv_unpack(void *out, const ProtobufCMessageDescriptor *descriptor, mv_bytes bytes, mv_arena *arena,
               mv_status *status) {
  allocator_state state = {arena, status};
  ProtobufCAllocator allocator = {.alloc = allocate, .free = release, .allocator_data = &state};
  ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, &allocator, bytes.size, bytes.data);
  memcpy(out, &message, sizeof message);
  return message != NULL || status->code != MV_NOMEM;
}
