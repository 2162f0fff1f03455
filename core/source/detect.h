/* detect.h: what a file is, told by its bytes; names and endings say nothing. */
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
  MV_FORMAT_XZ,
  MV_FORMAT_BZIP2,
  MV_FORMAT_TAR,
  MV_FORMAT_SSTABLE,
  MV_FORMAT_PPROF,
  MV_FORMAT_SAVED_MODEL,
  MV_FORMAT_TEXT,
} mv_format;

/* `head` is the beginning of the file, some kilobytes or all of it. */
mv_format mv_detect(mv_bytes head);

/* Whether the head of a file that mv_detect took for `format` leaves no doubt that it holds a module: a name, a
 * computation and an instruction, or a buffer and where it is defined. A file that is not called what modules are
 * called has to show as much: other messages may look like the beginning of one. */
bool mv_detect_is_proven(mv_bytes head, mv_format format);

/* Some formats are told by the end of the file. `tail` is its last MV_DETECT_TAIL bytes; fewer only if it has fewer. */
enum { MV_DETECT_TAIL = 8 };
mv_format mv_detect_tail(mv_bytes tail);

/* Why a file of this format gives no module, as the end of "'x.pb': ..."; NULL for formats that can hold one. Static.
 */
const char *mv_format_problem(mv_format format);

#endif
