#include "by.h"

SQLITE_EXTENSION_INIT3

bool mv_by_take(mv_cursor *c, sqlite3_value *value, mv_status *status) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_NULL) {
    return true;
  }
  const char *name = type == SQLITE_TEXT ? (const char *)sqlite3_value_text(value) : NULL;
  if (type == SQLITE_TEXT && name == NULL) {
    return mv_fail_nomem(status);
  }
  c->is_by_default = false;
  return mv_group_by_find(&c->by, name, status);
}

void mv_by_result(const mv_cursor *c, sqlite3_context *context) {
  if (!c->has_by) {
    sqlite3_result_error(
        context,
        "memview: by is an argument: give it as peak_groups(source, 'opcode'), or as \"by\" = 'opcode', "
        "other comparisons find nothing",
        -1);
  } else if (!c->is_by_default) {
    sqlite3_result_text(context, mv_group_by_name(c->by), -1, SQLITE_STATIC);
  }
}
