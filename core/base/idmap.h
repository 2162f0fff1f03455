/* idmap.h: from the ids of a file to positions in an array.
 *
 *   dense    ids that lie close together: a table by id - smallest id
 *   hashed   any other ids: open addressing, ids that follow each other in neighbouring slots, for the cache's sake
 *   sorted   when the hash meets long chains (ids made to collide): binary search
 *
 * So a lookup is O(1) on what compilers write and O(log n) on anything. Of equal ids the first one is found.
 */
#ifndef MV_BASE_IDMAP_H
#define MV_BASE_IDMAP_H

#include "base/arena.h"
#include "base/sort.h"

#define MV_NONE UINT32_MAX

typedef struct mv_idmap {
  const char *ids; /* the first id: an int64_t at the start of every item */
  size_t stride;
  uint32_t count;
  uint32_t duplicates; /* items whose id an earlier item has */
  int64_t smallest;
  uint32_t *slots; /* dense or hashed: positions or MV_NONE */
  uint64_t slot_count;
  mv_keyed *sorted; /* sorted: by id, then position */
  bool is_hashed;
} mv_idmap;

/* Map the ids of `count` items of `stride` bytes, each of which has its id as an int64_t at `offset`. The items must
 * outlive the map; at most MV_NONE - 1 of them. */
bool mv_idmap_build(mv_idmap *map, const void *items, size_t count, size_t stride, size_t offset, mv_arena *arena,
                    mv_status *status);

/* The position of the item with `id`, MV_NONE when there is none. An empty map ({0}) has none. */
uint32_t mv_idmap_find(const mv_idmap *map, int64_t id);

#endif
