/* detect.c: protobufs carry no type, so the first bytes are held against what each message looks like.
 *
 * A schema says which fields a message has and how each is written. A file fits a schema when no field within its first
 * bytes contradicts it, three levels of nesting deep. Text fields tell the messages apart best: a module's name is
 * text, while a plane or a buffer begins with a small number. Marks say which fields were seen: a message that fits
 * because it has hardly a field in common is none.
 */
#include "source/detect.h"

#include "base/text.h"
#include "source/schema.h"
#include "wire/wire.h"

enum {
  MAX_DEPTH = 3,
  LONG_NAME = 1024,  /* bytes of a name that other bytes hardly look like */
  MIN_DELIMITED = 64 /* a shorter length would be the tag of a field */
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* What speaks for a schema. */
typedef struct evidence {
  bool takes_any_name; /* a name may have line breaks in it, and bytes that are no text */
  unsigned seen;
  unsigned marks;
} evidence;

/* Bytes of such a length that are text, line breaks included, are the name that they are taken for. */
static bool is_long_name(mv_bytes bytes) {
  size_t i = 0;
  while (i < bytes.size) {
    const uint8_t c = bytes.data[i];
    const size_t n = mv_utf8_length(bytes.data + i, bytes.size - i);
    if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F || (n == 0 && bytes.size - i >= 4)) {
      return false;
    }
    i += n > 0 ? n : 1;
  }
  return bytes.size >= LONG_NAME;
}

static bool fits(mv_bytes bytes, const mv_schema *s, unsigned depth, bool is_cut, evidence *e);

static bool field_fits(const mv_schema_field *f, const mv_tag *tag, bool is_whole, unsigned depth, evidence *e) {
  const unsigned kind = f->kind & MV_KIND_MASK;
  const bool is_name = kind == MV_KIND_TEXT || kind == MV_KIND_NAME;
  if (kind == MV_KIND_NUMBERS ? tag->type != MV_VARINT && tag->type != MV_LENGTH
                              : tag->type != (kind == MV_KIND_VARINT ? MV_VARINT : MV_LENGTH)) {
    return false;
  }
  if (kind == MV_KIND_NAME && is_long_name(tag->bytes)) {
    e->marks |= MV_MARK_LONG_NAME;
  }
  if ((is_name && !(kind == MV_KIND_NAME && e->takes_any_name) && !is_text(tag->bytes, !is_whole)) ||
      (kind == MV_KIND_NAME && mv_bytes_starts_with(tag->bytes, "/")) ||
      (kind == MV_KIND_MESSAGE && depth < MAX_DEPTH && !fits(tag->bytes, f->message, depth + 1, !is_whole, e))) {
    return false;
  }
  e->seen += is_whole || is_name ? 2 : 1; /* other bytes may begin in any way */
  e->marks |= tag->type != MV_LENGTH || tag->value > 0 ? f->kind & ~(unsigned)MV_KIND_MASK : 0;
  return true;
}

/* Whether the bytes agree with the schema. A message that is cut with the head is held against its schema as far as it
 * goes; one that is not must end where its last field ends. */
static bool fits(mv_bytes bytes, const mv_schema *s, unsigned depth, bool is_cut, evidence *e) {
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
    const mv_schema_field *f = NULL;
    for (size_t i = 0; i < s->count && f == NULL; i++) {
      f = s->fields[i].number == tag.field ? &s->fields[i] : NULL;
    }
    if (f == NULL ? tag.field <= s->last || tag.field > 2000 : !field_fits(f, &tag, is_whole, depth, e)) {
      return false;
    }
    if (!is_whole) {
      return true;
    }
    tag.bytes = mv_bytes_of(NULL, 0);
  }
}

/* Marks of which one has to be seen, and those that leave no doubt. */
typedef struct candidate {
  const mv_schema *schema;
  mv_format format;
  unsigned needed;
  unsigned proof;
} candidate;

static const candidate candidates[] = {
    {&mv_schema_hlo, MV_FORMAT_HLO_PROTO, MV_MARK_PART, MV_MARK_MODULE},
    {&mv_schema_module, MV_FORMAT_HLO_MODULE_PROTO, MV_MARK_PART, MV_MARK_MODULE},
    {&mv_schema_xspace, MV_FORMAT_XSPACE, MV_MARK_PART, MV_MARK_PART},
    {&mv_schema_snapshot, MV_FORMAT_HLO_SNAPSHOT, MV_MARK_NAME, MV_MARK_MODULE},
    {&mv_schema_unoptimized, MV_FORMAT_HLO_UNOPTIMIZED_SNAPSHOT, MV_MARK_NAME, MV_MARK_MODULE},
    {&mv_schema_assignment, MV_FORMAT_BUFFER_ASSIGNMENT_PROTO, MV_MARK_PART, MV_MARK_LOCATION},
    {&mv_schema_report, MV_FORMAT_MEMORY_USAGE_REPORT, MV_MARK_PART, MV_MARK_PART},
    {&mv_schema_pprof, MV_FORMAT_PPROF, MV_MARK_PART, MV_MARK_PART},
    {&mv_schema_saved_model, MV_FORMAT_SAVED_MODEL, MV_MARK_TELLS, MV_MARK_TELLS},
};

static bool has_proof(unsigned marks, unsigned proof) {
  return (marks & proof) == proof;
}

/* The candidate with the most evidence. Names that are any bytes are taken only from what leaves no doubt. */
static mv_format best_candidate(mv_bytes head, bool takes_any_name) {
  mv_format best = MV_FORMAT_UNKNOWN;
  unsigned most = 0;
  for (size_t i = 0; i < COUNT(candidates); i++) {
    const candidate *c = &candidates[i];
    evidence e = {.takes_any_name = takes_any_name};
    if (!fits(head, c->schema, 0, true, &e) || e.seen <= most || (e.marks & c->needed) == 0 ||
        (takes_any_name &&
         (c->proof != MV_MARK_MODULE || !(has_proof(e.marks, c->proof) || e.marks & MV_MARK_LONG_NAME)))) {
      continue;
    }
    most = e.seen;
    best = c->format;
  }
  return best;
}

/* xla/runtime/large_hlo_snapshot_serialization: the message behind its length, and the inputs behind it. */
static bool is_delimited_snapshot(mv_bytes head) {
  uint64_t size;
  const uint8_t *p = head.size > 0 ? mv_varint(head.data, &size) : NULL;
  if (p == NULL || p > head.data + head.size || size < MIN_DELIMITED) {
    return false;
  }
  const size_t rest = (size_t)(head.data + head.size - p);
  const bool is_cut = rest < size;
  evidence e = {.takes_any_name = true};
  return fits(mv_bytes_of(p, is_cut ? rest : (size_t)size), &mv_schema_unoptimized, 0, is_cut, &e) &&
         (has_proof(e.marks, MV_MARK_MODULE) || e.marks & MV_MARK_LONG_NAME);
}

/* POSIX.1, pax: the sum of the header's bytes, its own place taken as blanks, stands in it as an octal number. */
static bool is_tar(mv_bytes head) {
  enum { HEADER = 512, SUM = 148, SUM_SIZE = 8 };
  if (head.size < HEADER || head.data[0] == 0) {
    return false;
  }
  unsigned sum = 0;
  for (size_t i = 0; i < HEADER; i++) {
    sum += i >= SUM && i < SUM + SUM_SIZE ? ' ' : head.data[i];
  }
  unsigned written = 0;
  size_t i = SUM;
  while (i < SUM + SUM_SIZE && head.data[i] == ' ') {
    i++;
  }
  const size_t first = i;
  for (; i < SUM + SUM_SIZE && head.data[i] >= '0' && head.data[i] <= '7'; i++) {
    written = written * 8 + (unsigned)(head.data[i] - '0');
  }
  return i > first && written == sum;
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

/* "BZh", the size of its blocks, and the magic of a block, or of the end where there is none. */
static bool is_bzip2(mv_bytes head) {
  static const uint8_t magics[2][6] = {{0x31, 0x41, 0x59, 0x26, 0x53, 0x59}, {0x17, 0x72, 0x45, 0x38, 0x50, 0x90}};
  return head.size >= 10 && mv_bytes_starts_with(head, "BZh") && head.data[3] >= '1' && head.data[3] <= '9' &&
         (memcmp(head.data + 4, magics[0], 6) == 0 || memcmp(head.data + 4, magics[1], 6) == 0);
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
      {"\xFD"
       "7zXZ",
       MV_FORMAT_XZ}, /* The .xz File Format, 2.1.1.1; a zero ends it */
      {"HloModule ", MV_FORMAT_HLO_TEXT},
      {"Failed to serialize HLO module proto", MV_FORMAT_NOT_SERIALIZED},
  };
  if (head.size == 0) {
    return MV_FORMAT_EMPTY;
  }
  for (size_t i = 0; i < COUNT(signatures); i++) {
    if (mv_bytes_starts_with(head, signatures[i].magic)) {
      return signatures[i].format;
    }
  }
  if (is_bzip2(head)) {
    return MV_FORMAT_BZIP2;
  }
  if (is_tar(head)) {
    return MV_FORMAT_TAR;
  }
  if (is_delimited_snapshot(head)) {
    return MV_FORMAT_HLO_UNOPTIMIZED_SNAPSHOT;
  }
  const bool is_like_text = is_mostly_text(head);
  const mv_format best = is_like_text ? MV_FORMAT_UNKNOWN : best_candidate(head, false);
  if (best != MV_FORMAT_UNKNOWN || (is_like_text && mv_utf8_is_clean(head))) {
    return best != MV_FORMAT_UNKNOWN ? best : MV_FORMAT_TEXT;
  }
  const mv_format of_any_name = best_candidate(head, true);
  return of_any_name == MV_FORMAT_UNKNOWN && is_like_text ? MV_FORMAT_TEXT : of_any_name;
}

bool mv_detect_is_proven(mv_bytes head, mv_format format) {
  for (size_t i = 0; i < COUNT(candidates); i++) {
    evidence e = {.takes_any_name = true};
    if (candidates[i].format == format) {
      return fits(head, candidates[i].schema, 0, true, &e) && has_proof(e.marks, candidates[i].proof);
    }
  }
  return false;
}

mv_format mv_detect_tail(mv_bytes tail) {
  /* LevelDB's table_format.md: the footer ends in this magic. TensorFlow's tables are the same. */
  static const uint8_t sstable[MV_DETECT_TAIL] = {0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB};
  const bool is_sstable = tail.size == sizeof sstable && memcmp(tail.data, sstable, sizeof sstable) == 0;
  return is_sstable ? MV_FORMAT_SSTABLE : MV_FORMAT_UNKNOWN;
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
      return "is an HloUnoptimizedSnapshot, a program before it was compiled and its inputs, without buffer "
             "assignment: "
             "open the *after_optimizations.hlo.pb that --xla_dump_hlo_as_proto writes";
    case MV_FORMAT_MEMORY_USAGE_REPORT: return "is a memory usage report: open the .hlo.pb beside it";
    case MV_FORMAT_HLO_TEXT: return "is HLO text, which has no buffer assignment: dump with --xla_dump_hlo_as_proto";
    case MV_FORMAT_RIEGELI: return "is a riegeli file, which can't be read yet";
    case MV_FORMAT_ZIP: return "is a zip archive: unpack it first";
    case MV_FORMAT_ZSTD: return "is compressed with zstd: unpack it first";
    case MV_FORMAT_XZ: return "is compressed with xz: unpack it first";
    case MV_FORMAT_BZIP2: return "is compressed with bzip2: unpack it first";
    case MV_FORMAT_TAR: return "is a tar archive: unpack it first";
    case MV_FORMAT_SSTABLE: return "is an SSTable, as XProf keeps traces in: open the *.xplane.pb beside it";
    case MV_FORMAT_PPROF:
      return "is a pprof profile, which has no HLO module: open an XLA dump, or a profile's *.xplane.pb";
    case MV_FORMAT_SAVED_MODEL:
      return "is a TensorFlow SavedModel, which is not compiled: run it and dump with --xla_dump_hlo_as_proto";
    case MV_FORMAT_TEXT: return "is text, not an HloProto or XSpace";
    default: return "is not an HloProto or XSpace";
  }
}
