/* rewriter.h: a protobuf with some of its fields changed.
 *
 *   static bool drop_names(mv_text *out, const mv_tag *tag, const unsigned *path, size_t depth, void *arg) ...
 *   mv_text changed = rewrite(bytes, descends, 2, drop_names, arg);
 *
 * Every field is handed to `change` with the numbers of the messages around it. It writes what shall stand there and
 * returns true, or false to leave the field as it is. Paths in `messages`, such as {1, 3, 2} for
 * hlo_module.computations.instructions, name the messages whose fields are looked at too.
 */
#ifndef MV_TESTS_REWRITER_H
#define MV_TESTS_REWRITER_H

#include "base/text.h"
#include "wire/wire.h"

enum { REWRITE_DEPTH = 8 };

typedef struct rewrite_path {
  unsigned fields[REWRITE_DEPTH];
  size_t depth;
} rewrite_path;

typedef bool rewrite_change(mv_text *out, const mv_tag *tag, const rewrite_path *path, void *arg);

/* The caller frees the text. */
mv_text rewrite(mv_bytes bytes, const rewrite_path *messages, size_t count, rewrite_change *change, void *arg);

/* Write a field as it is. */
void rewrite_copy(mv_text *out, const mv_tag *tag);

/* Whether a field stands at this path, its own number included. */
bool rewrite_is(const rewrite_path *path, const rewrite_path *wanted);

#endif
