/* functions.h: the SQL functions. */
#ifndef MV_EXT_FUNCTIONS_H
#define MV_EXT_FUNCTIONS_H

#include "host.h"

typedef struct mv_function {
  const char *name;
  const char *arguments; /* as the documentation shows them */
  const char *doc;
  int least; /* arguments */
  int most;
  bool is_pure; /* depends on its arguments only: usable in indexes and by any schema */
  void (*call)(sqlite3_context *context, int argc, sqlite3_value **argv); /* user data: the mv_host */
} mv_function;

extern const mv_function mv_functions[];
extern const size_t mv_function_count;

/* page.c */
void mv_memview_html(sqlite3_context *context, int argc, sqlite3_value **argv);

/* Register every function for the host's connection. Returns SQLite's code. */
int mv_functions_register(mv_host *host);

#endif
