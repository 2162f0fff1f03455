#include "load/build.h"

bool mv_build_fault(mv_build *b, mv_wire w, const char *field) {
  const mv_module *m = b->module;
  /* A length that reaches beyond the end of the file is a cut; beyond its message but not the file it is damage. */
  if (w.fault == MV_FAULT_CUT && w.end == m->bytes.data + m->bytes.size) {
    return mv_fail(b->status, MV_FORMAT, "cut short at byte %zu of field %s", m->bytes.size, field);
  }
  return mv_fail(b->status, MV_FORMAT, "not a valid protobuf at byte %zu, in field %s", (size_t)(w.p - m->bytes.data),
                 field);
}
