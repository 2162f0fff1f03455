#include "model/instruction.h"

#include "wire/fields.h"
#include "wire/wire.h"

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

bool mv_instruction_details_read(mv_instruction_details *out, const mv_module *m, uint32_t instruction, mv_arena *arena,
                                 mv_status *status) {
  (void)arena;
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
  if (metadata.size > 0) {
    mv_metadata read;
    mv_metadata_read(&read, m, metadata);
    out->op_name = read.op_name;
    out->source_file = read.source_file;
    out->source_line = read.source_line;
    out->stack_frame_id = read.stack_frame_id;
  }
  return take_innermost_frame(out, m, status);
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

void mv_instruction_metadata(mv_metadata *out, const mv_module *m, uint32_t instruction) {
  mv_bytes metadata = {0};
  mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_INSTRUCTION_METADATA && tag.type == MV_LENGTH) {
      metadata = tag.bytes;
    }
  }
  mv_metadata_read(out, m, metadata);
}

/* The walk that read it, at its end or at the damage. */
static mv_wire walk_id(int64_t *id, const mv_module *m, uint32_t instruction) {
  *id = 0;
  mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_INSTRUCTION_ID && tag.type == MV_VARINT) {
      *id = (int64_t)tag.value;
    }
  }
  return w;
}

int64_t mv_instruction_id(const mv_module *m, uint32_t instruction) {
  int64_t id;
  walk_id(&id, m, instruction);
  return id;
}

bool mv_instruction_read_id(int64_t *id, const mv_module *m, uint32_t instruction, mv_status *status) {
  const mv_wire w = walk_id(id, m, instruction);
  return w.fault == MV_FAULT_NONE || mv_module_fault(m, w, "hlo_module.computations.instructions", status);
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
