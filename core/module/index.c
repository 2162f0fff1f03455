/* index.c: one walk over an HloModuleProto.
 *
 * Of an instruction only what every query may need is taken while its bytes are in the cache: the id, its scoped memory
 * and what it tells of the platform; and of those that can define a buffer the unpadded size of their shape. A fusion's
 * inner instructions define none, and they are most of a module; that a computation is one stands behind its
 * instructions, so their shapes are remembered and sized at its end. Metadata, literals and the rest are passed over by
 * their length.
 */
#include "module/build.h"
#include "shape/shape.h"
#include "module/fields.h"

/* What is taken of an instruction. */
#define MV_INSTRUCTION_FIELDS(word) \
  (MV_FIELD_BIT(word, MV_INSTRUCTION_SHAPE) | MV_FIELD_BIT(word, MV_INSTRUCTION_CUSTOM_CALL_TARGET) | \
   MV_FIELD_BIT(word, MV_INSTRUCTION_ID) | MV_FIELD_BIT(word, MV_INSTRUCTION_BACKEND_CONFIG) | \
   MV_FIELD_BIT(word, MV_INSTRUCTION_BACKEND_CONFIG_PAYLOAD))

static bool index_instruction(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  mv_instruction *i = mv_array_push(&b->instructions, sizeof *i, m->arena, b->status);
  mv_bytes *shape = mv_array_push(&b->shapes, sizeof *shape, b->scratch, b->status);
  if (i == NULL || shape == NULL || !mv_build_step(b)) {
    return false;
  }
  const uint32_t index = (uint32_t)(b->instructions.count - 1);
  *i = (mv_instruction){.unpadded_bytes = MV_NOT_SIZED, .proto = mv_ref_of(m, proto)};
  *shape = mv_bytes_of(NULL, 0);
  static const mv_fields wanted = {{MV_INSTRUCTION_FIELDS(0), MV_INSTRUCTION_FIELDS(1)}};
  mv_bytes target = {0};
  mv_bytes config = {0};
  mv_wire w = mv_build_wire(b, proto);
  mv_tag tag;
  while (mv_wire_seek(&w, &tag, &wanted)) {
    if (tag.type == MV_VARINT) {
      if (tag.field == MV_INSTRUCTION_ID) {
        i->id = (int64_t)tag.value;
      }
      continue;
    }
    if (tag.type != MV_LENGTH) {
      continue;
    }
    switch (tag.field) {
      case MV_INSTRUCTION_SHAPE: *shape = tag.bytes; break;
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
    return mv_build_fault(b, w, "hlo_module.computations.instructions");
  }
  if (target.size > 0 || config.size > 0) {
    mv_build_platform_clue(b, target, config);
  }
  return config.size == 0 || mv_build_scoped(b, index, config);
}

static bool size_shapes(mv_build *b, uint32_t first) {
  const mv_bytes *shapes = b->shapes.items;
  const uint8_t *limit = b->module->bytes.data + b->module->bytes.size;
  mv_instruction *instructions = (mv_instruction *)b->instructions.items + first;
  for (size_t i = 0; i < b->shapes.count; i++) {
    if (!mv_build_step(b)) {
      return false;
    }
    instructions[i].unpadded_bytes = shapes[i].data != NULL ? mv_shape_scan_unpadded(shapes[i], limit) : -1;
    if (b->platform_clues[MV_PLATFORM_TPU] == 0 && shapes[i].data != NULL && mv_shape_scan_is_tiled(shapes[i])) {
      b->platform_clues[MV_PLATFORM_TPU]++; /* only the TPU compiler tiles layouts */
    }
  }
  return true;
}

static bool index_computation(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  if (b->instructions.count >= MV_NONE / 2) {
    return mv_fail(b->status, MV_LIMIT, "too many instructions");
  }
  mv_computation c = {.first_instruction = (uint32_t)b->instructions.count};
  bool is_fusion = false;
  b->shapes.count = 0;
  mv_wire w = mv_build_wire(b, proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_COMPUTATION_INSTRUCTIONS && tag.type == MV_LENGTH) {
      if (!index_instruction(b, tag.bytes)) {
        return false;
      }
    } else if (tag.field == MV_COMPUTATION_NAME && tag.type == MV_LENGTH) {
      c.name = mv_ref_of(m, tag.bytes);
    } else if (tag.field == MV_COMPUTATION_ID && tag.type == MV_VARINT) {
      c.id = (int64_t)tag.value;
    } else if (tag.field == MV_COMPUTATION_IS_FUSION && tag.type == MV_VARINT) {
      is_fusion = tag.value != 0;
    }
  }
  if (w.fault != MV_FAULT_NONE) {
    return mv_build_fault(b, w, "hlo_module.computations");
  }
  c.instruction_count = (uint32_t)b->instructions.count - c.first_instruction;
  if (!is_fusion && !size_shapes(b, c.first_instruction)) {
    return false;
  }
  mv_computation *slot = mv_array_push(&b->computations, sizeof *slot, m->arena, b->status);
  if (slot == NULL) {
    return false;
  }
  *slot = c;
  return true;
}

bool mv_build_index(mv_build *b, mv_bytes proto) {
  mv_module *m = b->module;
  m->has_module = true;
  m->module_proto = mv_ref_of(m, proto);
  /* An instruction takes some 100 to 200 bytes; room that stays unused is never touched. */
  if (!mv_array_reserve(&b->instructions, b->instructions.count + proto.size / 96 + 16, sizeof(mv_instruction),
                        m->arena, b->status)) {
    return false;
  }
  if (!mv_array_reserve(&b->computations, b->computations.count + proto.size / 1024 + 16, sizeof(mv_computation),
                        m->arena, b->status)) {
    return false;
  }
  mv_wire w = mv_build_wire(b, proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT && tag.field == MV_MODULE_ID) {
      m->id = (int64_t)tag.value;
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
    return mv_build_fault(b, w, "hlo_module");
  }
  return true;
}
