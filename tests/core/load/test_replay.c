/* Traces replayed, in a notation of their own: see hlo_trace. Buffers are 1, 2, ...; buffer n has a size of 10^(n-1),
 * so that a sum tells what is live. */
#include <criterion/criterion.h>

#include "support/hlo_builder.h"

enum { BUFFERS = 6 };

static int64_t size_of(int64_t buffer) {
  int64_t size = 1;
  for (int64_t i = 1; i < buffer; i++) {
    size *= 10;
  }
  return size;
}

/* Buffers 1 to BUFFERS, one behind the other in allocation 7, which is of `color`. */
static void add_buffers(hlo *h, int64_t color) {
  for (int64_t id = 1; id <= BUFFERS; id++) {
    hlo_buffer(h, (hlo_buffer_args){.id = id, .size = size_of(id), .instruction = HLO_NO_ID});
  }
  hlo_allocation(h, (hlo_allocation_args){.id = 7, .size = 111111, .color = color});
  int64_t offset = 0;
  for (int64_t id = 1; id <= BUFFERS; id++) {
    hlo_assign(h, id, offset);
    offset += size_of(id);
  }
}

static mv_module *replayed(const char *events) {
  hlo h = {0};
  add_buffers(&h, 0);
  hlo_trace(&h, 7, events);
  return hlo_load(&h);
}

/* bytes of each position of a heap: "0 1 11 10 0" */
static void expect_curve(const mv_module *m, uint32_t heap, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  for (int64_t p = 0; p <= m->heaps[heap].event_count; p++) {
    const mv_position *position = &m->positions[m->heaps[heap].first_position + p];
    cr_expect_eq(position->position, p);
    cr_expect_eq(position->heap, heap);
    mv_text_format(&text, "%s%lld", p > 0 ? " " : "", (long long)position->bytes);
  }
  cr_expect_str_eq(text.data, expected, "%s, not %s", text.data, expected);
  mv_text_free(&text);
}

/* Blocks in order of start: "1[1,3) 2=1[4,5)" is a block of buffer 1 and one of root 1 that buffer 2 began. */
static void expect_blocks(const mv_module *m, uint32_t heap, const char *expected) {
  mv_text text = MV_TEXT_INIT;
  mv_text_add(&text, "");
  for (uint32_t i = 0; i < m->heaps[heap].block_count; i++) {
    const mv_block *b = &m->blocks[m->heaps[heap].first_block + i];
    mv_text_format(&text, "%s%lld", i > 0 ? " " : "", (long long)m->buffers[b->buffer].id);
    if (b->root != b->buffer) {
      mv_text_format(&text, "=%lld", (long long)m->buffers[b->root].id);
    }
    mv_text_format(&text, "[%lld,%lld)", (long long)b->start, (long long)b->end);
  }
  cr_expect_str_eq(text.data, expected, "%s, not %s", text.data, expected);
  mv_text_free(&text);
}

static const mv_buffer *buffer(mv_module *m, int64_t id) {
  const uint32_t i = mv_idmap_find(&m->buffers_by_id, id);
  cr_assert_neq(i, MV_NONE);
  return &m->buffers[i];
}

static void expect_lifetime(mv_module *m, int64_t id, int64_t start, int64_t end) {
  cr_expect_eq(buffer(m, id)->start_position, start, "buffer %lld starts at %lld", (long long)id,
               (long long)buffer(m, id)->start_position);
  cr_expect_eq(buffer(m, id)->end_position, end, "buffer %lld ends at %lld", (long long)id,
               (long long)buffer(m, id)->end_position);
}

static void expect_root(mv_module *m, int64_t id, int64_t root) {
  const uint32_t shares_with = buffer(m, id)->shares_with;
  if (root == 0) {
    cr_expect_eq(shares_with, MV_NONE, "buffer %lld", (long long)id);
  } else {
    cr_assert_neq(shares_with, MV_NONE, "buffer %lld", (long long)id);
    cr_expect_eq(m->buffers[shares_with].id, root, "buffer %lld", (long long)id);
  }
}

static void expect_problem(const mv_module *m, const char *part) {
  cr_expect_not_null(strstr(m->problem, part), "'%s' in '%s'", part, m->problem);
}

Test(replay, blocks_come_and_go) {
  mv_module *m = replayed("A1 A2 F1 A3 F3 F2");
  expect_curve(m, 0, "0 1 11 10 110 10 0");
  expect_blocks(m, 0, "1[1,3) 2[2,6) 3[4,5)");
  expect_lifetime(m, 1, 1, 3);
  expect_lifetime(m, 2, 2, 6);
  cr_expect_eq(m->heaps[0].peak_bytes, 110);
  cr_expect_eq(m->heaps[0].peak_position, 4);
  mv_module_free(m);
}

Test(replay, the_peak_is_the_first_of_equal_ones) {
  mv_module *m = replayed("A2 F2 A2 F2");
  cr_expect_eq(m->heaps[0].peak_position, 1);
  mv_module_free(m);
}

Test(replay, what_is_never_freed_ends_behind_the_last_event) {
  mv_module *m = replayed("A1 A2 F1");
  expect_blocks(m, 0, "1[1,3) 2[2,4)");
  expect_curve(m, 0, "0 1 11 10");
  expect_lifetime(m, 2, 2, 4);
  mv_module_free(m);
}

Test(replay, a_sharer_holds_the_memory_of_its_root) {
  mv_module *m = replayed("A1 S2=1 F1 A3 F3 F2");
  expect_curve(m, 0, "0 1 1 1 101 1 0");
  expect_blocks(m, 0, "1[1,6) 3[4,5)");
  expect_root(m, 2, 1);
  expect_root(m, 1, 0);
  expect_lifetime(m, 2, -1, -1);
  mv_module_free(m);
}

Test(replay, a_chain_is_followed_to_its_root) {
  mv_module *m = replayed("A1 S2=1 S3=2 S4=3 F1 F2 F3 F4");
  expect_curve(m, 0, "0 1 1 1 1 1 1 1 0");
  expect_blocks(m, 0, "1[1,8)");
  expect_root(m, 2, 1);
  expect_root(m, 3, 1);
  expect_root(m, 4, 1);
  mv_module_free(m);
}

Test(replay, a_chain_is_freed_in_any_order) {
  mv_module *m = replayed("A1 S2=1 S3=2 F3 F1 F2");
  expect_blocks(m, 0, "1[1,6)");
  mv_module_free(m);
}

Test(replay, sharing_freed_memory_begins_a_block_of_the_sharer) {
  mv_module *m = replayed("A1 F1 A2 S3=1 F3 F2");
  expect_curve(m, 0, "0 1 0 10 11 10 0");
  expect_blocks(m, 0, "1[1,2) 2[3,6) 3=1[4,5)");
  expect_lifetime(m, 1, 1, 2);
  expect_lifetime(m, 3, 4, 5);
  cr_expect_eq(buffer(m, 3)->block_root, mv_idmap_find(&m->buffers_by_id, 1), "it lies where the root lies");
  cr_expect_eq(buffer(m, 3)->size_bytes, 100, "its own size stays");
  mv_module_free(m);
}

/* In the first heap 1 lies where 2 does; in the second it has its own place again, beside 2. */
Test(replay, a_buffer_keeps_its_place_where_it_shared_before) {
  hlo h = {0};
  add_buffers(&h, 0);
  hlo_trace(&h, 7, "S1=2 F1");
  hlo_trace(&h, 7, "A1 A2 F1 F2");
  mv_module *m = hlo_load(&h);
  expect_blocks(m, 1, "1[1,3) 2[2,4)");
  cr_expect_eq(m->heaps[1].peak_bytes, 11);
  cr_expect_eq(m->heaps[1].occupied_peak_bytes, 11);
  mv_module_free(m);
}

Test(replay, sharing_through_a_freed_chain_uses_the_root_again) {
  mv_module *m = replayed("A1 S2=1 F2 F1 S3=2 S4=3 F3 F4");
  expect_curve(m, 0, "0 1 1 1 0 1 1 1 0");
  expect_blocks(m, 0, "1[1,4) 3=1[5,8)");
  expect_root(m, 4, 1);
  mv_module_free(m);
}

Test(replay, sharing_with_what_was_never_allocated_begins_a_block) {
  mv_module *m = replayed("S2=1 F2");
  expect_curve(m, 0, "0 1 0");
  expect_blocks(m, 0, "2=1[1,2)");
  mv_module_free(m);
}

Test(replay, a_buffer_that_begins_several_blocks_shows_the_first_and_their_number) {
  mv_module *m = replayed("A1 F1 A1 F1 A2 S3=4 F3 S3=5");
  expect_blocks(m, 0, "1[1,2) 1[3,4) 2[5,9) 3=4[6,7) 3=5[8,9)");
  expect_lifetime(m, 1, 1, 2);
  expect_lifetime(m, 3, 6, 7);
  cr_expect_eq(buffer(m, 3)->block_root, mv_idmap_find(&m->buffers_by_id, 4));
  cr_expect_eq(buffer(m, 1)->block_count, 2);
  cr_expect_eq(buffer(m, 2)->block_count, 1);
  cr_expect_eq(buffer(m, 3)->block_count, 2);
  cr_expect_eq(buffer(m, 4)->block_count, 0, "it lends its memory only");
  mv_module_free(m);
}

Test(replay, freeing_what_is_not_live_changes_nothing) {
  mv_module *m = replayed("F1 A1 F1 F1 F2");
  expect_curve(m, 0, "0 0 1 0 0 0");
  expect_problem(m, "3 events of the heap of 5 events free what is not live");
  mv_module_free(m);
}

static void expect_no_fault(const mv_module *m) {
  cr_expect_str_eq(m->problem, "no HLO module in it", "%s", m->problem);
}

Test(replay, allocating_what_is_live_counts_a_reference) {
  mv_module *m = replayed("A1 A1 F1 F1 A2");
  expect_curve(m, 0, "0 1 1 1 0 10");
  expect_blocks(m, 0, "1[1,4) 2[5,6)");
  expect_no_fault(m);
  mv_module_free(m);
}

Test(replay, allocating_a_sharer_counts_a_reference_of_its_root) {
  mv_module *m = replayed("A1 S2=1 A2 F1 F2 F2");
  expect_curve(m, 0, "0 1 1 1 1 1 0");
  expect_root(m, 2, 1);
  expect_no_fault(m);
  mv_module_free(m);
}

Test(replay, memory_that_shares_others_while_it_is_live_is_noted) {
  mv_module *m = replayed("A1 A2 S1=2 F1 F2");
  expect_curve(m, 0, "0 1 11 11 10 0");
  expect_problem(m, "1 events of the heap of 5 events make a buffer share that has live memory of its own");
  mv_module_free(m);
}

Test(replay, sharing_with_itself_changes_nothing) {
  mv_module *m = replayed("A1 S1=1 F1");
  expect_curve(m, 0, "0 1 1 0");
  expect_root(m, 1, 0);
  expect_problem(m, "1 events of the heap of 3 events share a buffer with itself");
  mv_module_free(m);
}

Test(replay, a_circle_of_sharers_ends) {
  mv_module *m = replayed("A1 S2=1 S3=2 S1=3 F1 F2 F3");
  expect_curve(m, 0, "0 1 1 1 1 1 1 0");
  expect_problem(m, "share a buffer with itself");
  mv_module_free(m);
}

Test(replay, events_of_buffers_that_are_not_listed_keep_their_position) {
  mv_module *m = replayed("A1 A99 S2=98 S97=1 F99 F1");
  expect_curve(m, 0, "0 1 1 1 1 1 0");
  expect_no_fault(m);
  cr_expect_eq(m->positions[m->heaps[0].first_position + 2].buffer, MV_NONE);
  mv_module_free(m);
}

Test(replay, an_unknown_kind_keeps_its_position) {
  mv_module *m = replayed("A1 X1 F1");
  expect_curve(m, 0, "0 1 1 0");
  expect_problem(m, "1 events of the heap of 3 events are of an unknown kind");
  mv_module_free(m);
}

Test(replay, a_trace_without_events_is_no_heap) {
  mv_module *m = replayed("");
  cr_expect_eq(m->heap_count, 0);
  cr_expect_eq(m->position_count, 1);
  cr_expect_eq(m->positions[0].heap, MV_NONE);
  cr_expect_eq(m->allocations[0].heap, MV_NONE);
  cr_expect_eq(m->spaces[0].heap_peak_bytes, 0);
  mv_module_free(m);
}

Test(replay, the_allocation_is_that_of_the_first_events_buffer) {
  hlo h = {0};
  add_buffers(&h, 3);
  hlo_allocation(&h, (hlo_allocation_args){.id = 8, .size = 5, .color = 4});
  hlo_trace(&h, 8, "A1 F1"); /* stale */
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->heap_count, 1);
  cr_expect_eq(m->heaps[0].color, 3);
  cr_expect_eq(m->allocations[m->heaps[0].allocation].id, 7);
  cr_expect_eq(m->allocations[0].heap, 0);
  cr_expect_eq(m->allocations[1].heap, MV_NONE);
  mv_module_free(m);
}

Test(replay, the_allocation_is_that_of_the_first_buffer_that_is_listed) {
  mv_module *m = replayed("A99 A1 F1 F99");
  cr_expect_eq(m->heaps[0].allocation, 0);
  expect_curve(m, 0, "0 0 1 0 0");
  expect_no_fault(m);
  mv_module_free(m);
}

Test(replay, a_trace_of_nothing_that_is_listed_is_no_heap) {
  mv_module *m = replayed("A99 F99");
  cr_expect_eq(m->heap_count, 0);
  cr_expect_eq(m->position_count, 1);
  mv_module_free(m);
}

/* Buffer 2 lies in an allocation of another memory space than the heap that tells when it lives. */
Test(replay, a_buffer_in_an_allocation_of_another_color_keeps_its_lifetime) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 1, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 10, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 10, .color = 1});
  hlo_assign(&h, 2, 0);
  hlo_trace(&h, 0, "A1 A2 F1 F2");
  mv_module *m = hlo_load(&h);
  expect_curve(m, 0, "0 1 11 10 0");
  expect_lifetime(m, 2, 2, 4);
  cr_expect_eq(buffer(m, 2)->color, 1);
  mv_module_free(m);
}

Test(replay, several_heaps_of_a_space_are_added) {
  hlo h = {0};
  add_buffers(&h, 0);
  hlo_trace(&h, 7, "A1 A2 F1 F2");
  hlo_trace(&h, 7, "A3 F3");
  hlo_trace(&h, 7, "A4 A5 F5 F4 A6 F6");
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->heap_count, 3);
  cr_assert_eq(m->space_count, 1);
  expect_curve(m, 0, "0 1 11 10 0");
  expect_curve(m, 1, "0 100 0");
  expect_curve(m, 2, "0 1000 11000 1000 0 100000 0");
  const mv_space *s = &m->spaces[0];
  cr_expect_eq(s->heap_peak_bytes, 11 + 100 + 100000);
  cr_expect_eq(s->peak_bytes, 11 + 100 + 100000);
  cr_expect_eq(s->largest_heap, 2);
  cr_expect_eq(s->longest_trace, 6);
  cr_expect_eq(s->position_count, 5 + 3 + 7);
  cr_expect_eq(m->allocations[0].heap, 0, "the first one");
  mv_module_free(m);
}

Test(replay, heaps_stand_in_order_of_space) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 10, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 20, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 30, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 10, .color = 5});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 20, .color = 0});
  hlo_assign(&h, 2, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 30, .color = 1});
  hlo_assign(&h, 3, 0);
  hlo_trace(&h, 0, "A1");
  hlo_trace(&h, 2, "A3");
  hlo_trace(&h, 1, "A2");
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->space_count, 3);
  for (uint32_t s = 0; s < 3; s++) {
    static const int64_t colors[] = {0, 1, 5};
    static const int64_t peaks[] = {20, 30, 10};
    cr_expect_eq(m->spaces[s].color, colors[s]);
    cr_expect_eq(m->spaces[s].peak_bytes, peaks[s]);
    cr_expect_eq(m->spaces[s].heap_count, 1);
    cr_expect_eq(m->heaps[m->spaces[s].first_heap].space, s);
    cr_expect_eq(m->spaces[s].first_position, 2 * s);
  }
  mv_module_free(m);
}

Test(replay, heaps_do_not_see_what_another_one_left_live) {
  hlo h = {0};
  add_buffers(&h, 0);
  hlo_trace(&h, 7, "A1 S2=1 S3=4");
  hlo_trace(&h, 7, "A1 F1 F2 A4 F4");
  mv_module *m = hlo_load(&h);
  expect_curve(m, 1, "0 1 0 0 1000 0");
  expect_problem(m, "1 events of the heap of 5 events free what is not live");
  mv_module_free(m);
}

/* Buffer 3 leaves root 4 for root 5: root 4 stays live in this heap, and must be at rest for the next one. */
Test(replay, heaps_do_not_see_a_root_that_was_left) {
  hlo h = {0};
  add_buffers(&h, 0);
  hlo_trace(&h, 7, "A1 S3=4 S3=5");
  hlo_trace(&h, 7, "A1 A4 F4");
  mv_module *m = hlo_load(&h);
  expect_curve(m, 1, "0 1 1001 1");
  mv_module_free(m);
}

Test(replay, the_baseline_stands_in_every_position) {
  hlo h = {0};
  add_buffers(&h, 0);
  hlo_buffer(&h, (hlo_buffer_args){.id = 20, .size = 5000000, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 7000000, .is_parameter = true});
  hlo_assign(&h, 20, 0);
  hlo_trace(&h, 7, "A1 F1");
  mv_module *m = hlo_load(&h);
  expect_curve(m, 0, "7000000 7000001 7000000");
  cr_expect_eq(m->spaces[0].peak_bytes, 7000001);
  cr_expect_eq(m->heaps[0].peak_bytes, 1);
  expect_lifetime(m, 20, 0, 3);
  mv_module_free(m);
}

Test(replay, buffers_in_one_place_are_occupied_once) {
  hlo h = {0};
  for (int64_t id = 1; id <= 3; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id, .size = 100, .instruction = HLO_NO_ID});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 150});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 50);
  hlo_assign(&h, 3, 0);
  hlo_trace(&h, 0, "A1 A2 A3 F1 F3 F2");
  mv_module *m = hlo_load(&h);
  static const int64_t bytes[] = {0, 100, 200, 300, 200, 100, 0};
  static const int64_t occupied[] = {0, 100, 150, 150, 150, 100, 0};
  for (int64_t p = 0; p <= 6; p++) {
    cr_expect_eq(m->positions[p].bytes, bytes[p], "bytes at %lld", (long long)p);
    cr_expect_eq(m->positions[p].occupied_bytes, occupied[p], "occupied at %lld", (long long)p);
  }
  cr_expect_eq(m->heaps[0].occupied_peak_bytes, 150);
  mv_module_free(m);
}

Test(replay, nothing_is_occupied_outside_the_allocation) {
  hlo h = {0};
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 100, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 100, .instruction = HLO_NO_ID});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 100, .instruction = HLO_NO_ID});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 120});
  hlo_assign(&h, 1, 60);
  hlo_assign(&h, 2, 5000);
  hlo_assign(&h, 3, -50);
  hlo_trace(&h, 0, "A1 A2 A3");
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->positions[1].occupied_bytes, 60);
  cr_expect_eq(m->positions[2].occupied_bytes, 60);
  cr_expect_leq(m->positions[3].occupied_bytes, 120);
  expect_problem(m, "buffer 2 lies outside its allocation 0");
  mv_module_free(m);
}

Test(replay, a_program_of_long_chains_takes_linear_time) {
  enum { COUNT = 60000 };
  hlo h = {0};
  mv_text events = MV_TEXT_INIT;
  for (int64_t id = 0; id < COUNT; id++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = id + 1, .size = 1, .instruction = HLO_NO_ID});
    mv_text_format(&events, id == 0 ? "A%lld " : "S%lld=%lld ", (long long)id + 1, (long long)id);
  }
  for (int64_t id = COUNT; id > 0; id--) {
    mv_text_format(&events, "F%lld ", (long long)id);
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = COUNT});
  hlo_trace(&h, 0, events.data);
  mv_text_free(&events);
  mv_module *m = hlo_load(&h);
  cr_expect_eq(m->block_count, 1);
  cr_expect_eq(m->blocks[0].end, 2 * COUNT);
  cr_expect_eq(m->heaps[0].peak_bytes, 1);
  mv_module_free(m);
}
