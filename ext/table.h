/* table.h: a table is data.
 *
 * One virtual table module (vtab.h) serves every table. A table is described by its columns, each with its
 * documentation, and by one function that gives the rows of a module:
 *
 *   source -> modules -> rows(module) -> {base, count, stride} -> columns (column.h)
 *
 * All tables are eponymous and take hidden arguments last: `source`, and for some `at` or `by`. A table of differences
 * has two sources; its rows are those of a pair of modules. One of facts has none.
 */
#ifndef MV_EXT_TABLE_H
#define MV_EXT_TABLE_H

#include "analysis/members.h"
#include "column.h"

/* What a hidden argument says. */
typedef enum mv_hidden_kind {
  MV_HIDDEN_SOURCE, /* a path or a BLOB */
  MV_HIDDEN_AT,     /* a program position */
  MV_HIDDEN_BY,     /* the name of a mv_group_by */
} mv_hidden_kind;

typedef struct mv_hidden {
  const char *name; /* NULL behind the last */
  const char *type; /* SQL type; "" takes any value as it is */
  mv_hidden_kind kind;
  const char *doc; /* NULL for the source, which all tables explain together */
} mv_hidden;

enum { MV_MAX_HIDDEN = 3, MV_MAX_SOURCES = 2 };

#define MV_SOURCE_ARGUMENT                                                                                             \
  { "source", "", MV_HIDDEN_SOURCE, NULL }
#define MV_BY_ARGUMENT                                                                                                 \
  {                                                                                                                    \
    "by", "TEXT", MV_HIDDEN_BY,                                                                                        \
        "what to group by: 'layer' (the default), 'scope', 'phase', 'op_name' (attributed_op_name), 'user_source' "    \
        "(file:line), 'used_by', 'opcode', 'shape' or 'category'"                                                      \
  }

/* Rows of one module, all of one size. */
typedef struct mv_rows {
  const void *base;
  size_t count;
  size_t stride;
  const uint32_t *order; /* row i stands at order[i]; NULL: at i */
} mv_rows;

/* What a table is asked for of one module. */
typedef struct mv_request {
  const mv_module *module; /* NULL for a table of entries; of a pair the one before, or NULL */
  const mv_module *after;  /* of a pair the other one, or NULL */
  const mv_source *source;
  size_t index;       /* of the entry */
  const char *device; /* that memview_device set, NULL: none */
  bool has_color;     /* only the memory space of `color`; else all */
  int64_t color;
  int64_t at; /* -1: the peak */
  mv_group_by by;
  const mv_limits *limits;
  mv_arena *arena; /* of the cursor, reset for each module */
} mv_request;

typedef enum mv_needs {
  MV_NEEDS_NOTHING,    /* no source */
  MV_NEEDS_ENTRY,      /* one row for each entry, also those that can't be read */
  MV_NEEDS_MODULE,     /* an HLO module */
  MV_NEEDS_ALL,        /* an HLO module with the insides of its fusions */
  MV_NEEDS_ASSIGNMENT, /* a buffer assignment */
  MV_NEEDS_PAIR,       /* the buffer assignments of two sources' modules of one name, or one that has no partner */
} mv_needs;

typedef struct mv_table {
  const char *name;
  const char *doc;
  const mv_column *columns;
  size_t column_count;
  mv_needs needs;
  mv_hidden hidden[MV_MAX_HIDDEN]; /* in the order of the arguments */
  bool has_space;                  /* columns memory_space and color come after module_id and module */
  bool (*rows)(mv_rows *out, const mv_request *request, mv_status *status);
  int64_t (*color_of)(const mv_module *module, const void *row); /* where has_space */
  void (*refer)(mv_row *row); /* sets what its item stands for or names; NULL: nothing */
  bool rows_by_color; /* rows() gives only those of request->color; else they are found by an index over color_of */
  /* Where rows_by_color: the number of a row in its module, whatever was asked for. */
  uint64_t (*number_of)(const mv_module *module, const void *row);
} mv_table;

/* Columns are numbered: the common ones, the table's own, the hidden arguments. */
int mv_table_common_count(const mv_table *table);
int mv_table_visible_count(const mv_table *table);
const mv_column *mv_table_column(const mv_table *table, int number);

/* How many hidden arguments a table has, and how many of them are sources. */
int mv_table_hidden_count(const mv_table *table);
int mv_table_source_count(const mv_table *table);

/* The columns that every table of modules, or of memory spaces, has first: table.c. */
enum { MV_COMMON_MODULE_ID, MV_COMMON_MODULE, MV_COMMON_SPACE, MV_COMMON_COLOR, MV_COMMON_COUNT };
extern const mv_column mv_common_columns[MV_COMMON_COUNT];

#endif
