#include "source/caches.h"

#include <stdio.h>
#include <stdlib.h>

#include "source/names.h"

/* What XProf would call the cache of each module: "<folder>/<name>(<program id>)" and "<folder>/<name>", sorted. */
static bool name_caches(mv_folder *w, mv_array *names) {
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
    qsort(names->items, names->count, sizeof(char *), mv_folder_compare_strings);
  }
  return true;
}

/* The folder that a path lies in, with its slash. NULL when memory ran out. */
static const char *folder_name(mv_folder *w, const char *path) {
  const size_t size = (size_t)((const char *)mv_name_of(path).data - path);
  return mv_arena_string(w->scratch, mv_bytes_of(path, size), w->listing->status);
}

static bool add_folder_name(mv_folder *w, mv_array *folders, const char *path) {
  const char *name = folder_name(w, path);
  const char **slot = name != NULL ? mv_array_push(folders, sizeof *slot, w->scratch, w->listing->status) : NULL;
  if (slot != NULL) {
    *slot = name;
  }
  return slot != NULL;
}

/* Caches of modules that a profile in the same folder holds are the same modules again. */
static bool add_caches(mv_folder *w, mv_array *folders) {
  mv_array names = {0};
  bool is_named = false;
  mv_folder_file *files = w->files.items;
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
        names.count > 0 && bsearch(&key, names.items, names.count, sizeof(char *), mv_folder_compare_strings) != NULL;
    const size_t before = w->listing->entries.count;
    if (!is_known && !mv_folder_add_file(w, &files[i])) {
      return false;
    }
    const mv_entry *last = &((const mv_entry *)w->listing->entries.items)[before];
    if (w->listing->entries.count > before && last->is_readable && !add_folder_name(w, folders, files[i].path)) {
      return false;
    }
  }
  return true;
}

/* Profiles without modules have rows that say so, but where XProf has taken the modules out: in `folders`. */
static bool add_bare(mv_folder *w, mv_array *folders) {
  const mv_folder_file *bare = w->bare.items;
  if (folders->count > 1) {
    qsort(folders->items, folders->count, sizeof(char *), mv_folder_compare_strings);
  }
  for (size_t i = 0; i < w->bare.count; i++) {
    const char *key = folder_name(w, bare[i].path);
    if (key == NULL) {
      return false;
    }
    const bool has_caches = folders->count > 0 && bsearch(&key, folders->items, folders->count, sizeof(char *),
                                                          mv_folder_compare_strings) != NULL;
    if (!(has_caches ? mv_folder_watch(w, bare[i].path, &bare[i].file_id)
                     : mv_listing_add_problem(w->listing, bare[i].path, &bare[i].file_id, bare[i].problem))) {
      return false;
    }
  }
  return true;
}

bool mv_folder_add_caches(mv_folder *w) {
  mv_array folders = {0}; /* const char *: where modules were found in caches */
  return add_caches(w, &folders) && add_bare(w, &folders);
}
