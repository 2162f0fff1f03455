/* folder.h: a folder while it is listed; private to core/source.
 *
 *   directory.h  lists it and what lies in it, and reads the heads of the files
 *   stages.h     puts the stages of a module together
 *   caches.h     adds what XProf keeps beside profiles
 */
#ifndef MV_SOURCE_FOLDER_H
#define MV_SOURCE_FOLDER_H

#include "source/detect.h"
#include "source/listing.h"
#include "source/names.h"

typedef struct mv_folder_file {
  const char *path;
  const char *group; /* of stages of one module; NULL for a file that stands alone */
  const char *name;  /* of the module; NULL when its head does not tell */
  mv_file_id file_id;
  mv_name_kind kind;
  mv_format format;
  int rank; /* of its stage: lower ones are tried first */
  const char *problem;
} mv_folder_file;

typedef struct mv_folder {
  mv_listing *listing;
  mv_arena *scratch;
  mv_array watched; /* mv_watched: the directories while the tree is listed, then also files that were skipped */
  mv_array depths;  /* uint32_t, of the directories */
  mv_array files;   /* mv_folder_file */
  mv_array bare; /* mv_folder_file: profiles without modules, until it is known whether the modules lie beside them */
  const char *skipped; /* a file that may have been meant to hold a module by who called it so, and why it holds none */
  const char *skipped_problem;
  size_t text_dumps;
  size_t links; /* to directories */
} mv_folder;

/* Have the source opened anew when this changes. */
bool mv_folder_watch(mv_folder *folder, const char *path, const mv_file_id *id);

/* An entry for a file on its own, or its problem. */
bool mv_folder_add_file(mv_folder *folder, const mv_folder_file *file);

/* For qsort and bsearch over strings. */
int mv_folder_compare_strings(const void *a, const void *b);

#endif
