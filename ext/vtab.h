/* vtab.h: the virtual table module behind every table. */
#ifndef MV_EXT_VTAB_H
#define MV_EXT_VTAB_H

#include "table.h"

/* Register tables for the host's connection; the list must outlive it. Returns SQLite's code. */
int mv_tables_register(mv_host *host, const mv_table *const *tables, size_t count);

#endif
