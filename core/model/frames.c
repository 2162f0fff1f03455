/* frames.c: the module's stack index. */
#include "hlo.pb-c.h"
#include "model/instruction.h"
#include "wire/unpack.h"

static mv_bytes text_at(const ProtobufCBinaryData *texts, size_t count, int32_t id) {
  return id >= 1 && (size_t)id <= count ? mv_bytes_of(texts[id - 1].data, texts[id - 1].len) : mv_bytes_of(NULL, 0);
}

static mv_frame frame_of(const Xla__StackFrameIndexProto *index, uint32_t i) {
  const Xla__StackFrameIndexProto__StackFrame *frame = index->stack_frames[i];
  mv_frame out = {.id = (int64_t)i + 1, .parent_id = frame->parent_frame_id};
  if (frame->file_location_id >= 1 && (size_t)frame->file_location_id <= index->n_file_locations) {
    const Xla__StackFrameIndexProto__FileLocation *place = index->file_locations[frame->file_location_id - 1];
    out.file = text_at(index->file_names, index->n_file_names, place->file_name_id);
    out.function = text_at(index->function_names, index->n_function_names, place->function_name_id);
    out.line = place->line;
    out.column = place->column;
  }
  if (out.parent_id < 0 || (size_t)out.parent_id > index->n_stack_frames) {
    out.parent_id = 0;
  }
  return out;
}

/* Each chain of callers is walked until it meets an outermost frame or one that was walked before: O(n) in all. */
static bool cut_cycles(const mv_module *m, mv_stack_frames *frames, mv_derivation *d) {
  uint32_t *walk =
      mv_arena_zalloc(d->scratch, frames->count, sizeof *walk, d->status); /* which walk met a frame first */
  if (walk == NULL) {
    return false;
  }
  uint32_t cycles = 0;
  for (uint32_t i = 0; i < frames->count; i++) {
    uint32_t last = MV_NONE;
    int64_t id = (int64_t)i + 1;
    while (id != 0 && walk[id - 1] == 0) {
      walk[id - 1] = i + 1;
      last = (uint32_t)(id - 1);
      id = frames->items[last].parent_id;
    }
    if (id != 0 && last != MV_NONE && walk[id - 1] == i + 1) {
      frames->items[last].parent_id = 0;
      cycles++;
    }
  }
  if (cycles > 0) {
    mv_module_note(m, "%u stack frames call themselves in a circle", cycles);
  }
  return true;
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  mv_stack_frames *frames = out;
  const Xla__StackFrameIndexProto *index;
  if (!mv_unpack(&index, &xla__stack_frame_index_proto__descriptor, mv_module_bytes(m, m->stack_frame_index), d->arena,
                 d->status)) {
    return false;
  }
  if (index == NULL) {
    mv_module_note(m, "the stack frame index is damaged");
    return true;
  }
  if (index->n_stack_frames >= MV_NONE) {
    return true;
  }
  frames->count = (uint32_t)index->n_stack_frames;
  frames->items = mv_arena_zalloc(d->arena, frames->count, sizeof *frames->items, d->status);
  if (frames->items == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < frames->count; i++) {
    frames->items[i] = frame_of(index, i);
  }
  return cut_cycles(m, frames, d);
}

const mv_stack_frames *mv_module_frames(const mv_module *m, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_stack_frames), 0, make};
  return mv_module_derived(m, &kind, NULL, NULL, status);
}

bool mv_stack_print(mv_text *text, const mv_module *m, int64_t frame_id, mv_status *status) {
  const mv_stack_frames *frames = mv_module_frames(m, status);
  if (frames == NULL) {
    return false;
  }
  bool is_first = true;
  while (frame_id >= 1 && frame_id <= (int64_t)frames->count) {
    const mv_frame *frame = &frames->items[frame_id - 1];
    if (!is_first) {
      mv_text_char(text, '\n');
    }
    is_first = false;
    mv_text_bytes(text, frame->file);
    mv_text_char(text, ':');
    mv_text_i64(text, frame->line);
    mv_text_char(text, ':');
    mv_text_i64(text, frame->column);
    frame_id = frame->parent_id;
  }
  return true;
}
