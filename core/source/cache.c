#include "source/cache.h"

#include <stdlib.h>

#include "base/os/clock.h"

enum { MAX_SOURCES = 256 }; /* kept beside those that are referenced: more would make finding one slow */

typedef struct slot { /* one for each entry of a source */
  mv_module *module;
  size_t footprint; /* of the module when it was loaded */
  uint32_t references;
  mv_source_ref *owner;
  struct slot *older; /* neighbours in the list of modules without references */
  struct slot *newer;
} slot;

struct mv_source_ref {
  mv_source_ref *next;
  mv_source *source;
  slot *slots;
  uint64_t serial;
  uint32_t references;
  bool is_stale; /* the path holds something else now: not found again, dropped when no longer referenced */
  uint64_t used;
  int64_t used_at_ns;
  size_t footprint;   /* as counted in the cache's */
  int64_t checked_ns; /* when it was last compared with the file system */
  int64_t check_took_ns;
};

struct mv_source_cache {
  const mv_limits *limits;
  size_t max_bytes;
  mv_source_ref *sources;
  size_t source_count;
  slot *oldest; /* of the modules without references, least recently used first */
  slot *newest;
  uint64_t clock;
  size_t footprint; /* of all sources and modules */
};

mv_source_cache *mv_source_cache_new(const mv_limits *limits, size_t max_bytes, mv_status *status) {
  mv_source_cache *cache = calloc(1, sizeof *cache);
  if (cache == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  cache->limits = limits;
  cache->max_bytes = max_bytes;
  return cache;
}

static void count(mv_source_cache *cache, mv_source_ref *ref, size_t more, size_t less) {
  cache->footprint += more - less;
  ref->footprint += more - less;
}

/* Nothing references the module any more. What was derived from it meanwhile counts from now on. */
static void put_aside(mv_source_cache *cache, slot *s) {
  const size_t footprint = mv_module_footprint(s->module);
  count(cache, s->owner, footprint, s->footprint);
  s->footprint = footprint;
  s->older = cache->newest;
  s->newer = NULL;
  *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = s;
  cache->newest = s;
}

static void take_back(mv_source_cache *cache, slot *s) {
  *(s->older != NULL ? &s->older->newer : &cache->oldest) = s->newer;
  *(s->newer != NULL ? &s->newer->older : &cache->newest) = s->older;
}

/* A module without references. */
static void drop_module(mv_source_cache *cache, slot *s) {
  take_back(cache, s);
  count(cache, s->owner, 0, s->footprint);
  mv_module_free(s->module);
  s->module = NULL;
  s->footprint = 0;
}

static void drop_source(mv_source_cache *cache, mv_source_ref *ref) {
  for (size_t i = 0; i < ref->source->count; i++) {
    if (ref->slots[i].module != NULL) {
      drop_module(cache, &ref->slots[i]);
    }
  }
  cache->footprint -= ref->footprint;
  cache->source_count--;
  free(ref->slots);
  mv_source_free(ref->source);
  free(ref);
}

void mv_source_cache_free(mv_source_cache *cache) {
  if (cache == NULL) {
    return;
  }
  while (cache->sources != NULL) {
    mv_source_ref *next = cache->sources->next;
    drop_source(cache, cache->sources);
    cache->sources = next;
  }
  free(cache);
}

size_t mv_source_cache_footprint(const mv_source_cache *cache) {
  return cache->footprint;
}

/* Sources that are not referenced, and are stale or long unused. */
static void drop_old(mv_source_cache *cache) {
  const int64_t idle_ns = (int64_t)MV_SOURCE_CACHE_IDLE_SECONDS * 1000000000;
  const int64_t now = mv_now_ns();
  mv_source_ref **link = &cache->sources;
  while (*link != NULL) {
    mv_source_ref *h = *link;
    if (h->references == 0 && (h->is_stale || now - h->used_at_ns > idle_ns)) {
      *link = h->next;
      drop_source(cache, h);
    } else {
      link = &h->next;
    }
  }
}

static mv_source_ref **oldest_source(mv_source_cache *cache) {
  mv_source_ref **oldest = NULL;
  for (mv_source_ref **link = &cache->sources; *link != NULL; link = &(*link)->next) {
    if ((*link)->references == 0 && (oldest == NULL || (*link)->used < (*oldest)->used)) {
      oldest = link;
    }
  }
  return oldest;
}

static void shrink(mv_source_cache *cache) {
  while (cache->footprint > cache->max_bytes && cache->oldest != NULL) {
    drop_module(cache, cache->oldest);
  }
  while (cache->footprint > cache->max_bytes || cache->source_count > MAX_SOURCES) {
    mv_source_ref **link = oldest_source(cache);
    if (link == NULL) {
      return;
    }
    mv_source_ref *h = *link;
    *link = h->next;
    drop_source(cache, h);
  }
}

void mv_source_cache_set_max_bytes(mv_source_cache *cache, size_t max_bytes) {
  cache->max_bytes = max_bytes;
  shrink(cache);
}

void mv_source_cache_drop_unused(mv_source_cache *cache) {
  const size_t max_bytes = cache->max_bytes;
  mv_source_cache_set_max_bytes(cache, 0);
  cache->max_bytes = max_bytes;
}

static void reference(mv_source_cache *cache, mv_source_ref *ref) {
  ref->references++;
  ref->used = ++cache->clock;
  ref->used_at_ns = mv_now_ns();
}

static mv_source_ref *add(mv_source_cache *cache, mv_source *source, mv_status *status) {
  if (source == NULL) {
    return NULL;
  }
  mv_source_ref *ref = calloc(1, sizeof *ref);
  slot *slots = calloc(source->count > 0 ? source->count : 1, sizeof *slots);
  if (ref == NULL || slots == NULL) {
    free(ref);
    free(slots);
    mv_source_free(source);
    mv_fail_nomem(status);
    return NULL;
  }
  ref->source = source;
  ref->slots = slots;
  for (size_t i = 0; i < source->count; i++) {
    slots[i].owner = ref;
  }
  cache->source_count++;
  ref->next = cache->sources;
  cache->sources = ref;
  count(cache, ref, mv_source_footprint(source) + source->count * sizeof *slots, 0);
  reference(cache, ref);
  ref->serial = ref->used;
  return ref;
}

/* Asking for the state of every file of a large folder takes milliseconds, and a join may open the folder once a row.
 * So the answer is good for twenty times as long as it took, while the source is referenced. */
static bool is_current(mv_source_ref *h) {
  enum { GOOD_FOR = 20 };
  const int64_t start = mv_now_ns();
  const int64_t age = start - h->checked_ns;
  if (h->references > 0 && age >= 0 && age < h->check_took_ns * GOOD_FOR) {
    return true;
  }
  const bool result = mv_source_is_current(h->source);
  h->checked_ns = mv_now_ns();
  h->check_took_ns = h->checked_ns - start;
  return result;
}

mv_source_ref *mv_source_cache_open(mv_source_cache *cache, const char *path, mv_status *status) {
  drop_old(cache);
  for (mv_source_ref *h = cache->sources; h != NULL; h = h->next) {
    if (h->is_stale || h->source->path == NULL || strcmp(h->source->path, path) != 0) {
      continue;
    }
    if (is_current(h)) {
      reference(cache, h);
      return h;
    }
    h->is_stale = true;
  }
  return add(cache, mv_source_open(path, cache->limits, status), status);
}

mv_source_ref *mv_source_cache_open_bytes(mv_source_cache *cache, mv_bytes bytes, mv_status *status) {
  drop_old(cache);
  for (mv_source_ref *h = cache->sources; h != NULL; h = h->next) {
    if (h->source->path == NULL && mv_bytes_equal(mv_blob_bytes(&h->source->blob), bytes)) {
      reference(cache, h);
      return h;
    }
  }
  return add(cache, mv_source_of(bytes, cache->limits, status), status);
}

void mv_source_cache_release(mv_source_cache *cache, mv_source_ref *ref) {
  if (ref != NULL) {
    ref->references--;
    shrink(cache);
  }
}

mv_source *mv_source_ref_source(mv_source_ref *ref) {
  return ref->source;
}

uint64_t mv_source_ref_serial(const mv_source_ref *ref) {
  return ref->serial;
}

/* Load the module of a slot, referenced by nobody yet. */
static bool load(mv_source_cache *cache, mv_source_ref *ref, size_t index, mv_status *status) {
  slot *s = &ref->slots[index];
  s->module = mv_source_load(ref->source, index, cache->limits, status);
  if (s->module == NULL) {
    return false;
  }
  s->footprint = mv_module_footprint(s->module);
  count(cache, ref, s->footprint, 0);
  return true;
}

const mv_module *mv_source_cache_module(mv_source_cache *cache, mv_source_ref *ref, size_t index, mv_status *status) {
  slot *s = &ref->slots[index];
  if (s->module == NULL) {
    if (!load(cache, ref, index, status)) {
      return NULL;
    }
    shrink(cache);
  } else if (s->references == 0) {
    take_back(cache, s);
  }
  s->references++;
  return s->module;
}

void mv_source_cache_release_module(mv_source_cache *cache, mv_source_ref *ref, size_t index) {
  slot *s = &ref->slots[index];
  if (--s->references == 0) {
    put_aside(cache, s);
  }
}

bool mv_source_cache_summarize(mv_source_cache *cache, mv_source_ref *ref, size_t index, mv_status *status) {
  enum { KEPT_PART = 16 };
  mv_entry *entry = &ref->source->entries[index];
  if (entry->summary.is_known) {
    return entry->is_readable || mv_fail(status, MV_FORMAT, "%s", entry->problem);
  }
  if (!load(cache, ref, index, status)) {
    return false;
  }
  put_aside(cache, &ref->slots[index]);
  if (cache->footprint > cache->max_bytes / KEPT_PART) {
    drop_module(cache, &ref->slots[index]);
  }
  return true;
}
