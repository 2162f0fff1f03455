/* functions.h: the SQL functions. */
#ifndef MV_EXT_FUNCTIONS_H
#define MV_EXT_FUNCTIONS_H

#include "host.h"

/* What a function depends on and does: who may call it follows from that. */
typedef enum mv_effect {
  MV_PURE,    /* its arguments only: for any schema, and indexes */
  MV_READS,   /* it reads a source: for any schema where files are not opened, else for direct SQL */
  MV_CHANGES, /* it changes what the connection has open: for direct SQL */
} mv_effect;

typedef struct mv_function {
  const char *name;
  const char *arguments; /* as the documentation shows them */
  const char *doc;
  int least; /* arguments */
  int most;
  mv_effect effect;
  void (*call)(sqlite3_context *context, int argc, sqlite3_value **argv); /* user data: the mv_host */
} mv_function;

extern const mv_function mv_functions[];
extern const size_t mv_function_count;

/* problem.c, page.c */
void mv_memview_problem(sqlite3_context *context, int argc, sqlite3_value **argv);
void mv_memview_html(sqlite3_context *context, int argc, sqlite3_value **argv);

/* Register every function for the host's connection. Returns SQLite's code. */
int mv_functions_register(mv_host *host);

#endif
