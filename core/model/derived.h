/* derived.h: what is made of a module at the first question about it, and kept with the module.
 *
 *   static bool make(void *out, const mv_module *m, const void *key, mv_derivation *d) { ... in d->arena ... }
 *   static const mv_derived_kind frames = {sizeof(mv_stack_frames), 0, make};
 *   const mv_stack_frames *f = mv_module_derived(m, &frames, NULL, limits, status);
 *
 * A value is found by its kind and its key: the bytes of a struct that says which one of the kind is meant. Each stands
 * in an arena of its own, which is dropped when making it fails, so that trying again costs no memory. All are freed
 * with the module and counted in mv_module_footprint. The module itself stays const.
 */
#ifndef MV_MODEL_DERIVED_H
#define MV_MODEL_DERIVED_H

#include "base/arena.h"
#include "base/limits.h"

typedef struct mv_module mv_module; /* module.h */
typedef struct mv_derived mv_derived;

/* What a value is made with. */
typedef struct mv_derivation {
  mv_arena *arena;   /* owns the value */
  mv_arena *scratch; /* dropped when the value is made */
  const mv_limits *limits;
  mv_status *status;
} mv_derivation;

typedef struct mv_derived_kind {
  size_t size;     /* of the value's struct, which is all zero when it is made */
  size_t key_size; /* 0: there is one of the kind */
  bool (*make)(void *out, const mv_module *module, const void *key, mv_derivation *derivation);
} mv_derived_kind;

/* An empty store; NULL when memory ran out. Owned by the module. */
mv_derived *mv_derived_new(mv_status *status);

/* NULL is allowed. */
void mv_derived_free(mv_derived *derived);

/* Bytes of memory of all values. */
size_t mv_derived_footprint(const mv_derived *derived);

/* The value, made at the first call; NULL with the status filled when that failed. Lives as long as the module. A make
 * function may ask for values of other kinds. */
const void *mv_derived_get(mv_derived *derived, const mv_module *module, const mv_derived_kind *kind, const void *key,
                           const mv_limits *limits, mv_status *status);

#endif
