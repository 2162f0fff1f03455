#include "base/idmap.h"

enum { LONGEST_CHAIN = 64 };

static int64_t id_at(const mv_idmap *map, uint32_t i) {
  int64_t id;
  memcpy(&id, map->ids + map->stride * i, sizeof id);
  return id;
}

/* Ids of new XLA are computation << 32 | number: neighbours stay neighbours, computations are spread. */
static uint64_t slot_of(const mv_idmap *map, int64_t id) {
  const uint64_t u = (uint64_t)id;
  return (u + (u >> 32) * UINT64_C(0x9E3779B97F4A7C15) / 65537) & (map->slot_count - 1);
}

static bool build_sorted(mv_idmap *map, mv_arena *arena, mv_status *status) {
  const size_t n = map->count;
  map->sorted = mv_arena_zalloc(arena, n, sizeof *map->sorted, status);
  mv_keyed *scratch = map->sorted != NULL ? mv_arena_zalloc(arena, n, sizeof *scratch, status) : NULL;
  if (scratch == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < map->count; i++) {
    map->sorted[i] = (mv_keyed){mv_sort_key(id_at(map, i)), i};
  }
  mv_sort(map->sorted, scratch, n);
  map->duplicates = 0;
  for (size_t i = 1; i < n; i++) {
    map->duplicates += map->sorted[i].key == map->sorted[i - 1].key;
  }
  return true;
}

static bool fill_dense(mv_idmap *map) {
  for (uint32_t i = 0; i < map->count; i++) {
    uint32_t *slot = &map->slots[(uint64_t)id_at(map, i) - (uint64_t)map->smallest];
    if (*slot != MV_NONE) {
      map->duplicates++;
    } else {
      *slot = i;
    }
  }
  return true;
}

/* False when a chain grows too long. */
static bool fill_hashed(mv_idmap *map) {
  for (uint32_t i = 0; i < map->count; i++) {
    const int64_t id = id_at(map, i);
    uint64_t s = slot_of(map, id);
    uint32_t length = 0;
    while (map->slots[s] != MV_NONE && id_at(map, map->slots[s]) != id) {
      if (++length > LONGEST_CHAIN) {
        return false;
      }
      s = (s + 1) & (map->slot_count - 1);
    }
    if (map->slots[s] != MV_NONE) {
      map->duplicates++;
    } else {
      map->slots[s] = i;
    }
  }
  return true;
}

bool mv_idmap_build(mv_idmap *map, const void *items, size_t count, size_t stride, size_t offset, mv_arena *arena,
                    mv_status *status) {
  *map = (mv_idmap){.ids = (const char *)items + (count > 0 ? offset : 0), .stride = stride};
  if (count == 0) {
    return true;
  }
  if (count >= MV_NONE) {
    return mv_fail(status, MV_LIMIT, "more than %u items of one kind", MV_NONE - 1);
  }
  map->count = (uint32_t)count;
  int64_t smallest = id_at(map, 0);
  int64_t largest = smallest;
  for (uint32_t i = 1; i < map->count; i++) {
    const int64_t id = id_at(map, i);
    smallest = id < smallest ? id : smallest;
    largest = id > largest ? id : largest;
  }
  map->smallest = smallest;
  const uint64_t span = (uint64_t)largest - (uint64_t)smallest;
  map->is_hashed = span / 4 > count + 256;
  map->slot_count = span + 1;
  if (map->is_hashed) {
    map->slot_count = 16;
    while (map->slot_count < 2 * (uint64_t)count) {
      map->slot_count *= 2;
    }
  }
  map->slots = mv_arena_alloc(arena, (size_t)map->slot_count * sizeof *map->slots, status);
  if (map->slots == NULL) {
    return false;
  }
  memset(map->slots, 0xFF, (size_t)map->slot_count * sizeof *map->slots); /* MV_NONE everywhere */
  if (map->is_hashed ? fill_hashed(map) : fill_dense(map)) {
    return true;
  }
  map->slots = NULL;
  return build_sorted(map, arena, status);
}

static uint32_t find_sorted(const mv_idmap *map, int64_t id) {
  const uint64_t key = mv_sort_key(id);
  size_t low = 0;
  size_t high = map->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (map->sorted[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < map->count && map->sorted[low].key == key ? map->sorted[low].index : MV_NONE;
}

uint32_t mv_idmap_find(const mv_idmap *map, int64_t id) {
  if (map->count == 0) {
    return MV_NONE;
  }
  if (map->slots == NULL) {
    return find_sorted(map, id);
  }
  if (!map->is_hashed) {
    const uint64_t slot = (uint64_t)id - (uint64_t)map->smallest;
    return slot < map->slot_count ? map->slots[slot] : MV_NONE;
  }
  uint64_t s = slot_of(map, id);
  while (map->slots[s] != MV_NONE && id_at(map, map->slots[s]) != id) {
    s = (s + 1) & (map->slot_count - 1);
  }
  return map->slots[s];
}
