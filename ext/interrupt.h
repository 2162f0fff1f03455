/* interrupt.h: whether SQLite wants memview to stop: after sqlite3_interrupt, or because a progress handler says so. */
#ifndef MV_EXT_INTERRUPT_H
#define MV_EXT_INTERRUPT_H

#include <sqlite3ext.h>
#include <stdbool.h>
#include <stdint.h>

/* A progress handler that is called every n steps of SQLite's machine is called within long calls for n up to this. */
enum { MV_INTERRUPT_STEPS = 20000 };

typedef struct mv_interrupt {
  sqlite3 *db;
  int64_t looked_ns; /* when SQLite was last asked at all */
  int64_t worked_ns; /* when it was last made to take MV_INTERRUPT_STEPS steps */
} mv_interrupt;

/* Ask, if it is time to. For mv_limits.interrupted; `interrupt` is a mv_interrupt. */
bool mv_interrupt_is_wanted(void *interrupt);

#endif
