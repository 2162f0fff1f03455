#include "source/read.h"

#include <inttypes.h>
#include <stdlib.h>

#include "load/load.h"
#include "model/fusions.h"
#include "source/stream.h"

static bool copy_kept(mv_blob *out, mv_bytes kept, mv_status *status) {
  if (!mv_blob_new(out, kept.size, status)) {
    return false;
  }
  memcpy(out->data, kept.data, kept.size);
  out->size = kept.size;
  return true;
}

static bool read_part(mv_stream *stream, mv_blob *out, const mv_entry *e, const mv_limits *limits, mv_status *status) {
  uint64_t skipped;
  if (e->size > UINT32_MAX) { /* mv_module_load would refuse it, after it was read */
    return mv_fail(status, MV_LIMIT, "has a module of %" PRIu64 " bytes, more than a protobuf can have", e->size);
  }
  if (!mv_check_size(limits, e->size, true, status) || !mv_stream_skip(stream, e->offset, &skipped, status) ||
      !mv_blob_new(out, (size_t)e->size, status)) {
    return false;
  }
  if (mv_stream_read(stream, out->data, (size_t)e->size, &out->size, status) && out->size == e->size) {
    return true;
  }
  mv_blob_free(out);
  return mv_fail(status, MV_IO, "was cut while it was read");
}

/* The bytes of one module, of the file as it was listed: a place in it means nothing in another one. */
static bool read_entry(mv_blob *out, const mv_source *s, const mv_entry *e, const mv_limits *limits,
                       mv_status *status) {
  if (e->kept.size > 0) {
    return copy_kept(out, e->kept, status);
  }
  mv_stream *stream =
      e->path != NULL ? mv_stream_open(e->path, limits, status) : mv_stream_of(mv_blob_bytes(&s->blob), limits, status);
  if (stream == NULL) {
    return false;
  }
  const mv_file_id id = mv_stream_file_id(stream);
  bool ok = mv_file_id_equal(&id, &e->file_id) || mv_fail(status, MV_IO, "changed while it was read");
  if (ok && e->size == UINT64_MAX && mv_stream_size(stream) != UINT64_MAX && mv_stream_size(stream) > UINT32_MAX) {
    ok = mv_fail(status, MV_LIMIT, "has %" PRIu64 " bytes, more than a protobuf can have", mv_stream_size(stream));
  }
  if (ok) {
    ok = e->size == UINT64_MAX ? mv_stream_read_all(stream, out, status) : read_part(stream, out, e, limits, status);
  }
  mv_stream_close(stream);
  return ok;
}

/* Texts in the summary are kept once: a module that is loaded again says the same. */
static bool summarize(mv_source *s, mv_entry *e, const mv_module *m, mv_status *status) {
  if (e->summary.is_known) {
    return true;
  }
  const char *entry = mv_entry_keep_clean(s->arena, mv_module_bytes(m, m->entry_computation_name), status);
  const char *name = e->name != NULL ? e->name : mv_entry_keep_clean(s->arena, mv_module_bytes(m, m->name), status);
  const char *problem = mv_entry_keep_clean(s->arena, mv_bytes_of_string(m->problem), status);
  if (status->code != MV_OK) {
    return false;
  }
  e->name = name;
  e->problem = problem;
  if (!e->has_program_id && m->has_module) {
    e->has_program_id = true;
    e->program_id = m->id;
  }
  e->summary = (mv_summary){
      .is_known = true,
      .platform = m->platform,
      .entry_computation = entry,
      .has_module = m->has_module,
      .has_assignment = m->has_assignment,
      .computation_count = m->computation_count,
      .instruction_count = m->instruction_count,
      .buffer_count = m->buffer_count,
      .allocation_count = m->allocation_count,
      .proto_bytes = (int64_t)m->bytes.size,
  };
  return true;
}

/* The scoped memory stands in another stage of the dump. That stage being unreadable is no reason not to show the
 * module. */
static bool add_scoped(mv_module *m, const mv_entry *e, const mv_limits *limits, mv_status *status) {
  mv_status local = MV_STATUS_INIT;
  mv_blob blob = MV_BLOB_INIT;
  mv_stream *stream = mv_stream_open(e->scoped_path, limits, &local);
  bool ok = stream != NULL && mv_stream_read_all(stream, &blob, &local);
  mv_stream_close(stream);
  mv_module *stage = ok ? mv_module_load(&blob, MV_CONTENT_HLO_PROTO, e->scoped_path, limits, &local) : NULL;
  ok = stage != NULL && mv_module_take_scoped(m, stage, limits, &local);
  mv_module_free(stage);
  if (!ok && mv_status_is_passing(&local)) {
    *status = local;
    return false;
  }
  if (!ok) {
    const char *slash = strrchr(e->scoped_path, '/');
    mv_module_note(m, "no scoped memory: %s ('%s')", local.message, slash != NULL ? slash + 1 : e->scoped_path);
  }
  return true;
}

/* Bytes that are wrong stay wrong until the file changes; what the system refused it may grant the next time. */
static void note_failure(mv_source *s, mv_entry *e, const mv_status *failure) {
  mv_status ignored = MV_STATUS_INIT;
  if (e->problem == NULL || strcmp(e->problem, failure->message) != 0) {
    const char *problem = mv_entry_keep_clean(s->arena, mv_bytes_of_string(failure->message), &ignored);
    if (problem == NULL) {
      return;
    }
    e->problem = problem;
  }
  if (failure->code != MV_IO) {
    e->is_readable = false;
    e->summary.is_known = true;
  }
}

mv_module *mv_source_load(mv_source *s, size_t index, const mv_limits *limits, mv_status *status) {
  mv_entry *e = &s->entries[index];
  if (!e->is_readable) {
    mv_fail(status, MV_FORMAT, "%s", e->problem);
    return NULL;
  }
  mv_blob blob = MV_BLOB_INIT;
  mv_module *m = NULL;
  if (read_entry(&blob, s, e, limits, status)) {
    m = mv_module_load(&blob, e->content, e->hint, limits, status);
  }
  if (m != NULL && ((e->scoped_path != NULL && !add_scoped(m, e, limits, status)) || !summarize(s, e, m, status))) {
    mv_module_free(m);
    m = NULL;
  }
  if (m == NULL && !mv_status_is_passing(status) && !e->summary.is_known) {
    note_failure(s, e, status);
  }
  return m;
}

bool mv_source_index_all(mv_source *s, size_t index, const mv_module *m, const mv_limits *limits, mv_status *status) {
  mv_entry *e = &s->entries[index];
  if (mv_module_index_all(m, limits, status)) {
    return true;
  }
  if (!mv_status_is_passing(status) && (e->problem == NULL || strstr(e->problem, status->message) == NULL)) {
    mv_status both = MV_STATUS_INIT;
    mv_status ignored = MV_STATUS_INIT;
    mv_fail(&both, MV_FORMAT, "%s%s%s", status->message, e->problem != NULL ? "; " : "",
            e->problem != NULL ? e->problem : "");
    const char *kept = mv_entry_keep_clean(s->arena, mv_bytes_of_string(both.message), &ignored);
    e->problem = kept != NULL ? kept : e->problem;
  }
  return false;
}
