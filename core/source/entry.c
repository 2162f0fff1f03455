#include "source/entry.h"

#include "base/text.h"

const char *mv_entry_keep_clean(mv_arena *arena, mv_bytes bytes, mv_status *status) {
  if (bytes.size == 0) {
    return NULL;
  }
  mv_text text = MV_TEXT_INIT;
  mv_text_bytes(&text, bytes);
  const char *kept = NULL;
  if (text.failed) {
    mv_fail_nomem(status);
  } else {
    kept = mv_arena_string(arena, mv_bytes_of(text.data, text.size), status);
  }
  mv_text_free(&text);
  return kept;
}

void mv_entry_prefix(mv_status *status, const mv_entry *entry) {
  if (!mv_status_is_passing(status)) {
    mv_status_prefix(status, entry->path != NULL ? "'%s': " : "the BLOB%s: ", entry->path != NULL ? entry->path : "");
  }
}
