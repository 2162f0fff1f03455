/* scope.h: what an op_name tells: which part of a training step, and which part of the model.
 *
 *   jit(step) / transpose(jvp(gpt)) / layers_3 / attention / dot_general
 *               wrappers: backward                          the primitive: no part of the path
 *
 *   path   gpt/layers_3/attention
 *   layer  the same with '*' for the digits: layers_3 becomes layers_*
 *
 * JAX wraps a name once for each transformation that it went through, and puts names of its own machinery between those
 * of the model. The text behind a ';' is of further ops that were merged into this one.
 */
#ifndef MV_ANALYSIS_SCOPE_H
#define MV_ANALYSIS_SCOPE_H

#include "base/arena.h"

/* The part of a training step. Without autodiff everything is MV_PHASE_OTHER. */
typedef enum mv_phase {
  MV_PHASE_NONE, /* unknown */
  MV_PHASE_ARGUMENT,
  MV_PHASE_FORWARD,
  MV_PHASE_BACKWARD,
  MV_PHASE_RECOMPUTE, /* what is computed once more in the backward pass instead of being kept */
  MV_PHASE_UPDATE,    /* what follows the backward pass: the optimizer */
  MV_PHASE_OTHER,
} mv_phase;

/* 'argument', 'forward', ...; NULL for MV_PHASE_NONE. Static. */
const char *mv_phase_name(uint8_t phase);

/* MV_PHASE_FORWARD, _BACKWARD, _RECOMPUTE or _OTHER, as the text alone tells. */
mv_phase mv_scope_phase(mv_bytes op_name);

/* The path of an op_name, its parts joined by '/'; never {NULL}, of size 0 where there is none. Stands in `arena`. */
bool mv_scope_path(mv_bytes *out, mv_bytes op_name, mv_arena *arena, mv_status *status);

/* A path with '*' for the digits at the end of each part and for those that fill a pair of brackets: what is alike in
 * all layers. Stands in `arena`; never {NULL}. */
bool mv_scope_layer(mv_bytes *out, mv_bytes path, mv_arena *arena, mv_status *status);

#endif
