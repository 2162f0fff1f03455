#include "source/source.h"

#include <stdlib.h>

#include "module/details.h"
#include "source/detect.h"

static const char *keep(mv_source *s, mv_bytes text, mv_status *status) {
  return mv_arena_string(s->arena, text, status);
}

static mv_source *new_source(mv_status *status) {
  mv_source *s = calloc(1, sizeof *s);
  if (s == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  s->arena = mv_arena_new(status);
  if (s->arena == NULL) {
    free(s);
    s = NULL;
  }
  return s;
}

void mv_source_free(mv_source *s) {
  if (s != NULL) {
    mv_arena_free(s->arena);
    mv_blob_free(&s->blob);
    free(s);
  }
}

size_t mv_source_footprint(const mv_source *s) {
  return sizeof *s + mv_arena_footprint(s->arena) + s->blob.capacity;
}

static mv_content content_of(mv_format format) {
  return format == MV_FORMAT_HLO_MODULE_PROTO          ? MV_CONTENT_HLO_MODULE_PROTO
         : format == MV_FORMAT_BUFFER_ASSIGNMENT_PROTO ? MV_CONTENT_BUFFER_ASSIGNMENT_PROTO
                                                       : MV_CONTENT_HLO_PROTO;
}

/* A source of one file: one entry, or none with the reason in the status. */
static bool list_file(mv_source *s, mv_stream *stream, mv_status *status) {
  mv_bytes head;
  if (!mv_stream_peek(stream, &head, status)) {
    return false;
  }
  const mv_format format = mv_detect(head);
  const char *problem = mv_format_problem(format);
  if (problem != NULL) {
    return mv_fail(status, MV_FORMAT, "%s", problem);
  }
  s->entries = mv_arena_zalloc(s->arena, 1, sizeof *s->entries, status);
  if (s->entries == NULL) {
    return false;
  }
  s->count = 1;
  s->entries[0] = (mv_entry){
      .path = s->path,
      .program_id = -1,
      .content = content_of(format),
      .size = UINT64_MAX,
      .is_readable = true,
      .file_id = s->file_id,
  };
  return true;
}

mv_source *mv_source_open(const char *path, const mv_limits *limits, mv_status *status) {
  mv_source *s = new_source(status);
  if (s == NULL) {
    return NULL;
  }
  s->path = keep(s, mv_bytes_of_string(path), status);
  bool ok = s->path != NULL && mv_file_identify(&s->file_id, &s->is_directory, path, status);
  if (ok) {
    mv_stream *stream = mv_stream_open(path, limits, status);
    ok = stream != NULL && list_file(s, stream, status);
    mv_stream_close(stream);
  }
  if (!ok) {
    if (status->code != MV_NOMEM && status->code != MV_INTERRUPTED) {
      mv_status_prefix(status, "'%s': ", path);
    }
    mv_source_free(s);
    s = NULL;
  }
  return s;
}

mv_source *mv_source_of(mv_bytes bytes, const mv_limits *limits, mv_status *status) {
  mv_source *s = new_source(status);
  if (s == NULL) {
    return NULL;
  }
  bool ok = mv_blob_new(&s->blob, bytes.size, status);
  if (ok && bytes.size > 0) {
    memcpy(s->blob.data, bytes.data, bytes.size);
    s->blob.size = bytes.size;
  }
  if (ok) {
    mv_stream *stream = mv_stream_of(mv_blob_bytes(&s->blob), limits, status);
    ok = stream != NULL && list_file(s, stream, status);
    mv_stream_close(stream);
  }
  if (!ok) {
    if (status->code != MV_NOMEM && status->code != MV_INTERRUPTED) {
      mv_status_prefix(status, "the BLOB ");
    }
    mv_source_free(s);
    s = NULL;
  }
  return s;
}

bool mv_source_is_current(const mv_source *s) {
  if (s->path == NULL) {
    return true;
  }
  mv_status ignored = MV_STATUS_INIT;
  mv_file_id now;
  return mv_file_identify(&now, NULL, s->path, &ignored) && memcmp(&now, &s->file_id, sizeof now) == 0;
}

/* The bytes of one module. */
static bool read_entry(mv_blob *out, const mv_source *s, const mv_entry *e, const mv_limits *limits,
                       mv_status *status) {
  mv_stream *stream = e->path != NULL ? mv_stream_open(e->path, limits, status)
                                      : mv_stream_of(mv_blob_bytes(&s->blob), limits, status);
  if (stream == NULL) {
    return false;
  }
  bool ok;
  if (e->size == UINT64_MAX) {
    ok = mv_stream_read_all(stream, out, status);
  } else {
    uint64_t skipped;
    ok = mv_stream_skip(stream, e->offset, &skipped, status) && mv_blob_new(out, (size_t)e->size, status);
    if (ok) {
      ok = mv_stream_read(stream, out->data, (size_t)e->size, &out->size, status) &&
           (out->size == e->size || mv_fail(status, MV_IO, "was cut while it was read"));
      if (!ok) {
        mv_blob_free(out);
      }
    }
  }
  mv_stream_close(stream);
  return ok;
}

static const char *keep_clean(mv_source *s, mv_bytes bytes, mv_status *status) {
  if (bytes.size == 0) {
    return NULL;
  }
  mv_text text = MV_TEXT_INIT;
  mv_text_bytes(&text, bytes);
  const char *kept = text.failed ? NULL : keep(s, mv_bytes_of(text.data, text.size), status);
  if (text.failed) {
    mv_fail_nomem(status);
  }
  mv_text_free(&text);
  return kept;
}

/* Texts in the summary are kept once: a module that is loaded again says the same. */
static bool summarize(mv_source *s, mv_entry *e, const mv_module *m, mv_status *status) {
  if (e->summary.is_known) {
    return true;
  }
  const char *entry = keep_clean(s, mv_module_bytes(m, m->entry_computation_name), status);
  const char *name = e->name != NULL ? e->name : keep_clean(s, mv_module_bytes(m, m->name), status);
  const char *problem = e->problem != NULL ? e->problem : keep_clean(s, mv_bytes_of_string(m->problem), status);
  if (status->code != MV_OK) {
    return false;
  }
  e->name = name;
  e->problem = problem;
  e->program_id = e->program_id >= 0 ? e->program_id : m->id;
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

mv_module *mv_source_load(mv_source *s, size_t index, const mv_limits *limits, mv_status *status) {
  mv_entry *e = &s->entries[index];
  if (!e->is_readable) {
    mv_fail(status, MV_FORMAT, "%s", e->problem);
    return NULL;
  }
  mv_blob blob = MV_BLOB_INIT;
  mv_module *m = NULL;
  if (read_entry(&blob, s, e, limits, status)) {
    m = mv_module_load(&blob, e->content, e->path, limits, status);
  }
  if (m != NULL && !summarize(s, e, m, status)) {
    mv_module_free(m);
    m = NULL;
  }
  if (m == NULL && (status->code == MV_FORMAT || status->code == MV_LIMIT) && !e->summary.is_known) {
    mv_status ignored = MV_STATUS_INIT;
    const char *problem = keep_clean(s, mv_bytes_of_string(status->message), &ignored);
    if (problem != NULL) {
      e->problem = problem;
      e->is_readable = false;
      e->summary.is_known = true;
    }
  }
  return m;
}
