/* Opcodes by their names. */
#include <criterion/criterion.h>

#include "model/opcode.h"

static mv_opcode opcode_of(const char *name, const char *target) {
  return mv_opcode_of(mv_bytes_of_string(name), mv_bytes_of_string(target));
}

Test(opcode, each_is_found_by_its_name) {
  for (unsigned o = MV_OPCODE_OTHER + 1; o < MV_OPCODE_COUNT; o++) {
    if (o != MV_OPCODE_MOVING_CALL) {
      cr_expect_eq(opcode_of(mv_opcode_name((uint8_t)o), NULL), o, "%s", mv_opcode_name((uint8_t)o));
    }
  }
}

Test(opcode, others_compute) {
  static const char *const names[] = {"", "add", "pads", "dot", "custom-call", "get-tuple-elements", "Fusion", "slicf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cr_expect_eq(opcode_of(names[i], NULL), MV_OPCODE_OTHER, "%s", names[i]);
  }
  cr_expect_eq(mv_opcode_properties(MV_OPCODE_OTHER), 0);
}

Test(opcode, custom_calls_that_move_data) {
  cr_expect_eq(opcode_of("custom-call", "ConcatBitcast"), MV_OPCODE_MOVING_CALL);
  cr_expect_eq(opcode_of("custom-call", "X64SplitHigh"), MV_OPCODE_MOVING_CALL);
  cr_expect_eq(opcode_of("custom-call", "tpu_custom_call"), MV_OPCODE_OTHER);
  cr_expect_eq(opcode_of("add", "ConcatBitcast"), MV_OPCODE_OTHER);
}

Test(opcode, what_is_an_alias_moves) {
  for (unsigned o = 0; o < MV_OPCODE_COUNT; o++) {
    const unsigned properties = mv_opcode_properties((uint8_t)o);
    cr_expect((properties & MV_OPCODE_IS_ALIAS) == 0 || (properties & MV_OPCODE_MOVES) != 0);
    cr_expect((properties & MV_OPCODE_WRAPS) == 0 || (properties & MV_OPCODE_HAS_CALLEES) != 0);
  }
}
