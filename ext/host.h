/* host.h: what memview keeps for one connection.
 *
 * Made when the extension is loaded, shared by all its tables and functions, freed with the last of them: SQLite calls
 * the destructor of each when the connection closes. A connection is used by one thread at a time, so nothing here is
 * locked, and nothing is shared between connections but the list of them (process.h).
 */
#ifndef MV_EXT_HOST_H
#define MV_EXT_HOST_H

#include <sqlite3ext.h>
#include <stdint.h>

#include "base/limits.h"
#include "interrupt.h"
#include "process.h"
#include "shape/memo.h"
#include "source/cache.h"

typedef struct mv_host {
  mv_connection connection; /* must stand first */
  int references;
  mv_limits limits;
  mv_source_cache *cache;
  mv_arena *scratch;     /* of one call of a function */
  mv_shape_memo shapes;  /* that rows have shown */
  const char *device;    /* by memview_device, static; NULL when none is set */
  mv_source_ref *opened; /* by memview_open; NULL when nothing is */
  mv_interrupt interrupt;
  const struct mv_table *const *tables; /* registered for it: table.h */
  size_t table_count;
} mv_host;

/* A host with one reference; NULL when memory ran out. */
mv_host *mv_host_new(sqlite3 *db, bool opens_files);

/* The host of a connection where this extension is registered: mv_process_find. */
mv_host *mv_host_find(sqlite3 *db, bool opens_files);

mv_host *mv_host_share(mv_host *host);

/* Give a reference back; a destructor for SQLite. */
void mv_host_release(void *host);

/* Hold the source that an SQL value names; `value` NULL means what memview_open opened, or MEMVIEW_SOURCE. */
mv_source_ref *mv_host_open(mv_host *host, sqlite3_value *value, mv_status *status);

/* Close what memview_open opened, and free all that the connection keeps but no query uses at the moment. Returns
 * whether something was open. */
bool mv_host_close(mv_host *host);

/* The integer that the value is equal to, as SQLite compares: 10, 10.0, which several hosts bind for 10, and in text
 * '10'. False when there is none. */
bool mv_value_integer(int64_t *out, sqlite3_value *value);

/* SQLite's code for a failure. */
int mv_sqlite_code(const mv_status *status);

/* "memview: " and the message, for sqlite3_free; NULL when memory ran out. */
char *mv_sqlite_message(const mv_status *status);

/* The same as the result of a function. */
void mv_result_error(sqlite3_context *context, const mv_status *status);

/* A number that may be unknown as the result: NULL when negative. */
void mv_result_size(sqlite3_context *context, int64_t value);

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
