/* computations.c: one walk over an HloModuleProto.
 *
 * Of an instruction only what every query may need is taken while its bytes are in the cache: the id, the unpadded size
 * of its shape, its scoped memory and what it tells of the platform. Metadata, literals and the rest are skipped by
 * their length.
 *
 * Most instructions of a module are the insides of fusions. These define no buffers and seldom tell anything that the
 * others don't, so they are only counted until somebody needs one: mv_build_index_fusions. Of two instructions with one
 * id the one outside is meant, then. The one thing that is searched for is a backend config, which may tell of scoped
 * memory. It is a JSON object: where no '{' is, there is none.
 */
#include "load/build.h"
#include "wire/fields.h"

static bool index_instruction(mv_build *b, uint32_t index) {
  mv_module *m = b->module;
  int64_t id = 0;
  mv_bytes shape = {0};
  mv_bytes target = {0};
  mv_bytes config = {0};
  mv_bytes unused;
  mv_wire w = mv_module_wire(m, m->instructions[index].proto);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_NAME, &unused);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_OPCODE, &unused);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_SHAPE, &shape);
  mv_wire_take_bytes(&w, MV_INSTRUCTION_METADATA, &unused);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT) {
      if (tag.field == MV_INSTRUCTION_ID) {
        id = (int64_t)tag.value;
      }
      continue;
    }
    if (tag.type != MV_LENGTH) {
      continue;
    }
    switch (tag.field) {
      case MV_INSTRUCTION_SHAPE:
        b->has_repeated_shapes = b->has_repeated_shapes || shape.data != NULL;
        shape = tag.bytes;
        break;
      case MV_INSTRUCTION_CUSTOM_CALL_TARGET: target = tag.bytes; break;
      case MV_INSTRUCTION_BACKEND_CONFIG: config = tag.bytes; break;
      case MV_INSTRUCTION_BACKEND_CONFIG_PAYLOAD:
        if (!mv_build_scoped_payload(b, index, tag.bytes)) {
          return false;
        }
        break;
      default: break;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "hlo_module.computations.instructions", b->status);
  }
  mv_shape_size shape_size = {.unpadded_bytes = -1};
  if (shape.data != NULL && !mv_build_size(&shape_size, b, shape)) {
    return false;
  }
  m->instructions[index].unpadded_bytes = shape_size.unpadded_bytes;
  if (target.size > 0 || config.size > 0) {
    mv_build_platform_clue(b, target, config);
  }
  if (shape_size.is_tiled && b->platform_clues[MV_PLATFORM_TPU] == 0) {
    b->platform_clues[MV_PLATFORM_TPU]++; /* only the TPU compiler tiles layouts */
  }
  return mv_idmap_add(&m->instructions_by_id, id, index, m->arena, b->status) &&
         (config.size == 0 || mv_build_scoped(b, index, config));
}

static bool add_instruction(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  mv_instruction *i = mv_array_push(&b->instructions, sizeof *i, m->arena, b->status);
  if (i == NULL || !mv_build_step(b)) {
    return false;
  }
  *i = (mv_instruction){.unpadded_bytes = MV_NOT_INDEXED, .proto = mv_ref_of(m, proto)};
  m->instructions = b->instructions.items;
  m->instruction_count = (uint32_t)b->instructions.count;
  return true;
}

/* The instructions of a computation that are not indexed yet. */
static bool index_rest(mv_build *b, const mv_computation *c) {
  for (uint32_t i = c->first_instruction; i < c->first_instruction + c->instruction_count; i++) {
    if (b->module->instructions[i].unpadded_bytes == MV_NOT_INDEXED &&
        (!mv_build_step(b) || !index_instruction(b, i))) {
      return false;
    }
  }
  return true;
}

/* That a computation is a fusion is told behind its instructions, in the last field of most. Only a guess: what ends so
 * may be another field, and some have one more behind. */
static bool may_be_fusion(mv_bytes proto) {
  return proto.size >= 2 && proto.data[proto.size - 2] == (MV_COMPUTATION_IS_FUSION << 3 | MV_VARINT) &&
         proto.data[proto.size - 1] == 1;
}

/* The next '{', or the end. */
static const uint8_t *next_brace(const uint8_t *from, const uint8_t *end) {
  const uint8_t *brace = from < end ? memchr(from, '{', (size_t)(end - from)) : NULL;
  return brace != NULL ? brace : end;
}

static bool index_computation(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  if (b->instructions.count >= MV_NONE / 2) {
    return mv_fail(b->status, MV_LIMIT, "too many instructions");
  }
  mv_computation c = {.first_instruction = (uint32_t)b->instructions.count, .is_skipped = may_be_fusion(proto)};
  const uint8_t *end = proto.data + proto.size;
  const uint8_t *brace = c.is_skipped ? next_brace(proto.data, end) : proto.data;
  bool is_fusion = false;
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_COMPUTATION_INSTRUCTIONS && tag.type == MV_LENGTH) {
      if (!add_instruction(b, tag.bytes)) {
        return false;
      }
      if (brace >= w.p) {
        continue;
      }
      if (!index_instruction(b, m->instruction_count - 1)) {
        return false;
      }
      brace = c.is_skipped ? next_brace(w.p, end) : brace;
    } else if (tag.field == MV_COMPUTATION_NAME && tag.type == MV_LENGTH) {
      c.name = mv_ref_of(m, tag.bytes);
    } else if (tag.field == MV_COMPUTATION_ID && tag.type == MV_VARINT) {
      c.id = (int64_t)tag.value;
    } else if (tag.field == MV_COMPUTATION_ROOT_ID && tag.type == MV_VARINT) {
      c.root_id = (int64_t)tag.value;
    } else if (tag.field == MV_COMPUTATION_IS_FUSION && tag.type == MV_VARINT) {
      is_fusion = tag.value != 0;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "hlo_module.computations", b->status);
  }
  c.instruction_count = (uint32_t)b->instructions.count - c.first_instruction;
  if (c.is_skipped && !is_fusion) {
    c.is_skipped = false;
    if (!index_rest(b, &c)) {
      return false;
    }
  }
  mv_computation *slot = mv_array_push(&b->computations, sizeof *slot, m->arena, b->status);
  if (slot == NULL) {
    return false;
  }
  *slot = c;
  m->computations = b->computations.items;
  m->computation_count = (uint32_t)b->computations.count;
  m->has_skipped = m->has_skipped || c.is_skipped;
  return true;
}

bool mv_build_index_fusions(mv_build *b) {
  mv_module *m = b->module;
  if (!m->has_skipped) {
    return true;
  }
  for (uint32_t i = 0; i < m->computation_count; i++) {
    if (m->computations[i].is_skipped && !index_rest(b, &m->computations[i])) {
      return false;
    }
    m->computations[i].is_skipped = false;
  }
  m->has_skipped = false;
  return mv_idmap_finish(&m->instructions_by_id, m->arena, b->status);
}

bool mv_build_find_instruction(uint32_t *out, mv_build *b, int64_t id) {
  mv_module *m = b->module;
  *out = mv_idmap_find(&m->instructions_by_id, id);
  if (*out != MV_NONE || !m->has_skipped) {
    return true;
  }
  if (!mv_build_index_fusions(b)) {
    return false;
  }
  *out = mv_idmap_find(&m->instructions_by_id, id);
  return true;
}

bool mv_build_index(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  m->has_module = true;
  m->module_proto = mv_ref_of(m, proto);
  /* An instruction takes some 150 to 200 bytes, a computation 1,500 to 3,000. */
  if (!mv_array_reserve(&b->instructions, b->instructions.count + proto.size / 144 + 16, sizeof(mv_instruction),
                        m->arena, b->status)) {
    return false;
  }
  if (!mv_array_reserve(&b->computations, b->computations.count + proto.size / 1024 + 16, sizeof(mv_computation),
                        m->arena, b->status)) {
    return false;
  }
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT) {
      if (tag.field == MV_MODULE_ID) {
        m->id = (int64_t)tag.value;
      } else if (tag.field == MV_MODULE_ENTRY_ID) {
        m->entry_computation_id = (int64_t)tag.value;
      }
      continue;
    }
    if (tag.type != MV_LENGTH) {
      continue;
    }
    switch (tag.field) {
      case MV_MODULE_NAME: m->name = mv_ref_of(m, tag.bytes); break;
      case MV_MODULE_ENTRY_NAME: m->entry_computation_name = mv_ref_of(m, tag.bytes); break;
      case MV_MODULE_COMPUTATIONS:
        if (!mv_build_step(b) || !index_computation(b, tag.bytes)) {
          return false;
        }
        break;
      case MV_MODULE_SCHEDULE: m->schedule = mv_ref_of(m, tag.bytes); break;
      case MV_MODULE_STACK_FRAME_INDEX: m->stack_frame_index = mv_ref_of(m, tag.bytes); break;
      case MV_MODULE_DEVICE_TYPE: b->device_type = tag.bytes; break;
      case MV_MODULE_PAYLOADS: {
        mv_ref *payload = mv_array_push(&b->payloads, sizeof *payload, m->arena, b->status);
        if (payload == NULL || !mv_build_step(b)) {
          return false;
        }
        *payload = mv_ref_of(m, tag.bytes);
        break;
      }
      default: break;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_module_fault(b->module, w, "hlo_module", b->status);
  }
  return true;
}
