/* walk.h: from entry to entry of a source: modules are loaded, and those of their rows selected that were asked for. */
#ifndef MV_EXT_WALK_H
#define MV_EXT_WALK_H

#include "cursor.h"

/* On to the first row of the current entry or of the next one that has rows; behind the last entry when there is none.
 * False when an entry that must not be skipped can't be read. */
bool mv_walk_next(mv_cursor *cursor, mv_status *status);

/* No row any more. The module stays in use: mv_cursor_load. */
void mv_walk_leave(mv_cursor *cursor);

#endif
