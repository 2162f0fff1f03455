/* detect.c: protobufs carry no type, so the first bytes are held against what each message looks like.
 *
 * A schema says which fields a message has and how each is written. A file fits a schema when no field within its first
 * bytes contradicts it, two levels of nesting deep. Text fields tell the messages apart best: a module's name is text,
 * while a plane or a buffer begins with a small number.
 */
#include "source/detect.h"

#include "base/text.h"
#include "wire/wire.h"

typedef enum kind { K_VARINT, K_TEXT, K_NAME /* text that is no path */, K_BYTES, K_MESSAGE } kind;

typedef struct schema schema;

typedef struct field {
  uint8_t number;
  uint8_t kind;
  const schema *message;
} field;

struct schema {
  const field *fields;
  size_t count;
  uint32_t last; /* fields up to this number that are not listed contradict; later ones may be new */
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SCHEMA(name, last) static const schema name = {name##_fields, COUNT(name##_fields), last}

/* xla/xla_data.proto */
static const field shape_fields[] = {
    {2, K_VARINT, NULL}, {3, K_BYTES, NULL}, {4, K_BYTES, NULL}, {5, K_BYTES, NULL}, {6, K_BYTES, NULL}};
SCHEMA(shape, 6);
static const field program_shape_fields[] = {{1, K_MESSAGE, &shape}, {2, K_MESSAGE, &shape}, {3, K_TEXT, NULL}};
SCHEMA(program_shape, 4);
/* xla/service/hlo.proto */
static const field computation_fields[] = {
    {1, K_TEXT, NULL},   {2, K_BYTES, NULL}, {4, K_MESSAGE, &program_shape}, {5, K_VARINT, NULL}, {6, K_VARINT, NULL},
    {7, K_VARINT, NULL}, {8, K_TEXT, NULL},
};
SCHEMA(computation, 8);
/* A plane without an id begins as a module without a name would: with a text as field 2. Its own is a path. */
static const field module_fields[] = {
    {1, K_NAME, NULL},   {2, K_NAME, NULL},   {3, K_MESSAGE, &computation}, {4, K_MESSAGE, &program_shape},
    {5, K_VARINT, NULL}, {6, K_VARINT, NULL}, {7, K_BYTES, NULL},           {8, K_BYTES, NULL},
    {9, K_BYTES, NULL},  {10, K_BYTES, NULL}, {11, K_VARINT, NULL},         {12, K_BYTES, NULL},
    {13, K_BYTES, NULL}, {14, K_BYTES, NULL},
};
SCHEMA(module, 10);
/* Names of instructions are bytes here: only that a module's own name is text is needed to tell the messages apart, and
 * a name that is no valid text is no reason to refuse the file. */
static const field location_fields[] = {{1, K_BYTES, NULL}, {2, K_BYTES, NULL}, {3, K_BYTES, NULL}, {4, K_VARINT, NULL}};
SCHEMA(location, 4);
static const field buffer_fields[] = {
    {1, K_VARINT, NULL}, {2, K_VARINT, NULL}, {3, K_MESSAGE, &location}, {4, K_VARINT, NULL}};
SCHEMA(buffer, 8);
static const field alias_fields[] = {{1, K_VARINT, NULL}, {2, K_MESSAGE, &location}};
SCHEMA(alias, 4);
static const field allocation_fields[] = {
    {1, K_VARINT, NULL},  {2, K_VARINT, NULL},  {3, K_VARINT, NULL},  {4, K_VARINT, NULL}, {5, K_VARINT, NULL},
    {6, K_VARINT, NULL},  {7, K_VARINT, NULL},  {8, K_VARINT, NULL},  {9, K_BYTES, NULL},  {10, K_BYTES, NULL},
    {11, K_VARINT, NULL}, {12, K_VARINT, NULL}, {13, K_VARINT, NULL},
};
SCHEMA(allocation, 13);
static const field event_fields[] = {
    {1, K_VARINT, NULL}, {2, K_VARINT, NULL}, {3, K_BYTES, NULL}, {4, K_BYTES, NULL}, {5, K_VARINT, NULL}};
SCHEMA(event, 8);
static const field trace_fields[] = {{1, K_MESSAGE, &event}, {2, K_VARINT, NULL}, {3, K_VARINT, NULL}};
SCHEMA(trace, 4);
static const field assignment_fields[] = {{1, K_MESSAGE, &buffer},
                                          {2, K_MESSAGE, &alias},
                                          {3, K_MESSAGE, &allocation},
                                          {4, K_MESSAGE, &trace},
                                          {5, K_BYTES, NULL}};
SCHEMA(assignment, 8);
static const field hlo_fields[] = {{1, K_MESSAGE, &module}, {2, K_BYTES, NULL}, {3, K_MESSAGE, &assignment}};
SCHEMA(hlo, 16);
static const field snapshot_fields[] = {
    {1, K_MESSAGE, &hlo}, {2, K_BYTES, NULL}, {3, K_BYTES, NULL}, {4, K_TEXT, NULL}};
SCHEMA(snapshot, 16);
static const field unoptimized_fields[] = {{1, K_MESSAGE, &module}, {2, K_BYTES, NULL}, {3, K_VARINT, NULL}};
SCHEMA(unoptimized, 16);
/* xla/service/memory_usage_report.proto */
static const field report_entry_fields[] = {
    {1, K_VARINT, NULL}, {2, K_VARINT, NULL}, {3, K_VARINT, NULL}, {5, K_TEXT, NULL}, {6, K_BYTES, NULL} /* lines */};
SCHEMA(report_entry, 3);
static const field report_space_fields[] = {{1, K_VARINT, NULL}, {2, K_VARINT, NULL}, {3, K_MESSAGE, &report_entry}};
SCHEMA(report_space, 8);
static const field report_fields[] = {{1, K_MESSAGE, &report_space}};
SCHEMA(report, 8);
/* tsl/profiler/protobuf/xplane.proto */
static const field map_entry_fields[] = {{1, K_VARINT, NULL}, {2, K_BYTES, NULL}};
SCHEMA(map_entry, 8);
static const field line_fields[] = {{1, K_VARINT, NULL}, {2, K_TEXT, NULL},    {3, K_VARINT, NULL}, {4, K_BYTES, NULL},
                                    {9, K_VARINT, NULL}, {10, K_VARINT, NULL}, {11, K_TEXT, NULL}};
SCHEMA(line, 3);
static const field plane_fields[] = {{1, K_VARINT, NULL},        {2, K_TEXT, NULL},          {3, K_MESSAGE, &line},
                                     {4, K_MESSAGE, &map_entry}, {5, K_MESSAGE, &map_entry}, {6, K_BYTES, NULL}};
SCHEMA(plane, 6);
static const field xspace_fields[] = {{1, K_MESSAGE, &plane}, {2, K_TEXT, NULL}, {3, K_TEXT, NULL}, {4, K_TEXT, NULL}};
SCHEMA(xspace, 8);

/* What is there of a text that may go on behind the head. */
static bool is_text(mv_bytes bytes, bool is_cut) {
  size_t i = 0;
  while (i < bytes.size) {
    if (bytes.data[i] < 0x20 || bytes.data[i] == 0x7F) {
      return false;
    }
    const size_t n = mv_utf8_length(bytes.data + i, bytes.size - i);
    if (n == 0) {
      return is_cut && bytes.size - i < 4;
    }
    i += n;
  }
  return true;
}

/* Zeros to the end say nothing: what a file that was allocated and not written yet, or made sparse, has there. */
static bool is_hole(mv_wire w) {
  while (w.p < w.end && *w.p == 0) {
    w.p++;
  }
  return w.p == w.end;
}

enum { MAX_DEPTH = 3 };

/* Whether the bytes agree with the schema; *seen counts what speaks for it. A message that is cut with the
 * head is held against its schema as far as it goes; one that is not must end where its last field ends. */
static bool fits(mv_bytes bytes, const schema *s, unsigned depth, bool is_cut, unsigned *seen) {
  mv_wire w = mv_wire_of(bytes);
  mv_tag tag = {0};
  for (;;) {
    const bool is_whole = mv_wire_next(&w, &tag);
    if (w.fault != MV_FAULT_NONE && !(w.fault == MV_FAULT_CUT && is_cut)) {
      return w.fault == MV_FAULT_MALFORMED && is_hole(w);
    }
    if (!is_whole && (w.fault == MV_FAULT_NONE || tag.type != MV_LENGTH || tag.bytes.data == NULL)) {
      return true;
    }
    const field *f = NULL;
    for (size_t i = 0; i < s->count && f == NULL; i++) {
      f = s->fields[i].number == tag.field ? &s->fields[i] : NULL;
    }
    if (f == NULL) {
      if (tag.field <= s->last || tag.field > 2000) {
        return false;
      }
    } else {
      if (tag.type != (f->kind == K_VARINT ? MV_VARINT : MV_LENGTH)) {
        return false;
      }
      if (((f->kind == K_TEXT || f->kind == K_NAME) && !is_text(tag.bytes, !is_whole)) ||
          (f->kind == K_NAME && mv_bytes_starts_with(tag.bytes, "/")) ||
          (f->kind == K_MESSAGE && depth < MAX_DEPTH && !fits(tag.bytes, f->message, depth + 1, !is_whole, seen))) {
        return false;
      }
      *seen += is_whole || f->kind == K_TEXT || f->kind == K_NAME ? 2 : 1; /* other bytes may begin in any way */
    }
    if (!is_whole) {
      return true;
    }
    tag.bytes = mv_bytes_of(NULL, 0);
  }
}

static bool is_mostly_text(mv_bytes head) {
  for (size_t i = 0; i < head.size; i++) {
    const uint8_t c = head.data[i];
    if (c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') {
      return false;
    }
  }
  return true;
}

mv_format mv_detect(mv_bytes head) {
  static const struct {
    const char *magic;
    mv_format format;
  } signatures[] = {
      /* The hash and fixed fields of the first chunk: riegeli_records_file_format.md, "File signature". */
      {"\x83\xAF\x70\xD1\x0D\x88\x4A\x3F", MV_FORMAT_RIEGELI},
      {"PK\x03\x04", MV_FORMAT_ZIP},        /* APPNOTE.TXT, 4.3.7 */
      {"\x28\xB5\x2F\xFD", MV_FORMAT_ZSTD}, /* RFC 8878, 3.1.1 */
      {"HloModule ", MV_FORMAT_HLO_TEXT},
      {"Failed to serialize HLO module proto", MV_FORMAT_NOT_SERIALIZED},
  };
  static const struct {
    const schema *schema;
    mv_format format;
  } candidates[] = {
      {&hlo, MV_FORMAT_HLO_PROTO},
      {&module, MV_FORMAT_HLO_MODULE_PROTO},
      {&xspace, MV_FORMAT_XSPACE},
      {&snapshot, MV_FORMAT_HLO_SNAPSHOT},
      {&unoptimized, MV_FORMAT_HLO_UNOPTIMIZED_SNAPSHOT},
      {&assignment, MV_FORMAT_BUFFER_ASSIGNMENT_PROTO},
      {&report, MV_FORMAT_MEMORY_USAGE_REPORT},
  };
  if (head.size == 0) {
    return MV_FORMAT_EMPTY;
  }
  for (size_t i = 0; i < COUNT(signatures); i++) {
    if (mv_bytes_starts_with(head, signatures[i].magic)) {
      return signatures[i].format;
    }
  }
  mv_format best = MV_FORMAT_UNKNOWN;
  unsigned most = 0;
  if (!is_mostly_text(head)) {
    for (size_t i = 0; i < COUNT(candidates); i++) {
      unsigned seen = 0;
      if (fits(head, candidates[i].schema, 0, true, &seen) && seen > most) {
        most = seen;
        best = candidates[i].format;
      }
    }
  }
  return best != MV_FORMAT_UNKNOWN ? best : is_mostly_text(head) ? MV_FORMAT_TEXT : MV_FORMAT_UNKNOWN;
}

const char *mv_format_problem(mv_format format) {
  switch (format) {
    case MV_FORMAT_HLO_PROTO:
    case MV_FORMAT_HLO_MODULE_PROTO:
    case MV_FORMAT_BUFFER_ASSIGNMENT_PROTO:
    case MV_FORMAT_XSPACE: return NULL;
    case MV_FORMAT_EMPTY: return "is empty (0 bytes): a writer that meets protobuf's limit of 2 GiB leaves such a file";
    case MV_FORMAT_NOT_SERIALIZED:
      return "holds only XLA's note that the module could not be serialized: it is larger than "
             "protobuf's limit of 2 GiB";
    case MV_FORMAT_HLO_SNAPSHOT:
      return "is an HloSnapshot: save the HloProto inside it, or dump with "
             "--xla_dump_hlo_as_proto";
    case MV_FORMAT_HLO_UNOPTIMIZED_SNAPSHOT:
      return "is an HloUnoptimizedSnapshot, which has no buffer assignment: dump with "
             "--xla_dump_hlo_as_proto";
    case MV_FORMAT_MEMORY_USAGE_REPORT: return "is a memory usage report: open the .hlo.pb beside it";
    case MV_FORMAT_HLO_TEXT: return "is HLO text, which has no buffer assignment: dump with --xla_dump_hlo_as_proto";
    case MV_FORMAT_RIEGELI: return "is a riegeli file, which can't be read yet";
    case MV_FORMAT_ZIP: return "is a zip archive: unpack it first";
    case MV_FORMAT_ZSTD: return "is compressed with zstd: unpack it first";
    case MV_FORMAT_TEXT: return "is text, not an HloProto or XSpace";
    default: return "is not an HloProto or XSpace";
  }
}
