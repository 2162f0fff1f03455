#include "arguments.h"

#include "at.h"
#include "by.h"
#include "pairs.h"
#include "plan.h"

SQLITE_EXTENSION_INIT3

/* What the column's key function gives for rows that have this value. */
static bool key_of(int64_t *out, const mv_column *column, sqlite3_value *value) {
  if (!mv_column_is_text(column)) {
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

bool mv_arguments_take(mv_cursor *c, int plan, sqlite3_value **argv, mv_status *status) {
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
