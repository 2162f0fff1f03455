#include "page/page.h"

#include "functions.h"

SQLITE_EXTENSION_INIT3

void mv_memview_html(sqlite3_context *context, int argc, sqlite3_value **argv) {
  mv_host *host = sqlite3_user_data(context);
  mv_status status = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  mv_source_ref *ref = mv_host_open(host, argc > 0 ? argv[0] : NULL, &status);
  const bool ok = ref != NULL && mv_page(&text, host->cache, ref, &host->limits, MV_PAGE_MAX_BYTES, &status);
  mv_source_cache_release(host->cache, ref);
  mv_result_text_or_error(context, ok, &text, &status);
}
