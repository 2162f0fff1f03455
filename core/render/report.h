/* report.h: the overview of a source as text, for a terminal or a log. */
#ifndef MV_RENDER_REPORT_H
#define MV_RENDER_REPORT_H

#include "source/cache.h"

/* Append one paragraph for each module: its spaces with peak, baseline, padding, fragmentation, and the largest buffers
 * at the peak. An entry that can't be read gets a line with its problem; fails when no entry can be read, and with
 * MV_NOMEM and MV_INTERRUPTED. */
bool mv_report(mv_text *text, mv_source_cache *cache, mv_source_ref *ref, mv_status *status);

#endif
