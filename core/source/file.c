#include "source/file.h"

#include "source/head.h"
#include "source/xspace.h"

bool mv_list_stream(mv_listing *l, mv_stream *stream, const char *path, const mv_file_id *file_id) {
  mv_bytes head;
  mv_format format;
  if (!mv_head_detect(&format, &head, stream, l->status)) {
    return false;
  }
  const char *problem = mv_format_problem(format);
  if (problem != NULL) {
    return mv_fail(l->status, MV_FORMAT, "%s", problem);
  }
  if (format == MV_FORMAT_XSPACE) {
    return mv_list_xspace(l, stream, path, file_id);
  }
  const char *name;
  mv_entry *e = mv_head_keep_name(&name, l, stream, head, format) ? mv_listing_add(l, path, file_id) : NULL;
  if (e == NULL) {
    return false;
  }
  e->name = name;
  e->content = format == MV_FORMAT_HLO_MODULE_PROTO          ? MV_CONTENT_HLO_MODULE_PROTO
               : format == MV_FORMAT_BUFFER_ASSIGNMENT_PROTO ? MV_CONTENT_BUFFER_ASSIGNMENT_PROTO
                                                             : MV_CONTENT_HLO_PROTO;
  return true;
}
