#include "plan.h"

#include "at.h"
#include "by.h"
#include "pairs.h"

SQLITE_EXTENSION_INIT3

static bool column_is_text(const mv_column *column) {
  return column->type[0] == 'T';
}

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
      (bit != MV_PLAN_KEY || !column_is_text(mv_table_column(table, column)))) {
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

/* Without a first source the default one answers; of two sources that is so for the second. */
static bool take_source(mv_cursor *c, int number, sqlite3_value *value, mv_status *status) {
  if (value == NULL && number == 0 && mv_table_source_count(c->table) > 1) {
    return mv_fail(status, MV_ARGUMENT, "%s needs two sources: %s(before, after)", c->table->name, c->table->name);
  }
  c->refs[number] = mv_host_open(c->host, value, status);
  return c->refs[number] != NULL;
}

static bool take_hidden(mv_cursor *c, int plan, sqlite3_value ***argv, mv_status *status) {
  int sources = 0;
  bool ok = true;
  for (int i = 0; ok && i < mv_table_hidden_count(c->table); i++) {
    sqlite3_value *value = plan >> i & 1 ? *(*argv)++ : NULL;
    switch (c->table->hidden[i].kind) {
      case MV_HIDDEN_SOURCE: ok = take_source(c, sources++, value, status); break;
      case MV_HIDDEN_AT:
        c->has_at = value != NULL;
        ok = value == NULL || mv_at_take(c, value, status);
        break;
      case MV_HIDDEN_BY:
        c->has_by = value != NULL;
        ok = value == NULL || mv_by_take(c, value, status);
        break;
    }
  }
  return ok;
}

bool mv_plan_take(mv_cursor *c, int plan, sqlite3_value **argv, mv_status *status) {
  bool failed = false;
  int64_t id = 0;
  bool has_id = false;
  bool matches_nothing = false;
  c->at = -1;
  c->last_position = -1;
  c->has_at = false;
  c->has_by = false;
  c->by = MV_BY_LAYER;
  c->is_by_default = true;
  c->has_color = false;
  c->has_space = plan & MV_PLAN_SPACE;
  c->key_column = -1;
  if (!take_hidden(c, plan, &argv, status)) {
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
  size_t count = 1; /* all rows of a table without a source */
  if (c->table->needs == MV_NEEDS_PAIR) {
    if (!mv_pairs_make(&count, c, status)) {
      return false;
    }
  } else if (c->refs[0] != NULL) {
    count = mv_source_ref_source(c->refs[0])->count;
  }
  c->entry = 0;
  c->entry_end = count;
  if (has_id) {
    matches_nothing = id < 1 || (uint64_t)id > count;
    c->entry = (size_t)id - 1;
    c->entry_end = (size_t)id;
  }
  if (matches_nothing) {
    c->entry = count;
    c->entry_end = count;
  }
  c->is_filtered = plan & (MV_PLAN_MODULE_ID | MV_PLAN_MODULE);
  c->varies = plan & MV_PLAN_VARIES;
  c->gave_module = false;
  return true;
}
