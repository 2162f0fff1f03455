/* idmap.h: from the ids of a file to positions in an array.
 *
 *   runs     stretches of items whose ids count up by one, sorted by their first id: binary search among the runs.
 *            XLA numbers the instructions of a computation so (computation << 32 | number).
 *   dense    ids that lie close together, in any order: a table by id - smallest id
 *   sorted   any other ids: binary search
 *
 * Nothing is hashed, so no ids can be made to collide. Of equal ids the first one is found.
 */
#ifndef MV_BASE_IDMAP_H
#define MV_BASE_IDMAP_H

#include "base/arena.h"
#include "base/sort.h"

#define MV_NONE UINT32_MAX

typedef struct mv_run {
  int64_t first_id;
  uint32_t first; /* item */
  uint32_t count;
} mv_run;

typedef struct mv_idmap {
  const char *ids; /* the first id: an int64_t at a fixed place in every item */
  size_t stride;
  uint32_t count;
  uint32_t duplicates; /* items whose id an earlier item has */
  int64_t smallest;
  mv_run *runs;
  uint32_t run_count;
  uint32_t last_run; /* that a lookup met: the next one is often in the same */
  uint32_t *slots;   /* dense: items or MV_NONE */
  uint64_t slot_count;
  mv_keyed *sorted; /* by id, then item */
} mv_idmap;

/* Map the ids of `count` items of `stride` bytes, each of which has its id as an int64_t at `offset`. The items must
 * outlive the map; at most MV_NONE - 1 of them. */
bool mv_idmap_build(mv_idmap *map, const void *items, size_t count, size_t stride, size_t offset, mv_arena *arena,
                    mv_status *status);

/* The position of the item with `id`, MV_NONE when there is none. An empty map ({0}) has none. */
uint32_t mv_idmap_find(mv_idmap *map, int64_t id);

#endif
