#include "at.h"

#include <inttypes.h>

SQLITE_EXTENSION_INIT3

bool mv_at_take(mv_cursor *c, sqlite3_value *value, mv_status *status) {
  if (sqlite3_value_type(value) == SQLITE_NULL || (mv_value_integer(&c->at, value) && c->at >= 0)) {
    return true;
  }
  c->at = -1;
  return mv_fail(status, MV_ARGUMENT, "at must be a program position, 0 or more, or NULL for the peak");
}

void mv_at_result(const mv_cursor *c, sqlite3_context *context) {
  if (!c->has_at) {
    sqlite3_result_error(context,
                         "memview: at is an argument, a program position: give it as at = 5 or at IN (5, 9), other "
                         "comparisons find nothing",
                         -1);
  } else if (c->at >= 0) {
    sqlite3_result_int64(context, c->at);
  }
}

/* The last position of the heaps of one space or, where none has a heap, of the module. */
static int64_t last_position(const mv_module *m, bool has_color, int64_t color) {
  int64_t asked = -1;
  int64_t all = 0;
  for (uint32_t i = 0; i < m->space_count; i++) {
    const mv_space *s = &m->spaces[i];
    all = s->longest_trace > all ? s->longest_trace : all;
    if (s->heap_count > 0 && s->longest_trace > asked && (!has_color || s->color == color)) {
      asked = s->longest_trace;
    }
  }
  return asked >= 0 ? asked : all;
}

void mv_at_note_end(mv_cursor *c, const mv_request *request) {
  if (c->at < 0 || (request->has_color && mv_module_find_space(request->module, request->color) == MV_NONE)) {
    return;
  }
  const int64_t last = last_position(request->module, request->has_color, request->color);
  c->last_position = last > c->last_position ? last : c->last_position;
}

bool mv_at_check_end(mv_cursor *c, mv_status *status) {
  if (c->at < 0 || c->last_position < 0) {
    return true; /* nothing was asked for that has positions */
  }
  const size_t count = c->varies ? mv_source_ref_source(c->refs[0])->count : 0;
  for (size_t i = 0; i < count && c->at > c->last_position; i++) {
    mv_status local = MV_STATUS_INIT;
    const mv_module *m = mv_source_cache_module(c->host->cache, c->refs[0], i, &local);
    if (m != NULL) {
      const int64_t last = last_position(m, false, 0);
      c->last_position = last > c->last_position ? last : c->last_position;
      mv_source_cache_release_module(c->host->cache, c->refs[0], i);
    } else if (mv_status_is_passing(&local)) {
      *status = local;
      return false;
    }
  }
  return c->at <= c->last_position ||
         mv_fail(status, MV_ARGUMENT, "at is %" PRId64 ", behind the last program position, %" PRId64, c->at,
                 c->last_position);
}
