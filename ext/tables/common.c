/* common.c: the columns that tables of modules, and of memory spaces, have first. */
#include "plan.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

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
