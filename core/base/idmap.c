#include "base/idmap.h"

enum {
  RUN_LENGTH = 4,   /* runs pay when they are this long on average */
  DENSE_SPREAD = 4, /* a table pays up to so many slots an item */
};

bool mv_idmap_begin_run(mv_idmap *map, int64_t id, uint32_t position, mv_arena *arena, mv_status *status) {
  mv_run *run = mv_array_push(&map->added, sizeof *run, arena, status);
  if (run == NULL) {
    return false;
  }
  *run = (mv_run){id, position, 1};
  map->count++;
  map->next_id = (int64_t)((uint64_t)id + 1); /* behind the largest id comes none: mv_idmap_add sees to that */
  map->next_position = (uint64_t)position + 2;
  return true;
}

static const mv_run *added(const mv_idmap *map) {
  return map->added.items;
}

/* The runs by their first id; those of one id as they came. */
static const mv_run *sort_runs(const mv_idmap *map, mv_arena *arena, mv_status *status) {
  const size_t n = map->added.count;
  mv_run *sorted = mv_arena_alloc(arena, n * sizeof *sorted, status);
  mv_keyed *keys = sorted != NULL ? mv_sort_alloc(arena, n, status) : NULL;
  if (keys == NULL) {
    return NULL;
  }
  for (size_t r = 0; r < n; r++) {
    keys[r] = (mv_keyed){mv_sort_key(added(map)[r].first_id), (uint32_t)r};
  }
  mv_sort(keys, n);
  for (size_t r = 0; r < n; r++) {
    sorted[r] = added(map)[keys[r].index];
  }
  return sorted;
}

/* Look up among the runs, unless they overlap: then one would hide ids of another. */
static bool use_runs(mv_idmap *map, mv_arena *arena, mv_status *status) {
  const size_t n = map->added.count;
  const mv_run *runs = added(map);
  bool in_order = true;
  for (size_t r = 1; r < n; r++) {
    in_order = in_order && runs[r - 1].first_id <= runs[r].first_id;
  }
  if (!in_order) {
    runs = sort_runs(map, arena, status);
    if (runs == NULL) {
      return false;
    }
  }
  bool overlaps = false;
  for (size_t r = 1; r < n; r++) {
    overlaps = overlaps || (uint64_t)runs[r].first_id - (uint64_t)runs[r - 1].first_id < runs[r - 1].count;
  }
  if (!overlaps) {
    map->runs = runs;
    map->run_count = (uint32_t)n;
    map->last_run = mv_arena_zalloc(arena, 1, sizeof *map->last_run, status);
  }
  return overlaps || map->last_run != NULL;
}

static bool use_slots(mv_idmap *map, uint64_t slots, mv_arena *arena, mv_status *status) {
  map->slots = mv_arena_alloc(arena, (size_t)slots * sizeof *map->slots, status);
  if (map->slots == NULL) {
    return false;
  }
  map->slot_count = slots;
  memset(map->slots, 0xFF, (size_t)slots * sizeof *map->slots); /* MV_NONE everywhere */
  for (size_t r = 0; r < map->added.count; r++) {
    const mv_run *run = &added(map)[r];
    uint32_t *slot = &map->slots[(uint64_t)run->first_id - (uint64_t)map->smallest];
    for (uint32_t k = 0; k < run->count; k++) {
      map->duplicates += slot[k] != MV_NONE;
      slot[k] = slot[k] != MV_NONE ? slot[k] : run->first + k;
    }
  }
  return true;
}

static bool use_sorted(mv_idmap *map, mv_arena *arena, mv_status *status) {
  const size_t n = (size_t)map->count;
  map->sorted = mv_sort_alloc(arena, n, status);
  if (map->sorted == NULL) {
    return false;
  }
  map->sorted_count = n;
  size_t used = 0;
  for (size_t r = 0; r < map->added.count; r++) {
    const mv_run *run = &added(map)[r];
    for (uint32_t k = 0; k < run->count; k++) {
      map->sorted[used++] = (mv_keyed){mv_sort_key((int64_t)((uint64_t)run->first_id + k)), run->first + k};
    }
  }
  mv_sort(map->sorted, n);
  for (size_t i = 1; i < n; i++) {
    map->duplicates += map->sorted[i].key == map->sorted[i - 1].key;
  }
  return true;
}

/* The smallest id, and the largest less the smallest. */
static uint64_t measure_span(mv_idmap *map) {
  int64_t largest = INT64_MIN;
  map->smallest = INT64_MAX;
  for (size_t r = 0; r < map->added.count; r++) {
    const mv_run *run = &added(map)[r];
    const int64_t last = run->first_id + (int64_t)(run->count - 1);
    map->smallest = run->first_id < map->smallest ? run->first_id : map->smallest;
    largest = last > largest ? last : largest;
  }
  return (uint64_t)largest - (uint64_t)map->smallest;
}

bool mv_idmap_finish(mv_idmap *map, mv_arena *arena, mv_status *status) {
  map->duplicates = 0;
  map->runs = NULL;
  map->run_count = 0;
  map->slots = NULL;
  map->sorted = NULL;
  if (map->count == 0) {
    return true;
  }
  if (map->count >= MV_NONE) {
    return mv_fail(status, MV_LIMIT, "more than %u items of one kind", MV_NONE - 1);
  }
  if (map->added.count <= map->count / RUN_LENGTH + 1 && !use_runs(map, arena, status)) {
    return false;
  }
  if (map->runs != NULL) {
    return true;
  }
  const uint64_t span = measure_span(map);
  return span / DENSE_SPREAD < map->count + 256 ? use_slots(map, span + 1, arena, status)
                                                : use_sorted(map, arena, status);
}

static uint32_t find_in_run(const mv_run *run, int64_t id) {
  const uint64_t distance = (uint64_t)id - (uint64_t)run->first_id;
  return id >= run->first_id && distance < run->count ? run->first + (uint32_t)distance : MV_NONE;
}

static uint32_t find_run(const mv_idmap *map, int64_t id) {
  const uint32_t found = find_in_run(&map->runs[*map->last_run], id);
  if (found != MV_NONE) {
    return found;
  }
  uint32_t low = 0;
  uint32_t high = map->run_count;
  while (low + 1 < high) { /* the last run that does not begin behind the id */
    const uint32_t middle = low + (high - low) / 2;
    if (map->runs[middle].first_id <= id) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *map->last_run = low;
  return find_in_run(&map->runs[low], id);
}

static uint32_t find_sorted(const mv_idmap *map, int64_t id) {
  const uint64_t key = mv_sort_key(id);
  size_t low = 0;
  size_t high = map->sorted_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (map->sorted[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < map->sorted_count && map->sorted[low].key == key ? map->sorted[low].index : MV_NONE;
}

uint32_t mv_idmap_find(const mv_idmap *map, int64_t id) {
  if (map->slots != NULL) {
    const uint64_t slot = (uint64_t)id - (uint64_t)map->smallest;
    return slot < map->slot_count ? map->slots[slot] : MV_NONE;
  }
  return map->runs != NULL ? find_run(map, id) : map->sorted != NULL ? find_sorted(map, id) : MV_NONE;
}
