#include "analysis/user_source.h"

#include "model/instruction.h"

#define NO_FRAME MV_NONE

/* Where Python's packages are installed, and Python itself. */
static bool is_library(mv_bytes file) {
  static const char *const folders[] = {"/site-packages/", "/dist-packages/", "/lib/python"};
  for (size_t i = 0; i < file.size; i++) {
    for (size_t k = 0; file.data[i] == '/' && k < sizeof folders / sizeof *folders; k++) {
      if (mv_bytes_starts_with(mv_bytes_of(file.data + i, file.size - i), folders[k])) {
        return true;
      }
    }
  }
  return false;
}

/* The author's frame nearest to frame `id`, as in mv_user_frames.found. What was walked keeps it: O(frames) in all. */
static uint32_t find_frame(mv_user_frames *f, const mv_stack_frames *frames, int64_t id) {
  uint32_t found = NO_FRAME;
  int64_t end = id;
  while (end != 0) {
    const mv_frame *frame = &frames->items[end - 1];
    if (f->found[end - 1] != 0) {
      found = f->found[end - 1];
      break;
    }
    if (frame->file.size > 0 && !is_library(frame->file)) {
      found = (uint32_t)end;
      break;
    }
    end = frame->parent_id;
  }
  for (int64_t i = id; i != end; i = frames->items[i - 1].parent_id) {
    f->found[i - 1] = found;
  }
  if (end != 0) {
    f->found[end - 1] = found;
  }
  return found;
}

/* The place that the stack of a frame tells, if it does. */
static bool find_in_stack(mv_place *out, mv_user_frames *f, uint32_t id, mv_status *status) {
  const mv_stack_frames *frames = id > 0 ? mv_module_frames(f->module, status) : NULL;
  if (frames == NULL || id > frames->count) {
    return id == 0 || frames != NULL;
  }
  if (f->found == NULL) {
    f->found = mv_arena_zalloc(f->arena, frames->count, sizeof *f->found, status);
    if (f->found == NULL) {
      return false;
    }
  }
  const uint32_t found = find_frame(f, frames, id);
  const mv_frame *frame = &frames->items[(found != NO_FRAME ? found : id) - 1];
  if (frame->file.size > 0) {
    *out = (mv_place){frame->file, frame->line};
  }
  return true;
}

bool mv_user_source_find(mv_place *out, mv_user_frames *f, uint32_t instruction, mv_status *status) {
  *out = (mv_place){0};
  if (!find_in_stack(out, f, f->graph->nodes[instruction].stack_frame, status)) {
    return false;
  }
  if (out->file.size == 0 && f->graph->nodes[instruction].has_source_file) {
    mv_metadata metadata;
    mv_instruction_metadata(&metadata, f->module, instruction);
    *out = (mv_place){metadata.source_file, metadata.source_line};
  }
  return true;
}
