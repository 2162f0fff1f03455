/* origin.h: which instruction names the data of a value.
 *
 *   copy-done <- copy-start <- bitcast <- fusion 'layer0/mlp/dot_general'
 *   no name      no name       no name    the origin, and the data was only moved since
 *
 * A value is an instruction and an index into its shape. A chain leads upwards from it, one value at a time, through
 * the operand, or into the computation, that the value comes from. Nothing is searched: where more than one operand
 * might be followed it is the largest.
 */
#ifndef MV_ANALYSIS_ORIGIN_H
#define MV_ANALYSIS_ORIGIN_H

#include "analysis/attribution.h"
#include "model/graph.h"
#include "model/location.h"

enum { MV_CHAIN_LENGTH = 1000 }; /* steps after which a chain is given up: a file's operands may go in circles */

typedef struct mv_origins {
  const mv_module *module;
  const mv_graph *graph;
  mv_arena *arena;
  uint32_t *largest; /* 1 + which operand is the largest of an instruction; 0: not asked yet. NULL until one is asked */
  int64_t *bytes;    /* 2 + unpadded bytes of an instruction's whole shape; likewise */
} mv_origins;

typedef struct mv_origin {
  uint32_t instruction; /* MV_NONE: nothing names it */
  uint8_t attribution;  /* of NONE, ELEMENT, OWN, FUSED, MOVED, COMPUTED */
} mv_origin;

/* The origin of a value. It has a name of the program's, or is a parameter of the entry computation. Fails with
 * MV_NOMEM only. */
bool mv_origin_find(mv_origin *out, mv_origins *origins, uint32_t instruction, const mv_location *location,
                    mv_status *status);

#endif
