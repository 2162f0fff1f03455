#include "pictures.h"

#include "render/choose.h"
#include "render/picture.h"

SQLITE_EXTENSION_INIT3

/* A text argument without NUL; false with MV_ARGUMENT or MV_NOMEM. */
static bool text_of(const char **out, sqlite3_value *value, const char *argument, mv_status *status) {
  *out = (const char *)sqlite3_value_text(value);
  if (*out == NULL) {
    return mv_fail_nomem(status);
  }
  if (strlen(*out) != (size_t)sqlite3_value_bytes(value)) {
    return mv_fail(status, MV_ARGUMENT, "%s has a NUL character in it", argument);
  }
  return true;
}

static bool selector_of(mv_selector *out, sqlite3_value *value, const char *argument, const char *kinds,
                        mv_status *status) {
  *out = (mv_selector){.kind = MV_SELECT_DEFAULT};
  switch (sqlite3_value_type(value)) {
    case SQLITE_NULL: return true;
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
      out->kind = MV_SELECT_NUMBER;
      return mv_value_integer(&out->number, value) ||
             mv_fail(status, MV_ARGUMENT, "%s is %.15g, not a whole number: give %s", argument,
                     sqlite3_value_double(value), kinds);
    case SQLITE_TEXT: out->kind = MV_SELECT_NAME; return text_of(&out->name, value, argument, status);
    default: return mv_fail(status, MV_ARGUMENT, "%s is a BLOB: give %s", argument, kinds);
  }
}

static bool order_of(mv_order *out, sqlite3_value *value, mv_status *status) {
  static const struct {
    const char *name;
    mv_order order;
  } orders[] = {{"program", MV_ORDER_PROGRAM}, {"size", MV_ORDER_SIZE}, {"padding", MV_ORDER_PADDING}};
  if (sqlite3_value_type(value) == SQLITE_NULL) {
    return true;
  }
  const char *name = NULL;
  if (sqlite3_value_type(value) == SQLITE_TEXT && !text_of(&name, value, "order", status)) {
    return false;
  }
  for (size_t i = 0; name != NULL && i < sizeof orders / sizeof *orders; i++) {
    if (strcmp(orders[i].name, name) == 0) {
      *out = orders[i].order;
      return true;
    }
  }
  return mv_fail(status, MV_ARGUMENT, "order must be 'program', 'size' or 'padding'");
}

static void draw(sqlite3_context *context, int argc, sqlite3_value **argv, mv_picture_function *function) {
  mv_host *host = sqlite3_user_data(context);
  mv_status status = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  mv_selector module = {.kind = MV_SELECT_DEFAULT};
  mv_selector space = {.kind = MV_SELECT_DEFAULT};
  mv_picture picture = {.limits = &host->limits};
  mv_choice choice = {.module = NULL};
  mv_source_ref *ref = NULL;
  bool ok = (argc < 2 || selector_of(&module, argv[1], "module", "a module_id or a name", &status)) &&
            (argc < 3 || selector_of(&space, argv[2], "memory_space", "a name or a color", &status)) &&
            (argc < 4 || order_of(&picture.order, argv[3], &status));
  if (ok) {
    ref = mv_host_open(host, argc > 0 ? argv[0] : NULL, &status);
    ok = ref != NULL && mv_choose(&choice, host->cache, ref, module, space, &status);
  }
  if (ok) {
    picture.module = choice.module;
    picture.space = choice.space;
    ok = function(&text, &picture, &status);
    mv_choice_release(&choice, host->cache, ref);
  }
  mv_source_cache_release(host->cache, ref);
  mv_result_text_or_error(context, ok, &text, &status);
}

void mv_call_timeline_svg(sqlite3_context *context, int argc, sqlite3_value **argv) {
  draw(context, argc, argv, mv_timeline_svg);
}

void mv_call_timeline_dot(sqlite3_context *context, int argc, sqlite3_value **argv) {
  draw(context, argc, argv, mv_timeline_dot);
}

void mv_call_timeline_html(sqlite3_context *context, int argc, sqlite3_value **argv) {
  draw(context, argc, argv, mv_timeline_html);
}

void mv_call_usage_svg(sqlite3_context *context, int argc, sqlite3_value **argv) {
  draw(context, argc, argv, mv_usage_svg);
}

void mv_call_peak_svg(sqlite3_context *context, int argc, sqlite3_value **argv) {
  draw(context, argc, argv, mv_peak_svg);
}
