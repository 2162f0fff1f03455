#include "model/opcode.h"

enum {
  MOVES = MV_OPCODE_MOVES,
  ALIAS = MV_OPCODE_MOVES | MV_OPCODE_IS_ALIAS,
  WRAPS = MV_OPCODE_MOVES | MV_OPCODE_WRAPS | MV_OPCODE_HAS_CALLEES,
  CALLS = MV_OPCODE_MOVES | MV_OPCODE_HAS_CALLEES,
};

#define OPCODE(name, properties)                                                                                       \
  { name, sizeof(name) - 1, properties }

static const struct {
  const char *name;
  size_t size;
  unsigned properties;
} opcodes[MV_OPCODE_COUNT] = {
    [MV_OPCODE_OTHER] = OPCODE("", 0),
    [MV_OPCODE_PAD] = OPCODE("pad", MOVES),
    [MV_OPCODE_CALL] = OPCODE("call", WRAPS),
    [MV_OPCODE_COPY] = OPCODE("copy", ALIAS),
    [MV_OPCODE_SLICE] = OPCODE("slice", MOVES),
    [MV_OPCODE_TUPLE] = OPCODE("tuple", ALIAS),
    [MV_OPCODE_WHILE] = OPCODE("while", CALLS),
    [MV_OPCODE_DOMAIN] = OPCODE("domain", ALIAS),
    [MV_OPCODE_FUSION] = OPCODE("fusion", WRAPS),
    [MV_OPCODE_BITCAST] = OPCODE("bitcast", ALIAS),
    [MV_OPCODE_CONVERT] = OPCODE("convert", MOVES),
    [MV_OPCODE_RESHAPE] = OPCODE("reshape", ALIAS),
    [MV_OPCODE_REVERSE] = OPCODE("reverse", MOVES),
    [MV_OPCODE_BROADCAST] = OPCODE("broadcast", MOVES),
    [MV_OPCODE_COPY_DONE] = OPCODE("copy-done", ALIAS),
    [MV_OPCODE_PARAMETER] = OPCODE("parameter", MOVES),
    [MV_OPCODE_TRANSPOSE] = OPCODE("transpose", MOVES),
    [MV_OPCODE_ASYNC_DONE] = OPCODE("async-done", ALIAS),
    [MV_OPCODE_COPY_START] = OPCODE("copy-start", ALIAS),
    [MV_OPCODE_ASYNC_START] = OPCODE("async-start", WRAPS),
    [MV_OPCODE_CONCATENATE] = OPCODE("concatenate", MOVES),
    [MV_OPCODE_CONDITIONAL] = OPCODE("conditional", CALLS),
    [MV_OPCODE_OPT_BARRIER] = OPCODE("opt-barrier", ALIAS),
    [MV_OPCODE_ASYNC_UPDATE] = OPCODE("async-update", ALIAS),
    [MV_OPCODE_DYNAMIC_SLICE] = OPCODE("dynamic-slice", MOVES),
    [MV_OPCODE_GET_TUPLE_ELEMENT] = OPCODE("get-tuple-element", ALIAS),
    [MV_OPCODE_MOVING_CALL] = OPCODE("", MOVES),
};

/* The first opcode whose name has so many bytes; MV_OPCODE_OTHER: none has. */
static const uint8_t first_of_size[] = {
    [3] = MV_OPCODE_PAD,
    [4] = MV_OPCODE_CALL,
    [5] = MV_OPCODE_SLICE,
    [6] = MV_OPCODE_DOMAIN,
    [7] = MV_OPCODE_BITCAST,
    [9] = MV_OPCODE_BROADCAST,
    [10] = MV_OPCODE_ASYNC_DONE,
    [11] = MV_OPCODE_ASYNC_START,
    [12] = MV_OPCODE_ASYNC_UPDATE,
    [13] = MV_OPCODE_DYNAMIC_SLICE,
    [17] = MV_OPCODE_GET_TUPLE_ELEMENT,
};

static bool is_moving_call(mv_bytes target) {
  static const char *const targets[] = {"ConcatBitcast", "AsyncCollectiveStart", "AsyncCollectiveDone",
                                        "X64Combine",    "X64SplitLow",          "X64SplitHigh"};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    if (mv_bytes_equal_string(target, targets[i])) {
      return true;
    }
  }
  return false;
}

mv_opcode mv_opcode_of(mv_bytes opcode, mv_bytes target) {
  unsigned o = opcode.size < sizeof first_of_size ? first_of_size[opcode.size] : MV_OPCODE_OTHER;
  for (; o != MV_OPCODE_OTHER && opcodes[o].size == opcode.size; o++) {
    if (memcmp(opcodes[o].name, opcode.data, opcode.size) == 0) {
      return (mv_opcode)o;
    }
  }
  return target.size > 0 && mv_bytes_equal_string(opcode, "custom-call") && is_moving_call(target)
             ? MV_OPCODE_MOVING_CALL
             : MV_OPCODE_OTHER;
}

unsigned mv_opcode_properties(uint8_t opcode) {
  return opcodes[opcode].properties;
}

const char *mv_opcode_name(uint8_t opcode) {
  return opcodes[opcode].name;
}
