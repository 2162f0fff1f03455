#include "render/chart.h"

bool mv_timeline_html(mv_text *out, const mv_picture *picture, mv_status *status) {
  mv_text title = MV_TEXT_INIT;
  mv_chart_module(&title, picture->module);
  if (picture->space != MV_NONE) {
    mv_text_add(&title, ", ");
    mv_chart_space(&title, picture);
  }
  mv_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>Allocation timeline of ");
  mv_text_xml(out, mv_bytes_of(title.data, title.size));
  mv_text_add(out, "</title>\n<style>\n"
                   "body{margin:0;background:#fff}\nbody>svg{display:block;margin:0 auto;max-width:100%;height:auto}\n"
                   "@media (prefers-color-scheme:dark){body{background:#0f1419}}\n</style>\n</head>\n<body>\n");
  out->failed = out->failed || title.failed;
  mv_text_free(&title);
  if (!mv_timeline_svg(out, picture, status)) {
    return false;
  }
  mv_text_add(out, "</body>\n</html>\n");
  return !out->failed || mv_fail_nomem(status);
}
