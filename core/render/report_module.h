/* report_module.h: the report of one module. */
#ifndef MV_RENDER_REPORT_MODULE_H
#define MV_RENDER_REPORT_MODULE_H

#include "base/limits.h"
#include "render/report_writer.h"
#include "source/source.h"

/* The screen: MV_REPORT_WIDTH columns. */
enum { MV_REPORT_LINES = 40 };

typedef struct mv_report_request {
  mv_report_style style;
  const char *device; /* of modules whose dump does not tell: one of mv_device_spaces, or NULL */
  const mv_limits *limits;
} mv_report_request;

/* Append it. `arena` is for the work. False when memory ran out or the host wants to stop. */
bool mv_report_module(mv_text *out, const mv_entry *entry, const mv_module *module, const mv_report_request *request,
                      mv_arena *arena, mv_status *status);

#endif
