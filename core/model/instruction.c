#include "model/instruction.h"

#include "hlo.pb-c.h"
#include "wire/fields.h"
#include "wire/unpack.h"
#include "wire/wire.h"

static mv_bytes bytes_of(ProtobufCBinaryData data) {
  return mv_bytes_of(data.data, data.len);
}

/* A metadata that is interned: the payload is an OpMetadata of its own. */
static mv_bytes interned_metadata(const mv_module *m, const Xla__Payload *payload) {
  if (payload->value.len > 0) {
    return bytes_of(payload->value);
  }
  if (payload->id < 0 || payload->id >= (int64_t)m->payload_count) {
    return mv_bytes_of(NULL, 0);
  }
  return mv_module_bytes(m, m->payloads[payload->id]);
}

static void take_metadata(mv_instruction_details *out, const Xla__OpMetadata *metadata) {
  if (metadata->op_name.len > 0) {
    out->op_name = bytes_of(metadata->op_name);
  }
  if (metadata->source_file.len > 0) {
    out->source_file = bytes_of(metadata->source_file);
  }
  if (metadata->source_line != 0) {
    out->source_line = metadata->source_line;
  }
  if (metadata->stack_frame_id != 0) {
    out->stack_frame_id = metadata->stack_frame_id;
  }
}

static bool read_metadata(mv_instruction_details *out, const mv_module *m, mv_bytes proto, mv_arena *arena, mv_status *status) {
  const Xla__OpMetadata *metadata;
  if (!mv_unpack(&metadata, &xla__op_metadata__descriptor, proto, arena, status)) {
    return false;
  }
  if (metadata == NULL) {
    return true;
  }
  if (metadata->metadata_payload != NULL) { /* what stands in the instruction itself goes before it */
    const Xla__OpMetadata *interned;
    const mv_bytes inner = interned_metadata(m, metadata->metadata_payload);
    if (!mv_unpack(&interned, &xla__op_metadata__descriptor, inner, arena, status)) {
      return false;
    }
    if (interned != NULL) {
      take_metadata(out, interned);
    }
  }
  take_metadata(out, metadata);
  return true;
}

static bool take_innermost_frame(mv_instruction_details *out, const mv_module *m, mv_status *status) {
  if (out->stack_frame_id <= 0) {
    return true;
  }
  const mv_stack_frames *frames = mv_module_frames(m, status);
  if (frames == NULL) {
    return false;
  }
  if (out->stack_frame_id <= (int64_t)frames->count) {
    const mv_frame *frame = &frames->items[out->stack_frame_id - 1];
    if (frame->file.size > 0) {
      out->source_file = frame->file;
      out->source_line = frame->line;
    }
  }
  return true;
}

bool mv_instruction_details_read(mv_instruction_details *out, const mv_module *m, uint32_t instruction, mv_arena *arena, mv_status *status) {
  *out = (mv_instruction_details){0};
  if (instruction == MV_NONE) {
    return true;
  }
  mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
  mv_tag tag;
  mv_bytes metadata = {0};
  while (mv_wire_next(&w, &tag)) {
    if (tag.type != MV_LENGTH) {
      continue;
    }
    switch (tag.field) {
      case MV_INSTRUCTION_NAME: out->name = tag.bytes; break;
      case MV_INSTRUCTION_OPCODE: out->opcode = tag.bytes; break;
      case MV_INSTRUCTION_SHAPE: out->shape = tag.bytes; break;
      case MV_INSTRUCTION_METADATA: metadata = tag.bytes; break;
      default: break;
    }
  }
  return (metadata.size == 0 || read_metadata(out, m, metadata, arena, status)) && take_innermost_frame(out, m, status);
}

mv_bytes mv_instruction_name(const mv_module *m, uint32_t instruction) {
  if (instruction == MV_NONE) {
    return mv_bytes_of(NULL, 0);
  }
  mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_INSTRUCTION_NAME && tag.type == MV_LENGTH) {
      return tag.bytes;
    }
  }
  return mv_bytes_of(NULL, 0);
}

mv_bytes mv_instruction_shape(const mv_module *m, uint32_t instruction) {
  mv_bytes shape = {0};
  if (instruction != MV_NONE) {
    mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
    mv_tag tag;
    while (mv_wire_next(&w, &tag)) {
      if (tag.field == MV_INSTRUCTION_SHAPE && tag.type == MV_LENGTH) {
        shape = tag.bytes; /* the last one, as mv_instruction_details_read has it */
      }
    }
  }
  return shape;
}

int64_t mv_instruction_id(const mv_module *m, uint32_t instruction) {
  int64_t id = 0;
  mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_INSTRUCTION_ID && tag.type == MV_VARINT) {
      id = (int64_t)tag.value;
    }
  }
  return id;
}

int64_t mv_instruction_scoped_bytes(const mv_module *m, uint32_t instruction) {
  uint32_t low = 0;
  uint32_t high = m->scoped_count;
  while (low < high) { /* the first entry of the instruction */
    const uint32_t middle = low + (high - low) / 2;
    if (m->scoped[middle].instruction < instruction) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int64_t largest = -1;
  for (; low < m->scoped_count && m->scoped[low].instruction == instruction; low++) {
    largest = m->scoped[low].size_bytes > largest ? m->scoped[low].size_bytes : largest;
  }
  return largest;
}
