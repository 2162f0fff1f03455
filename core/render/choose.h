/* choose.h: which module and memory space of a source a picture shows.
 *
 *   module   NULL     the one with the largest peak among those that have the space asked for
 *            3        module_id 3
 *            'jit_f'  its name, or 'jit_f(17)' with its program id, or either with the host of its profile behind it:
 *                     'jit_f(17)@host'. One that fits several is an error, but that of a program that ran on several
 *                     hosts is the first host's
 *   space    NULL     color 0; where the module has none, its first space
 *            1        color 1
 *            'VMEM'   the name that the module's platform gives a space
 */
#ifndef MV_RENDER_CHOOSE_H
#define MV_RENDER_CHOOSE_H

#include "source/cache.h"

/* One of the two arguments. {0} is the default. */
typedef struct mv_selector {
  enum { MV_SELECT_DEFAULT, MV_SELECT_NUMBER, MV_SELECT_NAME } kind;
  int64_t number;
  const char *name; /* UTF-8, as SQL has it */
} mv_selector;

typedef struct mv_choice {
  size_t index;      /* of the entry: module_id - 1 */
  const mv_module *module; /* held until mv_choice_release; NULL when nothing was chosen */
  uint32_t space;    /* MV_NONE when the module has no memory space at all */
} mv_choice;

/* Choose. On success the module has a buffer assignment and is held: give it back with mv_choice_release. Entries that
 * can't be read, or have no buffer assignment, are skipped by the default and are errors when they are asked for
 * or when there is no other. Fails with MV_ARGUMENT for what is not there (the message lists what is, shortened), with
 * the entry's own failure, and with MV_NOMEM and MV_INTERRUPTED. */
bool mv_choose(mv_choice *out, mv_source_cache *cache, mv_source_ref *ref, mv_selector module, mv_selector space,
               mv_status *status);

/* Give the module back; nothing for an empty choice. */
void mv_choice_release(mv_choice *choice, mv_source_cache *cache, mv_source_ref *ref);

#endif
