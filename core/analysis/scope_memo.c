#include "analysis/scope_memo.h"

#include "base/hash.h"

enum {
  FIRST_SLOTS = 1024,
  MAX_PROBES = 32,
  LONG_NAME = 4096, /* bytes from which on a name is found by its place */
};

static uint64_t hash_of(mv_bytes name) {
  return name.size < LONG_NAME ? mv_hash(name) : mv_hash(mv_bytes_of(&name.data, sizeof name.data));
}

static bool is_same(const mv_scope *scope, uint64_t hash, mv_bytes name) {
  return scope->hash == hash && scope->op_name.size == name.size &&
         (scope->op_name.data == name.data || (name.size < LONG_NAME && mv_bytes_equal(scope->op_name, name)));
}

/* The slot of a name, or one that is free for it; NULL when there are too many others before it. */
static mv_scope **slot_of(const mv_scope_memo *memo, uint64_t hash, mv_bytes name) {
  for (uint32_t probe = 0; probe < MAX_PROBES; probe++) {
    mv_scope **slot = &memo->slots[(hash + probe) & (memo->slot_count - 1)];
    if (*slot == NULL || is_same(*slot, hash, name)) {
      return slot;
    }
  }
  return NULL;
}

static bool grow(mv_scope_memo *memo, mv_status *status) {
  const mv_scope_memo old = *memo;
  const uint32_t slot_count = old.slot_count == 0 ? FIRST_SLOTS : 2 * old.slot_count;
  mv_scope **slots = mv_arena_zalloc(memo->arena, slot_count, sizeof *slots, status);
  if (slots == NULL) {
    return false;
  }
  memo->slots = slots;
  memo->slot_count = slot_count;
  for (uint32_t i = 0; i < old.slot_count; i++) {
    mv_scope *scope = old.slots[i];
    mv_scope **slot = scope != NULL ? slot_of(memo, scope->hash, scope->op_name) : NULL;
    if (slot != NULL) {
      *slot = scope;
    }
  }
  return true;
}

mv_scope *mv_scope_memo_find(mv_scope_memo *memo, mv_bytes name, mv_status *status) {
  if (memo->count >= memo->slot_count / 2 && !grow(memo, status)) {
    return NULL;
  }
  const uint64_t hash = hash_of(name);
  mv_scope **slot = slot_of(memo, hash, name);
  if (slot != NULL && *slot != NULL) {
    return *slot;
  }
  mv_scope *scope = mv_arena_zalloc(memo->arena, 1, sizeof *scope, status);
  if (scope != NULL) {
    scope->op_name = name;
    scope->hash = hash;
    scope->phase = mv_scope_phase(name);
    if (slot != NULL) {
      *slot = scope;
      memo->count++;
    }
  }
  return scope;
}

bool mv_scope_memo_path(mv_scope_memo *memo, mv_scope *scope, mv_status *status) {
  mv_bytes path;
  if (scope->path.data != NULL) {
    return true;
  }
  if (!mv_scope_path(&path, scope->op_name, memo->arena, status) ||
      !mv_scope_layer(&scope->path_layer, path, memo->arena, status)) {
    return false;
  }
  scope->path = path;
  return true;
}

bool mv_scope_memo_name_layer(mv_scope_memo *memo, mv_scope *scope, mv_status *status) {
  return scope->name_layer.data != NULL || mv_scope_layer(&scope->name_layer, scope->op_name, memo->arena, status);
}
