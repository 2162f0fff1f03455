/* json_write.h: JSON, written value by value into a text.
 *
 *   mv_json_begin(t, '{'); mv_json_key(t, "size"); mv_json_i64(t, 12); mv_json_end(t, '}');     {"size":12}
 *
 * Commas are put where the text's last character asks for one, so there is no state but the text. What is written can
 * stand inside an HTML <script> element: '<' is written as \u003c, so that no string can end the element or open a
 * comment in it (HTML, 13.1.2.1), and U+2028 and U+2029 are escaped too, for readers that take the text for JavaScript.
 */
#ifndef MV_BASE_JSON_WRITE_H
#define MV_BASE_JSON_WRITE_H

#include "base/text.h"

/* '{' or '['; then '}' or ']'. */
void mv_json_begin(mv_text *text, char bracket);
void mv_json_end(mv_text *text, char bracket);

/* A key of our own, which needs no escapes. */
void mv_json_key(mv_text *text, const char *key);

void mv_json_null(mv_text *text);
void mv_json_bool(mv_text *text, bool value);
void mv_json_i64(mv_text *text, int64_t value);

/* An identifier: a number as long as a double holds it exactly (up to 2^53), else a string of digits. */
void mv_json_id(mv_text *text, int64_t value);

/* A file's bytes as a string, made valid UTF-8 as mv_text_bytes does. */
void mv_json_string(mv_text *text, mv_bytes bytes);

#endif
