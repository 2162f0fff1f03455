#include "base/idmap.h"

enum {
  RUN_LENGTH = 4,       /* runs pay when they are this long on average */
  DENSE_SPREAD = 4,     /* a table pays up to so many slots an item */
};

static int64_t id_at(const mv_idmap *map, uint32_t i) {
  int64_t id;
  memcpy(&id, map->ids + map->stride * i, sizeof id);
  return id;
}

static bool sort_runs(mv_run *runs, uint32_t count, mv_arena *arena, mv_status *status) {
  mv_run *copy = mv_arena_alloc(arena, count * sizeof *copy, status);
  mv_keyed *keys = copy != NULL ? mv_arena_alloc(arena, 2 * (size_t)count * sizeof *keys, status) : NULL;
  if (keys == NULL) {
    return false;
  }
  for (uint32_t r = 0; r < count; r++) {
    copy[r] = runs[r];
    keys[r] = (mv_keyed){mv_sort_key(runs[r].first_id), r};
  }
  mv_sort(keys, keys + count, count);
  for (uint32_t r = 0; r < count; r++) {
    runs[r] = copy[keys[r].index];
  }
  return true;
}

/* The runs of the items, at most `most`, and the range of the ids. MV_NONE when there are more. */
static uint32_t find_runs(const mv_idmap *map, mv_run *runs, uint32_t most, int64_t *smallest, int64_t *largest) {
  uint32_t n = 0;
  int64_t next = 0; /* the id that would carry the run on */
  *smallest = INT64_MAX;
  *largest = INT64_MIN;
  for (uint32_t i = 0; i < map->count; i++) {
    const int64_t id = id_at(map, i);
    if (n > 0 && id == next && id != INT64_MIN) {
      if (n != MV_NONE) {
        runs[n - 1].count++;
      }
    } else if (n < most) {
      runs[n++] = (mv_run){id, i, 1};
    } else {
      n = MV_NONE;
    }
    next = (int64_t)((uint64_t)id + 1);
    *smallest = id < *smallest ? id : *smallest;
    *largest = id > *largest ? id : *largest;
  }
  return n;
}

/* Sorted by first id. Runs that overlap would hide ids: then it is no map of runs. */
static bool order_runs(mv_run *runs, uint32_t count, bool *overlaps, mv_arena *arena, mv_status *status) {
  bool in_order = true;
  for (uint32_t r = 1; r < count; r++) {
    in_order = in_order && runs[r - 1].first_id <= runs[r].first_id;
  }
  if (!in_order && !sort_runs(runs, count, arena, status)) {
    return false;
  }
  *overlaps = false;
  for (uint32_t r = 1; r < count; r++) {
    *overlaps = *overlaps || (uint64_t)runs[r].first_id - (uint64_t)runs[r - 1].first_id < runs[r - 1].count;
  }
  return true;
}

static bool build_dense(mv_idmap *map, uint64_t slots, mv_arena *arena, mv_status *status) {
  map->slots = mv_arena_alloc(arena, (size_t)slots * sizeof *map->slots, status);
  if (map->slots == NULL) {
    return false;
  }
  map->slot_count = slots;
  memset(map->slots, 0xFF, (size_t)slots * sizeof *map->slots); /* MV_NONE everywhere */
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

static bool build_sorted(mv_idmap *map, mv_arena *arena, mv_status *status) {
  const size_t n = map->count;
  map->sorted = mv_arena_alloc(arena, 2 * n * sizeof *map->sorted, status);
  if (map->sorted == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < map->count; i++) {
    map->sorted[i] = (mv_keyed){mv_sort_key(id_at(map, i)), i};
  }
  mv_sort(map->sorted, map->sorted + n, n);
  for (size_t i = 1; i < n; i++) {
    map->duplicates += map->sorted[i].key == map->sorted[i - 1].key;
  }
  return true;
}

bool mv_idmap_build(mv_idmap *map, const void *items, size_t count, size_t stride, size_t offset, mv_arena *arena,
                    mv_status *status) {
  *map = (mv_idmap){.stride = stride};
  if (count == 0) {
    return true;
  }
  map->ids = (const char *)items + offset;
  if (count >= MV_NONE) {
    return mv_fail(status, MV_LIMIT, "more than %u items of one kind", MV_NONE - 1);
  }
  map->count = (uint32_t)count;
  int64_t largest;
  const uint32_t most = map->count / RUN_LENGTH + 1;
  mv_run *runs = mv_arena_alloc(arena, most * sizeof *runs, status);
  if (runs == NULL) {
    return false;
  }
  const uint32_t found = find_runs(map, runs, most, &map->smallest, &largest);
  if (found != MV_NONE) {
    bool overlaps;
    if (!order_runs(runs, found, &overlaps, arena, status)) {
      return false;
    }
    if (!overlaps) {
      map->runs = runs;
      map->run_count = found;
      return true;
    }
  }
  const uint64_t span = (uint64_t)largest - (uint64_t)map->smallest;
  return span / DENSE_SPREAD < count + 256 ? build_dense(map, span + 1, arena, status)
                                           : build_sorted(map, arena, status);
}

static uint32_t find_in_run(const mv_run *run, int64_t id) {
  const uint64_t distance = (uint64_t)id - (uint64_t)run->first_id;
  return id >= run->first_id && distance < run->count ? run->first + (uint32_t)distance : MV_NONE;
}

static uint32_t find_run(mv_idmap *map, int64_t id) {
  const uint32_t found = find_in_run(&map->runs[map->last_run], id);
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
  map->last_run = low;
  return find_in_run(&map->runs[low], id);
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

uint32_t mv_idmap_find(mv_idmap *map, int64_t id) {
  if (map->count == 0) {
    return MV_NONE;
  }
  if (map->slots != NULL) {
    const uint64_t slot = (uint64_t)id - (uint64_t)map->smallest;
    return slot < map->slot_count ? map->slots[slot] : MV_NONE;
  }
  return map->runs != NULL ? find_run(map, id) : find_sorted(map, id);
}
