#include "plan.h"

SQLITE_EXTENSION_INIT3

/* The plan's bit for an equality on a column; 0 when it is of no use. */
static int plan_bit(const mv_table *table, int number) {
  const int visible = mv_table_visible_count(table);
  if (number < 0) {
    return 0;
  }
  if (number >= visible) {
    return 1 << (number - visible);
  }
  const mv_column *column = mv_table_column(table, number);
  return column->plan != 0 ? column->plan : column->key != NULL ? MV_PLAN_KEY : 0;
}

/* The plan's bits for hidden arguments of a kind. */
static int hidden_bits(const mv_table *table, mv_hidden_kind kind) {
  int bits = 0;
  for (int i = 0; i < mv_table_hidden_count(table); i++) {
    bits |= table->hidden[i].kind == kind ? 1 << i : 0;
  }
  return bits;
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
      (bit != MV_PLAN_KEY || !mv_column_is_text(mv_table_column(table, column)))) {
    return true;
  }
  const char *collation = sqlite3_vtab_collation(info, i);
  *is_exact = bit != MV_PLAN_SPACE || sqlite3_stricmp(collation, "NOCASE") == 0;
  return sqlite3_stricmp(collation, "BINARY") == 0 || (bit == MV_PLAN_SPACE && *is_exact);
}

int mv_plan_choose(const mv_table *table, sqlite3_index_info *info) {
  int chosen[MV_PLAN_BITS] = {-1, -1, -1, -1, -1, -1, -1, -1};
  int plan = 0;
  int wanted = 0; /* hidden arguments that there are constraints for */
  const int defaults = hidden_bits(table, MV_HIDDEN_AT) | hidden_bits(table, MV_HIDDEN_BY); /* where they are NULL */
  bool is_space_exact = true;
  bool varies = false;
  for (int i = 0; i < info->nConstraint; i++) {
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    const int bit = plan_bit(table, c->iColumn);
    const bool is_null = c->op == SQLITE_INDEX_CONSTRAINT_ISNULL && bit & defaults; /* at IS NULL: the peak */
    if (c->op != SQLITE_INDEX_CONSTRAINT_EQ && !is_null) {
      continue;
    }
    wanted |= bit & MV_PLAN_HIDDEN;
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
  plan |= varies && plan & hidden_bits(table, MV_HIDDEN_AT) ? MV_PLAN_VARIES : 0;
  /* What a key finds may be of another memory space. */
  const int omitted = MV_PLAN_HIDDEN | MV_PLAN_MODULE_ID | (plan & MV_PLAN_KEY || !is_space_exact ? 0 : MV_PLAN_SPACE);
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
  rows /= plan & hidden_bits(table, MV_HIDDEN_AT) ? 100 : 1;
  info->idxNum = plan;
  info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
  /* A source that stands in the terms of an OR is not seen in a plan over all of them, which then asks for another
   * source: a plan for each term has to win. A factor keeps the order of plans that have none. */
  const int sources = hidden_bits(table, MV_HIDDEN_SOURCE);
  info->estimatedCost = (rows + 10) * ((plan & sources) == sources ? 1 : 1000);
  return SQLITE_OK;
}

bool mv_plan_has_null(const mv_table *table, int plan, int argc, sqlite3_value **argv) {
  const int defaults = hidden_bits(table, MV_HIDDEN_AT) | hidden_bits(table, MV_HIDDEN_BY);
  int bit = 0;
  for (int i = 0; i < argc; i++, bit++) {
    while ((plan >> bit & 1) == 0) {
      bit++;
    }
    if ((1 << bit & defaults) == 0 && sqlite3_value_type(argv[i]) == SQLITE_NULL) {
      return true;
    }
  }
  return false;
}
