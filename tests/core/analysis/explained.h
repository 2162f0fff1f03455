/* explained.h: explanations of hand-made modules, as one line each. */
#ifndef MV_TESTS_EXPLAINED_H
#define MV_TESTS_EXPLAINED_H

#include <criterion/criterion.h>

#include "analysis/explanation.h"
#include "model/opcode.h"
#include "support/hlo_builder.h"

typedef hlo_instruction_args args;

/* "jit(f)/add | own | result": the name, how it was found, the last use; '-' for unknown. */
void expect_explained(const mv_explanation *explanation, const char *expected);

/* Of the buffer with an id; of the allocation with an id. */
const mv_explanation *explained_buffer(mv_module *module, int64_t id);
const mv_explanation *explained_allocation(mv_module *module, int64_t id);

/* Load what was built, with one buffer 1 at `index` of instruction `id`, and compare its explanation. */
void expect_buffer(hlo *h, int64_t id, const char *index, const char *expected);

#endif
