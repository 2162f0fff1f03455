/* pictures.h: the SQL functions that draw: source, module, memory_space and, for peak_svg, order. */
#ifndef MV_EXT_PICTURES_H
#define MV_EXT_PICTURES_H

#include "host.h"

void mv_call_timeline_svg(sqlite3_context *context, int argc, sqlite3_value **argv);
void mv_call_timeline_dot(sqlite3_context *context, int argc, sqlite3_value **argv);
void mv_call_timeline_html(sqlite3_context *context, int argc, sqlite3_value **argv);
void mv_call_usage_svg(sqlite3_context *context, int argc, sqlite3_value **argv);
void mv_call_peak_svg(sqlite3_context *context, int argc, sqlite3_value **argv);

#endif
