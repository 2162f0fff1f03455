/* graph.h: the HLO graph of a module: who reads what, who calls what, in which order.
 *
 *   instruction -- operands --> instructions      instruction -- called --> computations
 *   instruction -- users -----> instructions      computation -- caller --> the first instruction that calls it
 *   computation -- root, parameters --> instructions
 *
 * Made at the first question that needs it, in one walk over all instructions, those inside fusions too. Lists stand
 * one behind the other in one array of each kind; the list of node i ends where that of node i + 1 begins. What a file
 * names that is not there is MV_NONE. Nothing says that a file's operands or calls don't go in circles.
 */
#ifndef MV_MODEL_GRAPH_H
#define MV_MODEL_GRAPH_H

#include "base/limits.h"
#include "model/module.h"
#include "model/opcode.h"

/* An instruction; node i is mv_module.instructions[i], and one more ends the lists. */
typedef struct mv_node {
  mv_ref op_name;
  uint32_t first_operand; /* into operands */
  uint32_t first_called;  /* into called */
  uint32_t first_user;    /* into users */
  uint32_t indexed_users; /* of the users, the get-tuple-elements, which stand last */
  uint32_t computation;   /* that it stands in */
  uint32_t position;      /* in the schedule of its computation, else in the file */
  uint32_t stack_frame;   /* OpMetadata.stack_frame_id; 0: none */
  uint32_t number;        /* of a parameter, or the tuple index of a get-tuple-element; MV_NONE beyond 32 bits */
  uint8_t opcode;         /* mv_opcode */
  bool has_source_file;   /* in its own metadata */
  bool is_named;          /* op_name is the program's: neither empty nor made up by XLA as in 'broadcast.5' */
} mv_node;

/* One use of an instruction's value. */
typedef struct mv_use {
  uint32_t user;
  uint32_t operand; /* its number among the user's operands */
} mv_use;

typedef struct mv_graph_computation {
  uint32_t root;
  uint32_t caller;          /* a fusion, call, while, conditional or async-start */
  uint32_t caller_slot;     /* which of the caller's called computations it is */
  uint32_t first_parameter; /* into parameters, by number; MV_NONE where a number is left out */
  uint32_t parameter_count;
} mv_graph_computation;

/* An async-update hands further operands to the computation of its async-start. */
typedef struct mv_late_operands {
  uint32_t start;
  uint32_t first_number; /* of its operands as the computation counts them */
  uint32_t update;
} mv_late_operands;

typedef struct mv_graph {
  const mv_node *nodes;
  uint32_t node_count;
  const uint32_t *operands;
  const uint32_t *called;
  /* Of each instruction: the one that runs last first; of equals the smaller id, then the smaller operand number. Those
   * that are get-tuple-elements stand behind the others, by tuple index and then in this order. */
  const mv_use *users;
  const mv_graph_computation *computations; /* by mv_module.computations */
  const uint32_t *parameters;
  const mv_late_operands *late; /* by start, then first_number */
  uint32_t late_count;
  uint32_t entry; /* the entry computation; MV_NONE in a module without computations */
} mv_graph;

/* The graph of a module, made at the first call; owned by the module. Fails with MV_NOMEM, MV_INTERRUPTED, and with
 * MV_FORMAT where an instruction inside a fusion is damaged: the loader has not looked at it. */
const mv_graph *mv_module_graph(const mv_module *module, const mv_limits *limits, mv_status *status);

/* The k-th of anything; MV_NONE when there are fewer. `node` must be one. */
uint32_t mv_graph_operand(const mv_graph *graph, uint32_t node, uint64_t k);
uint32_t mv_graph_called(const mv_graph *graph, uint32_t node, uint64_t k);
uint32_t mv_graph_parameter(const mv_graph *graph, uint32_t computation, uint64_t k);

/* The operand that becomes parameter k of the computation of a caller: its k-th, or a late one. */
uint32_t mv_graph_argument(const mv_graph *graph, uint32_t caller, uint64_t k);

/* The root of the k-th called computation; MV_NONE when either is not there. */
uint32_t mv_graph_called_root(const mv_graph *graph, uint32_t node, uint64_t k);

/* Whether the instruction is a parameter of the entry computation. */
bool mv_graph_is_argument(const mv_graph *graph, uint32_t node);

#endif
