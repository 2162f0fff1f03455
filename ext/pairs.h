/* pairs.h: tables over two sources: their modules of one name, the n-th of a name with the n-th. */
#ifndef MV_EXT_PAIRS_H
#define MV_EXT_PAIRS_H

#include "cursor.h"

/* Pair the modules of the cursor's two sources. A file that can't be read and does not tell its module's name is an
 * error where a module of the other source has no partner: it might be that. */
bool mv_pairs_make(size_t *count, mv_cursor *cursor, mv_status *status);

/* Hold the modules of the current pair; *is_there is false where one can't be read, or none of them was asked for. */
bool mv_pair_enter(mv_cursor *cursor, bool *is_there, mv_status *status);

/* Of the current pair, the entry whose graph can't be read; the second one when both can. */
const mv_entry *mv_pair_blame(const mv_cursor *cursor);

#endif
