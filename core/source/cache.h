/* library.h: the sources a host has open, and the modules it keeps.
 *
 *   library -> source -> source ...        least recently used last
 *                |
 *                module, module ...        loaded when first asked for
 *
 * A source is found again by its path as long as the file is what it was (device, inode, size, times), a BLOB by its
 * bytes. What is held (pinned) stays; of the rest the least recently used goes when the library grows beyond its limit,
 * when it was not used for MV_LIBRARY_IDLE_SECONDS, or when there are hundreds of sources. Not for use by several threads at once: one library for each
 * connection.
 */
#ifndef MV_SOURCE_CACHE_H
#define MV_SOURCE_CACHE_H

#include "base/limits.h"
#include "source/source.h"

enum { MV_LIBRARY_IDLE_SECONDS = 600 };
#define MV_LIBRARY_DEFAULT_BYTES ((size_t)1 << 30)

typedef struct mv_library mv_library;

/* A source in a library, held by whoever opened it. */
typedef struct mv_held mv_held;

/* `limits` must outlive the library. */
mv_library *mv_library_new(const mv_limits *limits, size_t max_bytes, mv_status *status);

/* Nothing may be held any more. */
void mv_library_free(mv_library *library);

/* Open a source or find it again, and hold it; NULL on failure. */
mv_held *mv_library_open(mv_library *library, const char *path, mv_status *status);
mv_held *mv_library_open_bytes(mv_library *library, mv_bytes bytes, mv_status *status);

void mv_library_release(mv_library *library, mv_held *held);

mv_source *mv_held_source(mv_held *held);

/* A number from 1 that no other source of the library has or had. */
uint64_t mv_held_serial(const mv_held *held);

/* The module of an entry, loaded at the first call and held. NULL on failure, see mv_source_load. */
mv_module *mv_library_module(mv_library *library, mv_held *held, size_t index, mv_status *status);

/* Fill the summary of an entry (mv_entry.summary), reading its module when that was not done before. The module is kept
 * only while the library is far from full: a list of thousands of modules is no reason to hold them all. False when it
 * can't be read. */
bool mv_library_summarize(mv_library *library, mv_held *held, size_t index, mv_status *status);

void mv_library_release_module(mv_library *library, mv_held *held, size_t index);

/* Bytes of memory of all sources and modules. */
size_t mv_library_footprint(const mv_library *library);

#endif
