/* arguments.h: what a query's plan (plan.h) hands over to xFilter. */
#ifndef MV_EXT_ARGUMENTS_H
#define MV_EXT_ARGUMENTS_H

#include "cursor.h"

/* Take the arguments, in the order of the plan's bits, into the cursor, and hold its sources. */
bool mv_arguments_take(mv_cursor *cursor, int plan, sqlite3_value **argv, mv_status *status);

#endif
