#include "support/rewriter.h"

#include <criterion/criterion.h>

#include "support/proto_builder.h"

void rewrite_copy(mv_text *out, const mv_tag *tag) {
  switch (tag->type) {
    case MV_VARINT: pb_int(out, tag->field, (int64_t)tag->value); break;
    case MV_LENGTH: pb_bytes(out, tag->field, tag->bytes.data, tag->bytes.size); break;
    default: pb_tag(out, tag->field, tag->type); pb_raw(out, &tag->value, tag->type == MV_FIXED64 ? 8 : 4);
  }
}

bool rewrite_is(const rewrite_path *path, const rewrite_path *wanted) {
  return path->depth == wanted->depth && memcmp(path->fields, wanted->fields, path->depth * sizeof *path->fields) == 0;
}

static void rewrite_message(mv_text *out, mv_bytes bytes, rewrite_path path, const rewrite_path *messages, size_t count,
                            rewrite_change *change, void *arg) {
  mv_wire w = mv_wire_of(bytes);
  mv_tag tag;
  path.depth++;
  while (mv_wire_next(&w, &tag)) {
    path.fields[path.depth - 1] = tag.field;
    bool is_message = false;
    for (size_t i = 0; i < count; i++) {
      is_message = is_message || (tag.type == MV_LENGTH && rewrite_is(&path, &messages[i]));
    }
    if (change(out, &tag, &path, arg)) {
      continue;
    }
    if (is_message) {
      mv_text inner = MV_TEXT_INIT;
      rewrite_message(&inner, tag.bytes, path, messages, count, change, arg);
      pb_message(out, tag.field, &inner);
    } else {
      rewrite_copy(out, &tag);
    }
  }
  cr_assert_eq(w.fault, MV_FAULT_NONE);
}

mv_text rewrite(mv_bytes bytes, const rewrite_path *messages, size_t count, rewrite_change *change, void *arg) {
  mv_text out = MV_TEXT_INIT;
  rewrite_message(&out, bytes, (rewrite_path){0}, messages, count, change, arg);
  cr_assert_not(out.failed);
  return out;
}
