/* process.h: what the connections of a process share: the SQLite library they belong to, and the list of them.
 *
 *   SQLite library A --api--> this file --sqlite3_api--> SQLite library A
 *   SQLite library B --api--X
 *
 * An extension calls SQLite through sqlite3_api, one pointer for the whole file. A process may have several SQLite
 * libraries in it (apsw or pysqlite3 beside Python's own sqlite3), which hand different tables of functions over: a
 * handle of one, given to the functions of another, is a crash. So the file serves the library of the connections that
 * it has, and refuses others until these are closed. Another library needs a copy of the file: it has a pointer of its
 * own.
 */
#ifndef MV_EXT_PROCESS_H
#define MV_EXT_PROCESS_H

#include <sqlite3ext.h>
#include <stdbool.h>

typedef struct mv_connection {
  sqlite3 *db;
  bool opens_files;           /* false: BLOBs only */
  bool is_complete;           /* mv_process_complete */
  struct mv_connection *next; /* in the list */
} mv_connection;

/* The connection if this very extension is registered there, complete and with the same right to open files; else NULL.
 * Calls no function of SQLite. */
mv_connection *mv_process_find(sqlite3 *db, bool opens_files);

/* Add a connection whose SQLite library has this table of functions, and make sqlite3_api that table. False when it is
 * another library than that of the connections there are. Calls no function of SQLite. */
bool mv_process_add(mv_connection *connection, const sqlite3_api_routines *api);

/* Everything is registered: from now on mv_process_find finds this one for its database connection, and no other. */
void mv_process_complete(mv_connection *connection);

/* Take a connection out, if it is in. No function of SQLite may be called for it any more. */
void mv_process_remove(mv_connection *connection);

#endif
