/* cache.h: the sources a host has open, and the modules it keeps.
 *
 *   cache -> source -> source ...        least recently used last
 *                |
 *                module, module ...        loaded when first asked for
 *
 * A source is found again by its path as long as the file is what it was (device, inode, size, times), a BLOB by its
 * bytes. What is referenced stays; of the rest the least recently used goes when the cache grows beyond its limit,
 * when it was not used for MV_SOURCE_CACHE_IDLE_SECONDS, or when there are hundreds of sources. Not for use by several
 * threads at once: one cache for each connection.
 */
#ifndef MV_SOURCE_CACHE_H
#define MV_SOURCE_CACHE_H

#include "base/limits.h"
#include "source/source.h"

enum { MV_SOURCE_CACHE_IDLE_SECONDS = 600 };
#define MV_SOURCE_CACHE_DEFAULT_BYTES ((size_t)1 << 30)

typedef struct mv_source_cache mv_source_cache;

/* A reference to a source in a cache, of whoever opened it. */
typedef struct mv_source_ref mv_source_ref;

/* `limits` must outlive the cache. */
mv_source_cache *mv_source_cache_new(const mv_limits *limits, size_t max_bytes, mv_status *status);

/* Another limit; what is above it and not referenced goes. With 0 nothing stays that is not referenced. */
void mv_source_cache_set_max_bytes(mv_source_cache *cache, size_t max_bytes);

/* Free everything that is not referenced. */
void mv_source_cache_drop_unused(mv_source_cache *cache);

/* Nothing may be referenced any more. */
void mv_source_cache_free(mv_source_cache *cache);

/* Open a source or find it again, and reference it; NULL on failure. */
mv_source_ref *mv_source_cache_open(mv_source_cache *cache, const char *path, mv_status *status);
mv_source_ref *mv_source_cache_open_bytes(mv_source_cache *cache, mv_bytes bytes, mv_status *status);

void mv_source_cache_release(mv_source_cache *cache, mv_source_ref *ref);

mv_source *mv_source_ref_source(mv_source_ref *ref);

/* A number from 1 that no other source of the cache has or had. */
uint64_t mv_source_ref_serial(const mv_source_ref *ref);

/* The module of an entry, loaded at the first call and referenced. NULL on failure, see mv_source_load. */
const mv_module *mv_source_cache_module(mv_source_cache *cache, mv_source_ref *ref, size_t index, mv_status *status);

/* Fill the summary of an entry (mv_entry.summary), reading its module when that was not done before. The module is kept
 * only while the cache is far from full: a list of thousands of modules is no reason to keep them all. False when it
 * can't be read. */
bool mv_source_cache_summarize(mv_source_cache *cache, mv_source_ref *ref, size_t index, mv_status *status);

void mv_source_cache_release_module(mv_source_cache *cache, mv_source_ref *ref, size_t index);

/* Bytes of memory of all sources and modules. */
size_t mv_source_cache_footprint(const mv_source_cache *cache);

#endif
