#include "source/source.h"

#include <stdlib.h>

#include "source/device.h"
#include "source/directory.h"
#include "source/file.h"
#include "source/paths.h"
#include "source/stream.h"

enum { COPY_STEP = 8 << 20 }; /* bytes between two looks at the host's wish to stop */

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
  return ok && (l->entries.count != 1 || mv_device_take_beside(l->entries.items, l));
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
  while (ok && s->blob.size < bytes.size) { /* a large one takes a while */
    const size_t left = bytes.size - s->blob.size;
    const size_t n = left < COPY_STEP ? left : COPY_STEP;
    memcpy(s->blob.data + s->blob.size, bytes.data + s->blob.size, n);
    s->blob.size += n;
    ok = mv_check_interrupt(limits, status);
  }
  if (ok) {
    mv_stream *stream = mv_stream_of(mv_blob_bytes(&s->blob), limits, status);
    ok = stream != NULL && mv_list_stream(&l, stream, NULL, &s->file_id);
    mv_stream_close(stream);
  }
  return finish(s, &l, ok, "the BLOB");
}

/* A file that could not be identified when it was listed has the id of nothing. */
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
