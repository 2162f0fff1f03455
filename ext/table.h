/* table.h: a table is data.
 *
 * One virtual table module (table.c) serves every table. A table is described by its columns, each with its
 * documentation, and by one function that gives the rows of a module:
 *
 *   source -> modules -> rows(module) -> {base, count, stride} -> columns read a typed field or call a getter
 *
 * All tables are eponymous and take hidden arguments last: `source`, and for some `at` or `by`. A table of differences
 * has two sources; its rows are those of a pair of modules. One of facts has none.
 */
#ifndef MV_EXT_TABLE_H
#define MV_EXT_TABLE_H

#include "analysis/diff.h"
#include "analysis/explanation.h"
#include "host.h"
#include "model/instruction.h"

typedef struct mv_cursor mv_cursor;

/* How a column's value is found. */
typedef enum mv_column_kind {
  MV_COLUMN_INTEGER, /* int64_t at `offset` */
  MV_COLUMN_SIZE,    /* int64_t at `offset`, NULL when negative */
  MV_COLUMN_BOOL,    /* bool at `offset` */
  MV_COLUMN_COUNT,   /* uint32_t at `offset` */
  MV_COLUMN_CALL,    /* get() sets the result */
} mv_column_kind;

typedef struct mv_column {
  const char *name;
  const char *type; /* in the table's declaration: INTEGER, TEXT or, where case does not count, TEXT COLLATE NOCASE */
  const char *doc;  /* one sentence; the README's reference is made of it */
  mv_column_kind kind;
  size_t offset;
  void (*get)(mv_cursor *cursor, sqlite3_context *context);
  /* The value of the column in `row` for equality constraints, of a text its mv_text_hash: rows are then found by an
   * index over it, see keys.h. NULL where an equality is left to SQLite. */
  int64_t (*key)(const mv_module *module, const void *row);
  int plan; /* bit of plan.h for an equality on it; 0: MV_PLAN_KEY where it has a key */
} mv_column;

#define MV_INTEGER(type, field, name, doc) \
  { name, "INTEGER", doc, MV_COLUMN_INTEGER, offsetof(type, field), NULL, NULL, 0 }
#define MV_SIZE(type, field, name, doc) {name, "INTEGER", doc, MV_COLUMN_SIZE, offsetof(type, field), NULL, NULL, 0}
#define MV_BOOL(type, field, name, doc) {name, "INTEGER", doc, MV_COLUMN_BOOL, offsetof(type, field), NULL, NULL, 0}
#define MV_COUNT(type, field, name, doc) {name, "INTEGER", doc, MV_COLUMN_COUNT, offsetof(type, field), NULL, NULL, 0}
#define MV_CALL(name, type, doc, get) {name, type, doc, MV_COLUMN_CALL, 0, get, NULL, 0}
/* One of a fixed set of names, which are found in upper and lower case: SQLite compares as the type says. */
#define MV_NAME(name, doc, get) {name, "TEXT COLLATE NOCASE", doc, MV_COLUMN_CALL, 0, get, NULL, 0}
#define MV_TEXT_KEY(name, doc, get, key) {name, "TEXT", doc, MV_COLUMN_CALL, 0, get, key, 0}
#define MV_KEY(name, doc, get, key) {name, "INTEGER", doc, MV_COLUMN_CALL, 0, get, key, 0}

#define MV_PLANNED(name, type, doc, get, plan) {name, type, doc, MV_COLUMN_CALL, 0, get, NULL, plan}

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

#define MV_SOURCE_ARGUMENT {"source", "", MV_HIDDEN_SOURCE, NULL}
#define MV_BY_ARGUMENT \
  {"by", "TEXT", MV_HIDDEN_BY, \
   "what to group by: 'layer' (the default), 'scope', 'phase', 'op_name' (attributed_op_name), 'user_source' " \
   "(file:line), 'used_by', 'opcode', 'shape' or 'category'"}

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
  size_t index;      /* of the entry */
  const char *device; /* that memview_device set, NULL: none */
  bool has_color;    /* only the memory space of `color`; else all */
  int64_t color;
  int64_t at;        /* -1: the peak */
  mv_group_by by;
  const mv_limits *limits;
  mv_arena *arena; /* of the cursor, reset for each module */
} mv_request;

/* What the columns of a buffer show: the buffer itself, or the block or allocation at the peak that it names. */
typedef struct mv_buffer_view {
  const mv_buffer *buffer; /* NULL for an allocation without buffers */
  uint32_t allocation;     /* MV_NONE when it has none */
  int64_t size_bytes;
  int64_t unpadded_bytes; /* -1: unknown, as below */
  int64_t offset_bytes;
  int64_t start_position;
  int64_t end_position;
  bool is_allocation; /* the row stands for all of its allocation */
} mv_buffer_view;

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
  bool has_space;                   /* columns memory_space and color come after module_id and module */
  bool (*rows)(mv_rows *out, const mv_request *request, mv_status *status);
  int64_t (*color_of)(const mv_module *module, const void *row); /* where has_space */
  mv_buffer_view (*view_of)(const mv_module *module, const void *row); /* where the columns are a buffer's */
  bool rows_by_color; /* rows() gives only those of request->color; else they are found by an index over color_of */
  /* Where rows_by_color: the number of a row in its module, whatever was asked for. */
  uint64_t (*number_of)(const mv_module *module, const void *row);
} mv_table;

/* A module in use, and its entry; NULL: none. */
typedef struct mv_loaded {
  const mv_module *module;
  size_t entry;
} mv_loaded;

struct mv_cursor {
  sqlite3_vtab_cursor base; /* must stand first */
  const mv_table *table;
  mv_host *host;
  mv_source_ref *refs[MV_MAX_SOURCES]; /* its sources, as many as it has */
  const mv_module *module; /* of the current entry; NULL for a table of entries, and behind the end */
  const mv_module *after;  /* of the current pair: pairs.c */
  mv_loaded loaded[MV_MAX_SOURCES]; /* mv_cursor_load */
  mv_pair *pairs;
  size_t entry; /* the current one, or the current pair */
  size_t entry_end;
  const void *row;
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
  mv_arena *detail_arena;
  mv_buffer_view view; /* of the row, where the table has view_of */
  mv_instruction_details details;  /* of details_of */
  uint32_t details_of;
  bool has_details;
  const mv_explanation *explanation; /* of the row's buffer or allocation; NULL until a column shows it */
  mv_bytes shape; /* of the row's buffer: the part of its instruction's; {NULL} when there is none */
  bool has_shape;
  mv_text text; /* a value in the making: mv_cursor_text */
};

/* The details of an instruction for the current row, decoded once a row; NULL with the error set as the result. */
const mv_instruction_details *mv_cursor_details(mv_cursor *cursor, uint32_t instruction, sqlite3_context *context);

/* An empty text for a value of the current row, for mv_result_copy. */
mv_text *mv_cursor_text(mv_cursor *cursor);

/* All tables, in the order of the documentation. */
extern const mv_table *const mv_tables[];
extern const size_t mv_table_count;

/* Register every table for the host's connection. Returns SQLite's code. */
int mv_tables_register(mv_host *host);

/* Columns are numbered: the common ones, the table's own, the hidden arguments. */
int mv_table_common_count(const mv_table *table);
int mv_table_visible_count(const mv_table *table);
const mv_column *mv_table_column(const mv_table *table, int number);

/* How many hidden arguments a table has, and how many of them are sources. */
int mv_table_hidden_count(const mv_table *table);
int mv_table_source_count(const mv_table *table);

/* The module of an entry of the cursor's source number `side`, in use until another one of it is loaded: the inner table
 * of a join starts anew for each outer row, mostly in the same module, and a small cache keeps nothing that is not in
 * use. NULL with the status filled when it can't be read. */
const mv_module *mv_cursor_load(mv_cursor *cursor, int side, size_t entry, mv_status *status);

/* The entry of the current row; NULL in a table without a source. */
const mv_entry *mv_cursor_entry(const mv_cursor *cursor);

/* The columns that every table of modules, or of memory spaces, has first: tables/common.c. */
enum { MV_COMMON_MODULE_ID, MV_COMMON_MODULE, MV_COMMON_SPACE, MV_COMMON_COLOR, MV_COMMON_COUNT };
extern const mv_column mv_common_columns[MV_COMMON_COUNT];

#endif
