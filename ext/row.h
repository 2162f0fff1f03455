/* row.h: the row that columns are read from.
 *
 *   module, item ---> refer() of the table ---> buffer, allocation, heap, position, instruction
 *                                                  instruction --when asked for--> its details
 *                                                       buffer --when asked for--> its explanation, its shape
 *
 * A cursor has one row and moves it along. What a row has not is NULL, or MV_NONE for an instruction.
 */
#ifndef MV_EXT_ROW_H
#define MV_EXT_ROW_H

#include "analysis/explanation.h"
#include "host.h"
#include "model/instruction.h"

typedef struct mv_row {
  mv_host *host;
  const mv_entry *entry; /* of a pair of modules the one before, else the one after; NULL in a table without a source */
  int64_t module_id;
  const mv_module *module; /* NULL in a table of entries */
  const void *item;        /* of the table's mv_rows; NULL: no row */
  int64_t color;           /* in a table of memory spaces */

  /* What the item stands for or names. */
  const mv_buffer *buffer;
  const mv_allocation *allocation;
  const mv_heap *heap;
  const mv_position *position;
  uint32_t instruction;
  bool is_allocation; /* it stands for all of its allocation */

  /* Made when a column asks for it, by the functions below. */
  bool has_details;
  bool has_shape;
  mv_instruction_details details;
  const mv_explanation *explanation;
  mv_bytes shape;
  mv_arena *arena; /* of the details */
  mv_text text;    /* a value in the making */
} mv_row;

/* On to another item. */
static inline void mv_row_set(mv_row *row, const void *item) {
  row->item = item;
  row->has_details = false;
  row->has_shape = false;
  row->explanation = NULL;
}

/* The details of the row's instruction, empty without one. NULL with the error set as the result. */
const mv_instruction_details *mv_row_details(mv_row *row, sqlite3_context *context);

/* What explains the row's buffer or allocation. NULL with the result set: to the error, or to nothing where there is
 * nothing to explain. */
const mv_explanation *mv_row_explanation(mv_row *row, sqlite3_context *context);

/* The ShapeProto of the row's buffer, a part of its instruction's shape; without a buffer that of the instruction.
 * {NULL, 0} when there is none, or with the error set as the result. */
mv_bytes mv_row_shape(mv_row *row, sqlite3_context *context);

/* The device that the row's module was compiled for, and what a dump says of its memory, 0 when it says nothing: as
 * files beside the module tell, else as memview_device does for modules of that device's platform. NULL when neither
 * does. */
const char *mv_row_device(int64_t *memory_bytes, const mv_row *row, mv_platform platform);

/* An empty text for a value of the row, for mv_result_copy. */
mv_text *mv_row_text(mv_row *row);

#endif
