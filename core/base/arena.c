#include "base/arena.h"

#include <stdlib.h>

#include "base/os/pages.h"

typedef struct block {
  struct block *next;
  size_t size; /* of the bytes behind the header */
  size_t used;
} block;

enum {
  ALIGNMENT = 16,
  HEADER = (sizeof(block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
  FIRST_BLOCK = 4096 - HEADER,
  LARGEST_STEP = 1 << 20, /* blocks double up to this, so that a small model stays small */
};

struct mv_arena {
  block *blocks; /* the one in use first */
  block *first;  /* the one that a reset keeps */
  size_t footprint;
};

static block *add_block(mv_arena *arena, size_t size, mv_status *status) {
  block *b = size <= SIZE_MAX - HEADER ? mv_pages_alloc(HEADER + size) : NULL;
  if (b == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  b->size = size;
  b->used = 0;
  b->next = arena->blocks;
  arena->blocks = b;
  arena->footprint += HEADER + size;
  return b;
}

mv_arena *mv_arena_new(mv_status *status) {
  mv_arena *arena = calloc(1, sizeof *arena);
  if (arena == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  arena->footprint = sizeof *arena;
  arena->first = add_block(arena, FIRST_BLOCK, status);
  if (arena->first == NULL) {
    free(arena);
    return NULL;
  }
  return arena;
}

bool mv_arena_expect(mv_arena *arena, size_t size, mv_status *status) {
  const size_t whole = (size + MV_HUGE_PAGE / 4) / MV_HUGE_PAGE * MV_HUGE_PAGE;
  return whole == 0 || add_block(arena, whole - HEADER, status) != NULL;
}

static void free_blocks(block *b, const block *stop) {
  while (b != stop) {
    block *next = b->next;
    free(b);
    b = next;
  }
}

void mv_arena_free(mv_arena *arena) {
  if (arena != NULL) {
    free_blocks(arena->blocks, NULL);
    free(arena);
  }
}

void mv_arena_reset(mv_arena *arena) {
  free_blocks(arena->blocks, arena->first);
  arena->blocks = arena->first;
  arena->first->used = 0;
  arena->footprint = sizeof *arena + HEADER + arena->first->size;
}

void *mv_arena_alloc(mv_arena *arena, size_t size, mv_status *status) {
  if (size > SIZE_MAX - (ALIGNMENT - 1)) {
    mv_fail_nomem(status);
    return NULL;
  }
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  block *b = arena->blocks;
  if (rounded > b->size - b->used) {
    size_t step = b->size * 2 + HEADER;
    if (step > LARGEST_STEP - HEADER) {
      step = LARGEST_STEP - HEADER;
    }
    b = add_block(arena, rounded > step ? rounded : step, status);
    if (b == NULL) {
      return NULL;
    }
  }
  void *p = (char *)b + HEADER + b->used;
  b->used += rounded;
  return p;
}

void *mv_arena_zalloc(mv_arena *arena, size_t count, size_t size, mv_status *status) {
  if (size != 0 && count > SIZE_MAX / size) {
    mv_fail_nomem(status);
    return NULL;
  }
  void *p = mv_arena_alloc(arena, count * size, status);
  return p != NULL ? memset(p, 0, count * size) : NULL;
}

char *mv_arena_string(mv_arena *arena, mv_bytes bytes, mv_status *status) {
  char *p = mv_arena_alloc(arena, bytes.size + 1, status);
  if (p != NULL) {
    if (bytes.size > 0) {
      memcpy(p, bytes.data, bytes.size);
    }
    p[bytes.size] = '\0';
  }
  return p;
}

size_t mv_arena_footprint(const mv_arena *arena) {
  return arena->footprint;
}

bool mv_array_reserve(mv_array *array, size_t capacity, size_t size, mv_arena *arena, mv_status *status) {
  if (capacity <= array->capacity) {
    return true;
  }
  /* At least doubled, or reserving a little more each time would copy everything each time. */
  if (capacity / 2 < array->capacity) {
    capacity = array->capacity * 2;
  }
  if (capacity > SIZE_MAX / size) {
    return mv_fail_nomem(status);
  }
  void *items = mv_arena_alloc(arena, capacity * size, status);
  if (items == NULL) {
    return false;
  }
  if (array->count > 0) {
    memcpy(items, array->items, array->count * size);
  }
  array->items = items;
  array->capacity = capacity;
  return true;
}
