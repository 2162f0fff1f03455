#include "model/derived.h"

#include <stdlib.h>

mv_derived *mv_module_derived(mv_module *m, mv_status *status) {
  if (m->derived == NULL) {
    mv_derived *derived = calloc(1, sizeof *derived);
    if (derived == NULL) {
      mv_fail_nomem(status);
      return NULL;
    }
    derived->arena = mv_arena_new(status);
    if (derived->arena == NULL) {
      free(derived);
      return NULL;
    }
    m->derived = derived;
  }
  return m->derived;
}

void mv_derived_free(mv_derived *derived) {
  if (derived != NULL) {
    mv_arena_free(derived->graph_arena);
    mv_arena_free(derived->arena);
    free(derived);
  }
}

size_t mv_derived_footprint(const mv_derived *derived) {
  return derived == NULL ? 0
                         : sizeof *derived + mv_arena_footprint(derived->arena) +
                               (derived->graph_arena != NULL ? mv_arena_footprint(derived->graph_arena) : 0);
}
