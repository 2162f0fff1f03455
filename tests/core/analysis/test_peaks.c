/* Local maxima and their prominence, held against the definition. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/peaks.h"
#include "support/files.h"
#include "support/hlo_builder.h"

/* A heap whose curve takes these values, after 0 at position 0; each differs from the one before it. */
static mv_module *curve_of(const int *values, int count) {
  hlo h = {0};
  mv_text events = MV_TEXT_INIT;
  int live[512];
  int live_count = 0;
  int next = 1;
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 100000});
  for (int i = 0; i < count; i++) {
    const int last = i > 0 ? values[i - 1] : 0;
    if (values[i] > last) {
      hlo_buffer(&h, (hlo_buffer_args){.id = next, .size = values[i] - last, .instruction = HLO_NO_ID});
      hlo_assign(&h, next, next);
      mv_text_format(&events, " A%d", next);
      live[live_count++] = next++;
    } else {
      mv_text_format(&events, " F%d", live[--live_count]); /* the caller goes down as it went up */
    }
  }
  hlo_trace(&h, 0, events.data + 1);
  mv_text_free(&events);
  return hlo_load(&h);
}

/* "position:bytes-prominence", one behind the other. */
static void expect_peaks(const mv_module *m, const char *expected) {
  mv_status status = MV_STATUS_INIT;
  const mv_peak_list *list = mv_module_peaks(m, NULL, &status);
  cr_assert_not_null(list);
  mv_text text = MV_TEXT_INIT;
  for (size_t i = 0; i < list->count; i++) {
    const mv_peak *p = &list->items[i];
    mv_text_format(&text, "%s%lld:%lld-%lld", i > 0 ? " " : "", (long long)p->position, (long long)p->bytes,
                   (long long)p->prominence_bytes);
  }
  cr_expect_str_eq(text.data, expected);
  mv_text_free(&text);
}

Test(peaks, drawn__each_down_to_the_way_to_a_higher_one) {
  const int values[] = {3, 5, 3, 8, 3, 0, 2, 6, 2, 0};
  mv_module *m = curve_of(values, 10);
  expect_peaks(m, "4:8-8 8:6-6 2:5-2");
  mv_module_free(m);
}

Test(peaks, equal_ones__the_first_is_the_higher) {
  const int values[] = {2, 7, 2, 7, 2, 0};
  mv_module *m = curve_of(values, 6);
  expect_peaks(m, "2:7-7 4:7-5");
  mv_module_free(m);
}

Test(peaks, plateau__its_first_position) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 5, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 0, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 5});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 40, .is_parameter = true});
  hlo_trace(&h, 0, "A1 A2 F2 F1");
  mv_module *m = hlo_load(&h);
  expect_peaks(m, "1:45-5"); /* the baseline is in the bytes */
  mv_module_free(m);
}

Test(peaks, nothing_ever_live__one_peak_of_nothing) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 0, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 5});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 0, "A1 F1");
  mv_module *m = hlo_load(&h);
  expect_peaks(m, "0:0-0");
  mv_module_free(m);
}

static bool is_higher(const mv_position *p, int64_t a, int64_t b) {
  return p[a].bytes > p[b].bytes || (p[a].bytes == p[b].bytes && a < b);
}

/* The lowest point on the way from `at` to something higher in one direction; -1 when there is nothing higher. */
static int64_t lowest_on_the_way(const mv_position *p, int64_t count, int64_t at, int64_t step) {
  int64_t lowest = p[at].bytes;
  for (int64_t q = at + step; q >= 0 && q < count; q += step) {
    lowest = p[q].bytes < lowest ? p[q].bytes : lowest;
    if (is_higher(p, q, at)) {
      return lowest;
    }
  }
  return -1;
}

/* By the definition, for each position; 0 for what is no peak. */
static int64_t prominence_of(const mv_position *p, int64_t count, int64_t at) {
  const int64_t left = lowest_on_the_way(p, count, at, -1);
  const int64_t right = lowest_on_the_way(p, count, at, 1);
  if (left < 0 && right < 0) {
    int64_t lowest = p[at].bytes;
    for (int64_t q = 0; q < count; q++) {
      lowest = p[q].bytes < lowest ? p[q].bytes : lowest;
    }
    return p[at].bytes - lowest;
  }
  return p[at].bytes - (left > right ? left : right);
}

static void check_heap(const mv_module *m, uint32_t h, const char *what) {
  mv_status status = MV_STATUS_INIT;
  const mv_position *p = &m->positions[m->heaps[h].first_position];
  const int64_t count = m->heaps[h].event_count + 1;
  const mv_peak_list *list = mv_module_peaks(m, NULL, &status);
  cr_assert_not_null(list);
  int64_t *found = calloc((size_t)count, sizeof *found);
  cr_assert_not_null(found);
  for (size_t i = 0; i < list->count; i++) {
    if (list->items[i].heap == h) {
      found[list->items[i].position] = list->items[i].prominence_bytes;
      cr_assert_eq(list->items[i].bytes, p[list->items[i].position].bytes);
    }
  }
  for (int64_t at = 0; at < count; at++) {
    const int64_t expected = prominence_of(p, count, at);
    cr_assert_eq(found[at], expected, "%s, heap %u at %lld: %lld, not %lld", what, h, (long long)at,
                 (long long)found[at], (long long)expected);
  }
  free(found);
}

Test(peaks, real_dumps__by_the_definition) {
  char **names = list_data(".hlo.pb");
  for (char **name = names; *name != NULL; name++) {
    mv_module *m = load_data(*name);
    for (uint32_t h = 0; h < m->heap_count; h++) {
      check_heap(m, h, *name);
    }
    mv_module_free(m);
    free(*name);
  }
  free(names);
}

Test(peaks, random_curves__by_the_definition) {
  srand(4);
  for (int i = 0; i < 200; i++) {
    int values[256];
    int up[256];
    int depth = 0;
    int count = 0;
    while (count < 200) {
      if (depth > 0 && rand() % 2 == 0) {
        depth--;
        values[count++] = depth > 0 ? up[depth - 1] : 0;
      } else {
        up[depth] = (depth > 0 ? up[depth - 1] : 0) + 1 + rand() % 3;
        values[count++] = up[depth++];
      }
    }
    mv_module *m = curve_of(values, count);
    check_heap(m, 0, "a random curve");
    mv_module_free(m);
  }
}
