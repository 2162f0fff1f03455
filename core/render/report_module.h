/* report_module.h: the report of one module; private to report*.c. */
#ifndef MV_RENDER_REPORT_MODULE_H
#define MV_RENDER_REPORT_MODULE_H

#include "render/report.h"

/* Append it. `arena` is for the work. False when memory ran out or the host wants to stop. */
bool mv_report_module(mv_text *out, const mv_entry *entry, const mv_module *module, const mv_report_request *request,
                      mv_arena *arena, mv_status *status);

#endif
