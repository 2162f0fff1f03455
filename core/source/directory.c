/* directory.c: the modules of an XLA dump folder or a profile's log folder.
 *
 *   walk      subdirectories too, but no links to directories: they lead in circles or to the same files again
 *   sort      by path
 *   look      at the first bytes of each file that may hold a module
 *   group     the stages of one module: same folder, same "module_0001.jit_step"
 *   choose    of a group the stage that has the buffer assignment; beside it the one that tells the scoped memory
 *
 * What belongs to one module and which stage is which is told by the names of files: names.h.
 */
#define _FILE_OFFSET_BITS 64

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "source/device.h"
#include "source/folder.h"
#include "wire/fields.h"
#include "wire/wire.h"

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

bool mv_folder_watch(mv_folder *w, const char *path, const mv_file_id *id) {
  mv_watched *item = mv_array_push(&w->watched, sizeof *item, w->listing->source->arena, w->listing->status);
  if (item != NULL) {
    *item = (mv_watched){path, *id};
  }
  return item != NULL;
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
  struct stat st;
  if (lstat(path, &st) != 0 || S_ISLNK(st.st_mode)) {
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

/* Whether an entry is known to be a file without looking at it. */
static bool is_plainly_file(const struct dirent *entry) {
#ifdef DT_REG
  return entry->d_type == DT_REG;
#else
  (void)entry;
  return false;
#endif
}

static bool is_plainly_directory(const struct dirent *entry) {
#ifdef DT_DIR
  return entry->d_type == DT_DIR;
#else
  (void)entry;
  return false;
#endif
}

/* A name that could not be looked at. What vanished since it was listed is not there; else a row tells: there may be a
 * module, also where a link leads nowhere. */
static bool take_hidden(mv_folder *w, const char *path, bool may_matter, const mv_status *why) {
  struct stat st;
  if (!may_matter || stat(path, &st) == 0 || (lstat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))) {
    return true;
  }
  return mv_listing_add_problem(w->listing, path, &(mv_file_id){0}, why->message);
}

/* One name of a directory. */
static bool take_name(mv_folder *w, const char *directory, const struct dirent *entry, uint32_t depth) {
  const char *name = entry->d_name;
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    return true;
  }
  /* Most files of a dump hold no module, as their endings tell; of those nothing more is asked. */
  const mv_name_kind kind = mv_name_kind_of(name);
  const bool is_wanted = kind != MV_NAME_NONE && kind != MV_NAME_TEXT;
  w->text_dumps += kind == MV_NAME_TEXT && mv_name_is_dump(mv_bytes_of_string(name));
  if (!is_wanted && is_plainly_file(entry)) {
    return true;
  }
  const char *path = join(w, directory, name);
  if (path == NULL) {
    return false;
  }
  mv_status hidden = MV_STATUS_INIT;
  mv_file_id id;
  bool is_directory;
  if (!mv_file_identify(&id, &is_directory, path, &hidden)) {
    return take_hidden(w, path, mv_name_tells_module(kind) || is_plainly_directory(entry), &hidden);
  }
  if (is_directory) {
    return take_directory(w, path, &id, depth + 1);
  }
  return !is_wanted || add_found(w, (mv_folder_file){.path = path, .file_id = id, .kind = kind});
}

static bool read_directory(mv_folder *w, size_t index) {
  const mv_watched here = ((mv_watched *)w->watched.items)[index]; /* the array moves as it grows */
  const char *path = here.path;
  const uint32_t depth = ((uint32_t *)w->depths.items)[index];
  DIR *dir = opendir(path);
  if (dir == NULL) {
    char words[128] = "";
    if (strerror_r(errno, words, sizeof words) != 0) {
      snprintf(words, sizeof words, "error %d", errno);
    }
    /* The folder that was asked for must be readable; one inside it that is not has a row that says so. */
    char problem[160];
    snprintf(problem, sizeof problem, "the folder can't be opened: %s", words);
    return depth == 0 ? mv_fail(w->listing->status, MV_IO, "can't be opened: %s", words)
                      : mv_listing_add_problem(w->listing, path, &here.file_id, problem);
  }
  bool ok = true;
  struct dirent *entry;
  while (ok && (entry = readdir(dir)) != NULL) {
    ok = take_name(w, path, entry, depth) && mv_check_interrupt(w->listing->limits, w->listing->status);
  }
  closedir(dir);
  return ok;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const mv_folder_file *)a)->path, ((const mv_folder_file *)b)->path);
}

/* Whether it may be one of several files of a module: a stage, or what tells its device. */
static bool is_staged(const mv_folder_file *f) {
  return f->kind == MV_NAME_DUMP || f->kind == MV_NAME_SNAPSHOT || f->kind == MV_NAME_RIEGELI ||
         f->kind == MV_NAME_DEVICE || (f->kind == MV_NAME_OTHER && f->format != MV_FORMAT_XSPACE);
}

/* A file that is not called what modules are called, and holds none: XLA and XProf leave many. It is watched, as
 * whoever writes it may not be done. */
static bool pass_over(mv_folder *w, mv_folder_file *f) {
  f->kind = MV_NAME_NONE;
  if (w->passed == NULL && f->problem != NULL && f->format != MV_FORMAT_UNKNOWN && f->format != MV_FORMAT_TEXT) {
    w->passed = f->path;
    w->passed_problem = f->problem;
  }
  return mv_folder_watch(w, f->path, &f->file_id);
}

static bool look(mv_folder *w, mv_folder_file *f) {
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
    return pass_over(w, f);
  }
  if (is_staged(f)) {
    f->rank = mv_name_rank(f->path);
    if (f->name != NULL && !mv_name_group(&f->group, f->path, f->name, w->scratch, l->status)) {
      return false;
    }
  }
  return l->status->code == MV_OK;
}

int mv_folder_compare_strings(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files whose bytes do not tell their module's name go to the group that their own name fits. */
static bool group_damaged(mv_folder *w) {
  mv_folder_file *files = w->files.items;
  const char **groups = mv_arena_zalloc(w->scratch, w->files.count, sizeof *groups, w->listing->status);
  if (groups == NULL) {
    return false;
  }
  size_t count = 0;
  for (size_t i = 0; i < w->files.count; i++) {
    if (files[i].group != NULL) {
      groups[count++] = files[i].group;
    }
  }
  if (count > 1) {
    qsort(groups, count, sizeof *groups, mv_folder_compare_strings);
  }
  for (size_t i = 0; i < w->files.count; i++) {
    mv_folder_file *f = &files[i];
    if (is_staged(f) && f->name == NULL &&
        !mv_name_group_of_damaged(&f->group, f->path, groups, count, w->scratch, w->listing->status)) {
      return false;
    }
  }
  return true;
}

/* Whether an HloProto has a buffer assignment: the field behind the module, which is skipped. A file that is cut
 * gets its problem. */
static bool find_assignment(mv_folder *w, mv_folder_file *f, bool *has_it) {
  mv_listing *l = w->listing;
  mv_status local = MV_STATUS_INIT;
  *has_it = f->format == MV_FORMAT_BUFFER_ASSIGNMENT_PROTO;
  if (f->problem != NULL || f->format != MV_FORMAT_HLO_PROTO) {
    return true;
  }
  mv_stream *stream = mv_stream_open(f->path, l->limits, &local);
  mv_bytes head;
  bool ok = stream != NULL;
  while (ok && mv_stream_peek(stream, &head, &local) && head.size > 0) {
    mv_wire wire = mv_wire_of(head);
    mv_tag tag = {0};
    ok = mv_wire_next(&wire, &tag) || (wire.fault == MV_FAULT_CUT && tag.type == MV_LENGTH && tag.bytes.data != NULL);
    *has_it = *has_it || (ok && tag.field == MV_HLO_BUFFER_ASSIGNMENT);
    if (!ok || (*has_it && mv_stream_is_gzip(stream))) { /* to see that it is whole would mean unpacking it */
      break;
    }
    uint64_t skipped;
    const uint64_t size =
        tag.type == MV_LENGTH ? (uint64_t)(tag.bytes.data - head.data) + tag.value : (uint64_t)(wire.p - head.data);
    ok = mv_stream_skip(stream, size, &skipped, &local);
    if (ok && skipped < size) {
      *has_it = false;
      ok = mv_fail(&local, MV_FORMAT, "cut short at byte %" PRIu64 " of field %s", mv_stream_position(stream),
                   tag.field == MV_HLO_MODULE              ? "hlo_module"
                   : tag.field == MV_HLO_BUFFER_ASSIGNMENT ? "buffer_assignment"
                                                        : "HloProto");
    }
  }
  mv_stream_close(stream);
  if (mv_status_is_passing(&local)) {
    *l->status = local;
    return false;
  }
  if (local.code != MV_OK) {
    f->problem = mv_listing_keep_clean(l, mv_bytes_of_string(local.message));
  }
  return l->status->code == MV_OK;
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

static int compare_stages(const void *a, const void *b) {
  const mv_folder_file *x = a;
  const mv_folder_file *y = b;
  const int by_group = strcmp(x->group, y->group);
  return by_group != 0 ? by_group : x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(y->path, x->path);
}

/* What the files of a group tell of the device that its module was compiled for. */
static bool take_devices(mv_folder *w, mv_entry *e, const mv_folder_file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!mv_folder_watch(w, files[i].path, &files[i].file_id) || !mv_device_take(e, files[i].path, w->listing)) {
      return false;
    }
  }
  return true;
}

/* The stages of one module, best rank first, then files that tell its device. */
static bool add_group(mv_folder *w, mv_folder_file *files, size_t count) {
  const size_t all = count;
  while (count > 0 && files[count - 1].kind == MV_NAME_DEVICE) {
    count--;
  }
  size_t chosen = count;
  const mv_folder_file *scoped = NULL;
  bool has_assignment = false;
  for (size_t i = 0; i < count && !has_assignment; i++) {
    if (count > 1 && !find_assignment(w, &files[i], &has_assignment)) {
      return false;
    }
    if (has_assignment || (chosen == count && files[i].problem == NULL)) {
      chosen = i;
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (mv_name_is_codegen(files[i].path) && files[i].problem == NULL && i != chosen) {
      scoped = &files[i];
    }
    /* With the module at hand a damaged stage of it is of no interest, until it is written anew; without, it may be the
     * reason. */
    if (files[i].problem != NULL &&
        !(has_assignment ? mv_folder_watch(w, files[i].path, &files[i].file_id) : mv_folder_add_file(w, &files[i]))) {
      return false;
    }
  }
  if (chosen == count) {
    return true;
  }
  if (!mv_folder_add_file(w, &files[chosen])) {
    return false;
  }
  mv_entry *e = &((mv_entry *)w->listing->entries.items)[w->listing->entries.count - 1];
  if (scoped != NULL) {
    e->scoped_path = scoped->path;
    e->scoped_file_id = scoped->file_id;
  }
  return take_devices(w, e, files + count, all - count);
}

static bool add_groups(mv_folder *w) {
  mv_folder_file *files = w->files.items;
  mv_folder_file *grouped = mv_arena_zalloc(w->scratch, w->files.count, sizeof *grouped, w->listing->status);
  if (grouped == NULL) {
    return false;
  }
  size_t count = 0;
  for (size_t i = 0; i < w->files.count; i++) {
    if (files[i].kind == MV_NAME_NONE || files[i].kind == MV_NAME_CACHE) {
      continue;
    }
    if (files[i].group != NULL) {
      grouped[count++] = files[i];
    } else if (files[i].kind != MV_NAME_DEVICE && !mv_folder_add_file(w, &files[i])) {
      return false;
    }
  }
  if (count > 1) {
    qsort(grouped, count, sizeof *grouped, compare_stages);
  }
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && strcmp(grouped[end].group, grouped[i].group) == 0) {
      end++;
    }
    if (!mv_check_interrupt(w->listing->limits, w->listing->status) || !add_group(w, grouped + i, end - i)) {
      return false;
    }
    i = end;
  }
  return true;
}

static bool list(mv_folder *w, const char *path) {
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
    if (!mv_check_interrupt(l->limits, l->status) || !look(w, &files[i])) {
      return false;
    }
  }
  if (!group_damaged(w) || !add_groups(w)) {
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
  const mv_bytes passed = mv_name_of(w->passed != NULL ? w->passed : "");
  const bool has_passed = w->passed != NULL;
  return mv_fail(l->status, MV_FORMAT, "holds no HloProto (*.hlo.pb) and no profile (*.xplane.pb)%s%s%s%s%s",
                 w->links > 0 ? "; links to other folders are not followed" : "", has_passed ? "; '" : "",
                 has_passed ? (const char *)passed.data : "", has_passed ? "' " : "",
                 has_passed ? w->passed_problem : "");
}

bool mv_list_directory(mv_listing *listing, const char *path) {
  mv_folder w = {.listing = listing, .scratch = mv_arena_new(listing->status)};
  const bool ok = w.scratch != NULL && list(&w, path);
  mv_arena_free(w.scratch);
  return ok;
}
