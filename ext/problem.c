#include "functions.h"

SQLITE_EXTENSION_INIT3

/* Whether the memory of one of the source's modules can be shown; else the first reason why not. */
static bool has_memory(mv_host *host, mv_source_ref *ref, mv_status *status) {
  const mv_source *source = mv_source_ref_source(ref);
  for (size_t i = 0; i < source->count; i++) {
    mv_status local = MV_STATUS_INIT;
    const mv_module *m = mv_source_cache_module(host->cache, ref, i, &local);
    if (m != NULL && !m->has_assignment) {
      mv_fail(&local, MV_FORMAT, "%s", m->problem);
    }
    if (m != NULL) {
      mv_source_cache_release_module(host->cache, ref, i);
    }
    if (local.code == MV_OK) {
      return true;
    }
    if (mv_status_is_passing(&local)) {
      *status = local;
      return false;
    }
    mv_entry_prefix(&local, &source->entries[i]);
    if (status->code == MV_OK) {
      *status = local;
    }
  }
  return mv_fail(status, MV_FORMAT, "there is no module in the source");
}

void mv_memview_problem(sqlite3_context *context, int argc, sqlite3_value **argv) {
  mv_host *host = sqlite3_user_data(context);
  mv_status status = MV_STATUS_INIT;
  mv_source_ref *ref = mv_host_open(host, argc > 0 ? argv[0] : NULL, &status);
  const bool ok = ref != NULL && has_memory(host, ref, &status);
  mv_source_cache_release(host->cache, ref);
  if (ok) {
    sqlite3_result_null(context);
  } else if (mv_status_is_passing(&status)) {
    mv_result_error(context, &status);
  } else {
    mv_text text = MV_TEXT_INIT;
    mv_text_line(&text, mv_bytes_of_string(status.message));
    mv_result_text(context, &text);
  }
}
