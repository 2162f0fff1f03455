/* bare_scan.h: the limit for any reader of an HloProto.
 *
 * Whoever wants to know what is in memory has to pass every instruction with its shape and metadata, every logical
 * buffer, every allocation and every heap event at least once. The bare scan does this and nothing else: it reads the
 * file, decodes each tag on the way down to these messages, and keeps no more than a count.
 */
#ifndef MV_BARE_SCAN_H
#define MV_BARE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Read `path` into new memory and scan it. False when it can't be read or is cut. */
bool bare_scan(const char *path, uint64_t *tags);

#endif
