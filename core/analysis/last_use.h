/* last_use.h: which op needs a value last.
 *
 *   value -> copy-start -> copy-done -> bitcast -> fusion 'transpose(jvp(layer0))/mlp/dot_general'
 *
 * Depth first over the uses of a value, the one that runs last first, through whatever only moves or renames it, into
 * computations and out of them again, to the first instruction with a name of the program's. Each value is met once.
 */
#ifndef MV_ANALYSIS_LAST_USE_H
#define MV_ANALYSIS_LAST_USE_H

#include "model/graph.h"
#include "model/location.h"

/* Instead of an instruction: the value leaves the program. */
#define MV_RESULT (MV_NONE - 1)

/* What the search works in, made once and used for many. */
typedef struct mv_last_use mv_last_use;

mv_last_use *mv_last_use_new(const mv_module *module, const mv_graph *graph, mv_arena *arena, mv_status *status);

/* The named instruction that needs a value last, MV_RESULT, or MV_NONE when no use leads to one. */
uint32_t mv_last_use_find(mv_last_use *search, uint32_t instruction, const mv_location *location);

#endif
