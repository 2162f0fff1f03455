/* SQLite 3.41 has sqlite3_is_interrupted, which progress handlers do not reach. What works in every version is to run a
 * statement beside the one that called memview:
 *
 *   sqlite3_interrupt   while a statement runs, no other one takes a step
 *   progress handler    is called by each statement for every n steps that it takes, so it needs one with many
 *
 * The statement lives for one look: one that is open would keep the connection from closing. It reads no table, so it
 * takes no lock, and has no functions and no named tables, which an authorizer might refuse. Whatever fails otherwise,
 * as it does where an authorizer denies SELECT, is no wish to stop. Those who trace statements see it, with "-- "
 * before it as SQLite marks statements within others.
 */
#include "interrupt.h"

#include <stddef.h>

#include "base/os/clock.h"

SQLITE_EXTENSION_INIT3

#define PURPOSE "/* memview asks whether to stop */"
#define TEN "(VALUES(0),(0),(0),(0),(0),(0),(0),(0),(0),(0))"

enum { MS = 1000 * 1000, LOOK_EVERY_NS = 10 * MS, WORK_EVERY_NS = 30 * MS, PAUSE_NS = 1000 * MS };

/* Also when the clock was set back. */
static bool has_passed(int64_t now, int64_t since, int64_t pause) {
  return now < since || now - since >= pause;
}

static int run(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (rc == SQLITE_OK) {
    rc = sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return rc;
}

/* 0.25 ms: each of the 10,000 rows that are skipped takes two steps. */
static int run_long(sqlite3 *db) {
  return run(db, "SELECT 1 " PURPOSE " FROM " TEN "," TEN "," TEN "," TEN " LIMIT 1 OFFSET 9999");
}

bool mv_interrupt_is_wanted(void *arg) {
  mv_interrupt *i = arg;
  const int64_t now = mv_now_ns();
  if (!has_passed(now, i->looked_ns, LOOK_EVERY_NS)) {
    return false;
  }
  if (has_passed(now, i->looked_ns, PAUSE_NS)) {
    i->worked_ns = now; /* what has just begun may be done soon */
  }
  int rc = SQLITE_ERROR;
  const bool is_long = has_passed(now, i->worked_ns, WORK_EVERY_NS);
  if (is_long) {
    rc = run_long(i->db);
  }
  if (rc != SQLITE_ROW && rc != SQLITE_INTERRUPT) {
    rc = run(i->db, "SELECT 1 " PURPOSE);
  }
  i->looked_ns = mv_now_ns();
  i->worked_ns = is_long ? i->looked_ns : i->worked_ns;
  return rc == SQLITE_INTERRUPT;
}
