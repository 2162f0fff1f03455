/* arena.h: memory that is freed all at once.
 *
 *   arena -> block -> block -> block        each block: header, then bytes handed out from the front
 *
 * One arena owns a model; a scratch arena owns what one row or one parse needs and is reset. Nothing is freed by
 * itself. An allocation that fails returns NULL and fills the status; the arena stays usable.
 */
#ifndef MV_BASE_ARENA_H
#define MV_BASE_ARENA_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/status.h"

typedef struct mv_arena mv_arena;

/* A new, empty arena; NULL when memory ran out. Owned by the caller: mv_arena_free. */
mv_arena *mv_arena_new(mv_status *status);

/* Take room for about `size` bytes at once, in as many huge pages as that fills by three quarters: one fault then
 * clears what would be hundreds of small ones. What is never used is never touched. */
bool mv_arena_expect(mv_arena *arena, size_t size, mv_status *status);

/* Free the arena and all it handed out. NULL is allowed. */
void mv_arena_free(mv_arena *arena);

/* Forget all allocations but keep the first block for reuse. */
void mv_arena_reset(mv_arena *arena);

/* `size` bytes aligned for any type, not initialised; size 0 gives a valid pointer. */
void *mv_arena_alloc(mv_arena *arena, size_t size, mv_status *status);

/* `count` items of `size` bytes, all zero; fails when the product overflows. */
void *mv_arena_zalloc(mv_arena *arena, size_t count, size_t size, mv_status *status);

/* A copy of `bytes` with a terminator behind it. */
char *mv_arena_string(mv_arena *arena, mv_bytes bytes, mv_status *status);

/* Bytes of memory the arena holds, its unused room included. */
size_t mv_arena_footprint(const mv_arena *arena);

/* A growing array of equal items inside an arena. {0} is empty. */
typedef struct mv_array {
  void *items;
  size_t count;
  size_t capacity;
} mv_array;

/* Room for one more item of `size` bytes at the end, counted; NULL when memory ran out. Growing doubles, and leaves the
 * old copy in the arena: reserve a good guess first where the array is large. Not initialised. */
static inline void *mv_array_push(mv_array *array, size_t size, mv_arena *arena, mv_status *status);

/* Room for at least `capacity` items in all. */
bool mv_array_reserve(mv_array *array, size_t capacity, size_t size, mv_arena *arena, mv_status *status);

static inline void *mv_array_push(mv_array *array, size_t size, mv_arena *arena, mv_status *status) {
  if (array->count == array->capacity &&
      !mv_array_reserve(array, array->capacity < 8 ? 8 : array->capacity * 2, size, arena, status)) {
    return NULL;
  }
  return (char *)array->items + size * array->count++;
}

#endif
