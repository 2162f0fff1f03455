/* One module on one screen:
 *
 *   who it is, what is wrong with it
 *   the peak of the space that matters most, against the capacity; what it is made of
 *   all spaces in a table; what of them is untraced or scoped
 *   the findings, as many as fit; the largest buffers; what was left out
 */
#include "render/report_module.h"

#include <inttypes.h>

#include "analysis/devices.h"
#include "analysis/findings.h"
#include "analysis/groups.h"
#include "analysis/live.h"
#include "model/instruction.h"

enum {
  SPACES_SHOWN = 6,
  LARGEST_SHOWN = 3,
  FINDINGS_SHOWN = 6,
  KIND_SHOWN = 3,      /* findings of one kind */
  SMALLEST_PHASE = 2000,   /* parts of a peak, as below */
  SMALLEST_FINDING = 100,
  SMALLEST_SPACE = 1000,   /* parts of the peak of the one that matters most */
  LONGEST_NAME = 120,  /* bytes */
  LONGEST_PATH = 200,
  LONGEST_PROBLEM = 300,
  KINDS = MV_FINDING_OVERLAP + 1,
};

typedef struct module_report {
  const mv_entry *entry;
  const mv_module *module;
  const mv_report_request *request;
  const char *device;
  int64_t memory_bytes;
  uint32_t space; /* that matters most */
  uint32_t spaces_shown;
  bool is_unexplained; /* and that was said */
  mv_report_writer w;
  mv_text line; /* in the making */
  mv_arena *arena;
  mv_status *status;
} module_report;

/* ---- Pieces ---- */

static mv_bytes bytes_of(const mv_text *text) {
  return mv_bytes_of(text->data, text->size);
}

/* A name from a file, a long one cut behind a whole character. */
static void put_name(mv_text *text, mv_bytes name, size_t longest) {
  size_t size = name.size < longest ? name.size : longest;
  while (size > 0 && size < name.size && (name.data[size] & 0xC0) == 0x80) {
    size--;
  }
  mv_text_line(text, mv_bytes_of(name.data, size));
  mv_text_add(text, size < name.size ? "..." : "");
}

static void put_percent(mv_text *text, int64_t part, int64_t whole) {
  const double percent = whole > 0 ? 100 * (double)part / (double)whole : 0;
  mv_text_format(text, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

static void clear_line(module_report *r) {
  r->w.out->failed = r->w.out->failed || r->line.failed;
  mv_text_clear(&r->line);
}

static void end_line(module_report *r) {
  mv_report_line(&r->w, bytes_of(&r->line));
  clear_line(r);
}

static const char *space_name(const module_report *r, const mv_space *s, char buffer[MV_SPACE_NAME]) {
  return mv_space_name(r->module->platform, s->color, buffer);
}

static int64_t capacity_of(const module_report *r, const mv_space *s) {
  return mv_device_capacity(r->device, r->memory_bytes, r->module->platform, s->color);
}

/* ---- Who it is ---- */

static void add_title(module_report *r) {
  const mv_entry *entry = r->entry;
  const char *platform = mv_platform_name(r->module->platform);
  mv_text *line = &r->line;
  put_name(line, mv_bytes_of_string(entry->name != NULL ? entry->name : "(no name)"), LONGEST_NAME);
  if (entry->has_program_id && entry->program_id != 0) {
    mv_text_format(line, " (%" PRId64 ")", entry->program_id);
  }
  if (r->device != NULL || platform != NULL) {
    mv_text_add(line, ", ");
    put_name(line, mv_bytes_of_string(r->device != NULL ? r->device : platform), LONGEST_NAME);
  }
  if (entry->path != NULL) {
    mv_text_add(line, ", ");
    put_name(line, mv_bytes_of_string(entry->path), LONGEST_PATH);
  }
  mv_report_title(&r->w, bytes_of(line));
  clear_line(r);
  if (entry->problem != NULL) {
    mv_text_add(line, "problem: ");
    put_name(line, mv_bytes_of_string(entry->problem), LONGEST_PROBLEM);
    end_line(r);
  }
}

/* ---- The peak ---- */

static void add_peak(module_report *r) {
  const mv_space *s = &r->module->spaces[r->space];
  const int64_t capacity = capacity_of(r, s);
  char buffer[MV_SPACE_NAME];
  mv_text *line = &r->line;
  mv_text_format(line, "peak of %s: ", space_name(r, s, buffer));
  mv_text_size(line, s->peak_bytes);
  mv_text_add(line, ", ");
  mv_text_size(line, s->total_bytes);
  mv_text_add(line, " allocated in all");
  if (capacity >= 0) {
    mv_text_add(line, s->total_bytes > capacity ? ": does not fit into the " : ": ");
    if (s->total_bytes <= capacity) {
      put_percent(line, s->total_bytes, capacity);
      mv_text_add(line, " of the ");
    }
    mv_text_size(line, capacity);
    mv_text_add(line, " of ");
    put_name(line, mv_bytes_of_string(r->device), LONGEST_NAME);
  } else if (r->module->platform != MV_PLATFORM_CPU) {
    mv_text_add(line, "; the device is not told, memview_device(name) sets it");
  }
  end_line(r);
}

/* Of the space that matters most, by part of a training step. */
static bool add_phases(module_report *r) {
  const mv_group_list *groups = mv_module_groups(r->module, MV_BY_PHASE, r->request->limits, r->status);
  const int64_t peak = r->module->spaces[r->space].peak_bytes;
  if (groups == NULL) {
    return false;
  }
  bool is_first = true;
  for (size_t i = 0; i < groups->count; i++) {
    const mv_group *g = &groups->items[i];
    if (g->space == r->space && g->size_bytes > peak / SMALLEST_PHASE) {
      mv_text_add(&r->line, is_first ? "made of: " : ", ");
      mv_text_line(&r->line, g->key.data != NULL ? g->key : mv_bytes_of_string("unknown"));
      mv_text_char(&r->line, ' ');
      mv_text_size(&r->line, g->size_bytes);
      mv_text_add(&r->line, " (");
      put_percent(&r->line, g->size_bytes, peak);
      mv_text_char(&r->line, ')');
      is_first = false;
    }
  }
  if (!is_first) {
    end_line(r);
  }
  return true;
}

/* ---- The spaces ---- */

static void add_row(module_report *r, const mv_space *s) {
  enum { CELLS = 9 };
  const bool has_shapes = r->module->has_module;
  const int64_t sizes[CELLS] = {0,
                                s->peak_bytes,
                                capacity_of(r, s),
                                has_shapes ? s->peak_unpadded_bytes : -1,
                                has_shapes ? s->peak_bytes - s->peak_unpadded_bytes : -1,
                                s->baseline_bytes,
                                s->heap_peak_bytes,
                                s->total_bytes,
                                s->total_bytes - s->occupied_peak_bytes};
  char buffer[MV_SPACE_NAME];
  mv_text texts[CELLS];
  mv_bytes cells[CELLS];
  for (size_t i = 0; i < CELLS; i++) {
    texts[i] = (mv_text)MV_TEXT_INIT;
    if (i == 0) {
      mv_text_add(&texts[i], space_name(r, s, buffer));
    } else if (sizes[i] < 0) {
      mv_text_char(&texts[i], '?');
    } else {
      mv_text_size(&texts[i], sizes[i]);
    }
    cells[i] = bytes_of(&texts[i]);
  }
  mv_report_row(&r->w, cells, CELLS, false);
  for (size_t i = 0; i < CELLS; i++) {
    r->w.out->failed = r->w.out->failed || texts[i].failed;
    mv_text_free(&texts[i]);
  }
}

static void add_spaces(module_report *r) {
  static const char *const names[] = {"space",    "peak",      "capacity", "unpadded", "padding",
                                      "baseline", "heap peak", "total",    "unused"};
  enum { NAMES = sizeof names / sizeof *names };
  const mv_module *m = r->module;
  const uint32_t count = r->spaces_shown;
  mv_bytes heading[NAMES];
  char buffer[MV_SPACE_NAME];
  for (size_t i = 0; i < NAMES; i++) {
    heading[i] = mv_bytes_of_string(names[i]);
  }
  mv_report_row(&r->w, heading, NAMES, true);
  for (uint32_t i = 0; i < count; i++) {
    add_row(r, &m->spaces[i]);
  }
  mv_report_end(&r->w);
  for (uint32_t i = 0; i < count; i++) {
    if (mv_space_shows_untraced(&m->spaces[i])) {
      mv_text_format(&r->line, "untraced %s: ", space_name(r, &m->spaces[i], buffer));
      mv_text_size(&r->line, m->spaces[i].untraced_bytes);
      mv_text_add(&r->line, " of the peak, temporaries without a heap trace");
      end_line(r);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    if (m->spaces[i].scoped_bytes >= 0) {
      mv_text_format(&r->line, "scoped %s: ", space_name(r, &m->spaces[i], buffer));
      mv_text_size(&r->line, m->spaces[i].scoped_bytes);
      mv_text_add(&r->line, " in ");
      put_name(&r->line, mv_instruction_name(m, m->spaces[i].scoped_instruction), LONGEST_NAME / 2);
      end_line(r);
    }
  }
}

/* ---- The largest buffers ---- */

static bool put_live(module_report *r, const mv_live *live) {
  const mv_module *m = r->module;
  const mv_buffer *buffer = live->buffer != MV_NONE ? &m->buffers[live->buffer] : NULL;
  mv_text *line = &r->line;
  mv_instruction_details details;
  if (!mv_instruction_details_read(&details, m, buffer != NULL ? buffer->instruction : MV_NONE, r->arena, r->status)) {
    return false;
  }
  mv_text_size(line, live->size_bytes);
  mv_text_add(line, "  ");
  if (details.name.size > 0) {
    put_name(line, details.name, LONGEST_NAME / 2);
  } else if (buffer != NULL) {
    mv_text_format(line, "buffer %" PRId64, buffer->id);
  } else {
    mv_text_format(line, "allocation %" PRId64, m->allocations[live->allocation].id);
  }
  if (live->allocation != MV_NONE) {
    mv_text_format(line, "  (%s)", mv_category_name(m->allocations[live->allocation].category));
  }
  if (details.op_name.size > 0) {
    mv_text_add(line, "  ");
    put_name(line, details.op_name, LONGEST_NAME);
  }
  if (details.source_file.size > 0) {
    mv_text_add(line, "  ");
    put_name(line, details.source_file, LONGEST_NAME);
    mv_text_format(line, ":%" PRId64, details.source_line);
  }
  return true;
}

static bool add_largest(module_report *r) {
  const mv_module *m = r->module;
  mv_live_list list;
  if (!mv_live_at(&list, m, r->space, -1, r->arena, r->status)) {
    return false;
  }
  mv_keyed *keys = mv_sort_alloc(r->arena, list.count, r->status);
  if (keys == NULL) {
    return false;
  }
  for (size_t i = 0; i < list.count; i++) {
    keys[i] = (mv_keyed){UINT64_MAX - (uint64_t)list.items[i].size_bytes, (uint32_t)i}; /* largest first */
  }
  mv_sort(keys, list.count);
  char buffer[MV_SPACE_NAME];
  const size_t shown = list.count < LARGEST_SHOWN ? list.count : LARGEST_SHOWN;
  if (shown == 0) {
    return true;
  }
  mv_text_format(&r->line, "largest at the peak of %s (%zu of %zu):", space_name(r, &m->spaces[r->space], buffer), shown,
                 list.count);
  end_line(r);
  for (size_t i = 0; i < shown; i++) {
    if (!put_live(r, &list.items[keys[i].index])) {
      return false;
    }
    mv_report_item(&r->w, "", bytes_of(&r->line));
    clear_line(r);
  }
  mv_report_end(&r->w);
  return true;
}

/* ---- The findings ---- */

static void add_left_out(module_report *r, const mv_finding_list *list, const bool *is_shown) {
  bool is_first = true;
  for (uint8_t kind = 0; kind < KINDS; kind++) {
    size_t count = 0;
    int64_t most = 0;
    for (size_t i = 0; i < list->count; i++) {
      const bool is_left = list->items[i].kind == kind && !is_shown[i];
      count += is_left;
      most = is_left && list->items[i].bytes > most ? list->items[i].bytes : most;
    }
    if (count > 0) {
      mv_text_format(&r->line, "%s%zu more of '%s' (", is_first ? "left out: " : ", ", count, mv_finding_name(kind));
      mv_text_size(&r->line, most);
      mv_text_add(&r->line, count > 1 ? " or less each)" : ")");
      is_first = false;
    }
  }
  if (r->module->space_count > r->spaces_shown) {
    mv_text_format(&r->line, "%s%u more spaces", is_first ? "left out: " : ", ", r->module->space_count - r->spaces_shown);
    is_first = false;
  }
  if (!is_first) {
    mv_text_add(&r->line, list->count > 0 ? "; SELECT * FROM findings(source) has all" : "");
    end_line(r);
  }
}

static bool is_worth_it(const module_report *r, const mv_finding *f) {
  const int64_t peak = r->module->spaces[f->space].peak_bytes;
  return f->kind == MV_FINDING_OVER_CAPACITY ||
         (peak >= r->module->spaces[r->space].peak_bytes / SMALLEST_SPACE && f->bytes >= peak / SMALLEST_FINDING);
}

static bool add_findings(module_report *r) {
  enum { LEFT_OUT_LINES = 3 };
  mv_finding_list list;
  if (!mv_findings_of(&list, r->module, r->device, r->memory_bytes, r->arena, r->request->limits, r->status)) {
    return false;
  }
  bool *is_shown = mv_arena_zalloc(r->arena, list.count, sizeof *is_shown, r->status);
  if (is_shown == NULL) {
    return false;
  }
  size_t of_kind[KINDS] = {0};
  size_t shown = 0;
  for (size_t i = 0; i < list.count && shown < FINDINGS_SHOWN; i++) {
    const mv_finding *f = &list.items[i];
    const char *kind = mv_finding_name(f->kind);
    if (of_kind[f->kind] >= KIND_SHOWN || !is_worth_it(r, f) ||
        r->w.lines + mv_report_item_lines(&r->w, kind, f->text) + LEFT_OUT_LINES + (shown == 0) > MV_REPORT_LINES) {
      continue;
    }
    if (shown == 0) {
      mv_report_line(&r->w, mv_bytes_of_string("findings, most bytes first:"));
    }
    mv_report_item(&r->w, kind, f->text);
    is_shown[i] = true;
    of_kind[f->kind]++;
    shown++;
  }
  if (shown > 0) {
    mv_report_end(&r->w);
  }
  add_left_out(r, &list, is_shown);
  return true;
}

/* ---- All ---- */

/* What can't be explained is said once: that the graph of a module is damaged is its own problem. */
static bool add_explained(module_report *r, bool (*add)(module_report *r)) {
  mv_status *status = r->status;
  mv_status local = MV_STATUS_INIT;
  r->status = &local;
  const bool ok = r->is_unexplained || add(r);
  r->status = status;
  if (!ok && mv_status_is_passing(&local)) {
    *status = local;
    return false;
  }
  if (!ok) {
    r->is_unexplained = true;
    clear_line(r);
    mv_text_add(&r->line, "no findings: ");
    put_name(&r->line, mv_bytes_of_string(local.message), LONGEST_PROBLEM);
    end_line(r);
  }
  return true;
}

bool mv_report_module(mv_text *out, const mv_entry *entry, const mv_module *m, const mv_report_request *request,
                      mv_arena *arena, mv_status *status) {
  const uint32_t zero = mv_module_find_space(m, 0);
  module_report r = {
      .entry = entry,
      .module = m,
      .request = request,
      .space = zero != MV_NONE ? zero : 0,
      .w = {out, request->style, 0},
      .arena = arena,
      .status = status,
  };
  r.device = mv_device_of(&r.memory_bytes, entry, request->device, m->platform);
  r.spaces_shown = m->space_count < SPACES_SHOWN ? m->space_count : SPACES_SHOWN;
  bool ok = true;
  add_title(&r);
  if (m->space_count > 0) {
    add_peak(&r);
    ok = add_explained(&r, add_phases);
    add_spaces(&r);
    ok = ok && add_largest(&r) && add_explained(&r, add_findings);
  }
  clear_line(&r);
  mv_text_free(&r.line);
  return ok;
}
