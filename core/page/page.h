/* page.h: the whole viewer as one HTML page that needs nothing but a browser.
 *
 *   viewer/viewer.html  with {{style}} <- viewer.css, {{data}} <- one JSON block a module and the index of all,
 *                            {{script}} <- js/
 *
 * The page opens from a file and loads nothing: its content security policy forbids it. The browser parses the data of
 * a module when that module is chosen, so a page with hundreds of them opens as fast as one with a single one.
 */
#ifndef MV_PAGE_PAGE_H
#define MV_PAGE_PAGE_H

#include "base/limits.h"
#include "source/cache.h"

/* What a page may have of data: more is nothing that a browser opens with ease. */
#define MV_PAGE_MAX_BYTES ((size_t)256 << 20)

/* Append the page of a source. A module that can't be read is listed with its problem, one whose data would take the
 * page beyond `most_bytes` as left out; fails when no entry can be read, and with MV_NOMEM and MV_INTERRUPTED. */
bool mv_page(mv_text *text, mv_source_cache *cache, mv_source_ref *ref, const mv_limits *limits, size_t most_bytes,
             mv_status *status);

#endif
