#include "walk.h"

#include "analysis/explanation.h"
#include "analysis/live.h"
#include "check/check.h"
#include "fuzz.h"
#include "model/instruction.h"
#include "render/report.h"
#include "shape/shape.h"

static void walk_shape(mv_bytes proto, mv_arena *arena) {
  mv_status status = MV_STATUS_INIT;
  mv_shape shape;
  const int64_t scanned = mv_shape_scan_unpadded(proto);
  if (!mv_shape_decode(&shape, proto, arena, &status)) {
    FUZZ_CHECK(scanned == -1 || status.code == MV_NOMEM, "scanned %lld of no shape", (long long)scanned);
    return;
  }
  int64_t padded;
  int64_t unpadded;
  mv_shape_padded_bytes(&padded, &shape);
  const bool is_known = mv_shape_unpadded_bytes(&unpadded, &shape);
  if (shape.element_type != MV_TYPE_TUPLE) {
    FUZZ_CHECK(scanned == (is_known ? unpadded : -1), "scanned %lld, decoded %lld", (long long)scanned,
               is_known ? (long long)unpadded : -1);
  }
  mv_text text = MV_TEXT_INIT;
  mv_shape_print(&text, &shape);
  mv_text_free(&text);
}

static void walk_details(mv_module *m, uint32_t instruction, mv_arena *arena) {
  mv_status status = MV_STATUS_INIT;
  mv_instruction_details details;
  mv_arena_reset(arena);
  if (!mv_instruction_details_read(&details, m, instruction, arena, &status)) {
    FUZZ_CHECK(status.code == MV_NOMEM, "%s", status.message);
    return;
  }
  mv_text text = MV_TEXT_INIT;
  mv_text_bytes(&text, details.name);
  mv_text_xml(&text, details.opcode);
  mv_text_xml(&text, details.op_name);
  mv_text_bytes(&text, details.source_file);
  FUZZ_CHECK(text.failed || mv_utf8_is_clean(mv_bytes_of(text.data, text.size)), "text is no UTF-8");
  mv_text_clear(&text);
  if (instruction % 16 == 0) { /* a stack can be as long as the index, for each instruction */
    mv_stack_print(&text, m, details.stack_frame_id, &status);
  }
  mv_text_free(&text);
  if (details.shape.data != NULL) {
    walk_shape(details.shape, arena);
  }
}

static void walk_buffer(mv_module *m, const mv_buffer *b, mv_arena *arena) {
  mv_location location;
  mv_buffer_location(&location, m, b);
  mv_text text = MV_TEXT_INIT;
  mv_location_print_index(&text, &location);
  mv_text_free(&text);
  FUZZ_CHECK(b->instruction == MV_NONE || b->instruction < m->instruction_count, "buffer %lld", (long long)b->id);
  FUZZ_CHECK(b->allocation == MV_NONE || b->allocation < m->allocation_count, "buffer %lld", (long long)b->id);
  FUZZ_CHECK(b->shares_with == MV_NONE || b->shares_with < m->buffer_count, "buffer %lld", (long long)b->id);
  if (b->instruction == MV_NONE) {
    return;
  }
  mv_status status = MV_STATUS_INIT;
  mv_instruction_details details;
  mv_bytes shape;
  mv_arena_reset(arena);
  if (mv_instruction_details_read(&details, m, b->instruction, arena, &status) && details.shape.data != NULL &&
      mv_shape_walk(&shape, details.shape, location.index, location.index_count)) {
    walk_shape(shape, arena);
  }
}

static void walk_space(const mv_module *m, uint32_t space, mv_arena *arena) {
  const mv_space *s = &m->spaces[space];
  const int64_t at[] = {-1, 0, 1, s->longest_trace / 2, s->longest_trace, s->longest_trace + 1, INT64_MAX};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    mv_status status = MV_STATUS_INIT;
    mv_live_list list;
    mv_arena_reset(arena);
    FUZZ_CHECK(mv_live_at(&list, m, space, at[i], arena, &status), "%s", status.message);
  }
}

static void touch_explanation(const mv_explanation *e, const mv_status *status) {
  FUZZ_CHECK((e != NULL) == (status->code == MV_OK), "%s", status->message);
  if (e != NULL) {
    const mv_bytes texts[] = {e->attributed_op_name, e->used_by, e->scope, e->layer, e->user_source_file};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      fuzz_touch(texts[i]);
    }
    FUZZ_CHECK((e->attribution == MV_ATTRIBUTION_NONE) == (e->phase == MV_PHASE_NONE), "attribution %d, phase %d",
               e->attribution, e->phase);
  }
}

/* What is damaged inside of a fusion is told by the first of them. */
static void walk_explanations(mv_module *m) {
  mv_status status = MV_STATUS_INIT;
  for (uint32_t i = 0; i < m->buffer_count && status.code == MV_OK; i++) {
    touch_explanation(mv_explain_buffer(m, i, NULL, &status), &status);
  }
  for (uint32_t i = 0; i < m->allocation_count && status.code == MV_OK; i++) {
    touch_explanation(mv_explain_allocation(m, i, NULL, &status), &status);
  }
}

static void walk_module(mv_module *m) {
  mv_status status = MV_STATUS_INIT;
  FUZZ_CHECK(mv_module_check(m, &status), "%s", status.message);
  mv_arena *arena = mv_arena_new(&status);
  if (arena == NULL) {
    return;
  }
  for (uint32_t i = 0; i < m->instruction_count; i++) {
    walk_details(m, i, arena);
    mv_instruction_scoped_bytes(m, i);
  }
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    walk_buffer(m, &m->buffers[i], arena);
  }
  walk_explanations(m);
  for (uint32_t i = 0; i < m->position_count; i++) {
    fuzz_touch(mv_module_bytes(m, m->positions[i].instruction));
  }
  for (uint32_t i = 0; i < m->space_count && i < 64; i++) {
    walk_space(m, i, arena);
  }
  const mv_stack_frames *frames = mv_module_frames(m, &status);
  for (uint32_t i = 0; frames != NULL && i < frames->count; i++) {
    fuzz_touch(frames->items[i].file);
    fuzz_touch(frames->items[i].function);
  }
  for (uint32_t i = 0; i < m->computation_count; i++) {
    fuzz_touch(mv_module_bytes(m, m->computations[i].name));
  }
  fuzz_touch(mv_module_bytes(m, m->name));
  FUZZ_CHECK(strlen(m->problem) < sizeof m->notes->text, "problem without an end");
  mv_arena_free(arena);
}

static void walk_report(mv_bytes bytes, const mv_limits *limits) {
  mv_status status = MV_STATUS_INIT;
  mv_source_cache *cache = mv_source_cache_new(limits, MV_SOURCE_CACHE_DEFAULT_BYTES, &status);
  mv_source_ref *ref = cache != NULL ? mv_source_cache_open_bytes(cache, bytes, &status) : NULL;
  mv_text text = MV_TEXT_INIT;
  if (ref != NULL && mv_report(&text, cache, ref, &(mv_report_request){MV_REPORT_MARKDOWN, NULL, NULL}, &status)) {
    FUZZ_CHECK(mv_utf8_is_clean(mv_bytes_of(text.data, text.size)), "the report is no UTF-8");
  }
  mv_text_free(&text);
  if (cache != NULL) {
    mv_source_cache_release(cache, ref);
  }
  mv_source_cache_free(cache);
}

void fuzz_walk_source(mv_bytes bytes) {
  const mv_limits limits = {.max_bytes = 64 << 20};
  mv_status status = MV_STATUS_INIT;
  mv_source *source = mv_source_of(bytes, &limits, &status);
  FUZZ_CHECK((source != NULL) == (status.code == MV_OK), "%s", status.message);
  if (source == NULL) {
    FUZZ_CHECK(*status.message != '\0' && strchr(status.message, '\n') == NULL, "message '%s'", status.message);
    return;
  }
  FUZZ_CHECK(source->count > 0, "a source of nothing");
  for (size_t i = 0; i < source->count; i++) {
    mv_status local = MV_STATUS_INIT;
    mv_module *m = mv_source_load(source, i, &limits, &local);
    FUZZ_CHECK((m != NULL) == (local.code == MV_OK), "%s", local.message);
    if (m != NULL) {
      walk_module(m);
      mv_module_free(m);
    } else {
      FUZZ_CHECK(source->entries[i].problem != NULL, "no problem noted: %s", local.message);
    }
  }
  mv_source_free(source);
  walk_report(bytes, &limits);
}
