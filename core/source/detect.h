/* detect.h: what a file is, told by its first bytes; names and endings say nothing. */
#ifndef MV_SOURCE_DETECT_H
#define MV_SOURCE_DETECT_H

#include "base/bytes.h"

typedef enum mv_format {
  MV_FORMAT_UNKNOWN,
  MV_FORMAT_EMPTY,
  MV_FORMAT_NOT_SERIALIZED, /* what xla/service/dump.cc writes in place of an HloProto that it could not serialize */
  MV_FORMAT_HLO_PROTO,
  MV_FORMAT_HLO_MODULE_PROTO,
  MV_FORMAT_BUFFER_ASSIGNMENT_PROTO,
  MV_FORMAT_XSPACE,
  MV_FORMAT_HLO_SNAPSHOT,
  MV_FORMAT_HLO_UNOPTIMIZED_SNAPSHOT,
  MV_FORMAT_MEMORY_USAGE_REPORT,
  MV_FORMAT_HLO_TEXT,
  MV_FORMAT_RIEGELI,
  MV_FORMAT_ZIP,
  MV_FORMAT_ZSTD,
  MV_FORMAT_TEXT,
} mv_format;

/* `head` is the beginning of the file, some kilobytes or all of it. */
mv_format mv_detect(mv_bytes head);

/* Why a file of this format gives no module, as the end of "'x.pb': ..."; NULL for formats that can hold one. Static.
 */
const char *mv_format_problem(mv_format format);

#endif
