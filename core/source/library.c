#include "source/library.h"

#include <stdlib.h>
#include <time.h>

typedef struct slot { /* one for each entry of a source */
  mv_module *module;
  uint32_t held;
  uint64_t used; /* when last, by the library's own count */
} slot;

struct mv_held {
  mv_held *next;
  mv_source *source;
  slot *slots;
  uint32_t held;
  bool is_stale; /* the path holds something else now: not found again, dropped when no longer held */
  uint64_t used;
  time_t used_at;
};

struct mv_library {
  const mv_limits *limits;
  size_t max_bytes;
  mv_held *sources;
  uint64_t clock;
};

mv_library *mv_library_new(const mv_limits *limits, size_t max_bytes, mv_status *status) {
  mv_library *library = calloc(1, sizeof *library);
  if (library == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  library->limits = limits;
  library->max_bytes = max_bytes;
  return library;
}

static void free_held(mv_held *held) {
  for (size_t i = 0; held->slots != NULL && i < held->source->count; i++) {
    mv_module_free(held->slots[i].module);
  }
  free(held->slots);
  mv_source_free(held->source);
  free(held);
}

void mv_library_free(mv_library *library) {
  if (library == NULL) {
    return;
  }
  while (library->sources != NULL) {
    mv_held *next = library->sources->next;
    free_held(library->sources);
    library->sources = next;
  }
  free(library);
}

static size_t footprint_of(const mv_held *held) {
  size_t sum = mv_source_footprint(held->source) + held->source->count * sizeof(slot);
  for (size_t i = 0; i < held->source->count; i++) {
    sum += held->slots[i].module != NULL ? mv_module_footprint(held->slots[i].module) : 0;
  }
  return sum;
}

size_t mv_library_footprint(const mv_library *library) {
  size_t sum = 0;
  for (const mv_held *h = library->sources; h != NULL; h = h->next) {
    sum += footprint_of(h);
  }
  return sum;
}

/* Sources that are not held and stale or long unused. */
static void drop_old(mv_library *library) {
  const time_t now = time(NULL);
  mv_held **link = &library->sources;
  while (*link != NULL) {
    mv_held *h = *link;
    if (h->held == 0 && (h->is_stale || now - h->used_at > MV_LIBRARY_IDLE_SECONDS)) {
      *link = h->next;
      free_held(h);
    } else {
      link = &h->next;
    }
  }
}

/* The least recently used module that is not held; NULL when there is none. */
static slot *oldest_module(mv_library *library) {
  slot *oldest = NULL;
  for (mv_held *h = library->sources; h != NULL; h = h->next) {
    for (size_t i = 0; i < h->source->count; i++) {
      slot *s = &h->slots[i];
      if (s->module != NULL && s->held == 0 && (oldest == NULL || s->used < oldest->used)) {
        oldest = s;
      }
    }
  }
  return oldest;
}

static mv_held **oldest_source(mv_library *library) {
  mv_held **oldest = NULL;
  for (mv_held **link = &library->sources; *link != NULL; link = &(*link)->next) {
    if ((*link)->held == 0 && (oldest == NULL || (*link)->used < (*oldest)->used)) {
      oldest = link;
    }
  }
  return oldest;
}

static void shrink(mv_library *library) {
  size_t size = mv_library_footprint(library);
  while (size > library->max_bytes) {
    slot *s = oldest_module(library);
    if (s != NULL) {
      size -= mv_module_footprint(s->module);
      mv_module_free(s->module);
      s->module = NULL;
      continue;
    }
    mv_held **link = oldest_source(library);
    if (link == NULL) {
      return;
    }
    mv_held *h = *link;
    size -= footprint_of(h);
    *link = h->next;
    free_held(h);
  }
}

static void hold(mv_library *library, mv_held *held) {
  held->held++;
  held->used = ++library->clock;
  held->used_at = time(NULL);
}

static mv_held *add(mv_library *library, mv_source *source, mv_status *status) {
  if (source == NULL) {
    return NULL;
  }
  mv_held *held = calloc(1, sizeof *held);
  slot *slots = calloc(source->count > 0 ? source->count : 1, sizeof *slots);
  if (held == NULL || slots == NULL) {
    free(held);
    free(slots);
    mv_source_free(source);
    mv_fail_nomem(status);
    return NULL;
  }
  held->source = source;
  held->slots = slots;
  held->next = library->sources;
  library->sources = held;
  hold(library, held);
  return held;
}

mv_held *mv_library_open(mv_library *library, const char *path, mv_status *status) {
  drop_old(library);
  for (mv_held *h = library->sources; h != NULL; h = h->next) {
    if (h->is_stale || h->source->path == NULL || strcmp(h->source->path, path) != 0) {
      continue;
    }
    if (mv_source_is_current(h->source)) {
      hold(library, h);
      return h;
    }
    h->is_stale = true;
  }
  return add(library, mv_source_open(path, library->limits, status), status);
}

mv_held *mv_library_open_bytes(mv_library *library, mv_bytes bytes, mv_status *status) {
  drop_old(library);
  for (mv_held *h = library->sources; h != NULL; h = h->next) {
    if (h->source->path == NULL && mv_bytes_equal(mv_blob_bytes(&h->source->blob), bytes)) {
      hold(library, h);
      return h;
    }
  }
  return add(library, mv_source_of(bytes, library->limits, status), status);
}

void mv_library_release(mv_library *library, mv_held *held) {
  if (held != NULL && --held->held == 0) {
    shrink(library);
  }
}

mv_source *mv_held_source(mv_held *held) {
  return held->source;
}

mv_module *mv_library_module(mv_library *library, mv_held *held, size_t index, mv_status *status) {
  slot *s = &held->slots[index];
  if (s->module == NULL) {
    s->module = mv_source_load(held->source, index, library->limits, status);
    if (s->module == NULL) {
      return NULL;
    }
    s->held++; /* not to be dropped by its own arrival */
    shrink(library);
    s->held--;
  }
  s->held++;
  s->used = ++library->clock;
  return s->module;
}

void mv_library_release_module(mv_library *library, mv_held *held, size_t index) {
  (void)library;
  held->slots[index].held--;
}

