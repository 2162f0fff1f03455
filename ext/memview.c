/* memview.c: what is in accelerator memory, asked in SQL.
 *
 *   .load ./memview
 *   SELECT memory_space, peak_bytes FROM memory_spaces('module_0001.jit_step.after_optimizations.hlo.pb');
 *   SELECT instruction, shape, size_bytes FROM peak_buffers('dump/') ORDER BY size_bytes DESC LIMIT 10;
 *
 * Three entry points. sqlite3_memview_init opens files that SQL names; its tables work in direct SQL and in TEMP views
 * only. sqlite3_extension_init is the same: SQLite looks for it first, so the file may be called anything.
 * sqlite3_memview_nofs_init opens no file: for servers that let people type SQL. There a source is a BLOB.
 */
#include "functions.h"
#include "host.h"
#include "tables/tables.h"
#include "vtab.h"

SQLITE_EXTENSION_INIT3

#if defined(_WIN32)
#define MV_EXPORT __declspec(dllexport)
#else
#define MV_EXPORT __attribute__((visibility("default")))
#endif

/* The tables' getters and SQLite's own checks need this: SQLITE_VTAB_DIRECTONLY and _INNOCUOUS. */
enum { OLDEST_SQLITE = 3031000 };

/* What another SQLite library is told. Its own functions make the message, as it frees it. */
static int refuse(char **error, const sqlite3_api_routines *api) {
#if defined(SQLITE_CORE)
  (void)error;
  (void)api;
#else
  if (api != NULL && error != NULL) {
    *error = api->mprintf("memview: this file serves another SQLite library of this process: for this one (%s), load a "
                          "copy of the file",
                          api->libversion());
  }
#endif
  return SQLITE_ERROR;
}

static int register_all(mv_host *host, char **error) {
  if (sqlite3_libversion_number() < OLDEST_SQLITE) {
    if (error != NULL) {
      *error = sqlite3_mprintf("memview: SQLite 3.31 or newer is needed, this is %s", sqlite3_libversion());
    }
    return SQLITE_ERROR;
  }
  /* The functions first: under a running statement SQLite refuses to replace them, but not the tables, which would then
   * know nothing of what the older functions open. */
  int rc = mv_functions_register(host);
  if (rc == SQLITE_OK) {
    rc = mv_tables_register(host, mv_tables, mv_table_count);
  }
  if (rc != SQLITE_OK && rc != SQLITE_NOMEM && error != NULL) {
    *error = sqlite3_mprintf("memview: %s", sqlite3_errmsg(host->connection.db));
  }
  return rc;
}

static int init(sqlite3 *db, char **error, const sqlite3_api_routines *api, bool opens_files) {
  if (mv_host_find(db, opens_files) != NULL) {
    return SQLITE_OK; /* loaded again: what was opened stays open */
  }
  mv_host *host = mv_host_new(db, opens_files);
  if (host == NULL) {
    return SQLITE_NOMEM;
  }
  int rc;
  if (!mv_process_add(&host->connection, api)) {
    rc = refuse(error, api);
  } else {
    rc = register_all(host, error);
    if (rc == SQLITE_OK) {
      mv_process_complete(&host->connection);
    }
  }
  mv_host_release(host);
  return rc;
}

MV_EXPORT int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  return init(db, error, api, true);
}

MV_EXPORT int sqlite3_memview_nofs_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  return init(db, error, api, false);
}

#if !defined(SQLITE_CORE) /* linked into a program, several extensions would have this one name */
MV_EXPORT int sqlite3_extension_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  return init(db, error, api, true);
}
#endif
