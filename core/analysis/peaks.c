#include "analysis/peaks.h"

#include <stdlib.h>

#include "analysis/curve.h"

typedef struct flood {
  mv_curve curve;
  uint32_t heap;
  mv_keyed *order;  /* positions, highest first, then by position */
  uint32_t *parent; /* of positions above water, towards the one that stands for their stretch; MV_NONE below */
  uint32_t *summit; /* the highest position of the stretch, at the one that stands for it */
  mv_array *peaks;
  mv_arena *arena;
} flood;

static uint32_t find(flood *f, uint32_t position) {
  uint32_t *parent = f->parent;
  while (parent[position] != position) {
    parent[position] = parent[parent[position]]; /* halves the path each time it is walked */
    position = parent[position];
  }
  return position;
}

static bool is_higher(const flood *f, uint32_t a, uint32_t b) {
  const int64_t x = mv_curve_at(f->curve, a);
  const int64_t y = mv_curve_at(f->curve, b);
  return x > y || (x == y && a < b);
}

static bool add(flood *f, uint32_t position, int64_t prominence, mv_status *status) {
  mv_peak *peak = mv_array_push(f->peaks, sizeof *peak, f->arena, status);
  if (peak != NULL) {
    *peak = (mv_peak){f->heap, position, f->curve.positions[position].bytes, prominence};
  }
  return peak != NULL;
}

/* Two stretches meet at a height: the one with the lower summit ends. */
static bool meet(flood *f, uint32_t position, uint32_t neighbour, mv_status *status) {
  uint32_t a = find(f, position);
  uint32_t b = find(f, neighbour);
  if (is_higher(f, f->summit[b], f->summit[a])) {
    const uint32_t swapped = a;
    a = b;
    b = swapped;
  }
  f->parent[b] = a;
  const int64_t height = mv_curve_at(f->curve, position);
  const int64_t top = mv_curve_at(f->curve, f->summit[b]);
  return top == height || add(f, f->summit[b], top - height, status); /* equal: a slope, no summit */
}

static bool flood_all(flood *f, const mv_limits *limits, mv_status *status) {
  const size_t n = f->curve.count;
  for (size_t i = 0; i < n; i++) {
    const uint32_t p = f->order[i].index;
    f->parent[p] = p;
    f->summit[p] = p;
    if (!mv_curve_step(i, limits, status) || (p > 0 && f->parent[p - 1] != MV_NONE && !meet(f, p, p - 1, status)) ||
        (p + 1 < n && f->parent[p + 1] != MV_NONE && !meet(f, p, p + 1, status))) {
      return false;
    }
  }
  const uint32_t highest = f->order[0].index;
  const uint32_t lowest = f->order[n - 1].index;
  return add(f, highest, mv_curve_at(f->curve, highest) - mv_curve_at(f->curve, lowest), status);
}

static int compare_peaks(const void *a, const void *b) {
  const mv_peak *x = a;
  const mv_peak *y = b;
  return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1)
                              : (x->position > y->position) - (x->position < y->position);
}

static bool add_peaks(flood *f, mv_arena *scratch, const mv_limits *limits, mv_status *status) {
  const size_t n = f->curve.count;
  const size_t first = f->peaks->count;
  f->order = mv_sort_alloc(scratch, n, status);
  f->parent = mv_arena_alloc(scratch, n * sizeof *f->parent, status);
  f->summit = mv_arena_alloc(scratch, n * sizeof *f->summit, status);
  if (f->order == NULL || f->parent == NULL || f->summit == NULL) {
    return false;
  }
  memset(f->parent, 0xFF, n * sizeof *f->parent);
  for (size_t p = 0; p < n; p++) {
    f->order[p] = (mv_keyed){~(uint64_t)mv_curve_at(f->curve, p), (uint32_t)p}; /* values are 0 or more */
  }
  mv_sort(f->order, n);
  if (!flood_all(f, limits, status)) {
    return false;
  }
  qsort((mv_peak *)f->peaks->items + first, f->peaks->count - first, sizeof(mv_peak), compare_peaks);
  return true;
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  mv_array peaks = {0};
  for (uint32_t h = 0; h < m->heap_count; h++) {
    flood f = {.curve = mv_curve_of(m, &m->heaps[h]), .heap = h, .peaks = &peaks, .arena = d->arena};
    mv_arena_reset(d->scratch);
    if (!mv_curve_step(h, d->limits, d->status) || !add_peaks(&f, d->scratch, d->limits, d->status)) {
      return false;
    }
  }
  *(mv_peak_list *)out = (mv_peak_list){peaks.items, peaks.count};
  return true;
}

const mv_peak_list *mv_module_peaks(const mv_module *m, const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_peak_list), 0, make};
  return mv_module_derived(m, &kind, NULL, limits, status);
}
