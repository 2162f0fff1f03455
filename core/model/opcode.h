/* opcode.h: the HLO opcodes that say how data moves through a program, and what is said of them.
 *
 * Source: xla/hlo/ir/hlo_opcode.h; the custom calls are those that XLA's compilers put in for moving data.
 */
#ifndef MV_MODEL_OPCODE_H
#define MV_MODEL_OPCODE_H

#include "base/bytes.h"

typedef enum mv_opcode {                  /* shortest names first: opcode.c looks a name up by its length */
                         MV_OPCODE_OTHER, /* it computes */
                         MV_OPCODE_PAD,
                         MV_OPCODE_CALL,
                         MV_OPCODE_COPY,
                         MV_OPCODE_SLICE,
                         MV_OPCODE_TUPLE,
                         MV_OPCODE_WHILE,
                         MV_OPCODE_DOMAIN,
                         MV_OPCODE_FUSION,
                         MV_OPCODE_BITCAST,
                         MV_OPCODE_CONVERT,
                         MV_OPCODE_RESHAPE,
                         MV_OPCODE_REVERSE,
                         MV_OPCODE_BROADCAST,
                         MV_OPCODE_COPY_DONE,
                         MV_OPCODE_PARAMETER,
                         MV_OPCODE_TRANSPOSE,
                         MV_OPCODE_ASYNC_DONE,
                         MV_OPCODE_COPY_START,
                         MV_OPCODE_ASYNC_START,
                         MV_OPCODE_CONCATENATE,
                         MV_OPCODE_CONDITIONAL,
                         MV_OPCODE_OPT_BARRIER,
                         MV_OPCODE_ASYNC_UPDATE,
                         MV_OPCODE_DYNAMIC_SLICE,
                         MV_OPCODE_GET_TUPLE_ELEMENT,
                         MV_OPCODE_MOVING_CALL, /* a custom-call that moves data */
                         MV_OPCODE_COUNT,
} mv_opcode;

/* What may hold of an opcode. */
enum {
  MV_OPCODE_MOVES = 1,       /* its result holds what its operands hold, or a part of it */
  MV_OPCODE_IS_ALIAS = 2,    /* its result is its operand, perhaps somewhere else: whoever uses one uses the other */
  MV_OPCODE_WRAPS = 4,       /* its result is what the one computation that it calls computes */
  MV_OPCODE_HAS_CALLEES = 8, /* its called computations take its operands: not those of a reduce or a sort */
};

/* The opcode of an HloInstructionProto's `opcode` and `custom_call_target`. */
mv_opcode mv_opcode_of(mv_bytes opcode, mv_bytes custom_call_target);

/* Some of MV_OPCODE_MOVES, ... */
unsigned mv_opcode_properties(uint8_t opcode);

/* The name as XLA writes it; "" for MV_OPCODE_OTHER and MV_OPCODE_MOVING_CALL. Static. */
const char *mv_opcode_name(uint8_t opcode);

#endif
