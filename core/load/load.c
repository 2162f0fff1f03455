#include "load/load.h"

#include "load/build.h"
#include "wire/fields.h"

/* What a module ran on, in an HloUnoptimizedSnapshot: messages that begin with the tag of the first input. */
enum { INPUT = MV_INPUTS_ARGUMENTS << 3 | MV_LENGTH };

/* A field of the HloProto, each time it is there; or all bytes, where they are nothing but this field. */
static bool walk_field(mv_build *b, uint32_t field, mv_content alone, bool (*walk)(mv_build *, mv_bytes)) {
  const mv_module *m = b->module;
  if (m->content != MV_CONTENT_HLO_PROTO) {
    return m->content != alone || walk(b, m->bytes);
  }
  mv_wire w = mv_wire_of(m->bytes);
  mv_tag tag = {0};
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == field && tag.type == MV_LENGTH && !walk(b, tag.bytes)) {
      return false;
    }
  }
  return w.fault == MV_FAULT_NONE || mv_module_fault(m, w,
                                                     tag.field == MV_HLO_MODULE              ? "hlo_module"
                                                     : tag.field == MV_HLO_BUFFER_ASSIGNMENT ? "buffer_assignment"
                                                                                             : "HloProto",
                                                     b->status);
}

static bool refuse_inputs(mv_build *b, mv_bytes field) {
  if (field.size == 0 || field.data[0] != INPUT) {
    return true;
  }
  return mv_fail(
      b->status, MV_FORMAT,
      "is an HloUnoptimizedSnapshot, a program before it was compiled and its inputs, without buffer assignment: "
      "open the *after_optimizations.hlo.pb that --xla_dump_hlo_as_proto writes");
}

static void note_count(mv_module *m, uint32_t count, const char *what) {
  if (count > 0) {
    mv_module_note(m, "%u %s", count, what);
  }
}

static bool read_module(mv_build *b, const char *hint) {
  mv_module *m = b->module;
  if (!walk_field(b, MV_HLO_MODULE, MV_CONTENT_HLO_MODULE_PROTO, mv_build_index) ||
      !mv_idmap_finish(&m->instructions_by_id, m->arena, b->status)) {
    return false;
  }
  m->payloads = b->payloads.items;
  m->payload_count = (uint32_t)b->payloads.count;
  if (!m->has_module) {
    m->id = -1;
  }
  /* Inside fusions may stand what refers to payloads, and where nothing else tells the platform what does. */
  if ((m->payload_count > 0 || mv_build_platform(b, NULL) == MV_PLATFORM_UNKNOWN) && !mv_build_index_fusions(b)) {
    return false;
  }
  note_count(m, m->instructions_by_id.duplicates, "instructions have the id of an earlier one");
  if (!mv_build_scoped_payloads(b)) {
    return false;
  }
  m->scoped = b->scoped.items;
  m->scoped_count = (uint32_t)b->scoped.count;
  m->platform = mv_build_platform(b, hint);
  return true;
}

static bool read_assignment(mv_build *b) {
  mv_module *m = b->module;
  if (!walk_field(b, MV_HLO_BUFFER_ASSIGNMENT, MV_CONTENT_BUFFER_ASSIGNMENT_PROTO, mv_build_buffers) ||
      !mv_idmap_finish(&m->buffers_by_id, m->arena, b->status)) {
    return false;
  }
  if (!m->has_assignment && !walk_field(b, MV_HLO_NOT_USED, MV_CONTENT_HLO_PROTO, refuse_inputs)) {
    return false;
  }
  note_count(m, m->buffers_by_id.duplicates, "buffers have the id of an earlier one");
  note_count(m, b->undefined_buffers, "buffers are defined by instructions that are not there");
  if (!walk_field(b, MV_HLO_BUFFER_ASSIGNMENT, MV_CONTENT_BUFFER_ASSIGNMENT_PROTO, mv_build_allocations) ||
      !mv_idmap_finish(&m->allocations_by_id, m->arena, b->status)) {
    return false;
  }
  note_count(m, m->allocations_by_id.duplicates, "allocations have the id of an earlier one");
  if (!mv_build_settle_buffers(b)) {
    return false;
  }
  note_count(m, b->unknown_assigned, "assigned buffers are not among the logical buffers");
  return true;
}

/* Why there is none, as far as the name of the dump tells (xla/service/dump.cc). What is loaded from a cache of
 * compiled programs is dumped under the name of the stage that has an assignment, without one: nothing was assigned. */
static const char *missing_assignment(const mv_module *m, const char *file_name) {
  const bool is_last_stage = m->content == MV_CONTENT_HLO_PROTO && file_name != NULL &&
                             strstr(file_name, "after_optimizations.hlo.pb") != NULL;
  return is_last_stage ? "no buffer assignment: the program came out of the persistent compilation cache; run with "
                         "JAX_ENABLE_COMPILATION_CACHE=false to compile and dump it"
                       : "no buffer assignment: this is not the stage of the dump that has one";
}

static void summarize_problems(mv_module *m, const char *hint) {
  if (!m->has_assignment) {
    mv_module_note(m, "%s", missing_assignment(m, hint));
  } else if (m->content == MV_CONTENT_BUFFER_ASSIGNMENT_PROTO) {
    mv_module_note(m, m->heap_count > 0 ? "no HLO module: sizes and lifetimes only, without names and shapes"
                                        : "no HLO module: sizes only, without names and shapes");
  } else if (!m->has_module) {
    mv_module_note(m, "no HLO module in it");
  }
}

static bool build(mv_build *b, const char *hint) {
  if (b->module->bytes.size > UINT32_MAX) {
    return mv_fail(b->status, MV_LIMIT, "a module of %zu bytes: more than a protobuf can have", b->module->bytes.size);
  }
  if (!read_module(b, hint) || !read_assignment(b) || !mv_build_spaces(b) || !mv_build_heaps(b) ||
      !mv_build_space_scoped(b) || !mv_build_note_untraced(b)) {
    return false;
  }
  summarize_problems(b->module, hint);
  return true;
}

mv_module *mv_module_load(mv_blob *blob, mv_content content, const char *hint, const mv_limits *limits,
                          mv_status *status) {
  mv_module *m = mv_module_new(status);
  if (m == NULL) {
    mv_blob_free(blob);
    return NULL;
  }
  m->blob = *blob;
  *blob = (mv_blob)MV_BLOB_INIT;
  m->bytes = mv_blob_bytes(&m->blob);
  m->content = content;
  mv_build b = {.module = m, .scratch = mv_arena_new(status), .limits = limits, .status = status};
  /* The rows of a module take a third to a half of its bytes. */
  const bool ok = b.scratch != NULL && mv_arena_expect(m->arena, m->bytes.size / 2, status) && build(&b, hint);
  mv_arena_free(b.scratch);
  if (!ok) {
    mv_module_free(m);
    m = NULL;
  }
  return m;
}
