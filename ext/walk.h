/* walk.h: from entry to entry of a source: modules are loaded, and those of their rows selected that were asked for. */
#ifndef MV_EXT_WALK_H
#define MV_EXT_WALK_H

#include "table.h"

/* On to the first row of the current entry or of the next one that has rows; behind the last entry when there is none.
 * False when an entry that must not be passed over can't be read. */
bool mv_walk_next(mv_cursor *cursor, mv_status *status);

/* No row any more. The module stays in use until another one is loaded: the inner table of a join starts anew for each
 * outer row, mostly in the same module, and a small cache keeps nothing that is not in use. */
void mv_walk_leave(mv_cursor *cursor);

/* The module of an entry of one of the sources, in use until the next one of that source is loaded; NULL on failure. */
const mv_module *mv_walk_load(mv_cursor *cursor, int side, size_t entry, mv_status *status);

#endif
