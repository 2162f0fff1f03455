/* hidden.h: tables of databases that stand in the way of memview's.
 *
 * SQLite looks for a table in TEMP, in main and in the attached databases before it takes an extension's. A database
 * that sql/export.sql made has tables of the same names and columns: it would answer in the place of what was opened,
 * with its own numbers and without an error.
 */
#ifndef MV_EXT_HIDDEN_H
#define MV_EXT_HIDDEN_H

#include "host.h"

/* Fails with MV_ARGUMENT when a table or view of a database has the name of one of memview's tables: the message names
 * it and the ways out. What can't be looked at, because an authorizer or a lock is in the way, counts as not there. */
bool mv_hidden_check(mv_host *host, mv_status *status);

#endif
