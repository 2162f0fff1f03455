#include "source/source.h"

#include <inttypes.h>
#include <stdlib.h>

#include "load/load.h"
#include "model/fusions.h"
#include "source/device.h"
#include "source/listing.h"
#include "source/names.h"
#include "source/paths.h"

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

const char *mv_listing_keep(mv_listing *l, mv_bytes text) {
  return mv_arena_string(l->source->arena, text, l->status);
}

static const char *keep_clean(mv_source *s, mv_bytes bytes, mv_status *status) {
  if (bytes.size == 0) {
    return NULL;
  }
  mv_text text = MV_TEXT_INIT;
  mv_text_bytes(&text, bytes);
  const char *kept = NULL;
  if (text.failed) {
    mv_fail_nomem(status);
  } else {
    kept = mv_arena_string(s->arena, mv_bytes_of(text.data, text.size), status);
  }
  mv_text_free(&text);
  return kept;
}

const char *mv_listing_keep_clean(mv_listing *l, mv_bytes text) {
  return keep_clean(l->source, text, l->status);
}

/* Folders are named by people: they tell nothing of the platform. */
static const char *file_name(const char *path) {
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  return slash != NULL ? slash + 1 : path;
}

/* Entries of one file stand together: they share the text. */
static bool keep_host(mv_listing *l, mv_entry *e) {
  const mv_entry *last = l->entries.count > 1 ? e - 1 : NULL;
  if (last != NULL && last->path == e->path) {
    e->host = last->host;
    return true;
  }
  const mv_bytes host = e->path != NULL ? mv_name_host(e->path) : mv_bytes_of(NULL, 0);
  e->host = mv_listing_keep_clean(l, host);
  return e->host != NULL || host.size == 0;
}

mv_entry *mv_listing_add(mv_listing *l, const char *path, const mv_file_id *file_id) {
  mv_entry *e = mv_array_push(&l->entries, sizeof *e, l->source->arena, l->status);
  if (e == NULL) {
    return NULL;
  }
  *e = (mv_entry){.path = path, .hint = file_name(path), .size = UINT64_MAX, .is_readable = true, .file_id = *file_id};
  return keep_host(l, e) ? e : NULL;
}

bool mv_listing_add_problem(mv_listing *l, const char *path, const mv_file_id *file_id, const char *problem) {
  const char *kept = mv_listing_keep_clean(l, mv_bytes_of_string(problem));
  mv_entry *e = kept != NULL ? mv_listing_add(l, path, file_id) : NULL;
  if (e == NULL) {
    return false;
  }
  e->problem = kept;
  e->is_readable = false;
  e->summary.is_known = true;
  return true;
}

bool mv_list_stream(mv_listing *l, mv_stream *stream, const char *path, const mv_file_id *file_id) {
  mv_bytes head;
  mv_format format;
  if (!mv_head_detect(&format, &head, stream, l->status)) {
    return false;
  }
  const char *problem = mv_format_problem(format);
  if (problem != NULL) {
    return mv_fail(l->status, MV_FORMAT, "%s", problem);
  }
  if (format == MV_FORMAT_XSPACE) {
    return mv_list_xspace(l, stream, path, file_id);
  }
  const char *name;
  mv_entry *e = mv_head_keep_name(&name, l, stream, head, format) ? mv_listing_add(l, path, file_id) : NULL;
  if (e == NULL) {
    return false;
  }
  e->name = name;
  e->content = format == MV_FORMAT_HLO_MODULE_PROTO          ? MV_CONTENT_HLO_MODULE_PROTO
               : format == MV_FORMAT_BUFFER_ASSIGNMENT_PROTO ? MV_CONTENT_BUFFER_ASSIGNMENT_PROTO
                                                             : MV_CONTENT_HLO_PROTO;
  return true;
}

/* By path, then program id; entries of one file and id stay in its order. */
static int compare_entries(const void *a, const void *b) {
  const mv_entry *x = a;
  const mv_entry *y = b;
  const int by_path = x->path != NULL && y->path != NULL ? strcmp(x->path, y->path) : 0;
  if (by_path != 0) {
    return by_path;
  }
  if (x->is_readable != y->is_readable) {
    return x->is_readable ? -1 : 1; /* what is wrong with a file comes behind what could be read of it */
  }
  const uint64_t i = (uint64_t)x->program_id;
  const uint64_t j = (uint64_t)y->program_id;
  return i != j ? (i < j ? -1 : 1) : (x->offset > y->offset) - (x->offset < y->offset);
}

static mv_source *finish(mv_source *s, mv_listing *l, bool ok, const char *subject) {
  if (ok) {
    s->entries = l->entries.items;
    s->count = l->entries.count;
    if (s->count > 1) {
      qsort(s->entries, s->count, sizeof *s->entries, compare_entries);
    }
    return s;
  }
  if (!mv_status_is_passing(l->status)) {
    mv_status_prefix(l->status, s->path != NULL ? "'%s': " : "%s ", subject);
  }
  mv_source_free(s);
  return NULL;
}

static bool list_path(mv_listing *l) {
  mv_source *s = l->source;
  if (s->is_directory) {
    return mv_list_directory(l, s->path);
  }
  mv_stream *stream = mv_stream_open(s->path, l->limits, l->status);
  const bool ok = stream != NULL && mv_list_stream(l, stream, s->path, &s->file_id);
  mv_stream_close(stream);
  return ok && (l->entries.count != 1 || mv_device_look_beside(l->entries.items, l));
}

mv_source *mv_source_open(const char *path, const mv_limits *limits, mv_status *status) {
  mv_source *s = new_source(status);
  if (s == NULL) {
    return NULL;
  }
  mv_listing l = {.source = s, .limits = limits, .status = status};
  s->path = mv_listing_keep(&l, mv_bytes_of_string(path));
  bool ok = s->path != NULL;
  if (ok && !mv_file_identify(&s->file_id, &s->is_directory, path, status)) {
    ok = mv_path_explain(path, status);
  }
  return finish(s, &l, ok && list_path(&l), path);
}

mv_source *mv_source_of(mv_bytes bytes, const mv_limits *limits, mv_status *status) {
  mv_source *s = new_source(status);
  if (s == NULL) {
    return NULL;
  }
  mv_listing l = {.source = s, .limits = limits, .status = status};
  bool ok = mv_blob_new(&s->blob, bytes.size, status);
  if (ok && bytes.size > 0) {
    memcpy(s->blob.data, bytes.data, bytes.size);
    s->blob.size = bytes.size;
  }
  if (ok) {
    mv_stream *stream = mv_stream_of(mv_blob_bytes(&s->blob), limits, status);
    ok = stream != NULL && mv_list_stream(&l, stream, NULL, &s->file_id);
    mv_stream_close(stream);
  }
  return finish(s, &l, ok, "the BLOB");
}

/* What could not be looked at when it was listed has the id of nothing. */
static bool is_same_file(const char *path, const mv_file_id *was) {
  mv_status ignored = MV_STATUS_INIT;
  mv_file_id now = {0};
  mv_file_identify(&now, NULL, path, &ignored);
  return mv_file_id_equal(&now, was);
}

bool mv_source_is_current(const mv_source *s) {
  if (s->path == NULL) {
    return true;
  }
  if (!is_same_file(s->path, &s->file_id)) {
    return false;
  }
  for (size_t i = 0; i < s->watched_count; i++) {
    if (!is_same_file(s->watched[i].path, &s->watched[i].file_id)) {
      return false;
    }
  }
  for (size_t i = 0; s->is_directory && i < s->count; i++) {
    const mv_entry *e = &s->entries[i];
    const bool is_another = i == 0 || strcmp(e->path, s->entries[i - 1].path) != 0;
    if ((is_another && !is_same_file(e->path, &e->file_id)) ||
        (e->scoped_path != NULL && !is_same_file(e->scoped_path, &e->scoped_file_id))) {
      return false;
    }
  }
  return true;
}

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
  const char *entry = keep_clean(s, mv_module_bytes(m, m->entry_computation_name), status);
  const char *name = e->name != NULL ? e->name : keep_clean(s, mv_module_bytes(m, m->name), status);
  const char *problem = keep_clean(s, mv_bytes_of_string(m->problem), status);
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
    const char *problem = keep_clean(s, mv_bytes_of_string(failure->message), &ignored);
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
    const char *kept = keep_clean(s, mv_bytes_of_string(both.message), &ignored);
    e->problem = kept != NULL ? kept : e->problem;
  }
  return false;
}

void mv_entry_prefix(mv_status *status, const mv_entry *entry) {
  if (!mv_status_is_passing(status)) {
    mv_status_prefix(status, entry->path != NULL ? "'%s': " : "the BLOB%s: ", entry->path != NULL ? entry->path : "");
  }
}
