/* common.c: the columns that tables have in common, how columns are numbered, and what getters ask of the current row.
 */
#include "plan.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

const mv_instruction_details *mv_cursor_details(mv_cursor *c, uint32_t instruction, sqlite3_context *context) {
  if (c->has_details && c->details_of == instruction) {
    return &c->details;
  }
  mv_status status = MV_STATUS_INIT;
  mv_arena_reset(c->detail_arena);
  c->has_details = false;
  if (!mv_instruction_details_read(&c->details, c->module, instruction, c->detail_arena, &status)) {
    mv_result_error(context, &status);
    return NULL;
  }
  c->details_of = instruction;
  c->has_details = true;
  return &c->details;
}

mv_text *mv_cursor_text(mv_cursor *c) {
  mv_text_clear(&c->text);
  return &c->text;
}

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

const mv_entry *mv_cursor_entry(const mv_cursor *c) {
  return c->refs[0] != NULL ? &mv_source_ref_source(c->refs[0])->entries[c->entry] : NULL;
}

static void get_module_id(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, (sqlite3_int64)c->entry + 1);
}

static void get_module(mv_cursor *c, sqlite3_context *context) {
  const char *name = mv_cursor_entry(c)->name;
  if (name != NULL) {
    sqlite3_result_text(context, name, -1, SQLITE_TRANSIENT);
  }
}

static void get_space(mv_cursor *c, sqlite3_context *context) {
  char buffer[MV_SPACE_NAME];
  const char *name = mv_space_name(c->module->platform, c->table->color_of(c->module, c->row), buffer);
  sqlite3_result_text(context, name, -1, name == buffer ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

static void get_color(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, c->table->color_of(c->module, c->row));
}

const mv_column mv_common_columns[MV_COMMON_COUNT] = {
    MV_PLANNED("module_id", "INTEGER", "Number of the module within the source, from 1, by path and program id",
               get_module_id, MV_PLAN_MODULE_ID),
    MV_PLANNED("module", "TEXT", "Name of the module", get_module, MV_PLAN_MODULE),
    MV_PLANNED("memory_space", "TEXT COLLATE NOCASE", "Name of the memory space: HBM, VMEM, SMEM, Host, ...", get_space,
               MV_PLAN_SPACE),
    MV_PLANNED("color", "INTEGER", "XLA's number of the memory space", get_color, MV_PLAN_COLOR),
};
