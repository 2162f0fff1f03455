/* cursor.h: where a query stands in a table: its sources, what it asks for, the current module and row. */
#ifndef MV_EXT_CURSOR_H
#define MV_EXT_CURSOR_H

#include "analysis/diff.h"
#include "table.h"

/* A module in use, and its entry; NULL: none. */
typedef struct mv_loaded {
  const mv_module *module;
  size_t entry;
} mv_loaded;

typedef struct mv_cursor {
  sqlite3_vtab_cursor base; /* must stand first */
  const mv_table *table;
  mv_host *host;
  mv_source_ref *refs[MV_MAX_SOURCES]; /* its sources, as many as it has */
  mv_row row;                          /* the current one; its module is NULL between entries */
  const mv_module *after;              /* of the current pair: pairs.c */
  mv_loaded loaded[MV_MAX_SOURCES];    /* mv_cursor_load */
  mv_pair *pairs;
  size_t entry; /* the current one, or the current pair */
  size_t entry_end;
  mv_rows rows;
  const void *first_row; /* of all the module's rows, where the table has no number_of */
  size_t position;       /* in rows */

  /* The constraints. */
  char *module_name; /* only modules of this name; NULL: all; sqlite3_free */
  bool has_space;
  char *space_name; /* has_space: only this memory space; NULL: none has that name; sqlite3_free */
  bool has_color;
  int64_t color;
  int key_column; /* -1: none */
  int64_t key;
  bool has_at;           /* at is given */
  int64_t at;            /* -1: the peak */
  int64_t last_position; /* of the heaps asked for so far, -1: none; at.h */
  bool has_by;           /* by is given */
  bool is_by_default;    /* or is NULL */
  mv_group_by by;

  bool is_filtered; /* by module_id or module */
  bool varies;      /* at is given, and the query asks for more modules or spaces than this time: MV_PLAN_VARIES */
  bool gave_module; /* an entry could be read, whether it had rows or not */
  mv_arena *source_arena; /* of the pairs */
  mv_arena *arena;        /* of the rows of the current module */
} mv_cursor;

/* The module of an entry of the cursor's source number `side`, in use until another one of it is loaded: the inner
 * table of a join starts anew for each outer row, mostly in the same module, and a small cache keeps nothing that is
 * not in use. NULL with the status filled when it can't be read. */
const mv_module *mv_cursor_load(mv_cursor *cursor, int side, size_t entry, mv_status *status);

#endif
