#include "cursor.h"

SQLITE_EXTENSION_INIT3

const mv_module *mv_cursor_load(mv_cursor *c, int side, size_t entry, mv_status *status) {
  mv_loaded *loaded = &c->loaded[side];
  if (loaded->module != NULL && loaded->entry != entry) {
    mv_source_cache_release_module(c->host->cache, c->refs[side], loaded->entry);
    loaded->module = NULL;
  }
  if (loaded->module == NULL) {
    *loaded = (mv_loaded){mv_source_cache_module(c->host->cache, c->refs[side], entry, status), entry};
  }
  return loaded->module;
}
