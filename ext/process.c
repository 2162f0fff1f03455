#include "process.h"

#include <stdatomic.h>

SQLITE_EXTENSION_INIT3

/* A connection is used by one thread at a time, but two may be opened at once. */
static struct {
  atomic_flag is_locked; /* for a few instructions only */
  mv_host *hosts;
} process = {.is_locked = ATOMIC_FLAG_INIT};

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&process.is_locked, memory_order_acquire)) {}
}

static void unlock(void) {
  atomic_flag_clear_explicit(&process.is_locked, memory_order_release);
}

mv_host *mv_process_find(sqlite3 *db, bool opens_files) {
  lock();
  mv_host *host = process.hosts;
  while (host != NULL && (host->db != db || !host->is_complete || host->opens_files != opens_files)) {
    host = host->next;
  }
  unlock();
  return host;
}

bool mv_process_add(mv_host *host, const sqlite3_api_routines *api) {
  lock();
  bool is_served = true;
#if defined(SQLITE_CORE)
  (void)api; /* linked into the program, which has one SQLite library */
#else
  if (process.hosts == NULL && api != NULL) {
    sqlite3_api = api; /* nobody reads it now */
  }
  is_served = api != NULL && sqlite3_api == api;
#endif
  if (is_served) {
    host->next = process.hosts;
    process.hosts = host;
  }
  unlock();
  return is_served;
}

void mv_process_complete(mv_host *host) {
  lock();
  for (mv_host *other = process.hosts; other != NULL; other = other->next) {
    other->is_complete = other == host || (other->is_complete && other->db != host->db);
  }
  unlock();
}

void mv_process_remove(mv_host *host) {
  lock();
  mv_host **link = &process.hosts;
  while (*link != NULL && *link != host) {
    link = &(*link)->next;
  }
  if (*link != NULL) {
    *link = host->next;
  }
  unlock();
}
