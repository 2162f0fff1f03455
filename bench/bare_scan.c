#include "bare_scan.h"

#include <stdio.h>
#include <stdlib.h>

/* The messages on the way. A leaf's tags are decoded, what is inside its fields is skipped. */
typedef enum message {
  NONE,
  HLO_PROTO,
  MODULE,
  COMPUTATION,
  INSTRUCTION,
  ASSIGNMENT,
  TRACE,
  LEAF,
  MESSAGES,
} message;

enum { FIELDS = 8 }; /* all fields of interest have smaller numbers */

/* What is inside field f of a message; field numbers: xla/service/hlo.proto. */
static const uint8_t inside[MESSAGES][FIELDS] = {
    [HLO_PROTO] = {[1] = MODULE, [3] = ASSIGNMENT},
    [MODULE] = {[3] = COMPUTATION},
    [COMPUTATION] = {[2] = INSTRUCTION},
    [INSTRUCTION] = {[3] = LEAF, [7] = LEAF},                                     /* shape, metadata */
    [ASSIGNMENT] = {[1] = LEAF, [2] = LEAF, [3] = LEAF, [4] = TRACE, [5] = LEAF}, /* buffers, aliases, allocations */
    [TRACE] = {[1] = LEAF},                                                       /* events */
};

typedef struct reader {
  const uint8_t *at;
  const uint8_t *end;
} reader;

static inline uint64_t varint(reader *r) {
  uint64_t value = 0;
  for (unsigned shift = 0; r->at < r->end && shift < 64; shift += 7) {
    const uint8_t byte = *r->at++;
    value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  r->at = NULL; /* cut */
  return 0;
}

/* Depth is bounded by the table: a leaf has nothing inside. */
static bool walk(reader r, message m, uint64_t *tags) {
  while (r.at < r.end) {
    const uint64_t tag = varint(&r);
    ++*tags;
    switch (r.at != NULL ? (int)(tag & 7) : -1) {
      case 0: varint(&r); break;
      case 1: r.at = r.end - r.at >= 8 ? r.at + 8 : NULL; break;
      case 5: r.at = r.end - r.at >= 4 ? r.at + 4 : NULL; break;
      case 2: {
        const uint64_t size = varint(&r);
        if (r.at == NULL || size > (uint64_t)(r.end - r.at)) {
          return false;
        }
        const uint64_t field = tag >> 3;
        const message next = field < FIELDS ? (message)inside[m][field] : NONE;
        if (next != NONE && !walk((reader){r.at, r.at + size}, next, tags)) {
          return false;
        }
        r.at += size;
        break;
      }
      default: return false;
    }
    if (r.at == NULL) {
      return false;
    }
  }
  return true;
}

bool bare_scan(const char *path, uint64_t *tags) {
  *tags = 0;
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = NULL;
  bool ok = file != NULL && fseek(file, 0, SEEK_END) == 0;
  const long size = ok ? ftell(file) : -1;
  ok = size > 0 && fseek(file, 0, SEEK_SET) == 0 && (bytes = malloc((size_t)size)) != NULL &&
       fread(bytes, 1, (size_t)size, file) == (size_t)size;
  ok = ok && walk((reader){bytes, bytes + size}, HLO_PROTO, tags);
  free(bytes);
  if (file != NULL) {
    fclose(file);
  }
  return ok;
}
