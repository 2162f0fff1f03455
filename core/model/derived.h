/* derived.h: what is made of a module at the first question that needs it, and kept with it. */
#ifndef MV_MODEL_DERIVED_H
#define MV_MODEL_DERIVED_H

#include "model/graph.h"

struct mv_derived {
  mv_arena *arena; /* owns what grows with the questions */
  mv_arena *graph_arena;
  const mv_graph *graph;          /* mv_module_graph */
  struct mv_explainer *explainer; /* analysis/explanation.c */
};

/* The module's, made at the first call; NULL when memory ran out. */
mv_derived *mv_module_derived(mv_module *module, mv_status *status);

/* NULL is allowed, in both. */
void mv_derived_free(mv_derived *derived);
size_t mv_derived_footprint(const mv_derived *derived);

#endif
