/* location.h: where a logical buffer is defined: an instruction, and which part of its shape. */
#ifndef MV_MODEL_LOCATION_H
#define MV_MODEL_LOCATION_H

#include "base/text.h"
#include "model/module.h"

enum { MV_LOCATION_DEPTH = 64 }; /* as deep as a shape can be nested (MV_SHAPE_DEPTH) */

typedef struct mv_location {
  bool has_instruction_id;
  int64_t instruction_id;    /* 0 when the file leaves it out */
  mv_bytes instruction_name; /* in files older than instruction ids */
  int64_t index[MV_LOCATION_DEPTH];
  size_t index_count;
} mv_location;

/* Read a LogicalBufferProto.Location as far as it is sound; never fails. An index deeper
 * than MV_LOCATION_DEPTH is cut there and made to point nowhere. */
void mv_location_read(mv_location *out, mv_bytes proto);

/* The location of a buffer of the module. */
void mv_buffer_location(mv_location *out, const mv_module *module, const mv_buffer *buffer);

/* The ShapeProto of the buffer within the shape of its instruction; {NULL, 0} when its location points nowhere there.
 */
mv_bytes mv_buffer_shape(const mv_module *module, const mv_buffer *buffer, mv_bytes instruction_shape);

/* Append the shape index as XLA writes it between braces: "1,0"; nothing for the whole shape. */
void mv_location_print_index(mv_text *text, const mv_location *location);

/* The same for the part of an argument that an allocation holds: BufferAllocationProto.parameter_shape_index. */
void mv_location_print_parameter_index(mv_text *text, mv_bytes allocation_proto);

#endif
