/* writer.h: what writes the data of the page: tables as their columns; private to core/page.
 *
 * After a failure every call is a no-op: check mv_page_is_ok once in a while.
 */
#ifndef MV_PAGE_WRITER_H
#define MV_PAGE_WRITER_H

#include "base/json_write.h"
#include "base/limits.h"
#include "model/module.h"
#include "page/strings.h"
#include "shape/memo.h"

typedef struct mv_page_writer {
  mv_text *text;
  const mv_module *module;
  const mv_limits *limits;
  mv_status *status;
  mv_arena *arena;   /* of the whole module */
  mv_arena *details; /* of one instruction or heap */
  mv_strings strings;
  mv_shape_memo shapes;
  mv_text scratch;              /* a text that is made: a shape's index */
  uint32_t *buffer_places;      /* place in the page's buffers by that in the module's; MV_NONE: not listed */
  uint32_t *instruction_places; /* likewise */
  mv_array buffers;             /* uint32_t: the module's buffers that are listed, in order of place */
  mv_array instructions;        /* likewise */
  bool is_clamped;
} mv_page_writer;

bool mv_page_is_ok(const mv_page_writer *w);

/* Whether row i is to be written: what went wrong before ends it, and now and then the host is asked. */
bool mv_page_goes_on(mv_page_writer *w, size_t i);

/* A column, and its end. */
void mv_page_column(mv_page_writer *w, const char *name);
void mv_page_end_column(mv_page_writer *w);

/* A size as JavaScript can hold it exactly: at most 2^53, of which is_clamped tells. */
int64_t mv_page_clamp(mv_page_writer *w, int64_t value);
void mv_page_size(mv_page_writer *w, int64_t value);

/* A text by its number among the strings. */
void mv_page_text(mv_page_writer *w, mv_bytes bytes);

/* A text by itself under a name, null when it is empty. */
void mv_page_named_text(mv_page_writer *w, const char *name, mv_bytes value);

/* The place of an item in a list of the page, which grows when the item is new. */
int64_t mv_page_place(mv_page_writer *w, uint32_t item, uint32_t *places, mv_array *list);

/* A buffer by its place. */
void mv_page_buffer(mv_page_writer *w, uint32_t buffer);

/* spaces.c: the memory spaces: overview, baseline, heaps. */
void mv_page_spaces(mv_page_writer *w);

#endif
