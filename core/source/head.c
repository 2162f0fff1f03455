#include "source/listing.h"
#include "wire/wire.h"

/* HloProto.hlo_module and HloModuleProto.name are both field 1, and writers put it first. */
static mv_bytes first_field(mv_bytes bytes) {
  mv_wire w = mv_wire_of(bytes);
  mv_tag tag = {0};
  if (!mv_wire_next(&w, &tag) && (w.fault != MV_FAULT_CUT || tag.type != MV_LENGTH)) {
    return mv_bytes_of(NULL, 0);
  }
  return tag.field == 1 && tag.type == MV_LENGTH ? tag.bytes : mv_bytes_of(NULL, 0);
}

mv_bytes mv_head_module_name(mv_bytes head, mv_format format) {
  const mv_bytes module = format == MV_FORMAT_HLO_PROTO          ? first_field(head)
                          : format == MV_FORMAT_HLO_MODULE_PROTO ? head
                                                                 : mv_bytes_of(NULL, 0);
  mv_wire w = mv_wire_of(module);
  mv_tag tag;
  if (!mv_wire_next(&w, &tag) || tag.field != 1 || tag.type != MV_LENGTH) {
    return mv_bytes_of(NULL, 0); /* not whole within the head */
  }
  return tag.bytes;
}
