#include "render/report.h"

#include <inttypes.h>

#include "render/report_module.h"

enum { LONGEST_MARKDOWN = 60000 }; /* a comment on GitHub holds 65,536 characters */

bool mv_report_style_find(mv_report_style *out, const char *name, mv_status *status) {
  static const char *const names[] = {[MV_REPORT_TEXT] = "text", [MV_REPORT_MARKDOWN] = "markdown"};
  for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) {
      *out = (mv_report_style)i;
      return true;
    }
  }
  return name == NULL ? mv_fail(status, MV_ARGUMENT, "the style of a report must be a text: 'text' or 'markdown'")
                      : mv_fail(status, MV_ARGUMENT, "the style of a report is '%.40s': it must be 'text' or 'markdown'", name);
}

static void add_unreadable(mv_text *out, const mv_entry *entry, const char *problem, const mv_report_request *request) {
  mv_report_writer w = {out, request->style, 0};
  mv_text line = MV_TEXT_INIT;
  mv_text_line(&line, mv_bytes_of_string(entry->path != NULL ? entry->path : "(BLOB)"));
  mv_report_title(&w, mv_bytes_of(line.data, line.size));
  out->failed = out->failed || line.failed;
  mv_text_clear(&line);
  mv_text_add(&line, "problem: ");
  mv_text_line(&line, mv_bytes_of_string(problem));
  mv_report_line(&w, mv_bytes_of(line.data, line.size));
  out->failed = out->failed || line.failed;
  mv_text_free(&line);
}

bool mv_report(mv_text *text, mv_source_cache *cache, mv_source_ref *ref, const mv_report_request *request,
               mv_status *status) {
  const mv_source *source = mv_source_ref_source(ref);
  mv_arena *arena = mv_arena_new(status);
  if (arena == NULL) {
    return false;
  }
  const size_t before = text->size;
  mv_status first = MV_STATUS_INIT; /* why the first unreadable entry could not be read */
  size_t shown = 0;
  for (size_t i = 0; i < source->count && status->code == MV_OK; i++) {
    const mv_entry *entry = &source->entries[i];
    if (request->style == MV_REPORT_MARKDOWN && shown > 0 && text->size - before > LONGEST_MARKDOWN / 2) {
      mv_text_format(text, "\nleft out: %zu more modules\n", source->count - i);
      break;
    }
    mv_status local = MV_STATUS_INIT;
    const mv_module *m = mv_source_cache_module(cache, ref, i, &local);
    if (i > 0) {
      mv_text_char(text, '\n');
    }
    if (m == NULL) {
      if (mv_status_is_passing(&local)) {
        *status = local;
        break;
      }
      add_unreadable(text, entry, local.message, request);
      first = first.code == MV_OK ? local : first;
      continue;
    }
    mv_arena_reset(arena);
    mv_report_module(text, entry, m, request, arena, status);
    mv_source_cache_release_module(cache, ref, i);
    shown++;
  }
  if (shown == 0 && status->code == MV_OK && first.code != MV_OK) {
    *status = first;
    if (source->path != NULL) {
      mv_status_prefix(status, "'%s': ", source->path);
    }
  }
  mv_arena_free(arena);
  if (text->failed) {
    mv_fail_nomem(status);
  }
  return status->code == MV_OK;
}
