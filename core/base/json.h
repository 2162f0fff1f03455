/* json.h: finding a few values in JSON text without building anything from it.
 *
 * A value is a slice of the text: `{...}`, `[...]`, `"..."` with its quotes, or a literal. Nothing is allocated,
 * nothing recurses; text that is no JSON simply has no such value. This is written here rather than taken from a
 * library because it is two dozen lines of need inside somebody else's process, where a JSON library's symbols may meet
 * another one's.
 */
#ifndef MV_BASE_JSON_H
#define MV_BASE_JSON_H

#include "base/bytes.h"

/* The value of `key` in the object `object` (not in objects inside it). False when there is none. Keys are compared as
 * they are written: a key with escapes does not match. */
bool mv_json_member(mv_bytes *value, mv_bytes object, const char *key);

/* The elements of an array, one a call: start with *position = 0; false at the end. */
bool mv_json_element(mv_bytes *value, mv_bytes array, size_t *position);

/* An integer, written as a number or as a string ("123", as protobuf's JSON writes 64-bit integers). */
bool mv_json_int64(int64_t *out, mv_bytes value);

/* The first key of an object, without quotes; empty when it has none. */
mv_bytes mv_json_first_key(mv_bytes object);

#endif
