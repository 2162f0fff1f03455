/* Groups by every key: what adds up, and savings as replayed without each. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/explanation.h"
#include "analysis/groups.h"
#include "analysis/saving.h"
#include "support/files.h"
#include "support/hlo_builder.h"

static const mv_group_by all_keys[] = {MV_BY_LAYER,   MV_BY_SCOPE,  MV_BY_PHASE, MV_BY_OP_NAME, MV_BY_USER_SOURCE,
                                       MV_BY_USED_BY, MV_BY_OPCODE, MV_BY_SHAPE, MV_BY_CATEGORY};

/* The peak of a space when the members of some groups weigh nothing. */
static int64_t peak_of(const mv_module *m, uint32_t space, const mv_member_list *members, const bool *is_gone) {
  const mv_space *s = &m->spaces[space];
  int64_t peak = 0;
  size_t at = members->resident_count;
  for (size_t i = 0; i < at; i++) {
    peak += is_gone[i] ? 0 : members->items[i].size_bytes;
  }
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    const mv_heap *heap = &m->heaps[h];
    int64_t *bytes = calloc((size_t)heap->event_count + 2, sizeof *bytes);
    cr_assert_not_null(bytes);
    for (uint32_t b = heap->first_block; b < heap->first_block + heap->block_count; b++, at++) {
      cr_assert_eq(members->items[at].block, b);
      bytes[m->blocks[b].start] += is_gone[at] ? 0 : members->items[at].size_bytes;
      bytes[m->blocks[b].end] -= is_gone[at] ? 0 : members->items[at].size_bytes;
    }
    int64_t most = 0;
    int64_t live = 0;
    for (int64_t p = 0; p <= heap->event_count; p++) {
      live += bytes[p];
      most = live > most ? live : most;
    }
    peak += most;
    free(bytes);
  }
  return peak;
}

static bool is_of_group(const mv_key *key, const mv_group *group, mv_group_by by, mv_arena *arena) {
  mv_status status = MV_STATUS_INIT;
  mv_bytes shown;
  cr_assert(mv_key_show(&shown, key, by, arena, &status));
  return (shown.data == NULL) == (group->key.data == NULL) && mv_bytes_equal(shown, group->key);
}

/* The groups of a space, in order. */
static void check_space(const mv_module *m, uint32_t space, mv_group_by by, const mv_group *groups, size_t count,
                        const char *name) {
  mv_status status = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&status);
  mv_member_list members;
  cr_assert(mv_members_of(&members, m, space, by, false, arena, NULL, &status));
  bool *is_gone = calloc(members.count + 1, sizeof *is_gone);
  bool *are_gone = calloc(members.count + 1, sizeof *are_gone);
  cr_assert(is_gone != NULL && are_gone != NULL);
  int64_t size = 0;
  int64_t unpadded = 0;
  size_t in_groups = 0;
  for (size_t g = 0; g < count; g++) {
    const mv_group *group = &groups[g];
    int64_t live = 0;
    for (size_t i = 0; i < members.count; i++) {
      is_gone[i] = is_of_group(&members.keys[i], group, by, arena);
      are_gone[i] = are_gone[i] || is_gone[i];
      in_groups += is_gone[i];
      live += is_gone[i] && members.items[i].is_live;
    }
    size += group->size_bytes;
    unpadded += group->unpadded_bytes;
    const int64_t saving = m->spaces[space].peak_bytes - peak_of(m, space, &members, is_gone);
    const int64_t cumulative = m->spaces[space].peak_bytes - peak_of(m, space, &members, are_gone);
    cr_assert_eq(group->buffer_count, live);
    cr_assert_eq(group->saving_bytes, saving, "%s by %s, group %zu saves %lld, not %lld", name, mv_group_by_name(by), g,
                 (long long)group->saving_bytes, (long long)saving);
    cr_assert_eq(group->cumulative_saving_bytes, cumulative);
    cr_assert(g == 0 || groups[g - 1].saving_bytes >= group->saving_bytes);
  }
  cr_assert_eq(in_groups, members.count, "each member is in one group");
  cr_assert_eq(size, m->spaces[space].peak_bytes);
  cr_assert_eq(unpadded, m->spaces[space].peak_unpadded_bytes);
  cr_assert(count == 0 || groups[count - 1].cumulative_saving_bytes == m->spaces[space].peak_bytes,
            "without anything there is no peak");
  free(is_gone);
  free(are_gone);
  mv_arena_free(arena);
}

static void check_module(const mv_module *m, const char *name) {
  mv_status status = MV_STATUS_INIT;
  for (size_t k = 0; k < sizeof all_keys / sizeof *all_keys; k++) {
    const mv_group_list *list = mv_module_groups(m, all_keys[k], NULL, &status);
    cr_assert_not_null(list, "%s", status.message);
    cr_assert_eq(mv_module_groups(m, all_keys[k], NULL, &status), list, "kept");
    size_t at = 0;
    for (uint32_t s = 0; s < m->space_count; s++) {
      size_t end = at;
      while (end < list->count && list->items[end].space == s) {
        end++;
      }
      check_space(m, s, all_keys[k], list->items + at, end - at, name);
      at = end;
    }
    cr_assert_eq(at, list->count, "in order of space");
  }
}

Test(groups, real_dumps__add_up_and_save_as_replayed_without) {
  char **names = list_data(".hlo.pb");
  for (char **name = names; *name != NULL; name++) {
    mv_module *m = load_data(*name);
    check_module(m, *name);
    mv_module_free(m);
    free(*name);
  }
  free(names);
}

/* Sizes of members as of whole groups, and a group of a baseline and blocks of two heaps. */
Test(groups, by_opcode__of_allocations_and_blocks_together) {
  mv_status status = MV_STATUS_INIT;
  hlo h = hlo_new("m");
  const char *opcodes[] = {"add", "add", "dot", "add"};
  for (int64_t i = 0; i < 4; i++) {
    hlo_instruction(&h, (hlo_instruction_args){.id = i + 1, .name = "i", .opcode = opcodes[i], .shape = "u8[4]{0}"});
  }
  for (int64_t i = 0; i < 4; i++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = i + 1, .size = 10 * (i + 1), .instruction = i + 1});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 100, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 100});
  hlo_assign(&h, 2, 0);
  hlo_assign(&h, 3, 20);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 40});
  hlo_assign(&h, 4, 0);
  hlo_trace(&h, 1, "A2 F2 A3 F3"); /* 20, then 30 */
  hlo_trace(&h, 2, "A4 F4");       /* 40 */
  mv_module *m = hlo_load(&h);
  const mv_group_list *list = mv_module_groups(m, MV_BY_OPCODE, NULL, &status);
  cr_assert_eq(list->count, 2);
  const mv_group *add = &list->items[0];
  const mv_group *dot = &list->items[1];
  cr_expect(mv_bytes_equal_string(add->key, "add") && mv_bytes_equal_string(dot->key, "dot"));
  cr_expect_eq(add->buffer_count, 2, "the one of 20 is not live at the peak");
  cr_expect_eq(add->size_bytes, 140);
  cr_expect_eq(add->unpadded_bytes, 8);
  cr_expect_eq(add->saving_bytes, 140);
  cr_expect_eq(add->cumulative_saving_bytes, 140);
  cr_expect_eq(dot->saving_bytes, 10, "20 is left of its heap");
  cr_expect_eq(dot->cumulative_saving_bytes, 170);
  check_module(m, "by hand");
  mv_module_free(m);
}

Test(groups, by__an_unknown_key_is_an_error_that_lists_them) {
  mv_status status = MV_STATUS_INIT;
  mv_group_by by;
  cr_assert(mv_group_by_find(&by, "opcode", &status));
  cr_expect_eq(by, MV_BY_OPCODE);
  cr_assert_not(mv_group_by_find(&by, "Opcode", &status));
  cr_expect_str_eq(status.message, "by is 'Opcode': it must be 'layer', 'scope', 'phase', 'op_name', 'user_source', "
                                   "'used_by', 'opcode', 'shape' or 'category'");
}
