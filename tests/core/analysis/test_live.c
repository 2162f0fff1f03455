/* What holds memory at a position. */
#include <criterion/criterion.h>

#include "analysis/live.h"
#include "support/hlo_builder.h"

/* "b20@0[0,5) 1@2[1,3)": id of the buffer, position, lifetime; b before one of the baseline, - for no buffer. */
static void expect_live(const mv_module *m, uint32_t space, int64_t at, const char *expected) {
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  mv_live_list list;
  cr_assert(mv_live_at(&list, m, space, at, arena, &st));
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "");
  for (size_t i = 0; i < list.count; i++) {
    const mv_live *l = &list.items[i];
    cr_expect_eq(l->space, space);
    mv_text_add(&text, i > 0 ? " " : "");
    mv_text_add(&text, l->offset_bytes < 0 ? "b" : "");
    if (l->buffer != MV_NONE) {
      mv_text_i64(&text, m->buffers[l->buffer].id);
    } else {
      mv_text_char(&text, '-');
    }
    mv_text_format(&text, ":%lld@%lld[%lld,%lld)", (long long)l->size_bytes, (long long)l->position,
                   (long long)l->start_position, (long long)l->end_position);
  }
  cr_expect_str_eq(text.data, expected, "%s, not %s", text.data, expected);
  mv_text_free(&text);
  mv_arena_free(arena);
}

static mv_module *two_heaps_and_a_baseline(void) {
  hlo h = {0};
  for (int64_t id = 1; id <= 4; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = id * 10, .instruction = HLO_NO_ID});
  }
  hlo_buffer(&h, (hlo_buffer_args){.id = 20, .size = 500, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 21, .size = 600, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 19, .size = 600, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 30, .size = 3, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1000});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 100);
  hlo_assign(&h, 3, 200);
  hlo_assign(&h, 4, 300);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 700, .is_parameter = true});
  hlo_assign(&h, 20, 0);
  hlo_assign(&h, 21, 0);
  hlo_assign(&h, 19, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 64, .is_constant = true}); /* without buffers */
  hlo_allocation(&h, (hlo_allocation_args){.id = 3, .size = 8, .is_constant = true, .is_thread_local = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 4, .size = 3, .color = 1, .is_live_out = true});
  hlo_assign(&h, 30, 0);
  hlo_trace(&h, 0, "A1 A2 F1 F2");
  hlo_trace(&h, 0, "A4 F4 S3=4 F3 A1 F1");
  return hlo_load(&h);
}

Test(live, at_the_peak_of_each_heap_the_baseline_first) {
  mv_module *m = two_heaps_and_a_baseline();
  expect_live(m, 0, -1, "b19:700@1[0,7) b-:64@1[0,7) 1:10@2[1,3) 2:20@2[2,4) 4:40@1[1,2)");
  mv_module_free(m);
}

Test(live, of_a_space_without_a_heap) {
  mv_module *m = two_heaps_and_a_baseline();
  cr_assert_eq(m->space_count, 2);
  expect_live(m, 1, -1, "b30:3@0[0,1)");
  expect_live(m, 1, 0, "b30:3@0[0,1)");
  expect_live(m, 1, 1, "b30:3@1[0,1)"); /* held while the program runs, which the other space's heaps tell */
  expect_live(m, 1, 6, "b30:3@6[0,1)");
  expect_live(m, 1, 7, "");
  mv_module_free(m);
}

Test(live, at_a_position_of_each_heap) {
  mv_module *m = two_heaps_and_a_baseline();
  expect_live(m, 0, 0, "b19:700@0[0,7) b-:64@0[0,7)");
  expect_live(m, 0, 3, "b19:700@3[0,7) b-:64@3[0,7) 2:20@3[2,4) 3:40@3[3,4)");
  expect_live(m, 0, 4, "b19:700@4[0,7) b-:64@4[0,7)");
  expect_live(m, 0, 5, "b19:700@5[0,7) b-:64@5[0,7) 1:10@5[5,6)");
  mv_module_free(m);
}

Test(live, the_baseline_is_held_to_the_end_of_the_longest_heap) {
  mv_module *m = two_heaps_and_a_baseline();
  expect_live(m, 0, 6, "b19:700@6[0,7) b-:64@6[0,7)");
  expect_live(m, 0, 7, "");
  expect_live(m, 0, INT64_MAX, "");
  mv_module_free(m);
}

/* What is untraced is live at every position, behind the baseline in order of allocation, without a lifetime. */
Test(live, what_is_untraced_has_no_lifetime) {
  hlo h = {0};
  for (int64_t id = 1; id <= 4; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = id * 10, .instruction = HLO_NO_ID});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 100});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 10);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 30, .is_constant = true});
  hlo_assign(&h, 3, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 40});
  hlo_assign(&h, 4, 0);
  hlo_trace(&h, 2, "A4 F4");
  hlo_peak(&h, 0, "1 2");
  mv_module *m = hlo_load(&h);
  expect_live(m, 0, -1, "b2:30@1[-1,-1) b3:30@1[0,3) 4:40@1[1,2)");
  expect_live(m, 0, 2, "b2:30@2[-1,-1) b3:30@2[0,3)");
  expect_live(m, 0, 3, "");
  mv_module_free(m);
}

Test(live, a_block_that_is_never_freed_is_live_at_the_last_position) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 10, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 10});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 0, "A1");
  mv_module *m = hlo_load(&h);
  expect_live(m, 0, 0, "");
  expect_live(m, 0, 1, "1:10@1[1,2)");
  expect_live(m, 0, 2, "");
  mv_module_free(m);
}

/* A file may give every allocation a space of its own: what each list takes must not be the size of the whole. */
Test(live, many_spaces_take_memory_for_their_own_rows_only) {
  enum { COUNT = 3000 };
  hlo h = {0};
  for (int64_t i = 0; i < COUNT; i++) {
    hlo_allocation(&h, (hlo_allocation_args){.id = i, .size = 1, .color = i, .is_constant = true});
  }
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->space_count, COUNT);
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  for (uint32_t s = 0; s < COUNT; s++) {
    mv_live_list list;
    cr_assert(mv_live_at(&list, m, s, -1, arena, &st));
    cr_assert_eq(list.count, 1);
    cr_assert_eq(list.items[0].allocation, s);
  }
  cr_expect_lt(mv_arena_footprint(arena), COUNT * sizeof(mv_live) * 4 + (1 << 20));
  mv_arena_free(arena);
  mv_module_free(m);
}
