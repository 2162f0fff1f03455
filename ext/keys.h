/* keys.h: finding rows by a column's value.
 *
 * Rows are arrays; an equality on an id is answered by a permutation of the rows that is sorted by that id, made at the
 * first such query and kept as long as the connection keeps the module. Rows of one value stay in their own order.
 */
#ifndef MV_EXT_KEYS_H
#define MV_EXT_KEYS_H

#include "table.h"

typedef int64_t mv_key_function(const mv_module *module, const void *row);

/* Narrow `rows`, all the rows of a table of `module`, to those whose key is `key`. */
bool mv_rows_select(mv_rows *rows, mv_key_function *key_of, int64_t key, const mv_module *module,
                    mv_status *status);

#endif
