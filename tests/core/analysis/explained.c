#include "core/analysis/explained.h"

#include <stdio.h>

static int size_of(mv_bytes bytes) {
  return bytes.data != NULL ? (int)bytes.size : 1;
}

static const char *text_of(mv_bytes bytes) {
  return bytes.data != NULL ? (const char *)bytes.data : "-";
}

void expect_explained(const mv_explanation *e, const char *expected) {
  char text[512];
  const char *attribution = mv_attribution_name(e->attribution);
  snprintf(text, sizeof text, "%.*s | %s | %.*s", size_of(e->attributed_op_name), text_of(e->attributed_op_name),
           attribution != NULL ? attribution : "-", size_of(e->used_by), text_of(e->used_by));
  cr_expect_str_eq(text, expected, "is: %s\nnot: %s", text, expected);
}

const mv_explanation *explained_buffer(mv_module *m, int64_t id) {
  mv_status st = MV_STATUS_INIT;
  const uint32_t buffer = mv_idmap_find(&m->buffers_by_id, id);
  cr_assert_neq(buffer, MV_NONE);
  const mv_explanation *e = mv_explain_buffer(m, buffer, NULL, &st);
  cr_assert_not_null(e, "%s", st.message);
  cr_expect_eq(mv_explain_buffer(m, buffer, NULL, &st), e, "made once");
  return e;
}

const mv_explanation *explained_allocation(mv_module *m, int64_t id) {
  mv_status st = MV_STATUS_INIT;
  const uint32_t allocation = mv_idmap_find(&m->allocations_by_id, id);
  cr_assert_neq(allocation, MV_NONE);
  const mv_explanation *e = mv_explain_allocation(m, allocation, NULL, &st);
  cr_assert_not_null(e, "%s", st.message);
  return e;
}

void expect_buffer(hlo *h, int64_t id, const char *index, const char *expected) {
  hlo_buffer(h, (hlo_buffer_args){.id = 1, .size = 8, .instruction = id, .index = index});
  mv_module *m = hlo_load(h);
  expect_explained(explained_buffer(m, 1), expected);
  mv_module_free(m);
}
