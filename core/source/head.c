#include "source/head.h"

#include <stdlib.h>

#include "wire/fields.h"
#include "wire/wire.h"

bool mv_head_detect(mv_format *format, mv_bytes *head, mv_stream *stream, mv_status *status) {
  if (!mv_stream_peek(stream, head, status)) {
    return false;
  }
  *format = mv_detect(*head);
  if (!mv_detect_is_proven(*head, *format)) {
    uint8_t tail[MV_DETECT_TAIL];
    size_t size;
    if (!mv_stream_tail(stream, tail, sizeof tail, &size, status)) {
      return false;
    }
    const mv_format by_tail = mv_detect_tail(mv_bytes_of(tail, size));
    *format = by_tail != MV_FORMAT_UNKNOWN ? by_tail : *format;
  }
  return true;
}

/* A message's first field, if that is `field`: writers put it first. What of it the head reaches; *size is that of all
 * of it. */
static mv_bytes first_field(mv_bytes bytes, uint32_t field, uint64_t *size) {
  mv_wire w = mv_wire_of(bytes);
  mv_tag tag = {0};
  *size = 0;
  if (!mv_wire_next(&w, &tag) && (w.fault != MV_FAULT_CUT || tag.type != MV_LENGTH)) {
    return mv_bytes_of(NULL, 0);
  }
  if (tag.field != field || tag.type != MV_LENGTH || tag.bytes.data == NULL) {
    return mv_bytes_of(NULL, 0);
  }
  *size = tag.value;
  return tag.bytes;
}

static mv_bytes find_name(mv_bytes head, mv_format format, uint64_t *size) {
  *size = 0;
  if (format != MV_FORMAT_HLO_PROTO && format != MV_FORMAT_HLO_MODULE_PROTO) {
    return mv_bytes_of(NULL, 0);
  }
  if (format == MV_FORMAT_HLO_MODULE_PROTO) {
    return first_field(head, MV_MODULE_NAME, size);
  }
  uint64_t module_size;
  const mv_bytes module = first_field(head, MV_HLO_MODULE, &module_size);
  const mv_bytes name = first_field(module, MV_MODULE_NAME, size);
  const bool is_within = name.data != NULL && (uint64_t)(name.data - module.data) + *size <= module_size;
  return is_within ? name : mv_bytes_of(NULL, *size = 0);
}

mv_bytes mv_head_module_name(mv_bytes head, mv_format format) {
  uint64_t size;
  const mv_bytes name = find_name(head, format, &size);
  return name.size == size ? name : mv_bytes_of(NULL, 0);
}

/* A name that the head does not reach. */
static bool read_name(const char **name, mv_listing *l, mv_stream *stream, uint64_t offset, size_t size) {
  char *bytes = malloc(size);
  if (bytes == NULL) {
    return mv_fail_nomem(l->status);
  }
  uint64_t skipped;
  size_t got = 0;
  const bool ok =
      mv_stream_skip(stream, offset, &skipped, l->status) && mv_stream_read(stream, bytes, size, &got, l->status);
  if (ok && got == size) { /* else the file is cut, as loading it will tell */
    *name = mv_listing_keep_clean(l, mv_bytes_of(bytes, size));
  }
  free(bytes);
  return ok && l->status->code == MV_OK;
}

bool mv_head_keep_name(const char **name, mv_listing *l, mv_stream *stream, mv_bytes head, mv_format format) {
  uint64_t size;
  const mv_bytes begin = find_name(head, format, &size);
  *name = NULL;
  if (begin.size < size && size <= MV_MAX_MODULE_NAME && begin.data != NULL) {
    return read_name(name, l, stream, (uint64_t)(begin.data - head.data), (size_t)size);
  }
  if (begin.size == size) {
    *name = mv_listing_keep_clean(l, begin);
  }
  return l->status->code == MV_OK;
}
