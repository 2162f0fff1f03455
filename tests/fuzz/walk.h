/* walk.h: everything that can be asked of a source, asked through core. */
#ifndef MV_TESTS_FUZZ_WALK_H
#define MV_TESTS_FUZZ_WALK_H

#include "source/source.h"

/* Open the bytes as a source, load each module, make every row and every text of it. */
void fuzz_walk_source(mv_bytes bytes);

#endif
