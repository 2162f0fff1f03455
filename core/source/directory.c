/* directory.c: the modules of an XLA dump folder or a profile's log folder.
 *
 *   walk      subdirectories too, but no links to directories: they lead in circles or to the same files again
 *   sort      by path
 *   look      at the first bytes of each file that may hold a module
 *   group     the stages of one module: same folder, same "module_0001.jit_step"
 *   choose    of a group the stage that has the buffer assignment; beside it the one that tells the scoped memory
 *
 * XLA names a dumped file [prefix.]module_<number>.<module name>.<stage>.hlo.pb (xla/service/dump.cc). The number alone
 * is no key: it starts again in each process.
 */
#define _FILE_OFFSET_BITS 64

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/wire.h"
#include "source/listing.h"

enum { MOST_DEPTH = 64, MOST_FILES = 1000000, MOST_PATH = 4096 };

typedef enum file_kind {
  KIND_NONE,    /* no module can be in it */
  KIND_DUMP,    /* .hlo.pb */
  KIND_CACHE,   /* .hlo_proto.pb: XProf keeps modules so beside a profile */
  KIND_PROFILE, /* .xplane.pb */
  KIND_RIEGELI,
  KIND_OTHER,   /* .pb: taken when it is one of these, passed over when not */
  KIND_TEXT,    /* HLO text, which is counted to say why a folder of text has nothing */
} file_kind;

typedef struct file {
  const char *path;
  const char *key;  /* of the group; NULL for a file that stands alone */
  const char *name; /* of the module; NULL when its head does not tell */
  mv_file_id file_id;
  file_kind kind;
  mv_format format;
  int rank; /* of its stage: lower ones are tried first */
  const char *problem;
} file;

typedef struct walk {
  mv_listing *listing;
  mv_arena *scratch;
  mv_array directories; /* mv_walked, those still to read behind `read` */
  mv_array depths;      /* uint32_t */
  mv_array files;
  size_t text_dumps;
} walk;

static bool ends_with(mv_bytes name, const char *ending) {
  const size_t n = strlen(ending);
  return name.size >= n && memcmp(name.data + name.size - n, ending, n) == 0;
}

static mv_bytes file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return mv_bytes_of_string(slash != NULL ? slash + 1 : path);
}

/* Without .gz. */
static mv_bytes unpacked_name(const char *path) {
  mv_bytes name = file_name(path);
  name.size -= ends_with(name, ".gz") ? 3 : 0;
  return name;
}

static file_kind kind_of(const char *path) {
  /* What XLA writes beside a module: no file of these holds one, and there are many. */
  static const char *const siblings[] = {
      "-memory-usage-report.pb", ".basic_compiler_metadata.pb", ".execution_options.pb", ".hlo_module_config.pb",
      ".target_arguments.pb",    ".tpu_comp_env.pb",            ".transfer_stats.pb",    ".thunk_sequence.pb",
  };
  const mv_bytes name = unpacked_name(path);
  for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++) {
    if (ends_with(name, siblings[i])) {
      return KIND_NONE;
    }
  }
  if (mv_bytes_starts_with(name, "NO_MODULE.")) {
    return KIND_NONE; /* XProf's mark for a profile without modules */
  }
  return ends_with(name, ".xplane.pb")      ? KIND_PROFILE
         : ends_with(name, ".hlo_proto.pb") ? KIND_CACHE
         : ends_with(name, ".hlo.pb")       ? KIND_DUMP
         : ends_with(name, ".riegeli")      ? KIND_RIEGELI
         : ends_with(name, ".pb")           ? KIND_OTHER
         : ends_with(name, ".txt")          ? KIND_TEXT
                                            : KIND_NONE;
}

static char *join(walk *w, const char *directory, const char *name) {
  const size_t d = strlen(directory);
  const size_t n = strlen(name);
  char *path = mv_arena_alloc(w->listing->source->arena, d + n + 2, w->listing->status);
  if (path != NULL) {
    snprintf(path, d + n + 2, "%s%s%s", directory, d > 0 && directory[d - 1] == '/' ? "" : "/", name);
  }
  return path;
}

static bool add_directory(walk *w, const char *path, const mv_file_id *id, uint32_t depth) {
  mv_arena *arena = w->listing->source->arena;
  mv_walked *d = mv_array_push(&w->directories, sizeof *d, arena, w->listing->status);
  uint32_t *level = d != NULL ? mv_array_push(&w->depths, sizeof *level, w->scratch, w->listing->status) : NULL;
  if (level == NULL) {
    return false;
  }
  *d = (mv_walked){path, *id};
  *level = depth;
  return true;
}

/* One name of a directory. What vanished since it was listed is not there. */
static bool take_name(walk *w, const char *directory, const char *name, uint32_t depth) {
  mv_status *status = w->listing->status;
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    return true;
  }
  const file_kind kind = kind_of(name);
  const char *path = NULL;
  bool is_link_to_directory = false;
  struct stat st;
  /* Most names are told by their ending; only the rest may be a directory and is looked at. */
  if (kind == KIND_TEXT) {
    w->text_dumps += mv_bytes_starts_with(mv_bytes_of_string(name), "module_");
    return true;
  }
  path = join(w, directory, name);
  if (path == NULL) {
    return false;
  }
  mv_status ignored = MV_STATUS_INIT;
  mv_file_id id;
  bool is_directory;
  if (!mv_file_identify(&id, &is_directory, path, &ignored)) {
    return true;
  }
  if (is_directory) {
    is_link_to_directory = lstat(path, &st) != 0 || S_ISLNK(st.st_mode);
    return is_link_to_directory || depth + 1 >= MOST_DEPTH || add_directory(w, path, &id, depth + 1);
  }
  if (kind == KIND_NONE) {
    return true;
  }
  if (w->files.count >= MOST_FILES) {
    return mv_fail(status, MV_LIMIT, "holds more than %d files: give a folder within it", MOST_FILES);
  }
  file *f = mv_array_push(&w->files, sizeof *f, w->scratch, status);
  if (f == NULL) {
    return false;
  }
  *f = (file){.path = path, .file_id = id, .kind = kind};
  return true;
}

static bool read_directory(walk *w, size_t index) {
  const char *path = ((mv_walked *)w->directories.items)[index].path;
  const uint32_t depth = ((uint32_t *)w->depths.items)[index];
  DIR *dir = opendir(path);
  if (dir == NULL) {
    char words[128] = "";
    if (strerror_r(errno, words, sizeof words) != 0) {
      snprintf(words, sizeof words, "error %d", errno);
    }
    /* The folder that was asked for must be readable; one inside it that is not has a row that says so. */
    return depth == 0 ? mv_fail(w->listing->status, MV_IO, "can't be opened: %s", words)
                      : mv_listing_add_problem(w->listing, path, &((mv_walked *)w->directories.items)[index].file_id,
                                               "the folder can't be opened");
  }
  bool ok = true;
  struct dirent *entry;
  while (ok && (entry = readdir(dir)) != NULL) {
    ok = take_name(w, path, entry->d_name, depth) && mv_check_interrupt(w->listing->limits, w->listing->status);
  }
  closedir(dir);
  return ok;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const file *)a)->path, ((const file *)b)->path);
}

/* "/dir/[prefix.]module_0001.jit_step": what the stages of one module have in common, from the path and the module's
 * name. XLA leaves a name that is too long out of the file's name; then the name itself makes the key. */
static const char *group_key(walk *w, const file *f) {
  const mv_bytes name = file_name(f->path);
  const char *start = (const char *)name.data;
  const char *number = strstr(start, "module_");
  if (number == NULL || (number != start && number[-1] != '.')) {
    return NULL;
  }
  const char *end = number + strlen("module_");
  while (*end >= '0' && *end <= '9') {
    end++;
  }
  if (*end != '.') {
    return NULL;
  }
  const size_t known = f->name != NULL ? strlen(f->name) : 0;
  bool is_in_path = known > 0 && strlen(end + 1) > known && end[1 + known] == '.';
  for (size_t i = 0; is_in_path && i < known; i++) {
    const char c = f->name[i]; /* XLA replaces these in file names */
    const char written = strchr("/\\[] ", c) != NULL ? '_' : c;
    is_in_path = end[1 + i] == written;
  }
  if (is_in_path) {
    end += 1 + known;
  } else if (f->name == NULL) { /* unreadable: up to the next dot, as most names have none */
    const char *dot = strchr(end + 1, '.');
    end = dot != NULL ? dot : end;
  }
  const char *add = is_in_path || f->name == NULL ? "" : f->name;
  const size_t size = (size_t)(end - f->path) + strlen(add) + 2;
  char *key = mv_arena_alloc(w->scratch, size, w->listing->status);
  if (key != NULL) {
    snprintf(key, size, "%.*s%s%s", (int)(end - f->path), f->path, *add != '\0' ? "\t" : "", add);
  }
  return key;
}

static int rank_of(const char *path) {
  static const struct {
    const char *ending;
    int rank;
  } stages[] = {
      {"after_optimizations.hlo.pb", 0},         {"after_buffer_assignment.hlo.pb", 1},
      {"before_buffer_assignment.hlo.pb", 4},    {"after_codegen.hlo.pb", 3},
      {"before_optimizations.hlo.pb", 5},
  };
  const mv_bytes name = unpacked_name(path);
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    if (ends_with(name, stages[i].ending)) {
      return stages[i].rank;
    }
  }
  return 2;
}

/* What cancels everything rather than be a file's problem. */
static bool is_passing(const mv_status *status) {
  return status->code == MV_NOMEM || status->code == MV_INTERRUPTED;
}

static bool look(walk *w, file *f) {
  mv_listing *l = w->listing;
  mv_status local = MV_STATUS_INIT;
  mv_stream *stream = mv_stream_open(f->path, l->limits, &local);
  mv_bytes head;
  if (stream != NULL && mv_stream_peek(stream, &head, &local)) {
    f->format = mv_detect(head);
    f->problem = mv_format_problem(f->format);
    f->name = mv_listing_keep_clean(l, mv_head_module_name(head, f->format));
  }
  mv_stream_close(stream);
  if (is_passing(&local)) {
    *l->status = local;
    return false;
  }
  if (local.code != MV_OK) {
    f->problem = mv_listing_keep_clean(l, mv_bytes_of_string(local.message));
  }
  if (f->kind == KIND_OTHER && f->problem != NULL && f->format != MV_FORMAT_EMPTY) {
    f->kind = KIND_NONE;
  }
  if (f->kind == KIND_DUMP || f->kind == KIND_OTHER) {
    f->key = group_key(w, f);
    f->rank = rank_of(f->path);
  }
  return l->status->code == MV_OK;
}

/* Whether an HloProto has a buffer assignment: the field behind the module, which is passed over. A file that is cut
 * before that gets its problem. */
static bool find_assignment(walk *w, file *f, bool *has_it) {
  enum { HLO_MODULE = 1, HLO_BUFFER_ASSIGNMENT = 3 };
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
    if (!ok || tag.field == HLO_BUFFER_ASSIGNMENT) {
      *has_it = ok;
      break;
    }
    uint64_t skipped;
    const uint64_t size = tag.type == MV_LENGTH ? (uint64_t)(tag.bytes.data - head.data) + tag.value
                                                : (uint64_t)(wire.p - head.data);
    ok = mv_stream_skip(stream, size, &skipped, &local);
    if (ok && skipped < size) {
      ok = mv_fail(&local, MV_FORMAT, "cut short at byte %llu of field hlo_module",
                   (unsigned long long)mv_stream_position(stream));
    }
  }
  mv_stream_close(stream);
  if (is_passing(&local)) {
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
  if (ok || is_passing(l->status)) {
    return ok;
  }
  const mv_status fault = *l->status;
  *l->status = outer;
  return mv_listing_add_problem(l, f->path, &f->file_id, fault.message);
}

static int compare_keys(const void *a, const void *b) {
  const file *x = a;
  const file *y = b;
  const int by_key = strcmp(x->key, y->key);
  return by_key != 0 ? by_key : x->rank != y->rank ? x->rank - y->rank : strcmp(y->path, x->path);
}

/* The stages of one module, best rank first. */
static bool add_group(walk *w, file *files, size_t count) {
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
    if (ends_with(unpacked_name(files[i].path), "after_codegen.hlo.pb") && files[i].problem == NULL && i != chosen) {
      scoped = &files[i];
    }
    /* With the module at hand a damaged stage of it is of no interest; without, it may be the reason. */
    if (!has_assignment && files[i].problem != NULL && !add_file(w, &files[i])) {
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
  return true;
}

static int compare_strings(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What XProf would call the cache of each module: "<folder>/<name>(<program id>)" and "<folder>/<name>", sorted. */
static bool name_caches(walk *w, mv_array *names) {
  const mv_entry *entries = w->listing->entries.items;
  for (size_t i = 0; i < w->listing->entries.count; i++) {
    const mv_entry *e = &entries[i];
    if (e->name == NULL) {
      continue;
    }
    const mv_bytes base = file_name(e->path);
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
    if (files[i].kind != KIND_CACHE) {
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
    char *ending = strstr(name + size - 1 - file_name(name).size, ".hlo_proto.pb");
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
    if (files[i].key != NULL && files[i].kind != KIND_NONE) {
      grouped[count++] = files[i];
    }
  }
  if (count > 1) {
    qsort(grouped, count, sizeof *grouped, compare_keys);
  }
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && strcmp(grouped[end].key, grouped[i].key) == 0) {
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
  for (size_t i = 0; i < w->directories.count; i++) {
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
    if (files[i].kind != KIND_NONE && files[i].kind != KIND_CACHE && files[i].key == NULL && !add_file(w, &files[i])) {
      return false;
    }
  }
  if (!add_groups(w) || !add_caches(w)) {
    return false;
  }
  l->source->directories = w->directories.items;
  l->source->directory_count = w->directories.count;
  if (l->entries.count > 0) {
    return true;
  }
  if (w->text_dumps > 0) {
    return mv_fail(l->status, MV_FORMAT, "holds %zu dumps as text but no HloProto: dump with --xla_dump_hlo_as_proto",
                   w->text_dumps);
  }
  return mv_fail(l->status, MV_FORMAT, "holds no HloProto (*.hlo.pb) and no profile (*.xplane.pb)");
}

bool mv_list_directory(mv_listing *listing, const char *path) {
  walk w = {.listing = listing, .scratch = mv_arena_new(listing->status)};
  const bool ok = w.scratch != NULL && list(&w, path);
  mv_arena_free(w.scratch);
  return ok;
}
