#include "render/palette.h"

#include "base/bits.h"
#include "base/sort.h"
#include "model/instruction.h"

/* Twelve hues of even lightness in OKLCH; tests/core/render/test_palette.c holds their contrasts. */
const mv_swatch mv_palette[MV_PALETTE_SIZE] = {
    {0xFEAFAE, 0xBB565A, 0x873E40, 0xDF7E7F}, {0xF5AA80, 0xAC571D, 0x8D4D27, 0xE49060},
    {0xEBC076, 0x9F7106, 0x735103, 0xC5953B}, {0xC2C472, 0x767705, 0x646511, 0xACAE4D},
    {0xA3D897, 0x4D8C3E, 0x37652D, 0x75B168}, {0x71D4B3, 0x038568, 0x007258, 0x47C09C},
    {0x68DCE2, 0x108B91, 0x086569, 0x14B4BB}, {0x70CAF4, 0x067CA4, 0x026A8D, 0x46B5E4},
    {0xA8C9FD, 0x4A79C6, 0x35578F, 0x729FE9}, {0xBCB2FD, 0x7262B7, 0x605595, 0xA79AEE},
    {0xE6B1F2, 0x9C5EAA, 0x70447A, 0xBF85CD}, {0xF1A2C7, 0xA84E7C, 0x8A4768, 0xE087B2},
};

enum { NEXT = 5 }; /* steps around the circle of hues: far from the last one, and all are met */

void mv_rgb_add(mv_text *text, uint32_t rgb) {
  mv_text_char(text, '#');
  for (int shift = 20; shift >= 0; shift -= 4) {
    mv_text_char(text, "0123456789abcdef"[rgb >> shift & 15]);
  }
}

static uint32_t hash(uint32_t h, mv_bytes bytes) { /* FNV-1a */
  for (size_t i = 0; i < bytes.size; i++) {
    h = (h ^ bytes.data[i]) * 16777619u;
  }
  return h;
}

/* The same on machines of either byte order. */
static uint32_t hash_numbers(uint32_t h, const int64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      h = (h ^ (uint32_t)((uint64_t)numbers[i] >> shift & 255)) * 16777619u;
    }
  }
  return h;
}

uint8_t mv_palette_of(const mv_module *module, const mv_buffer *buffer) {
  uint32_t h = 2166136261u;
  const mv_bytes name = mv_instruction_name(module, buffer->instruction);
  if (name.size > 0) {
    mv_location location;
    mv_buffer_location(&location, module, buffer);
    h = hash(h, name);
    h = hash_numbers(h, location.index, location.index_count);
  } else {
    h = hash_numbers(h, &buffer->id, 1);
  }
  return (uint8_t)((h ^ h >> 16) % MV_PALETTE_SIZE);
}

/* A set of numbers below n that knows its members' neighbours: a bit for each number, above each 64 words one word with
 * a bit for each that is not empty, and so on up to a single word. */
enum { LEVELS = 6 };

typedef struct bitset {
  uint64_t *words[LEVELS];
  uint32_t levels;
} bitset;

static bool bitset_new(bitset *set, size_t n, mv_arena *arena, mv_status *status) {
  *set = (bitset){.levels = 0};
  do {
    n = (n + 63) / 64;
    set->words[set->levels] = mv_arena_zalloc(arena, n, sizeof(uint64_t), status);
    if (set->words[set->levels++] == NULL) {
      return false;
    }
  } while (n > 1);
  return true;
}

static void bitset_add(bitset *set, uint32_t i) {
  for (uint32_t level = 0; level < set->levels; level++, i /= 64) {
    set->words[level][i / 64] |= UINT64_C(1) << i % 64;
  }
}

static void bitset_remove(bitset *set, uint32_t i) {
  for (uint32_t level = 0; level < set->levels; level++, i /= 64) {
    if ((set->words[level][i / 64] &= ~(UINT64_C(1) << i % 64)) != 0) {
      return;
    }
  }
}

/* The nearest member below `i`, or above it; MV_NONE when there is none. */
static uint32_t bitset_near(const bitset *set, uint32_t i, bool above) {
  for (uint32_t level = 0; level < set->levels; level++, i /= 64) {
    const uint32_t bit = i % 64;
    const uint64_t mask = above ? (bit == 63 ? 0 : ~UINT64_C(0) << (bit + 1)) : (UINT64_C(1) << bit) - 1;
    uint64_t word = set->words[level][i / 64] & mask;
    if (word == 0) {
      continue;
    }
    i = i / 64 * 64;
    for (;;) { /* down again, to the end that is nearer */
      i += above ? mv_lowest_bit(word) : mv_highest_bit(word);
      if (level-- == 0) {
        return i;
      }
      word = set->words[level][i];
      i *= 64;
    }
  }
  return MV_NONE;
}

static uint8_t pick(uint8_t wanted, uint32_t taken) {
  for (int i = 0; i < MV_PALETTE_SIZE && (taken >> wanted & 1) != 0; i++) {
    wanted = (uint8_t)((wanted + NEXT) % MV_PALETTE_SIZE);
  }
  return wanted;
}

typedef struct sweep {
  const mv_block *blocks;
  uint32_t *rank;    /* of a block in order of offset */
  uint32_t *by_rank; /* and back */
  uint8_t *swatches;
  bitset live; /* ranks */
} sweep;

enum { CHECK_EVERY = 1 << 14 }; /* blocks between two looks at the host's wish to stop */

enum { NEIGHBOURS = 2 }; /* each way: in memory that is shared in place the next one but one can touch it too */

/* The swatches that block i must not have: of what lies below and above it now, and of the last block before it that
 * began at the same address. */
static uint32_t taken_around(const sweep *s, const mv_module *m, uint32_t i) {
  uint32_t taken = 0;
  const uint32_t rank = s->rank[i];
  for (int above = 0; above < 2; above++) {
    uint32_t near = bitset_near(&s->live, rank, above != 0);
    for (int k = 0; k < NEIGHBOURS && near != MV_NONE; k++) {
      taken |= UINT32_C(1) << s->swatches[s->by_rank[near]];
      near = bitset_near(&s->live, near, above != 0);
    }
  }
  if (rank > 0 && s->by_rank[rank - 1] < i &&
      m->buffers[s->blocks[s->by_rank[rank - 1]].root].offset_bytes == m->buffers[s->blocks[i].root].offset_bytes) {
    taken |= UINT32_C(1) << s->swatches[s->by_rank[rank - 1]];
  }
  return taken;
}

uint8_t *mv_palette_of_heap(const mv_module *m, const mv_heap *heap, const mv_limits *limits, mv_arena *arena,
                            mv_status *status) {
  const uint32_t n = heap->block_count;
  sweep s = {.blocks = m->blocks + heap->first_block};
  mv_keyed *keys = mv_sort_alloc(arena, n, status);
  s.rank = mv_arena_alloc(arena, n * sizeof *s.rank, status);
  s.by_rank = mv_arena_alloc(arena, n * sizeof *s.by_rank, status);
  s.swatches = mv_arena_alloc(arena, n, status);
  if (keys == NULL || s.rank == NULL || s.by_rank == NULL || s.swatches == NULL ||
      !bitset_new(&s.live, n > 0 ? n : 1, arena, status)) {
    return NULL;
  }
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = (mv_keyed){mv_sort_key(m->buffers[s.blocks[i].root].offset_bytes), i};
  }
  mv_sort(keys, n); /* stable: of one address in order of start */
  if (!mv_check_interrupt(limits, status)) {
    return NULL;
  }
  for (uint32_t r = 0; r < n; r++) {
    s.by_rank[r] = keys[r].index;
    s.rank[keys[r].index] = r;
  }
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = (mv_keyed){mv_sort_key(s.blocks[i].end), i};
  }
  mv_sort(keys, n);
  uint32_t ended = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (i % CHECK_EVERY == 0 && !mv_check_interrupt(limits, status)) {
      return NULL;
    }
    while (ended < n && mv_sort_value(keys[ended].key) <= s.blocks[i].start) {
      bitset_remove(&s.live, s.rank[keys[ended++].index]);
    }
    s.swatches[i] = pick(mv_palette_of(m, &m->buffers[s.blocks[i].buffer]), taken_around(&s, m, i));
    bitset_add(&s.live, s.rank[i]);
  }
  return s.swatches;
}
