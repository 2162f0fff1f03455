/* The identities of every output, on every dump in tests/data: what the module says is computed once more here, from
 * the file's own messages, event after event and in the simplest way there is.
 *
 *   - bytes at p = baseline + untraced + sizes of the blocks live at p; the same unpadded
 *   - the sizes of what is live at the peak add up to peak_bytes
 *   - occupied <= bytes, and it is what the addresses say
 *   - padding = padded - unpadded
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>

#include "analysis/live.h"
#include "load/occupied.h"
#include "support/files.h"
#include "support/hlo_builder.h"
#include "wire/wire.h"

/* The file read again, by field numbers, into small tables that are searched from the front. */
typedef struct assigned {
  int64_t buffer;
  int64_t offset;
} assigned;

typedef struct allocation {
  int64_t id, size, color;
  bool is_parameter, is_constant, is_live_out, is_thread_local;
  assigned *assigned;
  size_t assigned_count;
} allocation;

typedef struct buffer {
  int64_t id, size, color;
} buffer;

typedef struct event {
  int64_t kind, buffer, canonical;
} event;

typedef struct trace {
  event *events;
  size_t count;
} trace;

typedef struct listed_buffer { /* one buffer of a list of what is live at the peak of an allocation */
  int64_t allocation, buffer;
} listed_buffer;

typedef struct file {
  buffer *buffers;
  size_t buffer_count;
  allocation *allocations;
  size_t allocation_count;
  trace *traces;
  size_t trace_count;
  listed_buffer *peaks;
  size_t peak_count;
} file;

static void *grow(void *items, size_t count, size_t size) {
  void *p = realloc(items, (count + 1) * size);
  cr_assert_not_null(p);
  memset((char *)p + count * size, 0, size);
  return p;
}

/* The fields of a message that are numbers, by field number below 16. */
static void read_numbers(mv_bytes proto, int64_t numbers[16]) {
  memset(numbers, 0, 16 * sizeof *numbers);
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.type == MV_VARINT && tag.field < 16) {
      numbers[tag.field] = (int64_t)tag.value;
    }
  }
}

static void read_allocation(allocation *a, mv_bytes proto) {
  int64_t n[16];
  read_numbers(proto, n);
  *a = (allocation){.id = n[1],
                    .size = n[2],
                    .color = n[8],
                    .is_thread_local = n[3],
                    .is_parameter = n[5],
                    .is_live_out = n[7],
                    .is_constant = n[12]};
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == 9) {
      read_numbers(tag.bytes, n);
      a->assigned = grow(a->assigned, a->assigned_count, sizeof *a->assigned);
      a->assigned[a->assigned_count++] = (assigned){n[1], n[2]};
    }
  }
}

static void read_trace(trace *t, mv_bytes proto) {
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == 1) {
      int64_t n[16];
      read_numbers(tag.bytes, n);
      t->events = grow(t->events, t->count, sizeof *t->events);
      t->events[t->count++] = (event){n[1], n[2], n[5]};
    }
  }
}

static void read_peak(file *f, mv_bytes proto) {
  int64_t n[16];
  read_numbers(proto, n);
  mv_wire w = mv_wire_of(proto);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    mv_wire packed = mv_wire_of(tag.field == 2 ? tag.bytes : mv_bytes_of(NULL, 0));
    uint64_t id;
    while (mv_wire_next_packed(&packed, &id)) {
      f->peaks = grow(f->peaks, f->peak_count, sizeof *f->peaks);
      f->peaks[f->peak_count++] = (listed_buffer){n[1], (int64_t)id};
    }
  }
}

static file read_file(mv_bytes proto) {
  file f = {0};
  mv_wire outer = mv_wire_of(proto);
  mv_tag field;
  while (mv_wire_next(&outer, &field)) {
    if (field.field != 3) {
      continue;
    }
    mv_wire w = mv_wire_of(field.bytes);
    mv_tag tag;
    while (mv_wire_next(&w, &tag)) {
      int64_t n[16];
      if (tag.field == 1) {
        read_numbers(tag.bytes, n);
        f.buffers = grow(f.buffers, f.buffer_count, sizeof *f.buffers);
        f.buffers[f.buffer_count++] = (buffer){n[1], n[2], n[4]};
      } else if (tag.field == 3) {
        f.allocations = grow(f.allocations, f.allocation_count, sizeof *f.allocations);
        read_allocation(&f.allocations[f.allocation_count++], tag.bytes);
      } else if (tag.field == 4) {
        f.traces = grow(f.traces, f.trace_count, sizeof *f.traces);
        read_trace(&f.traces[f.trace_count++], tag.bytes);
      } else if (tag.field == 5) {
        read_peak(&f, tag.bytes);
      }
    }
  }
  return f;
}

static void free_file(file *f) {
  for (size_t i = 0; i < f->allocation_count; i++) {
    free(f->allocations[i].assigned);
  }
  for (size_t i = 0; i < f->trace_count; i++) {
    free(f->traces[i].events);
  }
  free(f->buffers);
  free(f->allocations);
  free(f->traces);
  free(f->peaks);
}

static const buffer *find_buffer(const file *f, int64_t id) {
  for (size_t i = 0; i < f->buffer_count; i++) {
    if (f->buffers[i].id == id) {
      return &f->buffers[i];
    }
  }
  cr_assert_fail("buffer %lld is not in the file", (long long)id);
  return NULL;
}

static const allocation *find_allocation(const file *f, int64_t buffer_id, int64_t *offset) {
  for (size_t i = 0; i < f->allocation_count; i++) {
    for (size_t k = 0; k < f->allocations[i].assigned_count; k++) {
      if (f->allocations[i].assigned[k].buffer == buffer_id) {
        *offset = f->allocations[i].assigned[k].offset;
        return &f->allocations[i];
      }
    }
  }
  return NULL;
}

static bool is_baseline(const allocation *a) {
  return !a->is_thread_local && (a->is_parameter || a->is_constant || a->is_live_out);
}

static int64_t baseline_of(const file *f, int64_t color) {
  int64_t sum = 0;
  for (size_t i = 0; i < f->allocation_count; i++) {
    sum += f->allocations[i].color == color && is_baseline(&f->allocations[i]) ? f->allocations[i].size : 0;
  }
  return sum;
}

static bool has_trace(const file *f, const allocation *a) {
  for (size_t i = 0; i < f->trace_count; i++) {
    int64_t ignored;
    if (f->traces[i].count > 0 && find_allocation(f, f->traces[i].events[0].buffer, &ignored) == a) {
      return true;
    }
  }
  return false;
}

/* What the temporary allocations of a space without a trace count as. */
static int64_t untraced_of(const file *f, int64_t color) {
  int64_t sum = 0;
  for (size_t i = 0; i < f->allocation_count; i++) {
    const allocation *a = &f->allocations[i];
    if (a->color != color || is_baseline(a) || a->is_thread_local || has_trace(f, a)) {
      continue;
    }
    int64_t listed = 0;
    bool is_listed = false;
    for (size_t k = 0; k < f->peak_count; k++) {
      if (f->peaks[k].allocation == a->id) {
        is_listed = true;
        listed += find_buffer(f, f->peaks[k].buffer)->size;
      }
    }
    sum += is_listed && listed < a->size ? listed : a->size;
  }
  return sum;
}

/* The root of a buffer's chain at a time: the last SHARE_WITH of it before says with whom it shares. */
static int64_t root_at(const trace *t, size_t events, int64_t id) {
  for (size_t i = events; i-- > 0;) {
    const event *e = &t->events[i];
    if (e->buffer == id && e->kind == MV_EVENT_ALLOC) {
      return id;
    }
    if (e->buffer == id && e->kind == MV_EVENT_SHARE_WITH) {
      return root_at(t, i, e->canonical);
    }
  }
  return id;
}

/* References on a root after the first `events` events. */
static int64_t references_at(const trace *t, size_t events, int64_t root) {
  int64_t n = 0;
  for (size_t i = 0; i < events; i++) {
    if (root_at(t, i + 1, t->events[i].buffer) == root) {
      n += t->events[i].kind == MV_EVENT_FREE ? -1 : 1;
    }
  }
  return n;
}

/* The roots that are live after the first `events` events; their number. */
static size_t live_roots(const file *f, const trace *t, size_t events, int64_t *roots) {
  size_t n = 0;
  for (size_t i = 0; i < f->buffer_count; i++) {
    bool is_named = false; /* else it can't be live, and counting would take long */
    for (size_t k = 0; k < events && !is_named; k++) {
      is_named = t->events[k].buffer == f->buffers[i].id || t->events[k].canonical == f->buffers[i].id;
    }
    if (is_named && references_at(t, events, f->buffers[i].id) > 0) {
      roots[n++] = f->buffers[i].id;
    }
  }
  return n;
}

static int compare_ranges(const void *a, const void *b) {
  const mv_range *x = a;
  const mv_range *y = b;
  return (x->low > y->low) - (x->low < y->low);
}

static int64_t covered(mv_range *ranges, size_t count) {
  if (count > 0) {
    qsort(ranges, count, sizeof *ranges, compare_ranges);
  }
  int64_t sum = 0;
  int64_t end = INT64_MIN;
  for (size_t i = 0; i < count; i++) {
    const int64_t low = ranges[i].low > end ? ranges[i].low : end;
    if (ranges[i].high > low) {
      sum += ranges[i].high - low;
      end = ranges[i].high;
    }
  }
  return sum;
}

static int64_t unpadded_of(mv_module *m, int64_t id) {
  const mv_buffer *b = &m->buffers[mv_idmap_find(&m->buffers_by_id, id)];
  return b->unpadded_bytes >= 0 ? b->unpadded_bytes : b->size_bytes;
}

/* One heap against its trace. */
static void check_heap(const file *f, mv_module *m, const mv_heap *heap, const trace *t) {
  const mv_space *space = &m->spaces[heap->space];
  const int64_t resident = baseline_of(f, space->color) + untraced_of(f, space->color);
  const int64_t resident_unpadded = space->baseline_unpadded_bytes + space->untraced_unpadded_bytes;
  int64_t *roots = calloc(f->buffer_count + 1, sizeof *roots);
  mv_range *ranges = calloc(f->buffer_count + 1, sizeof *ranges);
  cr_assert(roots != NULL && ranges != NULL);
  int64_t ignored;
  const allocation *place = find_allocation(f, t->events[0].buffer, &ignored);
  cr_assert_not_null(place);
  cr_assert_eq(m->allocations[heap->allocation].id, place->id);
  cr_assert_eq(heap->event_count, t->count);
  int64_t peak = 0;
  int64_t peak_position = 0;
  int64_t occupied_peak = 0;
  for (size_t p = 0; p <= t->count; p++) {
    int64_t bytes = 0;
    int64_t unpadded = 0;
    const size_t n = live_roots(f, t, p, roots);
    for (size_t i = 0; i < n; i++) {
      const int64_t size = find_buffer(f, roots[i])->size;
      int64_t offset = 0;
      cr_assert_not_null(find_allocation(f, roots[i], &offset));
      bytes += size;
      unpadded += unpadded_of(m, roots[i]);
      ranges[i] = (mv_range){offset, offset + size};
    }
    const int64_t occupied = covered(ranges, n);
    const mv_position *position = &m->positions[heap->first_position + p];
    cr_assert_eq(position->position, p);
    cr_assert_eq(position->bytes, resident + bytes, "at %zu", p);
    cr_assert_eq(position->unpadded_bytes, resident_unpadded + unpadded, "at %zu", p);
    cr_assert_eq(position->occupied_bytes, resident + occupied, "at %zu", p);
    cr_assert_leq(position->occupied_bytes, position->bytes);
    cr_assert_leq(occupied, m->allocations[heap->allocation].size_bytes);
    if (bytes > peak) {
      peak = bytes;
      peak_position = (int64_t)p;
    }
    occupied_peak = occupied > occupied_peak ? occupied : occupied_peak;
    /* and by the blocks */
    int64_t by_blocks = 0;
    for (uint32_t i = heap->first_block; i < heap->first_block + heap->block_count; i++) {
      const mv_block *b = &m->blocks[i];
      by_blocks += b->start <= (int64_t)p && (int64_t)p < b->end ? m->buffers[b->root].size_bytes : 0;
    }
    cr_assert_eq(by_blocks, bytes, "at %zu", p);
  }
  cr_assert_eq(heap->peak_bytes, peak);
  cr_assert_eq(heap->peak_position, peak_position);
  cr_assert_eq(heap->occupied_peak_bytes, occupied_peak);
  free(ranges);
  free(roots);
}

static void check_space(const file *f, mv_module *m, uint32_t index) {
  const mv_space *s = &m->spaces[index];
  cr_assert_eq(s->baseline_bytes, baseline_of(f, s->color));
  cr_assert_eq(s->untraced_bytes, untraced_of(f, s->color));
  const int64_t resident = s->baseline_bytes + s->untraced_bytes;
  int64_t heaps = 0;
  int64_t occupied = resident;
  int64_t unpadded = s->baseline_unpadded_bytes + s->untraced_unpadded_bytes;
  for (uint32_t h = s->first_heap; h < s->first_heap + s->heap_count; h++) {
    heaps += m->heaps[h].peak_bytes;
    occupied += m->heaps[h].occupied_peak_bytes;
    unpadded += m->heaps[h].peak_unpadded_bytes;
  }
  cr_assert_eq(s->peak_bytes, resident + heaps);
  cr_assert_eq(s->peak_unpadded_bytes, unpadded);
  cr_assert_eq(s->occupied_peak_bytes, occupied);
  cr_assert_leq(s->occupied_peak_bytes, s->peak_bytes);
  int64_t total = 0;
  int64_t thread_local = 0;
  for (size_t i = 0; i < f->allocation_count; i++) {
    if (f->allocations[i].color == s->color) {
      *(f->allocations[i].is_thread_local ? &thread_local : &total) += f->allocations[i].size;
    }
  }
  cr_assert_eq(s->total_bytes, total);
  cr_assert_eq(s->thread_local_bytes, thread_local);
  cr_assert_leq(s->occupied_peak_bytes, s->total_bytes, "fragmentation is never negative");
}

/* What is live at the peak, and at every position of a space with one heap, adds up to the curve. */
static void check_live(mv_module *m, uint32_t index) {
  const mv_space *s = &m->spaces[index];
  mv_status st = MV_STATUS_INIT;
  mv_arena *arena = mv_arena_new(&st);
  cr_assert_not_null(arena);
  const int64_t last = s->heap_count <= 1 ? s->longest_trace : -1;
  for (int64_t at = -1; at <= last; at++) {
    mv_live_list list;
    mv_arena_reset(arena);
    cr_assert(mv_live_at(&list, m, index, at, arena, &st));
    int64_t bytes = 0;
    int64_t unpadded = 0;
    for (size_t i = 0; i < list.count; i++) {
      const mv_live *l = &list.items[i];
      bytes += l->size_bytes;
      unpadded += l->unpadded_bytes >= 0 ? l->unpadded_bytes : l->size_bytes;
      if (l->start_position < 0) { /* untraced */
        cr_assert_lt(l->end_position, 0);
        cr_assert_eq(m->allocations[l->allocation].category, MV_CATEGORY_TEMPORARY);
        continue;
      }
      cr_assert_leq(l->start_position, l->position);
      cr_assert_lt(l->position, l->end_position);
      if (l->buffer != MV_NONE) { /* the buffer that names it carries the same lifetime, or an earlier one */
        cr_assert_leq(m->buffers[l->buffer].start_position, l->start_position);
      }
    }
    const mv_position *p = &m->positions[s->first_position + (at < 0 ? 0 : at)];
    cr_assert_eq(bytes, at < 0 ? s->peak_bytes : p->bytes, "at %lld", (long long)at);
    cr_assert_eq(unpadded, at < 0 ? s->peak_unpadded_bytes : p->unpadded_bytes, "at %lld", (long long)at);
  }
  mv_arena_free(arena);
}

static void check_file(const char *name) {
  mv_text bytes = read_data(name);
  mv_module *m = load_data(name);
  file f = read_file(pb_view(&bytes));
  cr_assert_str_eq(m->problem, "", "%s: %s", name, m->problem);
  cr_assert_eq(m->buffer_count, f.buffer_count);
  cr_assert_eq(m->allocation_count, f.allocation_count);
  /* heaps stand in order of color, those of one color in the file's order */
  uint32_t h = 0;
  for (uint32_t s = 0; s < m->space_count; s++) {
    for (size_t i = 0; i < f.trace_count; i++) {
      if (f.traces[i].count == 0) {
        continue;
      }
      int64_t offset;
      const allocation *a = find_allocation(&f, f.traces[i].events[0].buffer, &offset);
      cr_assert_not_null(a);
      if (a->color == m->spaces[s].color) {
        cr_assert_lt(h, m->heap_count);
        cr_assert_eq(m->heaps[h].space, s);
        check_heap(&f, m, &m->heaps[h++], &f.traces[i]);
      }
    }
    check_space(&f, m, s);
    check_live(m, s);
  }
  cr_assert_eq(h, m->heap_count);
  free_file(&f);
  mv_text_free(&bytes);
  mv_module_free(m);
}

static void free_names(struct criterion_test_params *params) {
  for (size_t i = 0; i < params->length; i++) {
    cr_free(((char **)params->params)[i]);
  }
  cr_free(params->params);
}

ParameterizedTestParameters(identities, hold_on_every_dump) {
  char **names = list_data(".hlo.pb");
  size_t count = 0;
  while (names[count] != NULL) {
    count++;
  }
  /* parameters go to another process: they have to be in Criterion's memory */
  char **shared = cr_malloc(count * sizeof *shared);
  for (size_t i = 0; i < count; i++) {
    shared[i] = cr_malloc(strlen(names[i]) + 1);
    strcpy(shared[i], names[i]);
    free(names[i]);
  }
  free(names);
  return cr_make_param_array(char *, shared, count, free_names);
}

ParameterizedTest(char **name, identities, hold_on_every_dump) {
  check_file(*name);
}

Test(identities, there_are_dumps_to_check) {
  char **names = list_data(".hlo.pb");
  size_t count = 0;
  for (; names[count] != NULL; count++) {
    free(names[count]);
  }
  free(names);
  cr_expect_geq(count, 20);
}
