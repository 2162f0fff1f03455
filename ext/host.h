/* host.h: what memview keeps for one connection.
 *
 * Made when the extension is loaded, shared by all its tables and functions, freed with the last of them: SQLite calls
 * the destructor of each when the connection closes. A connection is used by one thread at a time, so nothing here is
 * locked, and nothing is shared between connections.
 */
#ifndef MV_EXT_HOST_H
#define MV_EXT_HOST_H

#include <sqlite3ext.h>
#include <stdint.h>

#include "base/limits.h"
#include "shape/memo.h"
#include "source/cache.h"

typedef struct mv_host {
  sqlite3 *db;
  int references;
  bool opens_files; /* false: BLOBs only */
  mv_limits limits;
  mv_library *library;
  mv_arena *scratch;    /* of one call of a function */
  mv_shape_memo shapes; /* that rows have shown */
  mv_held *opened;      /* by memview_open; NULL when nothing is */
  int64_t next_look_ns; /* when to ask SQLite again whether it was interrupted */
} mv_host;

/* A host with one reference; NULL when memory ran out. */
mv_host *mv_host_new(sqlite3 *db, bool opens_files);

mv_host *mv_host_share(mv_host *host);

/* Give a reference back; a destructor for SQLite. */
void mv_host_release(void *host);

/* Hold the source that an SQL value names; `value` NULL means what memview_open opened, or MEMVIEW_SOURCE. */
mv_held *mv_host_open(mv_host *host, sqlite3_value *value, mv_status *status);

/* SQLite's code for a failure. */
int mv_sqlite_code(const mv_status *status);

/* "memview: " and the message, for sqlite3_free; NULL when memory ran out. */
char *mv_sqlite_message(const mv_status *status);

/* The same as the result of a function. */
void mv_result_error(sqlite3_context *context, const mv_status *status);

/* Bytes of a file as the result, made valid UTF-8; NULL for none. */
void mv_result_bytes(sqlite3_context *context, mv_bytes bytes);

/* The same where a text of size 0 is known to be empty: NULL for {NULL, 0} alone. */
void mv_result_known_bytes(sqlite3_context *context, mv_bytes bytes);

/* The end of a function that makes a text: the text, or the error when it is not `ok`. */
void mv_result_text_or_error(sqlite3_context *context, bool ok, mv_text *text, const mv_status *status);

/* A finished text as the result, which takes its memory over. */
void mv_result_text(sqlite3_context *context, mv_text *text);

/* The same, but copied: for short ones made row by row in the same memory. */
void mv_result_copy(sqlite3_context *context, const mv_text *text);

#endif
