/* plan.h: what SQLite hands over to a table of a query's WHERE.
 *
 * xBestIndex marks in idxNum which equalities are handed to xFilter, in this order of arguments:
 *
 *   bit  0  \
 *        1  hidden arguments by number: sources, a position, a key to group by
 *        2  /
 *        3  module_id      only that module is read
 *        4  module         only modules of that name are read
 *        5  memory_space   \  rows of that space only
 *        6  color          /
 *        7  a key column   its number in idxNum >> 9; rows are found by an index (keys.h)
 *
 * and one bit says something of them:
 *
 *        8  at is given, and the modules or the memory space are not the same each time: of a join, or of an IN (at.h)
 *
 * What is found by module_id and memory_space is exact, so SQLite does not look at each row again: 1.0 and '1' are the
 * module 1, and a value that is no text equals the name of no memory space, as no number is written like one. Names of
 * memory spaces are compared without case, as their column says; where a query wants case to count, SQLite checks once
 * more, as it does the rest. So an equality that can't be used (text compared with a key, another collation) is left
 * out.
 *
 * An equality on a hidden argument that is not usable in a plan, where no other one is, makes that plan impossible:
 * without its source the table would answer for another one.
 */
#ifndef MV_EXT_PLAN_H
#define MV_EXT_PLAN_H

#include "table.h"

enum {
  MV_PLAN_HIDDEN = (1 << MV_MAX_HIDDEN) - 1,
  /* MV_PLAN_MODULE_ID and the following: column.h */
  MV_PLAN_BITS = 8,
  MV_PLAN_NARROWING = MV_PLAN_MODULE_ID | MV_PLAN_MODULE | MV_PLAN_SPACE | MV_PLAN_COLOR,
  MV_PLAN_VARIES = 1 << 8,
  MV_PLAN_KEY_SHIFT = 9,
};

/* xBestIndex: choose the equalities that are of use. Returns SQLite's code. */
int mv_plan_choose(const mv_table *table, sqlite3_index_info *info);

/* Whether one of the arguments is NULL, which equals nothing: then there are no rows. Joins send it for each row that
 * has no partner, and a table of paths may have it as a source. Of `at` and `by` NULL is the default. */
bool mv_plan_has_null(const mv_table *table, int plan, int argc, sqlite3_value **argv);

#endif
