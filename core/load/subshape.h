/* subshape.h: the subshapes of instructions' shapes that buffers hold, found without walking a shape for each buffer.
 *
 *   instruction -> node of its shape -> elements -> node of an element -> ...
 *
 * A program's parameters or a loop's state can be a tuple of thousands, each of them a buffer; walking to each one from
 * the tuple's beginning takes quadratic time. A large tuple is listed once, when one of its subshapes is first asked
 * for: all lists together are no longer than the file.
 */
#ifndef MV_LOAD_SUBSHAPE_H
#define MV_LOAD_SUBSHAPE_H

#include "load/build.h"
#include "model/location.h"

/* The ShapeProto at a location in the shape of an instruction; {NULL} when the location points nowhere. False when
 * memory ran out. What is listed stands in the build's scratch arena. */
bool mv_subshape_find(mv_bytes *out, mv_build *build, uint32_t instruction, const mv_location *location);

#endif
