/* What pictures say, in small and in absurd cases. That they are well-formed is tests/render/run.sh's matter. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/picture.h"
#include "support/hlo_builder.h"

static char *drawn(mv_picture_function *draw, mv_module *m, int64_t color, mv_order order) {
  mv_status status = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  const mv_picture picture = {.module = m, .space = mv_module_find_space(m, color), .order = order};
  cr_assert(draw(&text, &picture, &status), "%s", status.message);
  return text.data;
}

static void expect_in(mv_picture_function *draw, mv_module *m, int64_t color, mv_order order, const char *words) {
  char *svg = drawn(draw, m, color, order);
  cr_expect_not_null(strstr(svg, words), "no \"%s\" in\n%.6000s", words, svg);
  free(svg);
}

static size_t count_of(const char *text, const char *words) {
  size_t count = 0;
  for (const char *p = strstr(text, words); p != NULL; p = strstr(p + 1, words)) {
    count++;
  }
  return count;
}

/* `count` buffers of `size` bytes, their instructions op.1, op.2, ..., one above the other in one allocation. */
static hlo with_buffers(int64_t count, int64_t size, int64_t allocation_size) {
  hlo h = hlo_new("jit_f");
  for (int64_t i = 1; i <= count; i++) {
    char name[32];
    snprintf(name, sizeof name, "op.%" PRId64, i);
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = name, .opcode = "fusion", .shape = "s8[48]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = size, .instruction = i});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 7, .size = allocation_size});
  for (int64_t i = 1; i <= count; i++) {
    hlo_assign(&h, i, (i - 1) * size);
  }
  return h;
}

Test(pictures, timeline__a_box_at_its_addresses_and_lifetime) {
  hlo h = with_buffers(2, 64, 128);
  hlo_trace(&h, 7, "A1 A2 F1 F2");
  mv_module *m = hlo_load(&h);
  /* 1080 pixels from 92 on for 5 positions; 560 pixels from 96 on for 128 bytes. */
  char *svg = drawn(mv_timeline_svg, m, 0, MV_ORDER_SIZE);
  cr_expect_not_null(strstr(svg, "<title>op.1&#10;fusion s8[48]{0}&#10;size 64 B&#10;unpadded 48 B&#10;padding 16 B, "
                                 "expansion 1.33x&#10;Temporary, allocation 7 at byte 0&#10;"
                                 "live from position 1 to 3 of 4</title>"));
  cr_expect_not_null(strstr(svg, "x=\"308\" y=\"376\" width=\"432\" height=\"280\""));
  cr_expect_not_null(strstr(svg, "x=\"524\" y=\"96\" width=\"432\" height=\"280\""));
  cr_expect_null(strstr(svg, "drawn merged"));
  free(svg);
  mv_module_free(m);
}

Test(pictures, timeline__small_blocks_are_merged_and_counted) {
  hlo h = with_buffers(3, 1, 1 << 20);
  hlo_trace(&h, 7, "A1 A2 A3 F1 F2 F3");
  mv_module *m = hlo_load(&h);
  expect_in(mv_timeline_svg, m, 0, 0, "3 of 3 blocks are under half a pixel wide or high and drawn merged, in grey");
  expect_in(mv_timeline_svg, m, 0, 0, "<path class=\"merged\" d=\"M");
  expect_in(mv_timeline_dot, m, 0, 0, "3 of 3 blocks are under half a pixel");
  mv_module_free(m);
}

Test(pictures, timeline__blocks_beyond_their_allocation_are_clipped_and_counted) {
  hlo h = with_buffers(3, 64, 96);
  hlo_trace(&h, 7, "A1 A2 A3 F1 F2 F3");
  mv_module *m = hlo_load(&h);
  expect_in(mv_timeline_svg, m, 0, 0,
            "2 blocks reach beyond the allocation and are clipped; 1 of them lie outside altogether");
  mv_module_free(m);
}

Test(pictures, timeline__says_why_there_is_nothing) {
  hlo h = with_buffers(1, 64, 64);
  mv_module *m = hlo_load(&h);
  expect_in(mv_timeline_svg, m, 0, 0, "No heap trace");
  expect_in(mv_timeline_dot, m, 0, 0, "No heap trace");
  expect_in(mv_timeline_html, m, 0, 0, "No heap trace");
  mv_module_free(m);
  h = with_buffers(2, 0, 0);
  hlo_trace(&h, 7, "A1 A2 F1 F2");
  m = hlo_load(&h);
  expect_in(mv_timeline_svg, m, 0, 0, "All blocks of this memory space take 0 bytes");
  expect_in(mv_usage_svg, m, 0, 0, "All of this memory space takes 0 bytes");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_SIZE, "Nothing is live at the peak of this memory space");
  mv_module_free(m);
  h = with_buffers(1, 64, 64);
  hlo_trace(&h, 7, "F1");
  m = hlo_load(&h);
  expect_in(mv_timeline_svg, m, 0, 0, "begins no block");
  mv_module_free(m);
}

Test(pictures, a_module_without_spaces_has_pictures_too) {
  hlo h = hlo_new("empty");
  h.has_assignment = true;
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->space_count, 0);
  mv_picture_function *const all[] = {mv_timeline_svg, mv_timeline_dot, mv_timeline_html, mv_usage_svg, mv_peak_svg};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    expect_in(all[i], m, 0, 0, "The module has no memory space");
  }
  mv_module_free(m);
}

Test(pictures, usage__the_peak_is_named) {
  hlo h = with_buffers(2, 64, 128);
  hlo_trace(&h, 7, "A1 A2 F1 F2");
  mv_module *m = hlo_load(&h);
  expect_in(mv_usage_svg, m, 0, 0, "peak 128 B at 2, op.2<");
  expect_in(mv_usage_svg, m, 0, 0, "allocated 128 B");
  expect_in(mv_usage_svg, m, 0, 0, "without padding"); /* 48 of 64 bytes */
  mv_module_free(m);
}

Test(pictures, usage__a_space_without_a_heap_is_its_baseline) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "s8[64]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 64, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  mv_module *m = hlo_load(&h);
  expect_in(mv_usage_svg, m, 0, 0, "no heap trace: all of it is live throughout");
  expect_in(mv_usage_svg, m, 0, 0, "baseline 64 B");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_SIZE, ">p</text>");
  mv_module_free(m);
}

/* A parameter of 64 bytes, and two temporaries of which the compiler lists one at the peak; with a heap or without. */
static mv_module *untraced(bool has_heap) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "p", .opcode = "parameter", .shape = "s8[64]{0}"});
  hlo_instruction(&h, (hlo_instruction_args){.id = 2, .name = "t", .opcode = "fusion", .shape = "s8[96]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 64, .instruction = 1});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 96, .instruction = 2});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 96, .instruction = 2});
  hlo_buffer(&h, (hlo_buffer_args){.id = 4, .size = 32, .instruction = 2});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 192});
  hlo_assign(&h, 2, 0);
  hlo_assign(&h, 3, 96);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 32, .is_constant = !has_heap});
  hlo_assign(&h, 4, 0);
  hlo_peak(&h, 1, "3");
  if (has_heap) {
    hlo_trace(&h, 2, "A4 F4");
  }
  return hlo_load(&h);
}

Test(pictures, what_is_untraced_is_named) {
  mv_module *m = untraced(true);
  expect_in(mv_usage_svg, m, 0, 0, "baseline 64 B \xC2\xB7 untraced 96 B \xC2\xB7 allocated 288 B");
  expect_in(mv_usage_svg, m, 0, 0, "<title>untraced 96 B: temporaries without a heap trace, counted throughout");
  expect_in(mv_usage_svg, m, 0, 0, ">untraced</text>");
  expect_in(mv_timeline_svg, m, 0, 0, "live throughout (parameters, constants and results), 96 B untraced");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_SIZE, "96 B of the peak is untraced");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_SIZE, "untraced: counted at every position, nothing tells when it is live");
  mv_module_free(m);
}

Test(pictures, a_space_without_a_heap_may_be_untraced) {
  mv_module *m = untraced(false);
  expect_in(mv_usage_svg, m, 0, 0, "no heap trace: nothing tells when temporaries live");
  expect_in(mv_timeline_svg, m, 0, 0, "No heap trace: nothing tells when the temporaries of this memory space live.");
  mv_module_free(m);
}

/* Up to 1 % of the peak it is not worth a word. */
Test(pictures, little_that_is_untraced_is_not_named) {
  hlo h = hlo_new("jit_f");
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 990, .is_parameter = true});
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 10});
  mv_module *m = hlo_load(&h);
  cr_expect_not(mv_space_shows_untraced(&m->spaces[0]));
  char *svg = drawn(mv_usage_svg, m, 0, 0);
  cr_expect_null(strstr(svg, ">untraced"));
  free(svg);
  mv_module_free(m);
}

Test(pictures, a_space_with_scoped_memory_alone_says_so) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1,
                                             .name = "k",
                                             .config = "{\"used_scoped_memory_configs\":[{\"memory_space\":\"1\","
                                                       "\"size\":\"64\"}]}"});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64, .is_parameter = true});
  mv_module *m = hlo_load(&h);
  cr_assert_eq(m->space_count, 2);
  expect_in(mv_timeline_svg, m, 1, 0, "Nothing is allocated in this memory space");
  expect_in(mv_usage_svg, m, 1, 0, "All of this memory space takes 0 bytes.");
  expect_in(mv_peak_svg, m, 1, MV_ORDER_SIZE, "Nothing is live at the peak of this memory space.");
  mv_module_free(m);
}

/* A panel for each heap up to six; the rest is named. */
Test(pictures, several_heaps_have_a_panel_each) {
  hlo h = hlo_new("jit_f");
  enum { HEAPS = 20 };
  for (int64_t i = 1; i <= HEAPS; i++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = "a", .opcode = "fusion", .shape = "s8[64]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 64 * i, .instruction = i});
  }
  for (int64_t i = 1; i <= HEAPS; i++) {
    hlo_allocation(&h, (hlo_allocation_args){.id = 100 + i, .size = 64 * i});
    hlo_assign(&h, i, 0);
    char events[64];
    snprintf(events, sizeof events, "A%" PRId64 " F%" PRId64, i, i);
    hlo_trace(&h, 100 + i, events);
  }
  mv_module *m = hlo_load(&h);
  char *svg = drawn(mv_usage_svg, m, 0, 0);
  cr_expect_eq(count_of(svg, "class=\"frame\""), 6);
  cr_expect_not_null(strstr(svg, "heap in allocation 120"));
  cr_expect_not_null(strstr(svg, "Heaps with smaller peaks, not drawn: allocation 101 (64 B), "));
  cr_expect_not_null(strstr(svg, " and 8 more"));
  free(svg);
  svg = drawn(mv_timeline_svg, m, 0, 0);
  cr_expect_eq(count_of(svg, "class=\"frame\""), 16);
  cr_expect_not_null(strstr(svg, "The 4 smallest heaps, with 4 blocks in all, are not drawn"));
  free(svg);
  mv_module_free(m);
}

Test(pictures, peak__orders) {
  hlo h = hlo_new("jit_f");
  static const char *const shapes[] = {"s8[10]{0}", "s8[90]{0}", "s8[50]{0}"};
  static const int64_t sizes[] = {64, 96, 128}; /* padding 54, 6, 78 */
  for (int64_t i = 1; i <= 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "op.%" PRId64, i);
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = name, .opcode = "fusion", .shape = shapes[i - 1]});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = sizes[i - 1], .instruction = i});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1024});
  for (int64_t i = 1; i <= 3; i++) {
    hlo_assign(&h, i, (i - 1) * 128);
  }
  hlo_trace(&h, 0, "A2 A1 A3");
  mv_module *m = hlo_load(&h);
  static const struct {
    mv_order order;
    const char *names[3];
  } expected[] = {{MV_ORDER_SIZE, {"op.3&", "op.2&", "op.1&"}}, /* tooltips of bars: a line's end is escaped */
                  {MV_ORDER_PROGRAM, {"op.2&", "op.1&", "op.3&"}},
                  {MV_ORDER_PADDING, {"op.3&", "op.1&", "op.2&"}}};
  for (size_t i = 0; i < 3; i++) {
    char *svg = drawn(mv_peak_svg, m, 0, expected[i].order);
    const char *first = strstr(svg, expected[i].names[0]);
    const char *second = strstr(svg, expected[i].names[1]);
    const char *third = strstr(svg, expected[i].names[2]);
    cr_expect(first != NULL && first < second && second < third, "order %zu", i);
    free(svg);
  }
  mv_module_free(m);
}

/* The list below the bars has the largest first, in program order too. */
Test(pictures, peak__the_list_names_the_largest) {
  hlo h = with_buffers(2, 64, 128);
  hlo_instruction(&h, (hlo_instruction_args){.id = 3, .name = "large", .opcode = "fusion", .shape = "s8[96]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 3, .size = 96, .instruction = 3});
  hlo_assign(&h, 3, 128);
  hlo_trace(&h, 7, "A1 A2 A3");
  mv_module *m = hlo_load(&h);
  char *svg = drawn(mv_peak_svg, m, 0, MV_ORDER_PROGRAM);
  const char *large = strstr(svg, ">large</text>");
  const char *first = strstr(svg, ">op.1</text>");
  const char *second = strstr(svg, ">op.2</text>");
  cr_expect(large != NULL && large < first && first < second);
  free(svg);
  mv_module_free(m);
}

Test(pictures, peak__what_is_too_low_is_one_bar) {
  hlo h = hlo_new("jit_f");
  for (int64_t i = 1; i <= 51; i++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = "a", .opcode = "fusion", .shape = "s8[8]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = i == 1 ? 1 << 20 : 100, .instruction = i});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1 << 21});
  mv_text events = MV_TEXT_INIT;
  for (int64_t i = 1; i <= 51; i++) {
    hlo_assign(&h, i, i == 1 ? 0 : (1 << 20) + 100 * i);
    mv_text_format(&events, "A%" PRId64 " ", i);
  }
  hlo_trace(&h, 0, events.data);
  mv_module *m = hlo_load(&h);
  expect_in(mv_peak_svg, m, 0, MV_ORDER_SIZE,
            "The grey bar stands for 50 of 51 buffers, each under half a pixel high: 4.88 KiB together");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_PROGRAM, "50 of 51 buffers are under half a pixel wide or high");
  mv_module_free(m);
  mv_text_free(&events);
}

/* All sizes of a module together fit in 63 bits; so these are as large as they get. */
Test(pictures, sizes_up_to_63_bits) {
  hlo h = hlo_new("huge");
  const int64_t size = INT64_C(1) << 61;
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "a", .opcode = "fusion", .shape = "s8[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = size, .instruction = 1});
  hlo_buffer(&h, (hlo_buffer_args){.id = 2, .size = 1, .instruction = 1});
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = size + 1});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, INT64_MAX);
  hlo_trace(&h, 0, "A1 A2 F1 F2");
  mv_module *m = hlo_load(&h);
  expect_in(mv_timeline_svg, m, 0, 0, "peak 2.00 EiB at 2");
  expect_in(mv_usage_svg, m, 0, 0, "peak 2.00 EiB at 2");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_SIZE, "2.00 EiB");
  expect_in(mv_peak_svg, m, 0, MV_ORDER_PADDING, "2.00 EiB");
  expect_in(mv_timeline_dot, m, 0, 0, "2.00 EiB");
  mv_module_free(m);
}

/* Many blocks, with names that grow when they are escaped. */
Test(pictures, stay_below_3_megabytes, .timeout = 120) {
  enum { COUNT = 40000, AT_ONCE = 300 };
  static char name[300];
  memset(name, '"', sizeof name - 1);
  hlo h = hlo_new(name);
  mv_text events = MV_TEXT_INIT;
  for (int64_t i = 1; i <= COUNT; i++) {
    mv_text metadata = MV_TEXT_INIT;
    pb_string(&metadata, 2, name);
    hlo_instruction(
        &h, (hlo_instruction_args){.id = i, .name = name, .opcode = name, .shape = "s8[48]{0}", .metadata = &metadata});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 64, .instruction = i});
    mv_text_format(&events, "A%" PRId64 " ", i);
    if (i > AT_ONCE) {
      mv_text_format(&events, "F%" PRId64 " ", i - AT_ONCE);
    }
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64 * AT_ONCE});
  for (int64_t i = 1; i <= COUNT; i++) {
    hlo_assign(&h, i, i % AT_ONCE * 64);
  }
  hlo_trace(&h, 0, events.data);
  mv_text_free(&events);
  mv_module *m = hlo_load(&h);
  mv_picture_function *const all[] = {mv_timeline_svg, mv_timeline_dot, mv_timeline_html, mv_usage_svg, mv_peak_svg};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char *svg = drawn(all[i], m, 0, MV_ORDER_PROGRAM);
    cr_expect_lt(strlen(svg), 3000000, "picture %zu has %zu bytes", i, strlen(svg));
    free(svg);
  }
  mv_module_free(m);
}

Test(pictures, are_the_same_each_time) {
  mv_module *a = load_data("synth-5003.hlo.pb");
  mv_module *b = load_data("synth-5003.hlo.pb");
  mv_picture_function *const all[] = {mv_timeline_svg, mv_timeline_dot, mv_timeline_html, mv_usage_svg, mv_peak_svg};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char *first = drawn(all[i], a, 0, 0);
    char *second = drawn(all[i], b, 0, 0);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
  }
  mv_module_free(a);
  mv_module_free(b);
}

static bool stop(void *arg) {
  (void)arg;
  return true;
}

Test(pictures, stop_when_the_host_asks) {
  mv_module *m = load_data("synth-5003.hlo.pb");
  const mv_limits limits = {.interrupted = stop};
  mv_picture_function *const all[] = {mv_timeline_svg, mv_timeline_dot, mv_timeline_html, mv_usage_svg, mv_peak_svg};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    mv_status status = MV_STATUS_INIT;
    mv_text text = MV_TEXT_INIT;
    const mv_picture picture = {.module = m, .space = 0, .limits = &limits};
    cr_expect_not(all[i](&text, &picture, &status));
    cr_expect_eq(status.code, MV_INTERRUPTED);
    mv_text_free(&text);
  }
  mv_module_free(m);
}
