/* tree.h: folders with folders in them, made for a test. */
#ifndef MV_TESTS_TREE_H
#define MV_TESTS_TREE_H

#include "support/files.h"

/* Write folder/name, making the folders in `name`. */
void tree_write(const char *folder, const char *name, mv_bytes bytes);

/* Copy a file of tests/data to folder/name. */
void tree_copy(const char *folder, const char *name, const char *data);

void tree_remove(const char *folder);

/* Every path under the folder with its kind, size and times: the same text as long as nothing was written there. The
 * caller frees the text. */
mv_text tree_describe(const char *folder);

#endif
