/* cursor.c: what getters ask of the current row, and how columns are numbered. */
#include "table.h"

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

const mv_module *mv_cursor_load(mv_cursor *c, int side, size_t entry, mv_status *status) {
  mv_loaded *loaded = &c->loaded[side];
  if (loaded->module != NULL && loaded->entry != entry) {
    mv_source_cache_release_module(c->host->cache, c->refs[side], loaded->entry);
    loaded->module = NULL;
  }
  if (loaded->module == NULL) {
    *loaded = (mv_loaded){mv_source_cache_module(c->host->cache, c->refs[side], entry, status), entry};
  }
  return loaded->module;
}

const mv_entry *mv_cursor_entry(const mv_cursor *c) {
  return c->refs[0] != NULL ? &mv_source_ref_source(c->refs[0])->entries[c->entry] : NULL;
}
