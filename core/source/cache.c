#include "source/cache.h"

#include <stdlib.h>
#include <time.h>

#include "base/os/clock.h"

enum { MOST_SOURCES = 256 }; /* kept beside those that are held: more would make finding one slow */

typedef struct slot { /* one for each entry of a source */
  mv_module *module;
  size_t footprint; /* of the module when it was last given back: what is derived of it grows with the questions */
  uint32_t held;
  mv_held *owner;
  struct slot *older; /* neighbours in the list of modules that nobody holds */
  struct slot *newer;
} slot;

struct mv_held {
  mv_held *next;
  mv_source *source;
  slot *slots;
  uint64_t serial;
  uint32_t held;
  bool is_stale; /* the path holds something else now: not found again, dropped when no longer held */
  uint64_t used;
  time_t used_at;
  size_t footprint;        /* as counted in the library's */
  int64_t checked_ns;      /* when it was last held against the file system */
  int64_t check_took_ns;
};

struct mv_library {
  const mv_limits *limits;
  size_t max_bytes;
  mv_held *sources;
  size_t source_count;
  slot *oldest; /* of the modules that nobody holds, least recently used first */
  slot *newest;
  uint64_t clock;
  size_t footprint; /* of all sources and modules */
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

static void count(mv_library *library, mv_held *held, size_t more, size_t less) {
  library->footprint += more - less;
  held->footprint += more - less;
}

static void put_aside(mv_library *library, slot *s) {
  s->older = library->newest;
  s->newer = NULL;
  *(library->newest != NULL ? &library->newest->newer : &library->oldest) = s;
  library->newest = s;
}

static void take_back(mv_library *library, slot *s) {
  *(s->older != NULL ? &s->older->newer : &library->oldest) = s->newer;
  *(s->newer != NULL ? &s->newer->older : &library->newest) = s->older;
}

/* A module that nobody holds. */
static void drop_module(mv_library *library, slot *s) {
  take_back(library, s);
  count(library, s->owner, 0, s->footprint);
  mv_module_free(s->module);
  s->module = NULL;
  s->footprint = 0;
}

static void drop_source(mv_library *library, mv_held *held) {
  for (size_t i = 0; i < held->source->count; i++) {
    if (held->slots[i].module != NULL) {
      drop_module(library, &held->slots[i]);
    }
  }
  library->footprint -= held->footprint;
  library->source_count--;
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
    drop_source(library, library->sources);
    library->sources = next;
  }
  free(library);
}

size_t mv_library_footprint(const mv_library *library) {
  return library->footprint;
}

/* Sources that are not held and stale or long unused. */
static void drop_old(mv_library *library) {
  const time_t now = time(NULL);
  mv_held **link = &library->sources;
  while (*link != NULL) {
    mv_held *h = *link;
    if (h->held == 0 && (h->is_stale || now - h->used_at > MV_LIBRARY_IDLE_SECONDS)) {
      *link = h->next;
      drop_source(library, h);
    } else {
      link = &h->next;
    }
  }
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
  while (library->footprint > library->max_bytes && library->oldest != NULL) {
    drop_module(library, library->oldest);
  }
  while (library->footprint > library->max_bytes || library->source_count > MOST_SOURCES) {
    mv_held **link = oldest_source(library);
    if (link == NULL) {
      return;
    }
    mv_held *h = *link;
    *link = h->next;
    drop_source(library, h);
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
  for (size_t i = 0; i < source->count; i++) {
    slots[i].owner = held;
  }
  library->source_count++;
  held->next = library->sources;
  library->sources = held;
  count(library, held, mv_source_footprint(source) + source->count * sizeof *slots, 0);
  hold(library, held);
  held->serial = held->used;
  return held;
}

/* Looking again at every file of a large folder takes milliseconds, and a join may open it once a row: while a source
 * is held, a look is good for twenty times as long as it took. One file is looked at each time. */
static bool is_current(mv_held *h) {
  enum { GOOD_FOR = 20 };
  const int64_t start = mv_now_ns();
  const int64_t age = start - h->checked_ns;
  if (h->held > 0 && age >= 0 && age < h->check_took_ns * GOOD_FOR) {
    return true;
  }
  const bool result = mv_source_is_current(h->source);
  h->checked_ns = mv_now_ns();
  h->check_took_ns = h->checked_ns - start;
  return result;
}

mv_held *mv_library_open(mv_library *library, const char *path, mv_status *status) {
  drop_old(library);
  for (mv_held *h = library->sources; h != NULL; h = h->next) {
    if (h->is_stale || h->source->path == NULL || strcmp(h->source->path, path) != 0) {
      continue;
    }
    if (is_current(h)) {
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

uint64_t mv_held_serial(const mv_held *held) {
  return held->serial;
}

/* Load the module of a slot, held by nobody yet. */
static bool load(mv_library *library, mv_held *held, size_t index, mv_status *status) {
  slot *s = &held->slots[index];
  s->module = mv_source_load(held->source, index, library->limits, status);
  if (s->module == NULL) {
    return false;
  }
  s->footprint = mv_module_footprint(s->module);
  count(library, held, s->footprint, 0);
  return true;
}

mv_module *mv_library_module(mv_library *library, mv_held *held, size_t index, mv_status *status) {
  slot *s = &held->slots[index];
  if (s->module == NULL) {
    if (!load(library, held, index, status)) {
      return NULL;
    }
    shrink(library);
  } else if (s->held == 0) {
    take_back(library, s);
  }
  s->held++;
  return s->module;
}

void mv_library_release_module(mv_library *library, mv_held *held, size_t index) {
  slot *s = &held->slots[index];
  if (--s->held == 0) {
    const size_t now = mv_module_footprint(s->module);
    count(library, held, now, s->footprint);
    s->footprint = now;
    put_aside(library, s);
  }
}

bool mv_library_summarize(mv_library *library, mv_held *held, size_t index, mv_status *status) {
  enum { KEPT_PART = 16 };
  mv_entry *entry = &held->source->entries[index];
  if (entry->summary.is_known) {
    return entry->is_readable || mv_fail(status, MV_FORMAT, "%s", entry->problem);
  }
  if (!load(library, held, index, status)) {
    return false;
  }
  put_aside(library, &held->slots[index]);
  if (library->footprint > library->max_bytes / KEPT_PART) {
    drop_module(library, &held->slots[index]);
  }
  return true;
}
