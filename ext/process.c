#include "process.h"

#include <stdatomic.h>
#include <stddef.h>

SQLITE_EXTENSION_INIT1 /* here sqlite3_api is */

    /* A connection is used by one thread at a time, but two may be opened at once. */
    static struct {
  atomic_flag is_locked; /* for a few instructions only */
  mv_connection *first;
} process = {.is_locked = ATOMIC_FLAG_INIT};

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&process.is_locked, memory_order_acquire)) {}
}

static void unlock(void) {
  atomic_flag_clear_explicit(&process.is_locked, memory_order_release);
}

mv_connection *mv_process_find(sqlite3 *db, bool opens_files) {
  lock();
  mv_connection *connection = process.first;
  while (connection != NULL &&
         (connection->db != db || !connection->is_complete || connection->opens_files != opens_files)) {
    connection = connection->next;
  }
  unlock();
  return connection;
}

bool mv_process_add(mv_connection *connection, const sqlite3_api_routines *api) {
  lock();
  bool is_served = true;
#if defined(SQLITE_CORE)
  (void)api; /* linked into the program, which has one SQLite library */
#else
  if (process.first == NULL && api != NULL) {
    sqlite3_api = api; /* nobody reads it now */
  }
  is_served = api != NULL && sqlite3_api == api;
#endif
  if (is_served) {
    connection->next = process.first;
    process.first = connection;
  }
  unlock();
  return is_served;
}

void mv_process_complete(mv_connection *connection) {
  lock();
  for (mv_connection *other = process.first; other != NULL; other = other->next) {
    other->is_complete = other == connection || (other->is_complete && other->db != connection->db);
  }
  unlock();
}

void mv_process_remove(mv_connection *connection) {
  lock();
  mv_connection **link = &process.first;
  while (*link != NULL && *link != connection) {
    link = &(*link)->next;
  }
  if (*link != NULL) {
    *link = connection->next;
  }
  unlock();
}
