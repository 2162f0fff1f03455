/* column.h: a column is data: where its value stands, as what, and one sentence about it.
 *
 *   MV_SIZE(mv_space, scoped_bytes, "scoped_bytes", "Most that one instruction uses of this space for itself")
 *             \            \ \
 *              origin        offset       name
 *
 * The type of a structure tells the origin: a mv_heap is the row's heap, a mv_instruction_details what the row's
 * instruction says of itself, and a type that is none of these is the table's own item. Where the row has no such
 * thing, the column is NULL. A field of another type than the kind of the column asks for does not compile. What no
 * kind describes is computed by a function (MV_CALL).
 */
#ifndef MV_EXT_COLUMN_H
#define MV_EXT_COLUMN_H

#include "row.h"

/* What of a row the offset is of. */
typedef enum mv_origin {
  MV_OF_ITEM, /* of the table's mv_rows */
  MV_OF_ROW,  /* the mv_row itself */
  MV_OF_ENTRY,
  MV_OF_BUFFER,
  MV_OF_SHARING_ROOT, /* the buffer whose memory the row's buffer shares */
  MV_OF_PLACE,        /* the buffer at whose place the first block of the row's buffer lies; else the buffer itself */
  MV_OF_ALLOCATION,
  MV_OF_HEAP,
  MV_OF_POSITION,
  MV_OF_COMPUTATION, /* of the row's instruction, as the next */
  MV_OF_DETAILS,
  MV_OF_EXPLANATION,
} mv_origin;

/* NOLINTBEGIN(bugprone-macro-parentheses): a type of _Generic and an initialiser stand in none */

/* clang-format off: it takes the associations for labels */
#define MV_ORIGIN(type) \
  _Generic((type *)NULL, mv_row *: MV_OF_ROW, mv_entry *: MV_OF_ENTRY, mv_buffer *: MV_OF_BUFFER, \
           mv_allocation *: MV_OF_ALLOCATION, mv_heap *: MV_OF_HEAP, mv_position *: MV_OF_POSITION, \
           mv_computation *: MV_OF_COMPUTATION, mv_instruction_details *: MV_OF_DETAILS, \
           mv_explanation *: MV_OF_EXPLANATION, default: MV_OF_ITEM)

/* offsetof, of a field that has this type. */
#define MV_OFFSET(field_type, type, field) _Generic(((type *)NULL)->field, field_type: offsetof(type, field))
/* clang-format on */

/* What stands at the offset, and what is shown of it. */
typedef enum mv_column_kind {
  MV_COLUMN_CALL,       /* get() sets the result */
  MV_COLUMN_INTEGER,    /* int64_t */
  MV_COLUMN_SIZE,       /* int64_t, NULL when negative */
  MV_COLUMN_POSITIVE,   /* int64_t, NULL unless above 0 */
  MV_COLUMN_DIFFERENCE, /* int64_t less another one, NULL when that is negative: unknown */
  MV_COLUMN_COUNT,      /* uint32_t */
  MV_COLUMN_BOOL,       /* bool */
  MV_COLUMN_NAME,       /* uint8_t, of which names() makes a text or NULL */
  MV_COLUMN_BYTES,      /* mv_bytes of a file, NULL when empty */
  MV_COLUMN_TEXT,       /* mv_bytes, NULL for {NULL, 0}; of size 0 the empty text */
  MV_COLUMN_REF,        /* mv_ref into the module, NULL when empty */
  MV_COLUMN_STRING,     /* const char *, valid UTF-8 */
  MV_COLUMN_PATH,       /* const char *, any bytes */
} mv_column_kind;

/* Bits of the plan of a query for equalities on columns: plan.h. */
enum {
  MV_PLAN_MODULE_ID = 1 << 3,
  MV_PLAN_MODULE = 1 << 4,
  MV_PLAN_SPACE = 1 << 5,
  MV_PLAN_COLOR = 1 << 6,
  MV_PLAN_KEY = 1 << 7,
};

typedef struct mv_column {
  const char *name;
  const char *type; /* in the table's declaration: INTEGER, TEXT or, where case does not count, TEXT COLLATE NOCASE */
  const char *doc;  /* one sentence; the README's reference is made of it */
  mv_column_kind kind;
  mv_origin origin;
  size_t offset;
  size_t subtrahend; /* MV_COLUMN_DIFFERENCE: its offset */
  size_t condition;  /* offset of a bool, not at 0, that is false where the value is unknown; 0: none */
  bool is_of_shapes; /* unknown in a file without a module, which has no shapes */
  const char *(*names)(uint8_t value);
  void (*get)(mv_row *row, sqlite3_context *context);
  /* The value of the column in `item` for equality constraints, of a text its mv_text_hash: rows are then found by an
   * index over it, see keys.h. NULL where an equality is left to SQLite. */
  int64_t (*key)(const mv_module *module, const void *item);
  int plan; /* MV_PLAN_... for an equality on it; 0: MV_PLAN_KEY where it has a key */
} mv_column;

#define MV_NOCASE "TEXT COLLATE NOCASE" /* of one of a fixed set of names, which are found in upper and lower case */

/* clang-format off: it indents initialisers in macros by their braces */

/* A field; behind its description other members of mv_column, one at least. */
#define MV_FIELD(column_kind, field_type, struct_type, field, name, type, doc, ...) \
  {name, type, doc, .kind = column_kind, .origin = MV_ORIGIN(struct_type), \
   .offset = MV_OFFSET(field_type, struct_type, field), __VA_ARGS__}
#define MV_NO_MORE .plan = 0

#define MV_INTEGER(type, field, name, doc) \
  MV_FIELD(MV_COLUMN_INTEGER, int64_t, type, field, name, "INTEGER", doc, MV_NO_MORE)
#define MV_INTEGER_IF(type, field, condition_field, name, doc) \
  MV_FIELD(MV_COLUMN_INTEGER, int64_t, type, field, name, "INTEGER", doc, \
           .condition = MV_OFFSET(bool, type, condition_field))
#define MV_INTEGER_OF_SHAPES(type, field, name, doc) \
  MV_FIELD(MV_COLUMN_INTEGER, int64_t, type, field, name, "INTEGER", doc, .is_of_shapes = true)
#define MV_INTEGER_KEY(type, field, name, doc, find_by) \
  MV_FIELD(MV_COLUMN_INTEGER, int64_t, type, field, name, "INTEGER", doc, .key = find_by)
#define MV_SIZE(type, field, name, doc) MV_FIELD(MV_COLUMN_SIZE, int64_t, type, field, name, "INTEGER", doc, MV_NO_MORE)
#define MV_POSITIVE(type, field, name, doc) \
  MV_FIELD(MV_COLUMN_POSITIVE, int64_t, type, field, name, "INTEGER", doc, MV_NO_MORE)
#define MV_POSITIVE_KEY(type, field, name, doc, find_by) \
  MV_FIELD(MV_COLUMN_POSITIVE, int64_t, type, field, name, "INTEGER", doc, .key = find_by)
#define MV_DIFFERENCE(type, field, less, name, doc) \
  MV_FIELD(MV_COLUMN_DIFFERENCE, int64_t, type, field, name, "INTEGER", doc, \
           .subtrahend = MV_OFFSET(int64_t, type, less))
#define MV_DIFFERENCE_OF_SHAPES(type, field, less, name, doc) \
  MV_FIELD(MV_COLUMN_DIFFERENCE, int64_t, type, field, name, "INTEGER", doc, .is_of_shapes = true, \
           .subtrahend = MV_OFFSET(int64_t, type, less))
#define MV_COUNT(type, field, name, doc) \
  MV_FIELD(MV_COLUMN_COUNT, uint32_t, type, field, name, "INTEGER", doc, MV_NO_MORE)
#define MV_BOOL(type, field, name, doc) MV_FIELD(MV_COLUMN_BOOL, bool, type, field, name, "INTEGER", doc, MV_NO_MORE)
#define MV_NAME_OF(type, field, names_of, name, sql_type, doc) \
  MV_FIELD(MV_COLUMN_NAME, uint8_t, type, field, name, sql_type, doc, .names = names_of)
#define MV_BYTES(type, field, name, doc) MV_FIELD(MV_COLUMN_BYTES, mv_bytes, type, field, name, "TEXT", doc, MV_NO_MORE)
#define MV_BYTES_KEY(type, field, name, doc, find_by) \
  MV_FIELD(MV_COLUMN_BYTES, mv_bytes, type, field, name, "TEXT", doc, .key = find_by)
#define MV_TEXT(type, field, name, doc) MV_FIELD(MV_COLUMN_TEXT, mv_bytes, type, field, name, "TEXT", doc, MV_NO_MORE)
#define MV_REF(type, field, name, doc) MV_FIELD(MV_COLUMN_REF, mv_ref, type, field, name, "TEXT", doc, MV_NO_MORE)
#define MV_STRING(type, field, name, doc) MV_STRING_AS(type, field, name, "TEXT", doc)
#define MV_STRING_AS(type, field, name, sql_type, doc) \
  MV_FIELD(MV_COLUMN_STRING, const char *, type, field, name, sql_type, doc, MV_NO_MORE)
#define MV_PATH(type, field, name, doc) \
  MV_FIELD(MV_COLUMN_PATH, const char *, type, field, name, "TEXT", doc, MV_NO_MORE)

#define MV_CALL(name, type, doc, getter) {name, type, doc, .kind = MV_COLUMN_CALL, .get = getter}
#define MV_KEY(name, doc, getter, find_by) {name, "INTEGER", doc, .kind = MV_COLUMN_CALL, .get = getter, .key = find_by}

/* clang-format on */

/* NOLINTEND(bugprone-macro-parentheses) */

/* Set the column's value as the result. */
void mv_column_result(const mv_column *column, mv_row *row, sqlite3_context *context);

static inline bool mv_column_is_text(const mv_column *column) {
  return column->type[0] == 'T';
}

#endif
