#include "analysis/findings.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/devices.h"
#include "analysis/findings_build.h"

enum { PADDING_FACTOR = 2, PERCENT_OF_PEAK = 1 };

const char *mv_finding_name(uint8_t kind) {
  static const char *const names[] = {"over capacity", "group", "copy", "padding", "donation", "unused", "overlap"};
  return names[kind];
}

/* ---- Kinds that need no search ---- */

static bool add_padding(mv_findings_build *b, size_t row) {
  const mv_live *live = &b->live.items[row];
  const int64_t peak = b->module->spaces[b->space].peak_bytes;
  if (live->unpadded_bytes <= 0 || live->size_bytes / PADDING_FACTOR < live->unpadded_bytes ||
      !mv_findings_is_share(live->size_bytes, peak, PERCENT_OF_PEAK)) {
    return true;
  }
  const int64_t bytes = live->size_bytes - live->unpadded_bytes;
  mv_text *text = &b->text;
  mv_findings_put_name(text, mv_findings_name(b, row));
  mv_text_add(text, " is padded by ");
  mv_findings_put_amount(b, bytes);
  mv_text_add(text, ": its elements need ");
  mv_text_size(text, live->unpadded_bytes);
  mv_text_add(text, " of ");
  mv_text_size(text, live->size_bytes);
  mv_text_add(text, "; usually sizes that fill the tiles of its layout help, or a small dimension folded into a larger "
                    "one; a fact, though another shape may be padded too");
  return mv_findings_add(b, (mv_finding){.kind = MV_FINDING_PADDING,
                                         .buffer = live->buffer,
                                         .allocation = live->allocation,
                                         .bytes = bytes,
                                         .key = mv_findings_name(b, row)});
}

static bool add_unused(mv_findings_build *b, uint32_t allocation) {
  const mv_allocation *a = &b->module->allocations[allocation];
  if (a->heap == MV_NONE) {
    return true;
  }
  const int64_t occupied = b->module->heaps[a->heap].occupied_peak_bytes;
  const int64_t bytes = a->size_bytes - occupied;
  if (occupied <= 0 || bytes <= occupied / 100) { /* more than 1 % */
    return true;
  }
  mv_text_format(&b->text, "allocation %" PRId64 " of %s is ", a->id, b->space_name);
  mv_text_size(&b->text, bytes);
  mv_text_add(&b->text, " (");
  mv_findings_put_percent(&b->text, bytes, occupied);
  mv_text_add(&b->text,
              ") larger than what is ever occupied of it at once, lost between buffers that live at different "
              "times; usually it shrinks with fewer or smaller buffers at the peak, no option packs it "
              "tighter; a fact");
  return mv_findings_add(
      b, (mv_finding){.kind = MV_FINDING_UNUSED, .buffer = MV_NONE, .allocation = allocation, .bytes = bytes});
}

static bool add_overlap(mv_findings_build *b) {
  const mv_space *s = &b->module->spaces[b->space];
  if (s->peak_bytes <= s->total_bytes) {
    return true;
  }
  mv_text_format(&b->text, "the peak of %s counts ", b->space_name);
  mv_text_size(&b->text, s->peak_bytes - s->total_bytes);
  mv_text_add(&b->text,
              " more than is allocated, because buffers that overlap in place count twice; usually nothing needs "
              "to change: what is in use is ");
  mv_text_size(&b->text, s->occupied_peak_bytes);
  mv_text_add(&b->text, "; a fact");
  return mv_findings_add(b, (mv_finding){.kind = MV_FINDING_OVERLAP,
                                         .buffer = MV_NONE,
                                         .allocation = MV_NONE,
                                         .bytes = s->peak_bytes - s->total_bytes});
}

/* The sizes of a peak that overlaps in place are no memory: what the device must hold is what is allocated. */
static bool add_over_capacity(mv_findings_build *b, const char *device, int64_t capacity) {
  const mv_space *s = &b->module->spaces[b->space];
  if (capacity < 0 || s->total_bytes <= capacity) {
    return true;
  }
  mv_text *text = &b->text;
  mv_text_format(text, "%s needs ", b->space_name);
  mv_text_size(text, s->total_bytes);
  mv_text_add(text, " in all (the number in an out-of-memory error), which is ");
  mv_text_size(text, s->total_bytes - capacity);
  mv_text_add(text, " above the ");
  mv_text_size(text, capacity);
  mv_text_add(text, " of ");
  mv_findings_put_name(text, mv_bytes_of_string(device));
  mv_text_add(text, s->peak_bytes > capacity ? ", and so is its peak of " : ", though its peak is ");
  mv_text_size(text, s->peak_bytes);
  mv_text_add(text, "; usually the groups that save most come first; certain if that is the device");
  return mv_findings_add(b, (mv_finding){.kind = MV_FINDING_OVER_CAPACITY,
                                         .buffer = MV_NONE,
                                         .allocation = MV_NONE,
                                         .bytes = s->total_bytes - capacity});
}

/* ---- All of a module ---- */

static bool explain(mv_findings_build *b) {
  const mv_module *m = b->module;
  b->explanations = mv_arena_zalloc(b->scratch, b->live.count, sizeof(mv_explanation *), b->status);
  if (b->explanations == NULL) {
    return false;
  }
  for (size_t i = 0; i < b->live.count; i++) {
    const mv_live *live = &b->live.items[i];
    const bool is_baseline =
        live->number < m->allocation_count && mv_allocation_is_baseline(&m->allocations[live->allocation]);
    if (!is_baseline && live->buffer == MV_NONE) {
      continue;
    }
    b->explanations[i] = is_baseline ? mv_explain_allocation(m, live->allocation, b->limits, b->status)
                                     : mv_explain_buffer(m, live->buffer, b->limits, b->status);
    if (b->explanations[i] == NULL) {
      return false;
    }
  }
  return true;
}

static bool add_space(mv_findings_build *b) {
  const mv_module *m = b->module;
  const mv_space *s = &m->spaces[b->space];
  if (!mv_live_at(&b->live, m, b->space, -1, b->scratch, b->status) || !explain(b) || !mv_findings_add_groups(b) ||
      !mv_findings_add_copies(b) || !mv_findings_add_donations(b) || !add_overlap(b)) {
    return false;
  }
  for (size_t i = 0; m->has_module && i < b->live.count; i++) {
    if (!mv_findings_step(b) || !add_padding(b, i)) {
      return false;
    }
  }
  for (uint32_t k = 0; k < s->allocation_count; k++) {
    if (!mv_findings_step(b) || !add_unused(b, m->space_allocations[s->first_allocation + k])) {
      return false;
    }
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const mv_finding *x = a;
  const mv_finding *y = b;
  if (x->bytes != y->bytes) {
    return x->bytes < y->bytes ? 1 : -1;
  }
  if (x->space != y->space) {
    return x->space < y->space ? -1 : 1;
  }
  if (x->kind != y->kind) {
    return x->kind < y->kind ? -1 : 1;
  }
  if (x->allocation != y->allocation) {
    return x->allocation < y->allocation ? -1 : 1;
  }
  if (x->buffer != y->buffer) {
    return x->buffer < y->buffer ? -1 : 1;
  }
  const size_t size = x->text.size < y->text.size ? x->text.size : y->text.size;
  const int by_text = memcmp(x->text.data, y->text.data, size);
  return by_text != 0 ? by_text : (x->text.size > y->text.size) - (x->text.size < y->text.size);
}

static void finish(mv_finding_list *out, mv_findings_build *b) {
  if (b->findings.count > 1) {
    qsort(b->findings.items, b->findings.count, sizeof(mv_finding), compare);
  }
  *out = (mv_finding_list){b->findings.items, b->findings.count};
}

static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) {
  (void)key;
  char name[MV_SPACE_NAME];
  mv_findings_build b = {
      .module = m, .arena = d->arena, .scratch = d->scratch, .limits = d->limits, .status = d->status};
  bool ok = true;
  for (b.space = 0; ok && b.space < m->space_count; b.space++) {
    mv_arena_reset(d->scratch);
    b.space_name = mv_space_name(m->platform, m->spaces[b.space].color, name);
    ok = add_space(&b);
  }
  mv_text_free(&b.text);
  finish(out, &b);
  return ok;
}

bool mv_findings_of(mv_finding_list *out, const mv_module *m, const char *device, int64_t memory_bytes, mv_arena *arena,
                    const mv_limits *limits, mv_status *status) {
  static const mv_derived_kind kind = {sizeof(mv_finding_list), 0, make};
  const mv_finding_list *kept = mv_module_derived(m, &kind, NULL, limits, status);
  if (kept == NULL) {
    return false;
  }
  *out = *kept;
  if (device == NULL) {
    return true;
  }
  char name[MV_SPACE_NAME];
  mv_findings_build b = {.module = m, .arena = arena, .limits = limits, .status = status};
  bool ok = true;
  for (b.space = 0; ok && b.space < m->space_count; b.space++) {
    const int64_t color = m->spaces[b.space].color;
    b.space_name = mv_space_name(m->platform, color, name);
    ok = add_over_capacity(&b, device, mv_device_capacity(device, memory_bytes, m->platform, color));
  }
  for (size_t i = 0; ok && b.findings.count > 0 && i < kept->count; i++) {
    if (i == 0) {
      ok = mv_array_reserve(&b.findings, b.findings.count + kept->count, sizeof(mv_finding), arena, status);
    }
    mv_finding *copy = ok ? mv_array_push(&b.findings, sizeof *copy, arena, status) : NULL;
    ok = copy != NULL;
    if (ok) {
      *copy = kept->items[i];
    }
  }
  mv_text_free(&b.text);
  if (ok && b.findings.count > 0) {
    finish(out, &b);
  }
  return ok;
}
