#include "source/listing.h"

#include "source/names.h"

const char *mv_listing_keep(mv_listing *l, mv_bytes text) {
  return mv_arena_string(l->source->arena, text, l->status);
}

const char *mv_listing_keep_clean(mv_listing *l, mv_bytes text) {
  return mv_entry_keep_clean(l->source->arena, text, l->status);
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
