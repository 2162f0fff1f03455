/* heaps.h: of many heaps those that get a place on a picture. */
#ifndef MV_RENDER_HEAPS_H
#define MV_RENDER_HEAPS_H

#include "model/module.h"

/* How large a heap counts; not negative. */
typedef int64_t mv_heap_size(const mv_module *module, const mv_heap *heap);

/* The `most` largest heaps of a space, in their own order: indexes into module->heaps. */
bool mv_largest_heaps(uint32_t *out, size_t *count, size_t most, const mv_module *module, uint32_t space,
                      mv_heap_size *size_of, mv_arena *arena, mv_status *status);

#endif
