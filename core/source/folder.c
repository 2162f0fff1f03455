#include "source/folder.h"

#include "source/file.h"
#include "source/stream.h"

bool mv_folder_watch(mv_folder *w, const char *path, const mv_file_id *id) {
  mv_watched *item = mv_array_push(&w->watched, sizeof *item, w->listing->source->arena, w->listing->status);
  if (item != NULL) {
    *item = (mv_watched){path, *id};
  }
  return item != NULL;
}

bool mv_folder_add_file(mv_folder *w, const mv_folder_file *f) {
  mv_listing *l = w->listing;
  if (f->problem != NULL) {
    return mv_listing_add_problem(l, f->path, &f->file_id, f->problem);
  }
  mv_status outer = *l->status;
  l->is_bare = false;
  mv_stream *stream = mv_stream_open(f->path, l->limits, l->status);
  const bool ok = stream != NULL && mv_list_stream(l, stream, f->path, &f->file_id);
  mv_stream_close(stream);
  if (ok || mv_status_is_passing(l->status)) {
    return ok;
  }
  const mv_status fault = *l->status;
  *l->status = outer;
  if (f->format == MV_FORMAT_XSPACE && f->kind == MV_NAME_OTHER) { /* it only looked like a profile */
    return mv_folder_watch(w, f->path, &f->file_id);
  }
  if (f->format == MV_FORMAT_XSPACE && l->is_bare) {
    mv_folder_file *bare = mv_array_push(&w->bare, sizeof *bare, w->scratch, l->status);
    if (bare != NULL) {
      *bare = *f;
      bare->problem = mv_listing_keep_clean(l, mv_bytes_of_string(fault.message));
    }
    return l->status->code == MV_OK;
  }
  return mv_listing_add_problem(l, f->path, &f->file_id, fault.message);
}

int mv_folder_compare_strings(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}
