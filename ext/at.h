/* at.h: the hidden argument `at`, a program position to look at instead of the peak.
 *
 * It is an argument, not a property of rows, and is given by = or IN. As a column it has a value where it is given.
 * Else to read it is an error: at > 5, or an OR of which SQLite makes no argument, would compare NULL and find nothing.
 * A position behind the end of the program is an error too.
 */
#ifndef MV_EXT_AT_H
#define MV_EXT_AT_H

#include "cursor.h"

/* Take the value into cursor->at: a position, or NULL for the peak (-1). */
bool mv_at_take(mv_cursor *cursor, sqlite3_value *value, mv_status *status);

/* The value as a column. */
void mv_at_result(const mv_cursor *cursor, sqlite3_context *context);

/* Remember where the heaps end that a module is asked for. */
void mv_at_note_end(mv_cursor *cursor, const mv_request *request);

/* No row was found: false with MV_ARGUMENT when `at` is behind the end of every heap that was asked for. Where the
 * query asks anew for each row of a join or each value of an IN (cursor->varies), that is every heap of the source. */
bool mv_at_check_end(mv_cursor *cursor, mv_status *status);

#endif
