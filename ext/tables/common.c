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

static void get_module_id(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, (sqlite3_int64)c->entry + 1);
}

static void get_module(mv_cursor *c, sqlite3_context *context) {
  const char *name = mv_source_ref_source(c->ref)->entries[c->entry].name;
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
    MV_CALL("module_id", "INTEGER", "Number of the module within the source, from 1, by path and program id",
            get_module_id),
    MV_CALL("module", "TEXT", "Name of the module", get_module),
    MV_NAME("memory_space", "Name of the memory space: HBM, VMEM, SMEM, Host, ...", get_space),
    MV_CALL("color", "INTEGER", "XLA's number of the memory space", get_color),
};
