#include "plan.h"

#include "at.h"

SQLITE_EXTENSION_INIT3

static int common_count(const mv_table *table) {
  return table->has_space ? MV_COMMON_COUNT : MV_COMMON_SPACE;
}

int mv_table_source_column(const mv_table *table) {
  return common_count(table) + (int)table->column_count;
}

const mv_column *mv_table_column(const mv_table *table, int number) {
  const int common = common_count(table);
  return number < common ? &mv_common_columns[number] : &table->columns[number - common];
}

static bool column_is_text(const mv_column *column) {
  return column->type[0] == 'T';
}

/* The plan's bit for an equality on a column; 0 when it is of no use. */
static int plan_bit(const mv_table *table, int column) {
  const int source = mv_table_source_column(table);
  if (column < 0) {
    return 0;
  }
  if (column >= source) {
    return column == source ? MV_PLAN_SOURCE : MV_PLAN_AT;
  }
  if (column < common_count(table)) {
    static const int bits[] = {MV_PLAN_MODULE_ID, MV_PLAN_MODULE, MV_PLAN_SPACE, MV_PLAN_COLOR};
    return bits[column];
  }
  return mv_table_column(table, column)->key != NULL ? MV_PLAN_KEY : 0;
}

/* Whether SQLite knows the value that constraint `i` compares with: it stands in the query, and not as an IN. Not known
 * of a parameter, and not before SQLite 3.38. */
static bool is_constant(sqlite3_index_info *info, int i) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value *value;
  return sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK;
#else
  (void)info;
  (void)i;
  return false;
#endif
}

/* Whether an equality may be looked up: texts only where they are compared as in the lookup, or more strictly. */
static bool is_comparable(const mv_table *table, sqlite3_index_info *info, int i, int bit, bool *is_exact) {
  const int column = info->aConstraint[i].iColumn;
  *is_exact = true;
  if (!(bit & (MV_PLAN_MODULE | MV_PLAN_SPACE)) &&
      (bit != MV_PLAN_KEY || !column_is_text(mv_table_column(table, column)))) {
    return true;
  }
  const char *collation = sqlite3_vtab_collation(info, i);
  *is_exact = bit != MV_PLAN_SPACE || sqlite3_stricmp(collation, "NOCASE") == 0;
  return sqlite3_stricmp(collation, "BINARY") == 0 || (bit == MV_PLAN_SPACE && *is_exact);
}

int mv_plan_choose(const mv_table *table, sqlite3_index_info *info) {
  int chosen[MV_PLAN_BITS] = {-1, -1, -1, -1, -1, -1, -1};
  int plan = 0;
  int wanted = 0; /* hidden arguments that there are constraints for */
  bool is_space_exact = true;
  bool varies = false;
  for (int i = 0; i < info->nConstraint; i++) {
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    const bool is_null = c->op == SQLITE_INDEX_CONSTRAINT_ISNULL && table->has_at &&
                         c->iColumn == mv_table_source_column(table) + 1; /* at IS NULL: the peak */
    if (c->op != SQLITE_INDEX_CONSTRAINT_EQ && !is_null) {
      continue;
    }
    const int bit = plan_bit(table, c->iColumn);
    wanted |= bit & (MV_PLAN_SOURCE | MV_PLAN_AT);
    if (!c->usable) {
      continue;
    }
    bool is_exact;
    if (bit == 0 || plan & bit || !is_comparable(table, info, i, bit, &is_exact)) {
      continue;
    }
    plan |= bit;
    is_space_exact = is_space_exact && is_exact;
    varies = varies || (bit & MV_PLAN_NARROWING && !is_constant(info, i));
    for (int b = 0; b < MV_PLAN_BITS; b++) {
      if (bit == 1 << b) {
        chosen[b] = i;
      }
    }
    if (bit == MV_PLAN_KEY) {
      plan |= c->iColumn << MV_PLAN_KEY_SHIFT;
    }
  }
  if ((wanted & ~plan) != 0) {
    return SQLITE_CONSTRAINT;
  }
  plan |= varies && plan & MV_PLAN_AT ? MV_PLAN_VARIES : 0;
  /* What a key finds may be of another memory space. */
  const int omitted =
      MV_PLAN_SOURCE | MV_PLAN_AT | MV_PLAN_MODULE_ID | (plan & MV_PLAN_KEY || !is_space_exact ? 0 : MV_PLAN_SPACE);
  int argument = 0;
  double rows = 10000;
  for (int b = 0; b < MV_PLAN_BITS; b++) {
    if (chosen[b] >= 0) {
      info->aConstraintUsage[chosen[b]].argvIndex = ++argument;
      info->aConstraintUsage[chosen[b]].omit = (1 << b & omitted) != 0;
    }
  }
  rows /= plan & (MV_PLAN_MODULE_ID | MV_PLAN_MODULE) ? 10 : 1;
  rows /= plan & (MV_PLAN_SPACE | MV_PLAN_COLOR) ? 4 : 1;
  rows /= plan & MV_PLAN_KEY ? 500 : 1;
  rows /= plan & MV_PLAN_AT ? 100 : 1;
  info->idxNum = plan;
  info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
  /* A source that stands in the terms of an OR is not seen in a plan over all of them, which then asks for another
   * source: a plan for each term has to win. A factor keeps the order of plans that have none. */
  info->estimatedCost = (rows + 10) * (plan & MV_PLAN_SOURCE ? 1 : 1000);
  return SQLITE_OK;
}

bool mv_plan_has_null(int plan, int argc, sqlite3_value **argv) {
  const int at = plan & MV_PLAN_AT ? (plan & MV_PLAN_SOURCE ? 1 : 0) : -1;
  for (int i = 0; i < argc; i++) {
    if (i != at && sqlite3_value_type(argv[i]) == SQLITE_NULL) {
      return true;
    }
  }
  return false;
}

/* What the column's key function gives for rows that have this value. */
static bool key_of(int64_t *out, const mv_column *column, sqlite3_value *value) {
  if (!column_is_text(column)) {
    return mv_value_integer(out, value);
  }
  if (sqlite3_value_type(value) != SQLITE_TEXT) {
    return false;
  }
  const void *text = sqlite3_value_text(value);
  if (text == NULL) {
    return false; /* no memory for another encoding: SQLite compares each row instead */
  }
  *out = mv_text_hash(mv_bytes_of(text, (size_t)sqlite3_value_bytes(value)));
  return true;
}

/* NULL when it is no text, or one with a NUL in it. */
static char *text_of(sqlite3_value *value, bool *failed) {
  if (sqlite3_value_type(value) != SQLITE_TEXT) {
    return NULL;
  }
  const char *text = (const char *)sqlite3_value_text(value); /* NULL: it could not be made UTF-8 */
  if (text != NULL && strlen(text) != (size_t)sqlite3_value_bytes(value)) {
    return NULL;
  }
  char *copy = text != NULL ? sqlite3_mprintf("%s", text) : NULL;
  *failed = *failed || copy == NULL;
  return copy;
}

bool mv_plan_take(mv_cursor *c, int plan, sqlite3_value **argv, mv_status *status) {
  const mv_source *source = NULL;
  bool failed = false;
  int64_t id = 0;
  bool has_id = false;
  bool matches_nothing = false;
  c->at = -1;
  c->last_position = -1;
  c->has_color = false;
  c->has_space = plan & MV_PLAN_SPACE;
  c->key_column = -1;
  c->ref = mv_host_open(c->host, plan & MV_PLAN_SOURCE ? *argv++ : NULL, status);
  if (c->ref == NULL) {
    return false;
  }
  source = mv_source_ref_source(c->ref);
  c->has_at = plan & MV_PLAN_AT;
  if (c->has_at && !mv_at_take(c, *argv++, status)) {
    return false;
  }
  if (plan & MV_PLAN_MODULE_ID) {
    has_id = mv_value_integer(&id, *argv++);
    matches_nothing = !has_id;
  }
  if (plan & MV_PLAN_MODULE) {
    c->module_name = text_of(*argv++, &failed);
  }
  if (plan & MV_PLAN_SPACE) {
    c->space_name = text_of(*argv++, &failed);
  }
  if (plan & MV_PLAN_COLOR) {
    c->has_color = mv_value_integer(&c->color, *argv++);
  }
  if (plan & MV_PLAN_KEY && key_of(&c->key, mv_table_column(c->table, plan >> MV_PLAN_KEY_SHIFT), *argv)) {
    c->key_column = plan >> MV_PLAN_KEY_SHIFT;
  }
  if (failed) {
    return mv_fail_nomem(status);
  }
  c->entry = 0;
  c->entry_end = source->count;
  if (has_id) {
    matches_nothing = id < 1 || (uint64_t)id > source->count;
    c->entry = (size_t)id - 1;
    c->entry_end = (size_t)id;
  }
  if (matches_nothing) {
    c->entry = source->count;
    c->entry_end = source->count;
  }
  c->is_filtered = plan & (MV_PLAN_MODULE_ID | MV_PLAN_MODULE);
  c->varies = plan & MV_PLAN_VARIES;
  c->gave_module = false;
  return true;
}
