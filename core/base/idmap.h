/* idmap.h: from the ids of a file to positions in an array.
 *
 *   mv_idmap map = {0};
 *   mv_idmap_add(&map, id, position, ...)     for each item, in the order of the file
 *   mv_idmap_finish(&map, ...)                once they are all there, and again when more were added
 *   mv_idmap_find(&map, id)
 *
 * Ids are taken in as runs, stretches in which ids and positions both count up by one: XLA numbers the instructions of
 * a computation so (computation << 32 | number), and its buffers. Then they are looked up as
 *
 *   runs     where runs are long: sorted by their first id, binary search among them
 *   dense    ids that lie close together, in any order: a table by id - smallest id
 *   sorted   any other ids: binary search
 *
 * Nothing is hashed, so no ids can be made to collide. Of equal ids the one added first is found.
 */
#ifndef MV_BASE_IDMAP_H
#define MV_BASE_IDMAP_H

#include "base/arena.h"
#include "base/sort.h"

#define MV_NONE UINT32_MAX

typedef struct mv_run {
  int64_t first_id;
  uint32_t first; /* position */
  uint32_t count;
} mv_run;

typedef struct mv_idmap {
  mv_array added; /* mv_run, as they came */
  uint64_t count;
  int64_t next_id;        /* that would carry the last run on */
  uint64_t next_position; /* of it, and 1; 0 before the first run */

  uint32_t duplicates; /* items whose id an earlier item has; as the following, of the last mv_idmap_finish */
  const mv_run *runs;
  uint32_t run_count;
  uint32_t *last_run; /* that a lookup met: the next one is often in the same */
  int64_t smallest;
  uint32_t *slots; /* dense: positions or MV_NONE */
  uint64_t slot_count;
  mv_keyed *sorted; /* by id, then as they came */
  size_t sorted_count;
} mv_idmap;

/* mv_idmap_add for what begins a run. */
bool mv_idmap_begin_run(mv_idmap *map, int64_t id, uint32_t position, mv_arena *arena, mv_status *status);

/* Take in an item; its position must be below MV_NONE. It is found after the next mv_idmap_finish. */
static inline bool mv_idmap_add(mv_idmap *map, int64_t id, uint32_t position, mv_arena *arena, mv_status *status) {
  if (id != map->next_id || (uint64_t)position + 1 != map->next_position || id == INT64_MIN) {
    return mv_idmap_begin_run(map, id, position, arena, status);
  }
  ((mv_run *)map->added.items)[map->added.count - 1].count++;
  map->count++;
  map->next_id = (int64_t)((uint64_t)id + 1);
  map->next_position++;
  return true;
}

/* Make all that was added findable. Everything stands in the arena, which must outlive the map; what an earlier call
 * made stays in it unused. At most MV_NONE - 1 items. */
bool mv_idmap_finish(mv_idmap *map, mv_arena *arena, mv_status *status);

/* The position of the item with `id`, MV_NONE when there is none. An empty map ({0}) has none. */
uint32_t mv_idmap_find(const mv_idmap *map, int64_t id);

#endif
