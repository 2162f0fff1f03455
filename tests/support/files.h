/* files.h: files for tests: those of tests/data, and ones made for a test in a folder of its own. */
#ifndef MV_TESTS_FILES_H
#define MV_TESTS_FILES_H

#include "base/text.h"

enum { PATH_ROOM = 512 };

/* The bytes of a file of tests/data. The caller frees the text. */
mv_text read_data(const char *name);

/* The names of the files in tests/data that end in `ending`, in order; NULL behind the last. Each and the list is
 * malloc'ed. */
char **list_data(const char *ending);

/* A new folder, into `folder`, and its removal with the files in it. */
void make_folder(char folder[PATH_ROOM]);
void remove_folder(const char *folder);

/* Write folder/name; the path is left in `path`. */
void write_file(char path[PATH_ROOM], const char *folder, const char *name, mv_bytes bytes);

/* Bytes that this process has read so far, by its own count; -1 where the system keeps none. */
long long bytes_read(void);

/* gzip of `bytes`, one member. The caller frees the text. */
mv_text gzip_of(mv_bytes bytes);

#endif
