#include "page/page.h"

#include "functions.h"

SQLITE_EXTENSION_INIT3

void mv_memview_html(sqlite3_context *context, int argc, sqlite3_value **argv) {
  mv_host *host = sqlite3_user_data(context);
  mv_status status = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  mv_held *held = mv_host_open(host, argc > 0 ? argv[0] : NULL, &status);
  const bool ok = held != NULL && mv_page(&text, host->library, held, &host->limits, MV_PAGE_MOST_BYTES, &status);
  mv_library_release(host->library, held);
  mv_result_text_or_error(context, ok, &text, &status);
}
