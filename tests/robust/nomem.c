#include "nomem.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);

static struct {
  nomem_kind kind;
  long left; /* allocations until one fails; 0: none does */
  bool stays;
  bool did_fail;
  long live;
} state;

static sqlite3_mem_methods sqlite_methods;

static bool must_fail(nomem_kind kind) {
  if (state.left == 0 || kind != state.kind) {
    return false;
  }
  if (state.left > 1) {
    state.left--;
    return false;
  }
  state.left = state.stays ? 1 : 0;
  state.did_fail = true;
  return true;
}

static void *counted(void *p) {
  state.live += p != NULL;
  return p;
}

void *__wrap_malloc(size_t size) {
  return must_fail(NOMEM_OURS) ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return must_fail(NOMEM_OURS) ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size) {
  if (must_fail(NOMEM_OURS)) {
    return NULL;
  }
  const bool is_new = old == NULL;
  void *p = __real_realloc(old, size);
  return is_new ? counted(p) : p;
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
  const int error = must_fail(NOMEM_OURS) ? ENOMEM : __real_posix_memalign(out, alignment, size);
  state.live += error == 0;
  return error;
}

void __wrap_free(void *p) {
  state.live -= p != NULL;
  __real_free(p);
}

static void *sqlite_malloc(int size) {
  return must_fail(NOMEM_SQLITE) ? NULL : sqlite_methods.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size) {
  return must_fail(NOMEM_SQLITE) ? NULL : sqlite_methods.xRealloc(old, size);
}

void nomem_install(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_methods);
  sqlite3_mem_methods methods = sqlite_methods;
  methods.xMalloc = sqlite_malloc;
  methods.xRealloc = sqlite_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

void nomem_arm(nomem_kind kind, long n, bool stays) {
  state.kind = kind;
  state.left = n;
  state.stays = stays;
  state.did_fail = false;
}

bool nomem_disarm(void) {
  state.left = 0;
  return state.did_fail;
}

long nomem_live(void) {
  return state.live;
}
