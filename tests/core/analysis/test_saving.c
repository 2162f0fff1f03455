/* What the peak falls by, held against heaps that are replayed without the blocks in question: by hand, on random heaps
 * and on all of tests/data. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/saving.h"
#include "support/files.h"
#include "support/hlo_builder.h"

/* The peak of a heap without the blocks of group `without` (MV_NONE: with all), or of groups below it. */
static int64_t peak_without(const mv_module *m, const mv_heap *heap, const uint32_t *group_of, uint32_t without,
                            bool and_below) {
  int64_t *bytes = calloc((size_t)heap->event_count + 2, sizeof *bytes);
  cr_assert_not_null(bytes);
  for (uint32_t i = heap->first_block; i < heap->first_block + heap->block_count; i++) {
    const mv_block *block = &m->blocks[i];
    const uint32_t group = group_of[i];
    if (without == MV_NONE || (group != without && !(and_below && group < without))) {
      bytes[block->start] += m->buffers[block->root].size_bytes;
      bytes[block->end] -= m->buffers[block->root].size_bytes;
    }
  }
  int64_t peak = 0;
  int64_t live = 0;
  for (int64_t p = 0; p <= heap->event_count; p++) {
    live += bytes[p];
    peak = live > peak ? live : peak;
  }
  free(bytes);
  return peak;
}

/* Every space with its blocks in `groups` groups at random: the savings of each, and of each with those below it. */
static void check_groups(const mv_module *m, uint32_t groups, const char *what) {
  mv_status status = MV_STATUS_INIT;
  uint32_t *group_of = calloc(m->block_count + 1, sizeof *group_of);
  int64_t *savings = calloc(groups, sizeof *savings);
  int64_t *further = calloc(groups, sizeof *further);
  cr_assert(group_of != NULL && savings != NULL && further != NULL);
  for (uint32_t i = 0; i < m->block_count; i++) {
    group_of[i] = (uint32_t)rand() % groups;
  }
  for (uint32_t s = 0; s < m->space_count; s++) {
    const mv_space *space = &m->spaces[s];
    const uint32_t *of_space = group_of + mv_space_first_block(m, s);
    memset(savings, 0, groups * sizeof *savings);
    memset(further, 0, groups * sizeof *further);
    cr_assert(mv_saving_add_groups(savings, of_space, groups, m, s, NULL, &status));
    cr_assert(mv_saving_add_cumulative(further, of_space, m, s, NULL, &status));
    int64_t sum = 0;
    for (uint32_t g = 0; g < groups; g++) {
      int64_t saving = 0;
      int64_t cumulative = 0;
      for (uint32_t h = space->first_heap; h < space->first_heap + space->heap_count; h++) {
        saving += m->heaps[h].peak_bytes - peak_without(m, &m->heaps[h], group_of, g, false);
        cumulative += m->heaps[h].peak_bytes - peak_without(m, &m->heaps[h], group_of, g, true);
      }
      sum += further[g];
      cr_assert_eq(savings[g], saving, "%s, space %u, group %u of %u: %lld, not %lld", what, s, g, groups,
                   (long long)savings[g], (long long)saving);
      cr_assert_eq(sum, cumulative, "%s, space %u, groups up to %u of %u: %lld, not %lld", what, s, g, groups,
                   (long long)sum, (long long)cumulative);
    }
  }
  free(group_of);
  free(savings);
  free(further);
}

static void check_blocks(const mv_module *m, const char *what) {
  mv_status status = MV_STATUS_INIT;
  const int64_t *savings = mv_saving_of_blocks(m, NULL, &status);
  uint32_t *itself = calloc(m->block_count + 1, sizeof *itself);
  cr_assert(savings != NULL && itself != NULL);
  for (uint32_t i = 0; i < m->block_count; i++) {
    itself[i] = i;
  }
  for (uint32_t i = 0; i < m->block_count; i++) {
    const mv_heap *heap = &m->heaps[m->blocks[i].heap];
    const int64_t saving = heap->peak_bytes - peak_without(m, heap, itself, i, false);
    cr_assert_eq(savings[i], saving, "%s, block %u: %lld, not %lld", what, i, (long long)savings[i], (long long)saving);
  }
  free(itself);
}

static void check_all(const mv_module *m, const char *what) {
  check_blocks(m, what);
  check_groups(m, 1, what);
  check_groups(m, 3, what);
  check_groups(m, 40, what);
}

/* Two heaps of a space, of up to `buffers` buffers each that come, share, go and stay, in an order at random. */
static mv_module *random_module(int buffers) {
  hlo h = {0};
  mv_text events[2] = {MV_TEXT_INIT, MV_TEXT_INIT};
  for (int t = 0; t < 2; t++) {
    const int first = 1 + t * buffers;
    int *count = calloc((size_t)buffers, sizeof *count); /* references of each, or of what shares with it */
    cr_assert_not_null(count);
    for (int i = 0; i < 3 * buffers; i++) {
      const int b = rand() % buffers;
      const int other = rand() % buffers;
      if (count[b] > 0) {
        mv_text_format(&events[t], " F%d", first + b);
        count[b]--;
      } else if (rand() % 4 == 0 && other != b && count[other] == 1) {
        mv_text_format(&events[t], " S%d=%d F%d", first + b, first + other, first + b);
      } else {
        mv_text_format(&events[t], " A%d", first + b);
        count[b] = 1;
      }
    }
    free(count);
  }
  for (int64_t id = 1; id <= 2 * buffers; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = rand() % 5 * 10, .instruction = HLO_NO_ID});
  }
  for (int t = 0; t < 2; t++) {
    hlo_allocation(&h, (hlo_allocation_args){.id = t, .size = 1000000});
    for (int64_t i = 0; i < buffers; i++) {
      hlo_assign(&h, 1 + t * buffers + i, i * 50);
    }
  }
  for (int t = 0; t < 2; t++) {
    hlo_trace(&h, t, events[t].data + 1);
    mv_text_free(&events[t]);
  }
  return hlo_load(&h);
}

static mv_module *drawn(void) {
  hlo h = {0};
  const int64_t sizes[] = {4, 3, 6};
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 100});
  for (int64_t i = 0; i < 3; i++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = i + 1, .size = sizes[i], .instruction = HLO_NO_ID});
    hlo_assign(&h, i + 1, i * 10);
  }
  hlo_trace(&h, 0, "A1 A2 F1 F2 A3 F3"); /* 0 4 7 3 0 6 0 */
  return hlo_load(&h);
}

Test(saving, block__what_the_next_peak_leaves) {
  mv_status status = MV_STATUS_INIT;
  mv_module *m = drawn();
  const int64_t *savings = mv_saving_of_blocks(m, NULL, &status);
  cr_assert_not_null(savings);
  cr_expect_eq(savings[0], 1, "4 of the 7 bytes are its own, but the next peak is 6");
  cr_expect_eq(savings[1], 1);
  cr_expect_eq(savings[2], 0, "not live at the peak");
  mv_module_free(m);
}

Test(saving, group__blocks_that_are_not_live_at_the_peak_count) {
  mv_status status = MV_STATUS_INIT;
  mv_module *m = drawn();
  const uint32_t group_of[] = {0, 1, 0};
  int64_t savings[2] = {100, 0};
  cr_assert(mv_saving_add_groups(savings, group_of, 2, m, 0, NULL, &status));
  cr_expect_eq(savings[0], 104, "added to what is there: 7 falls to 3");
  cr_expect_eq(savings[1], 1);
  int64_t further[2] = {0, 0};
  cr_assert(mv_saving_add_cumulative(further, group_of, m, 0, NULL, &status));
  cr_expect(further[0] == 4 && further[1] == 3);
  mv_module_free(m);
}

Test(saving, random_heaps__as_replayed_without) {
  srand(1);
  for (int i = 0; i < 300; i++) {
    mv_module *m = random_module(1 + rand() % 60);
    check_all(m, "a random heap");
    mv_module_free(m);
  }
}

/* Trees over more stretches than one, with groups of which few and many blocks are taken off at once. */
Test(saving, long_random_heaps__as_replayed_without) {
  srand(2);
  mv_module *m = random_module(1500);
  check_groups(m, 2, "a long random heap");
  check_groups(m, 300, "a long random heap");
  mv_module_free(m);
}

Test(saving, real_dumps__as_replayed_without) {
  char **names = list_data(".hlo.pb");
  srand(3);
  for (char **name = names; *name != NULL; name++) {
    mv_module *m = load_data(*name);
    check_all(m, *name);
    mv_module_free(m);
    free(*name);
  }
  free(names);
}
