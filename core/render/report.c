#include "render/report.h"

#include <inttypes.h>

#include "analysis/live.h"
#include "model/instruction.h"

enum { LARGEST_SHOWN = 5, COLUMN = 14 };

/* A size, right-aligned in a column. */
static void add_size(mv_text *text, int64_t bytes) {
  mv_text size = MV_TEXT_INIT;
  mv_text_size(&size, bytes);
  mv_text_format(text, "%*s", COLUMN, size.data != NULL ? size.data : "");
  text->failed = text->failed || size.failed;
  mv_text_free(&size);
}

static void add_heading(mv_text *text) {
  static const char *const names[] = {"peak", "unpadded", "padding", "baseline", "heap peak", "total", "unused"};
  mv_text_format(text, "  %-12s", "space");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    mv_text_format(text, "%*s", COLUMN, names[i]);
  }
  mv_text_char(text, '\n');
}

static void add_space(mv_text *text, const mv_module *m, const mv_space *s) {
  char buffer[MV_SPACE_NAME];
  mv_text_format(text, "  %-12s", mv_space_name(m->platform, s->color, buffer));
  add_size(text, s->peak_bytes);
  if (m->has_module) {
    add_size(text, s->peak_unpadded_bytes);
    add_size(text, s->peak_bytes - s->peak_unpadded_bytes);
  } else {
    mv_text_format(text, "%*s%*s", COLUMN, "?", COLUMN, "?");
  }
  add_size(text, s->baseline_bytes);
  add_size(text, s->heap_peak_bytes);
  add_size(text, s->total_bytes);
  add_size(text, s->total_bytes - s->occupied_peak_bytes);
  mv_text_char(text, '\n');
}

/* Where it is more than 1 % of the peak: that it belongs to no heap. */
static void add_untraced(mv_text *text, const mv_module *m, const mv_space *s) {
  if (mv_space_shows_untraced(s)) {
    char buffer[MV_SPACE_NAME];
    mv_text_format(text, "  untraced %s: ", mv_space_name(m->platform, s->color, buffer));
    mv_text_size(text, s->untraced_bytes);
    mv_text_add(text, " of the peak, temporaries without a heap trace\n");
  }
}

static void add_live(mv_text *text, const mv_module *m, const mv_live *live, mv_arena *arena, mv_status *status) {
  const mv_buffer *buffer = live->buffer != MV_NONE ? &m->buffers[live->buffer] : NULL;
  mv_instruction_details details;
  if (!mv_instruction_details_read(&details, m, buffer != NULL ? buffer->instruction : MV_NONE, arena, status)) {
    return;
  }
  mv_text_add(text, "  ");
  add_size(text, live->size_bytes);
  mv_text_add(text, "  ");
  if (details.name.size > 0) {
    mv_text_line(text, details.name);
  } else if (buffer != NULL) {
    mv_text_format(text, "buffer %" PRId64, buffer->id);
  } else {
    mv_text_format(text, "allocation %" PRId64, m->allocations[live->allocation].id);
  }
  if (live->allocation != MV_NONE) {
    mv_text_format(text, "  (%s)", mv_category_name(m->allocations[live->allocation].category));
  }
  if (details.op_name.size > 0) {
    mv_text_add(text, "  ");
    mv_text_line(text, details.op_name);
  }
  if (details.source_file.size > 0) {
    mv_text_add(text, "  ");
    mv_text_line(text, details.source_file);
    mv_text_format(text, ":%" PRId64, details.source_line);
  }
  mv_text_char(text, '\n');
}

/* The largest buffers at the peak of the space that matters most: the one with color 0, else the first. */
static bool add_largest(mv_text *text, const mv_module *m, mv_arena *arena, mv_status *status) {
  const uint32_t zero = mv_module_find_space(m, 0);
  const uint32_t space = zero != MV_NONE ? zero : 0;
  mv_live_list list;
  if (!mv_live_at(&list, m, space, -1, arena, status)) {
    return false;
  }
  mv_keyed *keys = mv_sort_alloc(arena, list.count, status);
  if (keys == NULL) {
    return false;
  }
  for (size_t i = 0; i < list.count; i++) {
    keys[i] = (mv_keyed){UINT64_MAX - (uint64_t)list.items[i].size_bytes, (uint32_t)i}; /* largest first */
  }
  mv_sort(keys, list.count);
  char buffer[MV_SPACE_NAME];
  const size_t shown = list.count < LARGEST_SHOWN ? list.count : LARGEST_SHOWN;
  if (shown > 0) {
    mv_text_format(text, "  largest at the peak of %s (%zu of %zu):\n",
                   mv_space_name(m->platform, m->spaces[space].color, buffer), shown, list.count);
  }
  for (size_t i = 0; i < shown && status->code == MV_OK; i++) {
    add_live(text, m, &list.items[keys[i].index], arena, status);
  }
  return status->code == MV_OK;
}

static bool add_module(mv_text *text, const mv_entry *entry, const mv_module *m, mv_arena *arena, mv_status *status) {
  const char *platform = mv_platform_name(m->platform);
  mv_text_line(text, mv_bytes_of_string(entry->name != NULL ? entry->name : "(no name)"));
  if (entry->has_program_id && entry->program_id != 0) {
    mv_text_format(text, " (%" PRId64 ")", entry->program_id);
  }
  mv_text_format(text, "%s%s%s", platform != NULL ? ", " : "", platform != NULL ? platform : "",
                 entry->path != NULL ? ", " : "");
  mv_text_line(text, mv_bytes_of_string(entry->path));
  mv_text_char(text, '\n');
  if (entry->problem != NULL) {
    mv_text_add(text, "  problem: ");
    mv_text_line(text, mv_bytes_of_string(entry->problem));
    mv_text_char(text, '\n');
  }
  if (m->space_count == 0) {
    return true;
  }
  add_heading(text);
  for (uint32_t i = 0; i < m->space_count; i++) {
    add_space(text, m, &m->spaces[i]);
  }
  for (uint32_t i = 0; i < m->space_count; i++) {
    add_untraced(text, m, &m->spaces[i]);
  }
  for (uint32_t i = 0; i < m->space_count; i++) {
    const mv_space *s = &m->spaces[i];
    if (s->scoped_bytes >= 0) {
      char buffer[MV_SPACE_NAME];
      mv_text_format(text, "  scoped %s: ", mv_space_name(m->platform, s->color, buffer));
      mv_text_size(text, s->scoped_bytes);
      mv_text_add(text, " in ");
      mv_text_line(text, mv_instruction_name(m, s->scoped_instruction));
      mv_text_char(text, '\n');
    }
  }
  return add_largest(text, m, arena, status);
}

bool mv_report(mv_text *text, mv_source_cache *cache, mv_source_ref *ref, mv_status *status) {
  const mv_source *source = mv_source_ref_source(ref);
  mv_arena *arena = mv_arena_new(status);
  if (arena == NULL) {
    return false;
  }
  mv_status first = MV_STATUS_INIT; /* why the first unreadable entry could not be read */
  size_t shown = 0;
  for (size_t i = 0; i < source->count && status->code == MV_OK; i++) {
    const mv_entry *entry = &source->entries[i];
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
      mv_text_line(text, mv_bytes_of_string(entry->path != NULL ? entry->path : "(BLOB)"));
      mv_text_add(text, "\n  problem: ");
      mv_text_line(text, mv_bytes_of_string(local.message));
      mv_text_char(text, '\n');
      first = first.code == MV_OK ? local : first;
      continue;
    }
    mv_arena_reset(arena);
    add_module(text, entry, m, arena, status);
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
