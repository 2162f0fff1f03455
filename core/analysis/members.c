#include "analysis/members.h"

#include <stdio.h>

#include "analysis/curve.h"
#include "analysis/explanation.h"
#include "analysis/live.h"
#include "model/instruction.h"
#include "shape/memo.h"
#include "wire/fields.h"

static const char *const names[] = {
    [MV_BY_LAYER] = "layer",
    [MV_BY_SCOPE] = "scope",
    [MV_BY_PHASE] = "phase",
    [MV_BY_OP_NAME] = "op_name",
    [MV_BY_USER_SOURCE] = "user_source",
    [MV_BY_USED_BY] = "used_by",
    [MV_BY_OPCODE] = "opcode",
    [MV_BY_SHAPE] = "shape",
    [MV_BY_CATEGORY] = "category",
};
enum { NAMES = sizeof names / sizeof *names };

const char *mv_group_by_name(mv_group_by by) {
  return names[by];
}

bool mv_group_by_find(mv_group_by *out, const char *name, mv_status *status) {
  char all[128] = "";
  size_t used = 0;
  for (size_t i = 0; i < NAMES; i++) {
    if (name != NULL && strcmp(names[i], name) == 0) {
      *out = (mv_group_by)i;
      return true;
    }
    const char *join = i == 0 ? "" : i + 1 < NAMES ? ", " : " or ";
    used += (size_t)snprintf(all + used, sizeof all - used, "%s'%s'", join, names[i]);
  }
  return name == NULL ? mv_fail(status, MV_ARGUMENT, "by must be a text: %s", all)
                      : mv_fail(status, MV_ARGUMENT, "by is '%.40s': it must be %s", name, all);
}

typedef struct collector {
  const mv_module *module;
  mv_group_by by;
  mv_member_list *list;
  const mv_limits *limits;
  mv_status *status;
} collector;

static mv_key text_key(mv_bytes text) {
  return (mv_key){text, 0};
}

static mv_key name_key(const char *name) {
  return text_key(mv_bytes_of_string(name));
}

static mv_bytes opcode_of(const mv_module *m, uint32_t instruction) {
  mv_bytes opcode = {0};
  if (instruction != MV_NONE) {
    mv_wire w = mv_module_wire(m, m->instructions[instruction].proto);
    mv_tag tag;
    while (mv_wire_next(&w, &tag)) {
      const bool is_opcode = tag.field == MV_INSTRUCTION_OPCODE && tag.type == MV_LENGTH && tag.bytes.size > 0;
      opcode = is_opcode ? tag.bytes : opcode;
    }
  }
  return opcode;
}

static mv_key explained_key(const mv_explanation *e, mv_group_by by) {
  switch (by) {
    case MV_BY_LAYER: return text_key(e->layer);
    case MV_BY_SCOPE: return text_key(e->scope);
    case MV_BY_PHASE: return name_key(mv_phase_name(e->phase));
    case MV_BY_OP_NAME: return text_key(e->attributed_op_name);
    case MV_BY_USER_SOURCE: return (mv_key){e->user_source_file, e->user_source_line};
    default: return text_key(e->used_by);
  }
}

static bool make_key(mv_key *out, collector *c, const mv_live *row) {
  const mv_module *m = c->module;
  const mv_buffer *buffer = row->buffer != MV_NONE ? &m->buffers[row->buffer] : NULL;
  *out = (mv_key){0};
  switch (c->by) {
    case MV_BY_CATEGORY:
      if (row->allocation != MV_NONE) {
        *out = name_key(mv_category_name(m->allocations[row->allocation].category));
      }
      return true;
    case MV_BY_OPCODE:
      if (buffer != NULL) {
        *out = text_key(opcode_of(m, buffer->instruction));
      }
      return true;
    case MV_BY_SHAPE: /* print_shapes makes it a text */
      if (buffer != NULL) {
        *out = text_key(mv_buffer_shape(m, buffer, mv_instruction_shape(m, buffer->instruction)));
      }
      return true;
    default: break;
  }
  const mv_explanation *explanation = NULL;
  if (row->allocation != MV_NONE && row->number < m->allocation_count &&
      mv_allocation_is_baseline(&m->allocations[row->allocation])) {
    explanation = mv_explain_allocation(m, row->allocation, c->limits, c->status);
  } else if (buffer == NULL) {
    return true;
  } else {
    explanation = mv_explain_buffer(m, row->buffer, c->limits, c->status);
  }
  if (explanation == NULL) {
    return false;
  }
  *out = explained_key(explanation, c->by);
  return true;
}

static bool add(collector *c, const mv_live *row, uint32_t block, bool is_live) {
  mv_member_list *list = c->list;
  list->items[list->count] = (mv_member){
      .block = block,
      .is_live = is_live,
      .size_bytes = row->size_bytes,
      .unpadded_bytes = row->unpadded_bytes >= 0 ? row->unpadded_bytes : row->size_bytes,
  };
  return mv_curve_step(list->count, c->limits, c->status) && make_key(&list->keys[list->count++], c, row);
}

static bool add_blocks(collector *c, const mv_heap *heap, bool only_live) {
  const mv_module *m = c->module;
  for (uint32_t i = heap->first_block; i < heap->first_block + heap->block_count; i++) {
    const mv_block *block = &m->blocks[i];
    const bool is_live = block->start <= heap->peak_position && heap->peak_position < block->end;
    const mv_live row = mv_live_of_block(m, block);
    if ((is_live || !only_live) && !add(c, &row, i, is_live)) {
      return false;
    }
  }
  return true;
}

/* Shapes are told apart by their bytes first, so that each is printed once; some bytes are printed alike. */
static bool print_shapes(mv_member_list *list, mv_arena *arena, mv_status *status) {
  mv_arena *scratch = mv_arena_new(status);
  mv_shape_memo memo = {0};
  mv_partition protos;
  bool ok = scratch != NULL && mv_partition_make(&protos, list->keys, list->count, scratch, status);
  mv_bytes *texts = ok ? mv_arena_zalloc(scratch, protos.count, sizeof *texts, status) : NULL;
  ok = texts != NULL;
  for (uint32_t g = 0; ok && g < protos.count; g++) {
    const mv_bytes proto = list->keys[protos.first[g]].text;
    mv_bytes text = {0};
    ok = proto.data == NULL || mv_shape_memo_text(&text, &memo, proto, status);
    if (ok && text.data != NULL) {
      const char *kept = mv_arena_string(arena, text, status);
      ok = kept != NULL;
      texts[g] = mv_bytes_of(kept, text.size);
    }
  }
  for (size_t i = 0; ok && i < list->count; i++) {
    list->keys[i].text = texts[protos.group_of[i]];
  }
  mv_shape_memo_free(&memo);
  mv_arena_free(scratch);
  return ok;
}

bool mv_members_of(mv_member_list *out, const mv_module *m, uint32_t space, mv_group_by by, bool only_live,
                   mv_arena *arena, const mv_limits *limits, mv_status *status) {
  const mv_space *s = &m->spaces[space];
  mv_live_list live;
  *out = (mv_member_list){0};
  if (!mv_live_at(&live, m, space, -1, arena, status)) {
    return false;
  }
  size_t most = live.count;
  for (uint32_t h = s->first_heap; !only_live && h < s->first_heap + s->heap_count; h++) {
    most += m->heaps[h].block_count;
  }
  out->items = mv_arena_alloc(arena, most * sizeof *out->items, status);
  out->keys = mv_arena_alloc(arena, most * sizeof *out->keys, status);
  if (out->items == NULL || out->keys == NULL) {
    return false;
  }
  collector c = {.module = m, .by = by, .list = out, .limits = limits, .status = status};
  for (size_t i = 0; i < live.count; i++) {
    if (live.items[i].number < m->allocation_count && !add(&c, &live.items[i], MV_NONE, true)) {
      return false;
    }
  }
  out->resident_count = out->count;
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    if (!add_blocks(&c, &m->heaps[h], only_live)) {
      return false;
    }
  }
  return by != MV_BY_SHAPE || print_shapes(out, arena, status);
}

/* Shapes are printed into scratch memory, and 'file:line' is no text yet; all other texts are the module's. */
bool mv_key_show(mv_bytes *out, const mv_key *key, mv_group_by by, mv_arena *arena, mv_status *status) {
  *out = key->text;
  if (key->text.data == NULL || (by != MV_BY_USER_SOURCE && by != MV_BY_SHAPE)) {
    return true;
  }
  const size_t room = key->text.size + 32;
  char *text = mv_arena_alloc(arena, room, status);
  if (text == NULL) {
    return false;
  }
  memcpy(text, key->text.data, key->text.size);
  out->data = (const uint8_t *)text;
  if (by == MV_BY_USER_SOURCE) {
    out->size += (size_t)snprintf(text + key->text.size, room - key->text.size, ":%lld", (long long)key->number);
  }
  return true;
}
