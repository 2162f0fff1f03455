/* graph_build.h: a graph being made; private to graph_build.c and users.c. */
#ifndef MV_MODEL_GRAPH_BUILD_H
#define MV_MODEL_GRAPH_BUILD_H

#include "model/graph.h"

typedef struct mv_graph_build {
  const mv_module *module;
  const mv_limits *limits;
  mv_status *status;
  mv_arena *arena;   /* of the graph */
  mv_arena *scratch; /* dropped when the graph stands */
  mv_graph *graph;
  mv_node *nodes;
  int64_t *ids;         /* of the instructions */
  mv_array operand_ids; /* int64_t; of all instructions in turn */
  mv_array called_ids;  /* likewise */
  mv_idmap instructions_by_id; /* the module's own lacks what the loader skipped */
  mv_idmap computations_by_id;
  uint32_t steps;
} mv_graph_build;

/* Called once for each item of every loop over items of the file. */
static inline bool mv_graph_step(mv_graph_build *b) {
  enum { CHECK_EVERY = 1024 };
  return ++b->steps % CHECK_EVERY != 0 || mv_check_interrupt(b->limits, b->status);
}

/* users.c: the users of each instruction, from the operands. */
bool mv_graph_link_users(mv_graph_build *b);

#endif
