/* directory.c: the modules of an XLA dump folder or a profile's log folder.
 *
 *   list      subdirectories too, but no links to directories: they lead in circles or to the same files again
 *   sort      by path
 *   peek      at the first bytes of each file that may hold a module
 *   group     the stages of one module: same folder, same "module_0001.jit_step"
 *   choose    of a group the stage that has the buffer assignment; beside it the one that tells the scoped memory
 *
 * What belongs to one module and which stage is which is told by the names of files: names.h.
 */
#include "source/directory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os/directory.h"
#include "source/caches.h"
#include "source/folder.h"
#include "source/head.h"
#include "source/stages.h"
#include "source/stream.h"

enum { MAX_DEPTH = 64, MAX_FILES = 1000000 };

static char *join(mv_folder *w, const char *directory, const char *name) {
  const size_t d = strlen(directory);
  const size_t n = strlen(name);
  char *path = mv_arena_alloc(w->listing->source->arena, d + n + 2, w->listing->status);
  if (path != NULL) {
    snprintf(path, d + n + 2, "%s%s%s", directory, d > 0 && directory[d - 1] == '/' ? "" : "/", name);
  }
  return path;
}

static bool add_directory(mv_folder *w, const char *path, const mv_file_id *id, uint32_t depth) {
  uint32_t *level = mv_array_push(&w->depths, sizeof *level, w->scratch, w->listing->status);
  if (level == NULL) {
    return false;
  }
  *level = depth;
  return mv_folder_watch(w, path, id);
}

static bool take_directory(mv_folder *w, const char *path, const mv_file_id *id, uint32_t depth) {
  if (mv_file_is_link(path)) {
    w->links++;
    return true;
  }
  if (depth >= MAX_DEPTH) {
    return mv_listing_add_problem(w->listing, path, id, "the folder lies too deep to be listed: give it as the source");
  }
  return add_directory(w, path, id, depth);
}

static bool add_found(mv_folder *w, mv_folder_file found) {
  if (w->files.count >= MAX_FILES) {
    return mv_fail(w->listing->status, MV_LIMIT, "holds more than %d files: give a folder within it", MAX_FILES);
  }
  mv_folder_file *f = mv_array_push(&w->files, sizeof *f, w->scratch, w->listing->status);
  if (f != NULL) {
    *f = found;
  }
  return f != NULL;
}

/* One name of a directory. */
static bool take_name(mv_folder *w, const char *directory, const mv_dir_name *name, uint32_t depth) {
  /* Most files of a dump hold no module, as their endings tell; of those nothing more is asked. */
  const mv_name_kind kind = mv_name_kind_of(name->text);
  const bool is_wanted = kind != MV_NAME_NONE && kind != MV_NAME_TEXT;
  w->text_dumps += kind == MV_NAME_TEXT && mv_name_is_dump(mv_bytes_of_string(name->text));
  if (!is_wanted && name->kind == MV_DIR_FILE) {
    return true;
  }
  const char *path = join(w, directory, name->text);
  if (path == NULL) {
    return false;
  }
  mv_status hidden = MV_STATUS_INIT;
  mv_file_id id;
  bool is_directory;
  if (!mv_file_identify(&id, &is_directory, path, &hidden)) {
    /* A row tells of what is there and can't be looked at, where a module may be in it. */
    const bool may_matter = mv_name_tells_module(kind) || name->kind == MV_DIR_DIRECTORY;
    return !may_matter || !mv_file_is_hidden(path) ||
           mv_listing_add_problem(w->listing, path, &(mv_file_id){0}, hidden.message);
  }
  if (is_directory) {
    return take_directory(w, path, &id, depth + 1);
  }
  return !is_wanted || add_found(w, (mv_folder_file){.path = path, .file_id = id, .kind = kind});
}

/* The folder that was asked for must be readable; one inside it that is not has a row that says so. */
static bool fail_directory(mv_folder *w, const mv_watched *here, uint32_t depth, const mv_status *why) {
  if (depth == 0 || mv_status_is_passing(why)) {
    *w->listing->status = *why;
    return false;
  }
  mv_status of_folder = *why;
  mv_status_prefix(&of_folder, "%s ", "the folder");
  return mv_listing_add_problem(w->listing, here->path, &here->file_id, of_folder.message);
}

static bool read_directory(mv_folder *w, size_t index) {
  const mv_watched here = ((mv_watched *)w->watched.items)[index]; /* the array moves as it grows */
  const uint32_t depth = ((uint32_t *)w->depths.items)[index];
  mv_status local = MV_STATUS_INIT;
  mv_dir *dir;
  if (!mv_dir_open(&dir, here.path, &local)) {
    return fail_directory(w, &here, depth, &local);
  }
  mv_dir_name name;
  bool ok = true;
  while (ok && mv_dir_next(&name, dir, &local) && name.text != NULL) {
    ok = take_name(w, here.path, &name, depth) && mv_check_interrupt(w->listing->limits, w->listing->status);
  }
  mv_dir_close(dir);
  return ok && (local.code == MV_OK || fail_directory(w, &here, depth, &local));
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const mv_folder_file *)a)->path, ((const mv_folder_file *)b)->path);
}

/* A file that is not called what modules are called, and holds none: XLA and XProf leave many. It is watched, as
 * whoever writes it may not be done. */
static bool skip_file(mv_folder *w, mv_folder_file *f) {
  f->kind = MV_NAME_NONE;
  if (w->skipped == NULL && f->problem != NULL && f->format != MV_FORMAT_UNKNOWN && f->format != MV_FORMAT_TEXT) {
    w->skipped = f->path;
    w->skipped_problem = f->problem;
  }
  return mv_folder_watch(w, f->path, &f->file_id);
}

static bool peek_file(mv_folder *w, mv_folder_file *f) {
  mv_listing *l = w->listing;
  if (f->kind == MV_NAME_DEVICE) {
    f->rank = INT_MAX; /* behind all stages */
    return true;
  }
  mv_status local = MV_STATUS_INIT;
  mv_stream *stream = mv_stream_open(f->path, l->limits, &local);
  mv_bytes head;
  bool holds_module = f->kind != MV_NAME_OTHER;
  if (stream != NULL && mv_head_detect(&f->format, &head, stream, &local)) {
    f->problem = mv_format_problem(f->format);
    holds_module = holds_module || (f->problem == NULL && mv_detect_is_proven(head, f->format));
    if (!mv_head_keep_name(&f->name, l, stream, head, f->format)) {
      mv_stream_close(stream);
      return false;
    }
  }
  mv_stream_close(stream);
  if (mv_status_is_passing(&local)) {
    *l->status = local;
    return false;
  }
  if (local.code != MV_OK) {
    f->problem = mv_listing_keep_clean(l, mv_bytes_of_string(local.message));
    f->format = MV_FORMAT_EMPTY; /* not known */
  }
  if (l->status->code != MV_OK) {
    return false;
  }
  if (!holds_module) {
    return skip_file(w, f);
  }
  if (mv_folder_file_is_staged(f)) {
    f->rank = mv_name_rank(f->path);
    if (f->name != NULL && !mv_name_group(&f->group, f->path, f->name, w->scratch, l->status)) {
      return false;
    }
  }
  return l->status->code == MV_OK;
}

static bool list_folder(mv_folder *w, const char *path) {
  mv_listing *l = w->listing;
  if (!add_directory(w, path, &l->source->file_id, 0)) {
    return false;
  }
  for (size_t i = 0; i < w->depths.count; i++) {
    if (!read_directory(w, i)) {
      return false;
    }
  }
  mv_folder_file *files = w->files.items;
  if (w->files.count > 1) {
    qsort(files, w->files.count, sizeof *files, compare_paths);
  }
  for (size_t i = 0; i < w->files.count; i++) {
    if (!mv_check_interrupt(l->limits, l->status) || !peek_file(w, &files[i])) {
      return false;
    }
  }
  if (!mv_folder_group_damaged(w) || !mv_folder_add_groups(w)) {
    return false;
  }
  if (!mv_folder_add_caches(w)) {
    return false;
  }
  l->source->watched = w->watched.items;
  l->source->watched_count = w->watched.count;
  if (l->entries.count > 0) {
    return true;
  }
  if (w->text_dumps > 0) {
    return mv_fail(l->status, MV_FORMAT, "holds %zu dumps as text but no HloProto: dump with --xla_dump_hlo_as_proto",
                   w->text_dumps);
  }
  const mv_bytes skipped = mv_name_of(w->skipped != NULL ? w->skipped : "");
  const bool has_skipped = w->skipped != NULL;
  return mv_fail(l->status, MV_FORMAT, "holds no HloProto (*.hlo.pb) and no profile (*.xplane.pb)%s%s%s%s%s",
                 w->links > 0 ? "; links to other folders are not followed" : "", has_skipped ? "; '" : "",
                 has_skipped ? (const char *)skipped.data : "", has_skipped ? "' " : "",
                 has_skipped ? w->skipped_problem : "");
}

bool mv_list_directory(mv_listing *listing, const char *path) {
  mv_folder w = {.listing = listing, .scratch = mv_arena_new(listing->status)};
  const bool ok = w.scratch != NULL && list_folder(&w, path);
  mv_arena_free(w.scratch);
  return ok;
}
