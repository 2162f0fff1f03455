/* report.h: what an expert would write of a source, one screen for each module. */
#ifndef MV_RENDER_REPORT_H
#define MV_RENDER_REPORT_H

#include "render/report_writer.h"
#include "source/cache.h"

/* The screen: MV_REPORT_WIDTH columns. */
enum { MV_REPORT_LINES = 40 };

typedef struct mv_report_request {
  mv_report_style style;
  const char *device; /* of modules whose dump does not tell: one of mv_device_spaces, or NULL */
  const mv_limits *limits;
} mv_report_request;

/* 'text' or 'markdown'. False with MV_ARGUMENT for any other name; NULL stands for what is no text. */
bool mv_report_style_find(mv_report_style *out, const char *name, mv_status *status);

/* Append the report of one source: of each module the peak against the capacity, what it is made of, the findings, and
 * what was left out. Markdown is kept short enough for a comment on GitHub: modules beyond that are counted. An entry that
 * can't be read gets a line with its problem; fails when no entry can be read, and with MV_NOMEM and MV_INTERRUPTED. */
bool mv_report(mv_text *text, mv_source_cache *cache, mv_source_ref *ref, const mv_report_request *request,
               mv_status *status);

#endif
