#include "model/derived.h"

#include <stdlib.h>

typedef struct value {
  struct value *next;
  const mv_derived_kind *kind;
  const void *key;
  void *value;
  mv_arena *arena; /* this struct stands in it too */
} value;

struct mv_derived {
  value *values; /* the last one made first; there are few */
};

mv_derived *mv_derived_new(mv_status *status) {
  mv_derived *derived = calloc(1, sizeof *derived);
  if (derived == NULL) {
    mv_fail_nomem(status);
  }
  return derived;
}

void mv_derived_free(mv_derived *derived) {
  if (derived != NULL) {
    for (value *v = derived->values; v != NULL;) {
      value *next = v->next;
      mv_arena_free(v->arena);
      v = next;
    }
    free(derived);
  }
}

size_t mv_derived_footprint(const mv_derived *derived) {
  size_t sum = sizeof *derived;
  for (const value *v = derived->values; v != NULL; v = v->next) {
    sum += mv_arena_footprint(v->arena);
  }
  return sum;
}

static value *make(const mv_module *m, const mv_derived_kind *kind, const void *key, mv_derivation *d) {
  value *v = mv_arena_zalloc(d->arena, 1, sizeof *v, d->status);
  void *out = mv_arena_zalloc(d->arena, 1, kind->size, d->status);
  void *kept_key = mv_arena_alloc(d->arena, kind->key_size, d->status);
  if (v == NULL || out == NULL || kept_key == NULL) {
    return NULL;
  }
  if (kind->key_size > 0) {
    memcpy(kept_key, key, kind->key_size);
  }
  *v = (value){.kind = kind, .key = kept_key, .value = out, .arena = d->arena};
  return kind->make(out, m, key, d) ? v : NULL;
}

const void *mv_derived_get(mv_derived *derived, const mv_module *m, const mv_derived_kind *kind, const void *key,
                           const mv_limits *limits, mv_status *status) {
  for (const value *v = derived->values; v != NULL; v = v->next) {
    if (v->kind == kind && (kind->key_size == 0 || memcmp(v->key, key, kind->key_size) == 0)) {
      return v->value;
    }
  }
  mv_derivation d = {mv_arena_new(status), mv_arena_new(status), limits, status};
  value *v = d.arena != NULL && d.scratch != NULL ? make(m, kind, key, &d) : NULL;
  mv_arena_free(d.scratch);
  if (v == NULL) {
    mv_arena_free(d.arena);
    return NULL;
  }
  v->next = derived->values;
  derived->values = v;
  return v->value;
}
