/* stages.h: the stages of a module among the files of a folder; private to core/source. */
#ifndef MV_SOURCE_STAGES_H
#define MV_SOURCE_STAGES_H

#include "source/folder.h"

/* Whether it may be one of several files of a module: a stage, or what tells its device. */
bool mv_folder_file_is_staged(const mv_folder_file *file);

/* Give files whose bytes do not tell their module's name to the group that their own name fits. */
bool mv_folder_group_damaged(mv_folder *folder);

/* Add an entry for each group: of its stages the one that has the buffer assignment, with what the others tell of
 * scoped memory and device. And one for each file on its own, but caches. */
bool mv_folder_add_groups(mv_folder *folder);

#endif
