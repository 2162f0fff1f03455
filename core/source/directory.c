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
#include "source/listing.h"
#include "source/names.h"
#include "wire/fields.h"
#include "wire/wire.h"

enum { MAX_DEPTH = 64, MAX_FILES = 1000000 };

typedef struct file {
  const char *path;
  const char *group; /* of stages of one module; NULL for a file that stands alone */
  const char *name;  /* of the module; NULL when its head does not tell */
  mv_file_id file_id;
  mv_name_kind kind;
  mv_format format;
  int rank; /* of its stage: lower ones are tried first */
  const char *problem;
} file;

typedef struct walk {
  mv_listing *listing;
  mv_arena *scratch;
  mv_array watched; /* mv_watched: the directories while the tree is walked, then also files that were skipped */
  mv_array depths;  /* uint32_t, of the directories */
  mv_array files;
  size_t text_dumps;
  size_t links; /* to directories */
} walk;

static char *join(walk *w, const char *directory, const char *name) {
  const size_t d = strlen(directory);
  const size_t n = strlen(name);
  char *path = mv_arena_alloc(w->listing->source->arena, d + n + 2, w->listing->status);
  if (path != NULL) {
    snprintf(path, d + n + 2, "%s%s%s", directory, d > 0 && directory[d - 1] == '/' ? "" : "/", name);
  }
  return path;
}

static bool watch(walk *w, const char *path, const mv_file_id *id) {
  mv_watched *item = mv_array_push(&w->watched, sizeof *item, w->listing->source->arena, w->listing->status);
  if (item != NULL) {
    *item = (mv_watched){path, *id};
  }
  return item != NULL;
}

static bool add_directory(walk *w, const char *path, const mv_file_id *id, uint32_t depth) {
  uint32_t *level = mv_array_push(&w->depths, sizeof *level, w->scratch, w->listing->status);
  if (level == NULL) {
    return false;
  }
  *level = depth;
  return watch(w, path, id);
}

static bool take_directory(walk *w, const char *path, const mv_file_id *id, uint32_t depth) {
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

static bool add_found(walk *w, file found) {
  if (w->files.count >= MAX_FILES) {
    return mv_fail(w->listing->status, MV_LIMIT, "holds more than %d files: give a folder within it", MAX_FILES);
  }
  file *f = mv_array_push(&w->files, sizeof *f, w->scratch, w->listing->status);
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

/* A name that could not be looked at. What vanished since it was listed, and a link that leads nowhere, is not there;
 * else a row tells: there may be a module. */
static bool take_hidden(walk *w, const char *path, bool may_matter, const mv_status *why) {
  struct stat st;
  if (!may_matter || stat(path, &st) == 0 || errno == ENOENT || errno == ENOTDIR || errno == ELOOP) {
    return true;
  }
  return mv_listing_add_problem(w->listing, path, &(mv_file_id){0}, why->message);
}

/* One name of a directory. */
static bool take_name(walk *w, const char *directory, const struct dirent *entry, uint32_t depth) {
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
    return take_hidden(w, path, is_wanted || is_plainly_directory(entry), &hidden);
  }
  if (is_directory) {
    return take_directory(w, path, &id, depth + 1);
  }
  return !is_wanted || add_found(w, (file){.path = path, .file_id = id, .kind = kind});
}

static bool read_directory(walk *w, size_t index) {
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
    return depth == 0 ? mv_fail(w->listing->status, MV_IO, "can't be opened: %s", words)
                      : mv_listing_add_problem(w->listing, path, &here.file_id, "the folder can't be opened");
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
  return strcmp(((const file *)a)->path, ((const file *)b)->path);
}

/* Whether it may be one of several files of a module: a stage, or what tells its device. */
static bool is_staged(const file *f) {
  return f->kind == MV_NAME_DUMP || f->kind == MV_NAME_OTHER || f->kind == MV_NAME_DEVICE;
}

/* Whether a file of this format, of whatever name, should have held a module. */
static bool is_missed(mv_format format) {
  return format == MV_FORMAT_EMPTY || format == MV_FORMAT_NOT_SERIALIZED || format == MV_FORMAT_HLO_SNAPSHOT ||
         format == MV_FORMAT_HLO_UNOPTIMIZED_SNAPSHOT || format == MV_FORMAT_RIEGELI || format == MV_FORMAT_ZIP ||
         format == MV_FORMAT_ZSTD;
}

static bool look(walk *w, file *f) {
  mv_listing *l = w->listing;
  if (f->kind == MV_NAME_DEVICE) {
    f->rank = INT_MAX; /* behind all stages */
    return true;
  }
  mv_status local = MV_STATUS_INIT;
  mv_stream *stream = mv_stream_open(f->path, l->limits, &local);
  mv_bytes head;
  if (stream != NULL && mv_stream_peek(stream, &head, &local)) {
    f->format = mv_detect(head);
    f->problem = mv_format_problem(f->format);
    f->name = mv_listing_keep_clean(l, mv_head_module_name(head, f->format));
  }
  mv_stream_close(stream);
  if (mv_status_is_passing(&local)) {
    *l->status = local;
    return false;
  }
  if (local.code != MV_OK) {
    f->problem = mv_listing_keep_clean(l, mv_bytes_of_string(local.message));
  } else if (f->kind == MV_NAME_OTHER && f->problem != NULL && !is_missed(f->format)) {
    f->kind = MV_NAME_NONE;
  }
  if (is_staged(f)) {
    f->rank = mv_name_rank(f->path);
    if (f->name != NULL && !mv_name_group(&f->group, f->path, f->name, w->scratch, l->status)) {
      return false;
    }
  }
  return l->status->code == MV_OK;
}

static int compare_strings(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files whose bytes do not tell their module's name go to the group that their own name fits. */
static bool group_damaged(walk *w) {
  file *files = w->files.items;
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
    qsort(groups, count, sizeof *groups, compare_strings);
  }
  for (size_t i = 0; i < w->files.count; i++) {
    file *f = &files[i];
    if (is_staged(f) && f->name == NULL &&
        !mv_name_group_of_damaged(&f->group, f->path, groups, count, w->scratch, w->listing->status)) {
      return false;
    }
  }
  return true;
}

/* Whether an HloProto has a buffer assignment: the field behind the module, which is skipped. A file that is cut
 * gets its problem. */
static bool find_assignment(walk *w, file *f, bool *has_it) {
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

/* An entry for a file on its own, or its problem. */
static bool add_file(walk *w, const file *f) {
  mv_listing *l = w->listing;
  if (f->problem != NULL) {
    return mv_listing_add_problem(l, f->path, &f->file_id, f->problem);
  }
  mv_status outer = *l->status;
  mv_stream *stream = mv_stream_open(f->path, l->limits, l->status);
  const bool ok = stream != NULL && mv_list_stream(l, stream, f->path, &f->file_id);
  mv_stream_close(stream);
  if (ok || mv_status_is_passing(l->status)) {
    return ok;
  }
  const mv_status fault = *l->status;
  *l->status = outer;
  return mv_listing_add_problem(l, f->path, &f->file_id, fault.message);
}

static int compare_stages(const void *a, const void *b) {
  const file *x = a;
  const file *y = b;
  const int by_group = strcmp(x->group, y->group);
  return by_group != 0 ? by_group : x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(y->path, x->path);
}

/* What the files of a group tell of the device that its module was compiled for. */
static bool take_devices(walk *w, mv_entry *e, const file *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!watch(w, files[i].path, &files[i].file_id) || !mv_device_take(e, files[i].path, w->listing)) {
      return false;
    }
  }
  return true;
}

/* The stages of one module, best rank first, then files that tell its device. */
static bool add_group(walk *w, file *files, size_t count) {
  const size_t all = count;
  while (count > 0 && files[count - 1].kind == MV_NAME_DEVICE) {
    count--;
  }
  size_t chosen = count;
  const file *scoped = NULL;
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
        !(has_assignment ? watch(w, files[i].path, &files[i].file_id) : add_file(w, &files[i]))) {
      return false;
    }
  }
  if (chosen == count) {
    return true;
  }
  if (!add_file(w, &files[chosen])) {
    return false;
  }
  mv_entry *e = &((mv_entry *)w->listing->entries.items)[w->listing->entries.count - 1];
  if (scoped != NULL) {
    e->scoped_path = scoped->path;
    e->scoped_file_id = scoped->file_id;
  }
  return take_devices(w, e, files + count, all - count);
}

/* What XProf would call the cache of each module: "<folder>/<name>(<program id>)" and "<folder>/<name>", sorted. */
static bool name_caches(walk *w, mv_array *names) {
  const mv_entry *entries = w->listing->entries.items;
  for (size_t i = 0; i < w->listing->entries.count; i++) {
    const mv_entry *e = &entries[i];
    if (e->name == NULL) {
      continue;
    }
    const mv_bytes base = mv_name_of(e->path);
    const int folder = (int)((const char *)base.data - e->path);
    for (int with_id = 0; with_id < 2; with_id++) {
      const size_t size = (size_t)folder + strlen(e->name) + 32;
      char *name = mv_arena_alloc(w->scratch, size, w->listing->status);
      const char **slot = name != NULL ? mv_array_push(names, sizeof *slot, w->scratch, w->listing->status) : NULL;
      if (slot == NULL) {
        return false;
      }
      if (with_id) {
        snprintf(name, size, "%.*s%s(%llu)", folder, e->path, e->name, (unsigned long long)e->program_id);
      } else {
        snprintf(name, size, "%.*s%s", folder, e->path, e->name);
      }
      *slot = name;
    }
  }
  if (names->count > 1) {
    qsort(names->items, names->count, sizeof(char *), compare_strings);
  }
  return true;
}

/* Caches of modules that a profile in the same folder holds are the same modules again. */
static bool add_caches(walk *w) {
  mv_array names = {0};
  bool is_named = false;
  file *files = w->files.items;
  for (size_t i = 0; i < w->files.count; i++) {
    if (files[i].kind != MV_NAME_CACHE) {
      continue;
    }
    if (!is_named && !name_caches(w, &names)) {
      return false;
    }
    is_named = true;
    const size_t size = strlen(files[i].path) + 1;
    char *name = mv_arena_alloc(w->scratch, size, w->listing->status);
    if (name == NULL) {
      return false;
    }
    memcpy(name, files[i].path, size);
    char *ending = strstr(name + size - 1 - mv_name_of(name).size, ".hlo_proto.pb");
    if (ending != NULL) {
      *ending = '\0';
    }
    const char *key = name;
    const bool is_known =
        names.count > 0 && bsearch(&key, names.items, names.count, sizeof(char *), compare_strings) != NULL;
    if (!is_known && !add_file(w, &files[i])) {
      return false;
    }
  }
  return true;
}

static bool add_groups(walk *w) {
  file *files = w->files.items;
  file *grouped = mv_arena_zalloc(w->scratch, w->files.count, sizeof *grouped, w->listing->status);
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
    } else if (files[i].kind != MV_NAME_DEVICE && !add_file(w, &files[i])) {
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

static bool list(walk *w, const char *path) {
  mv_listing *l = w->listing;
  if (!add_directory(w, path, &l->source->file_id, 0)) {
    return false;
  }
  for (size_t i = 0; i < w->depths.count; i++) {
    if (!read_directory(w, i)) {
      return false;
    }
  }
  file *files = w->files.items;
  if (w->files.count > 1) {
    qsort(files, w->files.count, sizeof *files, compare_paths);
  }
  for (size_t i = 0; i < w->files.count; i++) {
    if (!mv_check_interrupt(l->limits, l->status) || !look(w, &files[i])) {
      return false;
    }
  }
  if (!group_damaged(w) || !add_groups(w) || !add_caches(w)) {
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
  return mv_fail(l->status, MV_FORMAT, "holds no HloProto (*.hlo.pb) and no profile (*.xplane.pb)%s",
                 w->links > 0 ? "; links to other folders are not followed" : "");
}

bool mv_list_directory(mv_listing *listing, const char *path) {
  walk w = {.listing = listing, .scratch = mv_arena_new(listing->status)};
  const bool ok = w.scratch != NULL && list(&w, path);
  mv_arena_free(w.scratch);
  return ok;
}
