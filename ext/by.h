/* by.h: the hidden argument `by`, the name of what to group by.
 *
 * It is an argument as `at` is (at.h): given in parentheses, or by "by" = or "by" IN. Where it is not given, to read it
 * is an error: an OR of which SQLite makes no argument would compare the default and find nothing.
 */
#ifndef MV_EXT_BY_H
#define MV_EXT_BY_H

#include "cursor.h"

/* Take the value into cursor->by: a name, or NULL for the default. */
bool mv_by_take(mv_cursor *cursor, sqlite3_value *value, mv_status *status);

/* The value as a column. */
void mv_by_result(const mv_cursor *cursor, sqlite3_context *context);

#endif
