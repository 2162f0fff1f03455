/* memview.c: what is in accelerator memory, asked in SQL.
 *
 *   .load ./memview
 *   SELECT memory_space, peak_bytes, padding_bytes FROM memory_spaces('module_0001.jit_step.after_optimizations.hlo.pb');
 *   SELECT instruction, shape, size_bytes FROM peak_buffers('dump/') ORDER BY size_bytes DESC LIMIT 10;
 *
 * Two entry points. The default one opens files that SQL names; its tables work in direct SQL and in TEMP views only.
 * sqlite3_memview_nofs_init opens none: for servers that let people type SQL. There a source is a BLOB.
 */
#include "functions.h"
#include "host.h"
#include "table.h"

SQLITE_EXTENSION_INIT1

#if defined(_WIN32)
#define MV_EXPORT __declspec(dllexport)
#else
#define MV_EXPORT __attribute__((visibility("default")))
#endif

/* The tables' getters and SQLite's own checks need this: SQLITE_VTAB_DIRECTONLY and _INNOCUOUS. */
enum { OLDEST_SQLITE = 3031000 };

/* SQLITE_EXTENSION_INIT2 writes each time, while another thread's connection may be reading. */
static void take_api(const sqlite3_api_routines *api) {
#if defined(SQLITE_CORE)
  (void)api;
#else
  if (__atomic_load_n(&sqlite3_api, __ATOMIC_ACQUIRE) != api) {
    __atomic_store_n(&sqlite3_api, api, __ATOMIC_RELEASE);
  }
#endif
}

static int init(sqlite3 *db, char **error, bool opens_files) {
  if (sqlite3_libversion_number() < OLDEST_SQLITE) {
    *error = sqlite3_mprintf("memview: SQLite 3.31 or newer is needed, this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  mv_host *host = mv_host_new(db, opens_files);
  if (host == NULL) {
    return SQLITE_NOMEM;
  }
  /* The functions first: under a running statement SQLite refuses to replace them, but not the tables, which would then
   * know nothing of what the older functions open. */
  int rc = mv_functions_register(host);
  if (rc == SQLITE_OK) {
    rc = mv_tables_register(host);
  }
  if (rc != SQLITE_OK && rc != SQLITE_NOMEM && error != NULL) {
    *error = sqlite3_mprintf("memview: %s", sqlite3_errmsg(db));
  }
  mv_host_release(host);
  return rc;
}

MV_EXPORT int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  take_api(api);
  return init(db, error, true);
}

MV_EXPORT int sqlite3_memview_nofs_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  take_api(api);
  return init(db, error, false);
}
