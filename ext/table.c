/* table.c: the columns that tables of modules, and of memory spaces, have first, and how columns are numbered. */
#include "table.h"

SQLITE_EXTENSION_INIT3

static void get_space(mv_row *row, sqlite3_context *context) {
  char buffer[MV_SPACE_NAME];
  const char *name = mv_space_name(row->module->platform, row->color, buffer);
  sqlite3_result_text(context, name, -1, name == buffer ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

const mv_column mv_common_columns[MV_COMMON_COUNT] = {
    MV_FIELD(MV_COLUMN_INTEGER, int64_t, mv_row, module_id, "module_id", "INTEGER",
             "Number of the module within the source, from 1, by path and program id", .plan = MV_PLAN_MODULE_ID),
    MV_FIELD(MV_COLUMN_STRING, const char *, mv_entry, name, "module", "TEXT", "Name of the module",
             .plan = MV_PLAN_MODULE),
    {"memory_space", MV_NOCASE, "Name of the memory space: HBM, VMEM, SMEM, Host, ...", .get = get_space,
     .plan = MV_PLAN_SPACE},
    MV_FIELD(MV_COLUMN_INTEGER, int64_t, mv_row, color, "color", "INTEGER", "XLA's number of the memory space",
             .plan = MV_PLAN_COLOR),
};

int mv_table_common_count(const mv_table *table) {
  if (table->needs == MV_NEEDS_NOTHING || table->needs == MV_NEEDS_PAIR) {
    return 0;
  }
  return table->has_space ? MV_COMMON_COUNT : MV_COMMON_SPACE;
}

int mv_table_visible_count(const mv_table *table) {
  return mv_table_common_count(table) + (int)table->column_count;
}

const mv_column *mv_table_column(const mv_table *table, int number) {
  const int common = mv_table_common_count(table);
  return number < common ? &mv_common_columns[number] : &table->columns[number - common];
}

int mv_table_hidden_count(const mv_table *table) {
  int count = 0;
  while (count < MV_MAX_HIDDEN && table->hidden[count].name != NULL) {
    count++;
  }
  return count;
}

int mv_table_source_count(const mv_table *table) {
  int count = 0;
  for (int i = 0; i < mv_table_hidden_count(table); i++) {
    count += table->hidden[i].kind == MV_HIDDEN_SOURCE;
  }
  return count;
}
