/* tables.h: calling any table of the extension in a test. */
#ifndef MV_TESTS_TABLES_H
#define MV_TESTS_TABLES_H

#include "tables/tables.h"

/* What stands behind a table's name so that parameter 1 is each of its sources. */
static inline const char *table_arguments(const mv_table *table) {
  static const char *const arguments[MV_MAX_SOURCES + 1] = {"", "(?1)", "(?1, ?1)"};
  return arguments[mv_table_source_count(table)];
}

/* Whether a table has a hidden argument of a kind. */
static inline bool table_has(const mv_table *table, mv_hidden_kind kind) {
  for (int i = 0; i < mv_table_hidden_count(table); i++) {
    if (table->hidden[i].kind == kind) {
      return true;
    }
  }
  return false;
}

#endif
