/* schema.h: what the messages look like that a file may be; private to core/source.
 *
 * A schema lists the fields of a message and how each is written. detect.c holds bytes against it.
 */
#ifndef MV_SOURCE_SCHEMA_H
#define MV_SOURCE_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

typedef struct mv_schema mv_schema;

/* How a field is written, and a mark that it is there. */
enum {
  MV_KIND_VARINT,
  MV_KIND_TEXT,
  MV_KIND_NAME, /* text that is no path */
  MV_KIND_BYTES,
  MV_KIND_MESSAGE,
  MV_KIND_NUMBERS, /* repeated: packed or one by one */
  MV_KIND_MASK = 7,
  /* Set when the field is there and not empty. */
  MV_MARK_PART = 1 << 3, /* what every file of the format has */
  MV_MARK_NAME = 1 << 4,
  MV_MARK_COMPUTATION = 1 << 5,
  MV_MARK_INSTRUCTION = 1 << 6,
  MV_MARK_LOCATION = 1 << 7,
  MV_MARK_TELLS = 1 << 8,     /* what no other format has */
  MV_MARK_LONG_NAME = 1 << 9, /* no field's: a name that fills most of the head */
  MV_MARK_MODULE = MV_MARK_NAME | MV_MARK_COMPUTATION | MV_MARK_INSTRUCTION,
};

typedef struct mv_schema_field {
  uint16_t number;
  uint16_t kind; /* MV_KIND_..., and MV_MARK_... */
  const mv_schema *message;
} mv_schema_field;

struct mv_schema {
  const mv_schema_field *fields;
  size_t count;
  uint32_t last; /* fields up to this number that are not listed contradict; later ones may be new */
};

extern const mv_schema mv_schema_hlo;
extern const mv_schema mv_schema_module;
extern const mv_schema mv_schema_xspace;
extern const mv_schema mv_schema_snapshot;
extern const mv_schema mv_schema_unoptimized;
extern const mv_schema mv_schema_assignment;
extern const mv_schema mv_schema_report;
extern const mv_schema mv_schema_pprof;
extern const mv_schema mv_schema_saved_model;

#endif
