#include "render/timeline.h"

#include "render/heaps.h"
#include "render/palette.h"

enum {
  HEIGHT = 560,      /* pixels of all frames together, when none is at its least */
  MIN_HEIGHT = 84, /* of one */
  CAPTION = 26,      /* above a frame after the first */
  CHECK_EVERY = 4096,
};

static int64_t size_of_heap(const mv_module *m, const mv_heap *heap) {
  if (heap->allocation != MV_NONE) {
    return m->allocations[heap->allocation].size_bytes;
  }
  int64_t end = 0;
  for (uint32_t i = heap->first_block; i < heap->first_block + heap->block_count; i++) {
    const mv_buffer *root = &m->buffers[m->blocks[i].root];
    const int64_t low = root->offset_bytes > 0 ? root->offset_bytes : 0;
    const int64_t high = root->size_bytes < INT64_MAX - low ? low + root->size_bytes : INT64_MAX;
    end = high > end ? high : end;
  }
  return end;
}

static bool choose_frames(mv_timeline *t, const mv_picture *picture, mv_arena *arena, mv_status *status) {
  const mv_module *m = picture->module;
  const mv_space *s = &m->spaces[picture->space];
  uint32_t chosen[MV_TIMELINE_FRAMES];
  t->frames = mv_arena_zalloc(arena, MV_TIMELINE_FRAMES, sizeof *t->frames, status);
  if (t->frames == NULL ||
      !mv_largest_heaps(chosen, &t->frame_count, MV_TIMELINE_FRAMES, m, picture->space, size_of_heap, arena, status)) {
    return false;
  }
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    t->block_count += m->heaps[h].block_count;
  }
  t->hidden_blocks = t->block_count;
  t->hidden_heaps = s->heap_count - (int64_t)t->frame_count;
  for (size_t i = 0; i < t->frame_count; i++) {
    const mv_heap *heap = &m->heaps[chosen[i]];
    t->frames[i] = (mv_frame_box){.heap = heap, .size_bytes = size_of_heap(m, heap)};
    t->hidden_blocks -= heap->block_count;
  }
  return true;
}

/* Each frame as high as its share of all bytes, but not too low to be seen. */
static void place_frames(mv_timeline *t) {
  uint64_t sum = 1; /* of sixteenths: the sizes themselves could overflow */
  for (size_t i = 0; i < t->frame_count; i++) {
    sum += (uint64_t)t->frames[i].size_bytes / 16;
  }
  const mv_scale share = mv_scale_of((int64_t)(sum > INT64_MAX ? INT64_MAX : sum), 0, HEIGHT);
  int64_t top = MV_CHART_TOP;
  for (size_t i = 0; i < t->frame_count; i++) {
    mv_frame_box *f = &t->frames[i];
    int64_t height = t->frame_count == 1 ? HEIGHT : mv_scale_at(&share, f->size_bytes / 16);
    height = height < MIN_HEIGHT ? MIN_HEIGHT : height;
    top += i > 0 ? CAPTION : 0;
    f->panel = mv_panel_of(top, height, f->heap->event_count + 1, f->size_bytes);
    top += height + MV_CHART_AXIS;
  }
  t->height = top - MV_CHART_TOP;
}

/* The box of a block; false when it has nothing to draw, which is counted. */
static bool box_of(mv_box *box, mv_timeline *t, const mv_module *m, const mv_frame_box *f, uint32_t block) {
  const mv_block *b = &m->blocks[block];
  const mv_buffer *root = &m->buffers[b->root];
  if (root->offset_bytes < 0) {
    t->homeless_count++;
    return false;
  }
  if (root->size_bytes <= 0) {
    t->empty_count++;
    return false;
  }
  const bool is_outside = root->offset_bytes >= f->size_bytes;
  const bool is_clipped = is_outside || root->size_bytes > f->size_bytes - root->offset_bytes;
  t->clipped_count += is_clipped;
  t->outside_count += is_outside;
  const int64_t high = is_clipped ? f->size_bytes : root->offset_bytes + root->size_bytes;
  box->block = block;
  box->x0 = mv_scale_at(&f->panel.x, b->start);
  box->x1 = mv_scale_at(&f->panel.x, b->end);
  box->y0 = mv_scale_at(&f->panel.y, high);
  box->y1 = mv_scale_at(&f->panel.y, root->offset_bytes);
  return !is_outside;
}

static bool is_small(const mv_box *box) {
  return box->x1 - box->x0 < MV_PX / 2 || box->y1 - box->y0 < MV_PX / 2;
}

/* Largest area first, among equals in an order that spreads them over the picture. */
static uint64_t rank_of(const mv_box *box) {
  const uint64_t area = (uint64_t)((box->x1 - box->x0) * (box->y1 - box->y0)); /* below 2^36 */
  const uint32_t spread = box->block * 2654435761u;
  return ((UINT64_C(1) << 36) - area) << 24 | spread >> 8;
}

static bool make_boxes(mv_timeline *t, const mv_picture *picture, mv_arena *arena, mv_status *status) {
  const mv_module *m = picture->module;
  t->boxes = mv_arena_alloc(arena, (size_t)(t->block_count - t->hidden_blocks) * sizeof *t->boxes, status);
  if (t->boxes == NULL) {
    return false;
  }
  for (size_t i = 0; i < t->frame_count; i++) {
    const mv_frame_box *f = &t->frames[i];
    const uint8_t *swatches = mv_palette_of_heap(m, f->heap, picture->limits, arena, status);
    if (swatches == NULL) {
      return false;
    }
    for (uint32_t k = 0; k < f->heap->block_count; k++) {
      if (k % CHECK_EVERY == 0 && !mv_check_interrupt(picture->limits, status)) {
        return false;
      }
      mv_box *box = &t->boxes[t->box_count];
      box->swatch = swatches[k];
      t->box_count += box_of(box, t, m, f, f->heap->first_block + k);
    }
  }
  return true;
}

/* Which boxes get a card, and which are drawn at all: *last_card and *last_box are the ranks of the last ones. */
static bool rank_boxes(const mv_timeline *t, mv_timeline_room room, uint64_t *last_card, uint64_t *last_box,
                       mv_arena *arena, mv_status *status) {
  *last_card = UINT64_MAX;
  *last_box = UINT64_MAX;
  if (t->box_count <= room.cards) {
    return true;
  }
  mv_keyed *keys = mv_sort_alloc(arena, t->box_count, status);
  if (keys == NULL) {
    return false;
  }
  size_t n = 0;
  for (size_t i = 0; i < t->box_count; i++) {
    if (!is_small(&t->boxes[i])) {
      keys[n++] = (mv_keyed){rank_of(&t->boxes[i]), (uint32_t)i};
    }
  }
  mv_sort(keys, n);
  *last_card = n > room.cards ? keys[room.cards - 1].key : UINT64_MAX;
  *last_box = n > room.boxes ? keys[room.boxes - 1].key : UINT64_MAX;
  return true;
}

static bool merge(mv_timeline *t, const mv_box *box, const mv_picture *picture, mv_arena *arena, mv_status *status) {
  if (t->merged_count == 0 && !mv_raster_new(&t->merged, MV_CHART_WIDTH, MV_CHART_TOP + t->height, arena, status)) {
    return false;
  }
  if (t->merged_count++ % CHECK_EVERY == 0 && !mv_check_interrupt(picture->limits, status)) {
    return false;
  }
  return mv_raster_cover(&t->merged, box->x0, box->y0, box->x1, box->y1, arena, status);
}

static bool sort_out(mv_timeline *t, const mv_picture *picture, mv_timeline_room room, mv_arena *arena,
                     mv_status *status) {
  uint64_t last_card;
  uint64_t last_box;
  if (!rank_boxes(t, room, &last_card, &last_box, arena, status)) {
    return false;
  }
  size_t kept = 0;
  for (size_t i = 0; i < t->box_count; i++) {
    mv_box box = t->boxes[i];
    const uint64_t rank = rank_of(&box);
    const bool is_merged = is_small(&box) || rank > last_box;
    if (is_merged && !merge(t, &box, picture, arena, status)) {
      return false;
    }
    t->small_count += is_small(&box);
    if (!is_merged) {
      box.has_card = rank <= last_card;
      t->plain_count += !box.has_card;
      t->boxes[kept++] = box;
    }
  }
  t->box_count = kept;
  return true;
}

bool mv_timeline_lay_out(mv_timeline *out, const mv_picture *picture, mv_timeline_room room, mv_arena *arena,
                         mv_status *status) {
  *out = (mv_timeline){0};
  if (picture->space == MV_NONE) {
    return true;
  }
  if (!choose_frames(out, picture, arena, status)) {
    return false;
  }
  place_frames(out);
  return make_boxes(out, picture, arena, status) && sort_out(out, picture, room, arena, status);
}

static void add_blocks(mv_text *text, int64_t count) {
  mv_count_add(text, count);
  mv_text_add(text, count == 1 ? " block " : " blocks ");
}

void mv_timeline_describe(mv_chart *chart, const mv_timeline *t) {
  const mv_picture *picture = chart->picture;
  mv_text *notes = &chart->notes;
  if (picture->space == MV_NONE) {
    return;
  }
  const mv_space *s = &picture->module->spaces[picture->space];
  mv_text_add(&chart->subtitle, " \xC2\xB7 peak ");
  mv_text_size(&chart->subtitle, s->peak_bytes);
  const bool shows_untraced = mv_space_shows_untraced(s);
  if ((s->baseline_bytes > 0 || shows_untraced) && s->heap_count > 0) {
    mv_text_add(&chart->subtitle, ": ");
    mv_text_size(&chart->subtitle, s->heap_peak_bytes);
    mv_text_add(&chart->subtitle, s->heap_count > 1 ? " in the heaps shown here" : " in the heap shown here");
    if (s->baseline_bytes > 0) {
      mv_text_add(&chart->subtitle, ", ");
      mv_text_size(&chart->subtitle, s->baseline_bytes);
      mv_text_add(&chart->subtitle, " live throughout (parameters, constants and results)");
    }
    if (shows_untraced) {
      mv_text_add(&chart->subtitle, ", ");
      mv_text_size(&chart->subtitle, s->untraced_bytes);
      mv_text_add(&chart->subtitle, " untraced");
    }
  }
  if (t->small_count > 0) {
    mv_count_add(notes, t->small_count);
    mv_text_add(notes, " of ");
    add_blocks(notes, t->block_count);
    mv_text_add(notes, t->small_count == 1 ? "is" : "are");
    mv_text_add(notes, " under half a pixel wide or high and drawn merged, in grey\n");
  }
  if (t->plain_count > 0 || t->merged_count > t->small_count) {
    mv_text_add(notes, "Of the others the ");
    mv_count_add(notes, (int64_t)t->box_count - t->plain_count);
    mv_text_add(notes, " largest have a tooltip, ");
    mv_count_add(notes, t->plain_count);
    mv_text_add(notes, " have none");
    if (t->merged_count > t->small_count) {
      mv_text_add(notes, " and ");
      mv_count_add(notes, t->merged_count - t->small_count);
      mv_text_add(notes, " are merged too");
    }
    mv_text_char(notes, '\n');
  }
  if (t->clipped_count > 0) {
    add_blocks(notes, t->clipped_count);
    mv_text_add(notes, t->clipped_count == 1 ? "reaches" : "reach");
    mv_text_add(notes, " beyond the allocation and ");
    mv_text_add(notes, t->clipped_count == 1 ? "is clipped" : "are clipped");
    if (t->outside_count > 0) {
      mv_text_add(notes, "; ");
      mv_count_add(notes, t->outside_count);
      mv_text_add(notes, " of them lie outside altogether");
    }
    mv_text_char(notes, '\n');
  }
  if (t->empty_count > 0) {
    add_blocks(notes, t->empty_count);
    mv_text_add(notes, t->empty_count == 1 ? "takes 0 bytes and is not drawn\n" : "take 0 bytes and are not drawn\n");
  }
  if (t->homeless_count > 0) {
    add_blocks(notes, t->homeless_count);
    mv_text_add(notes,
                t->homeless_count == 1 ? "has no address and is not drawn\n" : "have no address and are not drawn\n");
  }
  if (t->hidden_heaps > 0) {
    mv_text_add(notes, "The ");
    mv_count_add(notes, t->hidden_heaps);
    mv_text_add(notes, " smallest heaps, with ");
    add_blocks(notes, t->hidden_blocks);
    mv_text_add(notes, "in all, are not drawn\n");
  }
}

const char *mv_timeline_problem(const mv_picture *picture, const mv_timeline *t) {
  if (picture->space == MV_NONE) {
    return "The module has no memory space: its buffer assignment has no allocations.";
  }
  const mv_space *s = &picture->module->spaces[picture->space];
  if (s->allocation_count == 0 && s->heap_count == 0) {
    return "Nothing is allocated in this memory space: instructions use it for themselves (scoped memory).";
  }
  if (t->frame_count == 0 && s->untraced_bytes > 0) {
    return "No heap trace: nothing tells when the temporaries of this memory space live.";
  }
  if (t->frame_count == 0) {
    return "No heap trace: all of this memory space is live throughout, for parameters, constants and results.";
  }
  if (t->block_count == 0) {
    return "The heap trace of this memory space begins no block.";
  }
  if (t->box_count == 0 && t->merged_count == 0) {
    return t->empty_count == t->block_count ? "All blocks of this memory space take 0 bytes."
                                            : "No block of this memory space lies inside its allocation.";
  }
  return NULL;
}
