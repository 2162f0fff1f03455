/* json_check.h: whether bytes are one JSON value (RFC 8259) and nothing else. */
#ifndef MV_TESTS_JSON_CHECK_H
#define MV_TESTS_JSON_CHECK_H

#include "base/bytes.h"

/* True when they are, and UTF-8 with that. Nesting is followed up to 64 levels. */
bool json_is_valid(mv_bytes text);

#endif
