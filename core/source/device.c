#include "source/device.h"

#include <stdio.h>

#include "source/names.h"
#include "source/stream.h"
#include "wire/fields.h"
#include "wire/wire.h"

enum { MAX_BYTES = 1 << 16 }; /* bytes of such a file: they have 50 and 5,000 */

typedef struct told {
  const char *name; /* NULL: nothing */
  int64_t memory_bytes;
} told;

/* Field 6 of libtpu 0.0.52's target arguments, which are documented nowhere:
 *
 *   1  generation: 1 v2, 2 v3, 3 v4, 4 v5, 5 v6, 6 7x
 *   2  "lite", or not there
 *   4  "default", or "megacore" where the cores of a chip are one device
 */
static const char *tpu_name(mv_bytes bytes) {
  static const struct {
    uint64_t generation;
    const char *variant;
    const char *cores;
    const char *name;
  } devices[] = {
      {1, "", "default", "TPU v2"},           {2, "", "default", "TPU v3"},      {3, "", "default", "TPU v4"},
      {3, "", "megacore", "TPU v4 megacore"}, {4, "lite", "default", "TPU v5e"}, {4, "", "default", "TPU v5p"},
      {4, "", "megacore", "TPU v5p"},         {5, "", "default", "TPU v6e"},     {6, "", "default", "TPU7x"},
  };
  mv_bytes target = {0};
  mv_wire outer = mv_wire_of(bytes);
  mv_tag tag;
  while (mv_wire_next(&outer, &tag)) {
    target = tag.field == MV_TARGET_ARGUMENTS_TARGET && tag.type == MV_LENGTH ? tag.bytes : target;
  }
  uint64_t generation = 0;
  mv_bytes variant = {0};
  mv_bytes cores = {0};
  mv_wire w = mv_wire_of(target);
  while (mv_wire_next(&w, &tag)) {
    generation = tag.field == MV_TARGET_GENERATION && tag.type == MV_VARINT ? tag.value : generation;
    variant = tag.field == MV_TARGET_VARIANT && tag.type == MV_LENGTH ? tag.bytes : variant;
    cores = tag.field == MV_TARGET_CORES && tag.type == MV_LENGTH ? tag.bytes : cores;
  }
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    if (outer.fault == MV_FAULT_NONE && w.fault == MV_FAULT_NONE && devices[i].generation == generation &&
        mv_bytes_equal_string(variant, devices[i].variant) && mv_bytes_equal_string(cores, devices[i].cores)) {
      return devices[i].name;
    }
  }
  return NULL;
}

/* Protobuf's text format, as far as two fields need it. */
typedef struct text_proto {
  const uint8_t *p;
  const uint8_t *end;
  int depth;         /* of messages */
  bool is_in_device; /* depth 1 is gpu_device_info */
  mv_text description;
  int64_t memory_bytes;
} text_proto;

static bool is_word(uint8_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+';
}

static void pass_blanks(text_proto *t) {
  while (t->p < t->end && (strchr(" \t\r\n,;", *t->p) != NULL || *t->p == '#')) { /* a NUL is a blank here too */
    if (*t->p == '#') {
      while (t->p < t->end && *t->p != '\n') {
        t->p++;
      }
    } else {
      t->p++;
    }
  }
}

static mv_bytes take_word(text_proto *t) {
  const uint8_t *start = t->p;
  while (t->p < t->end && is_word(*t->p)) {
    t->p++;
  }
  return mv_bytes_of(start, (size_t)(t->p - start));
}

/* A string, appended to `out` unless that is NULL. No name has more than a quote or a backslash escaped. */
static bool take_string(text_proto *t, mv_text *out) {
  const uint8_t quote = *t->p++;
  while (t->p < t->end && *t->p != quote) {
    if (*t->p == '\\' && ++t->p == t->end) {
      break;
    }
    if (out != NULL) {
      mv_text_append(out, t->p, 1);
    }
    t->p++;
  }
  return t->p < t->end && *t->p++ == quote;
}

static int64_t integer_of(mv_bytes word) {
  int64_t value = 0;
  for (size_t i = 0; i < word.size; i++) {
    const uint8_t c = word.data[i];
    if (c < '0' || c > '9' || value > (INT64_MAX - 9) / 10) {
      return 0;
    }
    value = value * 10 + (c - '0');
  }
  return value;
}

/* A field's name and what is behind its colon; messages are opened, not passed. */
static bool take_field(text_proto *t) {
  const mv_bytes name = take_word(t);
  pass_blanks(t);
  if (t->p < t->end && *t->p == ':') {
    t->p++;
    pass_blanks(t);
  }
  if (t->p == t->end) {
    return false;
  }
  if (*t->p == '{' || *t->p == '<') {
    t->is_in_device = t->depth == 0 ? mv_bytes_equal_string(name, "gpu_device_info") : t->is_in_device;
    return true;
  }
  if (*t->p == '"' || *t->p == '\'') {
    const bool is_wanted = t->depth == 0 && mv_bytes_equal_string(name, "device_description_str");
    return take_string(t, is_wanted ? &t->description : NULL);
  }
  const mv_bytes value = take_word(t);
  if (t->depth == 1 && t->is_in_device && mv_bytes_equal_string(name, "device_memory_size")) {
    t->memory_bytes = integer_of(value);
  }
  return true;
}

/* False for what is no text of a message. */
static bool walk_text(text_proto *t) {
  for (pass_blanks(t); t->p < t->end; pass_blanks(t)) {
    const uint8_t c = *t->p;
    if (is_word(c)) {
      if (!take_field(t)) {
        return false;
      }
    } else if (c == '"' || c == '\'') { /* in a list */
      if (!take_string(t, NULL)) {
        return false;
      }
    } else if (strchr("{}<>[]:/", c) != NULL) {
      t->depth += c == '{' || c == '<' ? 1 : c == '}' || c == '>' ? -1 : 0;
      if (t->depth < 0) {
        return false;
      }
      t->p++;
    } else {
      return false;
    }
  }
  return t->depth == 0;
}

static bool read_gpu(told *out, mv_bytes bytes, mv_listing *l) {
  text_proto t = {.p = bytes.data, .end = bytes.data + bytes.size, .description = MV_TEXT_INIT};
  const bool is_text = walk_text(&t);
  if (is_text && t.description.size > 0) {
    *out = (told){mv_listing_keep_clean(l, mv_bytes_of(t.description.data, t.description.size)), t.memory_bytes};
  }
  const bool failed = t.description.failed;
  mv_text_free(&t.description);
  return l->status->code == MV_OK && (!failed || mv_fail_nomem(l->status));
}

static bool read_device(told *out, const char *path, mv_listing *l) {
  mv_status local = MV_STATUS_INIT;
  mv_arena *scratch = mv_arena_new(l->status);
  uint8_t *data = scratch != NULL ? mv_arena_alloc(scratch, MAX_BYTES + MV_READABLE, l->status) : NULL;
  if (data == NULL) {
    mv_arena_free(scratch);
    return false;
  }
  size_t size = 0;
  mv_stream *stream = mv_stream_open(path, l->limits, &local);
  const bool is_read = stream != NULL && mv_stream_read(stream, data, MAX_BYTES, &size, &local) && size < MAX_BYTES;
  mv_stream_close(stream);
  bool ok = true;
  if (mv_status_is_passing(&local)) {
    *l->status = local;
    ok = false;
  } else if (is_read && mv_bytes_ends_with(mv_bytes_of_string(path), MV_TPU_DEVICE_ENDING)) {
    *out = (told){tpu_name(mv_bytes_of(data, size)), 0};
  } else if (is_read) {
    ok = read_gpu(out, mv_bytes_of(data, size), l);
  }
  mv_arena_free(scratch);
  return ok;
}

bool mv_device_take(mv_entry *e, const char *path, mv_listing *l) {
  told device = {0};
  if (!read_device(&device, path, l)) {
    return false;
  }
  if (e->is_device_told && (device.name == NULL || e->device == NULL || strcmp(device.name, e->device) != 0 ||
                            device.memory_bytes != e->device_memory_bytes)) {
    device = (told){0};
  }
  e->is_device_told = true;
  e->device = device.name;
  e->device_memory_bytes = device.memory_bytes;
  return true;
}

/* A path that may not exist. */
static bool try_path(mv_entry *e, const char *stem, size_t size, const char *ending, mv_array *watched, mv_listing *l) {
  const size_t room = size + strlen(ending) + 1;
  mv_watched *item = mv_array_push(watched, sizeof *item, l->source->arena, l->status);
  char *path = item != NULL ? mv_arena_alloc(l->source->arena, room, l->status) : NULL;
  if (path == NULL) {
    return false;
  }
  snprintf(path, room, "%.*s%s", (int)size, stem, ending);
  mv_status absent = MV_STATUS_INIT;
  *item = (mv_watched){.path = path};
  return !mv_file_identify(&item->file_id, NULL, path, &absent) || mv_device_take(e, path, l);
}

bool mv_device_take_beside(mv_entry *e, mv_listing *l) {
  mv_array watched = {0};
  const char *group = NULL;
  if (e->name == NULL || mv_name_kind_of(e->path) != MV_NAME_DUMP) {
    return true;
  }
  if (!mv_name_group(&group, e->path, e->name, l->source->arena, l->status)) {
    return false;
  }
  const size_t least = group != NULL ? strlen(group) : 0;
  if (group == NULL || strncmp(e->path, group, least) != 0) {
    return true; /* XLA did not name it, or left the module's name out */
  }
  /* What stands behind the module's name and may be of such a file too, as a compiler's version is: up to any dot. */
  for (size_t i = least; e->path[i] != '\0'; i++) {
    if (e->path[i] == '.' && (!try_path(e, e->path, i, MV_TPU_DEVICE_ENDING, &watched, l) ||
                              !try_path(e, e->path, i, MV_GPU_DEVICE_ENDING, &watched, l))) {
      return false;
    }
  }
  l->source->watched = watched.items;
  l->source->watched_count = watched.count;
  return true;
}
