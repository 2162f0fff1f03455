/* xspace.c: the HLO modules of a profile.
 *
 *   XSpace
 *     planes "/device:TPU:0", ...        traces, often gigabytes: skipped by their length
 *     plane  "/host:metadata"
 *       event_metadata  "jit_step(24)"   one for each program
 *         stats: bytes_value             the HloProto
 *                program_id              24
 *       stat_metadata   5 -> "program_id"
 *
 * The file is read forward in windows of some kilobytes; what is skipped is not read where the file is plain. A
 * module is remembered by its place. In a gzip file there is no place to go back to: there its bytes are kept.
 */
#include "source/xspace.h"

#include <inttypes.h>

#include "source/head.h"
#include "source/message.h"
#include "wire/fields.h"
#include "wire/unpack.h"
#include "xplane.pb-c.h"

enum {
  MAX_NAME = 2048,        /* bytes of a plane's name that are read */
  MAX_STAT = 4096,        /* bytes of a stat that is no module */
  MAX_KEPT = 512 << 20,   /* bytes of modules kept from one gzip file */
  STATS_OF_AN_EVENT = 16, /* small stats that may be the program id */
};

static const char METADATA_PLANE[] = "/host:metadata";

typedef struct numbered { /* a stat with a number, until the names of stats are known */
  uint32_t entry;
  uint64_t stat;
  uint64_t value;
} numbered;

typedef struct walk {
  mv_listing *listing;
  mv_stream *stream;
  const char *path;
  const mv_file_id *file_id;
  mv_arena *scratch;
  mv_array numbers;         /* numbered */
  uint64_t program_id_stat; /* the metadata id of the stat "program_id" */
  bool has_program_id_stat;
  uint32_t first_entry;
  uint64_t kept;
  bool found_plane;
  const char *devices; /* what the planes are of: "/device:TPU", ... */
} walk;

/* Modules of a gzip file are kept: finding the place again would mean unpacking all that stands before it. */
static bool keep_bytes(walk *w, mv_entry *entry, uint64_t size) {
  w->kept += size;
  if (w->kept > MAX_KEPT) {
    return mv_fail(w->listing->status, MV_LIMIT, "has more than %d MiB of modules in a gzip file: unpack it first",
                   MAX_KEPT >> 20);
  }
  uint8_t *data = mv_arena_alloc(w->listing->source->arena, (size_t)size, w->listing->status);
  size_t got;
  if (data == NULL || !mv_stream_read(w->stream, data, (size_t)size, &got, w->listing->status)) {
    return false;
  }
  entry->kept = mv_bytes_of(data, got);
  return got == size || mv_message_fail_cut(w->stream, "planes.event_metadata", w->listing->status);
}

/* Bytes that may be a module: an entry when they look like one. The stream stands behind them then. */
static bool take_module(walk *w, const mv_tag *h, bool *is_module) {
  mv_bytes head = {0};
  if (!mv_stream_peek(w->stream, &head, w->listing->status)) {
    return false;
  }
  head.size = h->value < head.size ? (size_t)h->value : head.size;
  const mv_format format = mv_detect(head);
  *is_module = format == MV_FORMAT_HLO_PROTO || format == MV_FORMAT_HLO_MODULE_PROTO;
  if (!*is_module) {
    return true;
  }
  const char *name = mv_listing_keep_clean(w->listing, mv_head_module_name(head, format));
  mv_entry *entry = mv_listing_add(w->listing, w->path, w->file_id);
  if (entry == NULL || w->listing->status->code != MV_OK) {
    return false;
  }
  entry->name = name;
  entry->content = format == MV_FORMAT_HLO_PROTO ? MV_CONTENT_HLO_PROTO : MV_CONTENT_HLO_MODULE_PROTO;
  entry->offset = mv_stream_position(w->stream);
  entry->size = h->value;
  if (mv_stream_is_gzip(w->stream) ? keep_bytes(w, entry, h->value)
                                   : mv_message_skip(w->stream, h, "planes.event_metadata", w->listing->status)) {
    return true;
  }
  w->listing->entries.count--; /* it is not whole */
  return false;
}

/* What is gathered of one program. */
typedef struct program {
  mv_bytes name;
  numbered numbers[STATS_OF_AN_EVENT];
  size_t number_count;
  uint32_t entries;
} program;

/* One stat of a program: the module itself, or a number that may be its id. */
static bool walk_stat(walk *w, const mv_tag *outer, program *p) {
  const uint64_t end = mv_stream_position(w->stream) + outer->value;
  numbered n = {0};
  bool has_number = false;
  mv_tag h = {0};
  bool is_end;
  for (;;) {
    if (!mv_message_next(w->stream, end, &h, &is_end, "planes.event_metadata.stats", w->listing->status)) {
      return false;
    }
    if (is_end) {
      break;
    }
    bool is_module = false;
    if (h.type == MV_LENGTH && h.field == MV_XSTAT_BYTES) {
      if (!take_module(w, &h, &is_module)) {
        return false;
      }
      p->entries += is_module;
    } else if (h.type == MV_VARINT && h.field == MV_XSTAT_METADATA_ID) {
      n.stat = h.value;
    } else if (h.type == MV_VARINT && (h.field == MV_XSTAT_UINT64 || h.field == MV_XSTAT_INT64)) {
      n.value = h.value;
      has_number = true;
    }
    if (!is_module && !mv_message_skip(w->stream, &h, "planes.event_metadata.stats", w->listing->status)) {
      return false;
    }
  }
  if (has_number && p->number_count < STATS_OF_AN_EVENT) {
    p->numbers[p->number_count++] = n;
  }
  return true;
}

/* The number in "jit_step(24)". */
static bool id_in_name(uint64_t *out, mv_bytes name) {
  size_t i = name.size;
  if (i < 3 || name.data[--i] != ')') {
    return false;
  }
  size_t digits = 0;
  while (i > 0 && name.data[i - 1] >= '0' && name.data[i - 1] <= '9') {
    i--;
    digits++;
  }
  if (digits == 0 || digits > 20 || i == 0 || name.data[i - 1] != '(') {
    return false;
  }
  *out = 0;
  for (; digits > 0; digits--, i++) {
    const uint64_t digit = (uint64_t)(name.data[i] - '0');
    if (*out > (UINT64_MAX - digit) / 10) {
      return false;
    }
    *out = *out * 10 + digit;
  }
  return true;
}

/* The name of a module that has none of its own: "jit_step" of "jit_step(24)". */
static bool name_entry(walk *w, mv_entry *entry, mv_bytes event, bool has_id) {
  if (entry->name != NULL || event.size == 0) {
    return true;
  }
  while (has_id && event.data[--event.size] != '(') {}
  entry->name = mv_listing_keep_clean(w->listing, event);
  return entry->name != NULL || event.size == 0;
}

static bool walk_event_fields(walk *w, program *p, uint64_t end) {
  mv_tag h = {0};
  bool is_end;
  for (;;) {
    bool is_taken = false;
    if (!mv_message_next(w->stream, end, &h, &is_end, "planes.event_metadata", w->listing->status)) {
      return false;
    }
    if (is_end) {
      return true;
    }
    if (h.type == MV_LENGTH && h.field == MV_XEVENT_METADATA_NAME) {
      is_taken = true;
      if (!mv_message_read(&p->name, w->stream, &h, MV_MAX_MODULE_NAME, "planes.event_metadata", w->scratch,
                           w->listing->status)) {
        return false;
      }
      p->name.size = h.value > MV_MAX_MODULE_NAME ? 0 : p->name.size; /* half a name is none */
    } else if (h.type == MV_LENGTH && h.field == MV_XEVENT_METADATA_STATS) {
      is_taken = true;
      if (!walk_stat(w, &h, p)) {
        return false;
      }
    } else if (h.type == MV_LENGTH && h.field == MV_XEVENT_METADATA_METADATA) {
      if (!take_module(w, &h, &is_taken)) {
        return false;
      }
      p->entries += is_taken;
    }
    if (!is_taken && !mv_message_skip(w->stream, &h, "planes.event_metadata", w->listing->status)) {
      return false;
    }
  }
}

/* The metadata of one program. Where it is cut, the modules that came before the cut are whole. */
static bool walk_event(walk *w, uint64_t end) {
  const uint32_t first = (uint32_t)w->listing->entries.count;
  program p = {0};
  mv_arena_reset(w->scratch);
  const bool ok = walk_event_fields(w, &p, end);
  uint64_t id = 0;
  const bool has_id = id_in_name(&id, p.name);
  for (uint32_t e = first; e < first + p.entries; e++) {
    mv_entry *entry = &((mv_entry *)w->listing->entries.items)[e];
    entry->has_program_id = has_id;
    entry->program_id = has_id ? (int64_t)id : 0;
    if (!name_entry(w, entry, p.name, has_id)) {
      return false;
    }
    for (size_t i = 0; i < p.number_count; i++) {
      numbered *kept = mv_array_push(&w->numbers, sizeof *kept, w->listing->source->arena, w->listing->status);
      if (kept == NULL) {
        return false;
      }
      *kept = p.numbers[i];
      kept->entry = e;
    }
  }
  return ok;
}

/* The name of a stat: only that of the program id is wanted. Small, so protobuf-c decodes it. */
static bool walk_stat_metadata(walk *w, const mv_tag *h) {
  mv_bytes bytes = {0};
  if (!mv_message_read(&bytes, w->stream, h, MAX_STAT, "planes.stat_metadata", w->scratch, w->listing->status)) {
    return false;
  }
  mv_wire entry = mv_wire_of(bytes);
  mv_tag tag;
  uint64_t key = 0;
  while (mv_wire_next(&entry, &tag)) {
    if (tag.field == MV_MAP_KEY && tag.type == MV_VARINT) {
      key = tag.value;
    }
    if (tag.field != MV_MAP_VALUE || tag.type != MV_LENGTH) {
      continue;
    }
    const Tensorflow__Profiler__XStatMetadata *metadata;
    if (!mv_unpack(&metadata, &tensorflow__profiler__xstat_metadata__descriptor, tag.bytes, w->scratch,
                   w->listing->status)) {
      return false;
    }
    if (metadata != NULL && mv_bytes_equal_string(mv_bytes_of(metadata->name.data, metadata->name.len), "program_id")) {
      w->program_id_stat = metadata->id != 0 ? (uint64_t)metadata->id : key; /* the same, where both are written */
      w->has_program_id_stat = true;
    }
  }
  return true;
}

/* One entry of the map event_metadata. */
static bool walk_event_entry(walk *w, const mv_tag *outer) {
  const uint64_t end = mv_stream_position(w->stream) + outer->value;
  mv_tag h = {0};
  bool is_end;
  for (;;) {
    if (!mv_message_next(w->stream, end, &h, &is_end, "planes.event_metadata", w->listing->status)) {
      return false;
    }
    if (is_end) {
      return true;
    }
    if (h.field == MV_MAP_VALUE && h.type == MV_LENGTH) {
      if (!walk_event(w, mv_stream_position(w->stream) + h.value)) {
        return false;
      }
    } else if (!mv_message_skip(w->stream, &h, "planes.event_metadata", w->listing->status)) {
      return false;
    }
  }
}

/* Every profile has a plane of the host's own CPU: it tells the platform only where no device has one. */
static void note_device(walk *w, mv_bytes plane) {
  static const char *const devices[] = {"/device:TPU", "/device:GPU", "/host:CPU"};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    if (mv_bytes_starts_with(plane, devices[i]) && (w->devices == NULL || i < 2)) {
      w->devices = devices[i];
      return;
    }
  }
}

static bool walk_plane_fields(walk *w, uint64_t end, bool *is_metadata) {
  bool has_name = false;
  mv_tag h = {0};
  bool is_end;
  for (;;) {
    if (!mv_message_next(w->stream, end, &h, &is_end, "planes", w->listing->status)) {
      return false;
    }
    if (is_end) {
      return true;
    }
    const bool may_be_metadata = *is_metadata || !has_name;
    if (h.field == MV_XPLANE_NAME && h.type == MV_LENGTH) {
      mv_bytes name = {0};
      mv_arena_reset(w->scratch);
      if (!mv_message_read(&name, w->stream, &h, MAX_NAME, "planes", w->scratch, w->listing->status)) {
        return false;
      }
      has_name = true;
      *is_metadata = mv_bytes_equal_string(name, METADATA_PLANE);
      note_device(w, name);
      if (!*is_metadata) {
        return mv_message_skip_to(w->stream, end, "planes", w->listing->status);
      }
      w->found_plane = true;
    } else if (may_be_metadata && h.field == MV_XPLANE_EVENT_METADATA && h.type == MV_LENGTH) {
      if (!walk_event_entry(w, &h)) {
        return false;
      }
    } else if (may_be_metadata && h.field == MV_XPLANE_STAT_METADATA && h.type == MV_LENGTH) {
      mv_arena_reset(w->scratch);
      if (!walk_stat_metadata(w, &h)) {
        return false;
      }
    } else if (!mv_message_skip(w->stream, &h, "planes", w->listing->status)) {
      return false;
    }
  }
}

/* The stat's own number goes before the one in the name. */
static void give_program_ids(walk *w) {
  const numbered *numbers = w->numbers.items;
  for (size_t i = 0; w->has_program_id_stat && i < w->numbers.count; i++) {
    if (numbers[i].stat == w->program_id_stat) {
      mv_entry *entry = &((mv_entry *)w->listing->entries.items)[numbers[i].entry];
      entry->program_id = (int64_t)numbers[i].value;
      entry->has_program_id = true;
    }
  }
}

/* Writers put a plane's name before what it holds; as soon as it is another one's the plane is left. One that begins
 * with its metadata is walked as if it were the one that is wanted, and what was found goes when it is not. The ids of
 * stats are the plane's own. */
static bool walk_plane(walk *w, const mv_tag *outer) {
  const size_t entries = w->listing->entries.count;
  bool is_metadata = false;
  const bool ok = walk_plane_fields(w, mv_stream_position(w->stream) + outer->value, &is_metadata);
  if (is_metadata) {
    give_program_ids(w);
  } else {
    w->listing->entries.count = entries;
  }
  w->numbers.count = 0;
  w->has_program_id_stat = false;
  return ok;
}

static bool walk_space(walk *w) {
  mv_tag h = {0};
  bool is_end;
  for (;;) {
    if (!mv_check_interrupt(w->listing->limits, w->listing->status) ||
        !mv_message_next(w->stream, UINT64_MAX, &h, &is_end, "planes", w->listing->status)) {
      return false;
    }
    if (is_end) {
      return true;
    }
    const bool is_plane = h.field == MV_XSPACE_PLANES && h.type == MV_LENGTH;
    if (is_plane ? !walk_plane(w, &h) : !mv_message_skip(w->stream, &h, "XSpace", w->listing->status)) {
      return false;
    }
  }
}

bool mv_list_xspace(mv_listing *listing, mv_stream *stream, const char *path, const mv_file_id *file_id) {
  walk w = {
      .listing = listing,
      .stream = stream,
      .path = path,
      .file_id = file_id,
      .scratch = mv_arena_new(listing->status),
      .first_entry = (uint32_t)listing->entries.count,
  };
  if (w.scratch == NULL) {
    return false;
  }
  const bool ok = walk_space(&w);
  mv_arena_free(w.scratch);
  listing->is_bare = ok && listing->entries.count == w.first_entry;
  for (size_t i = w.first_entry; i < listing->entries.count; i++) {
    ((mv_entry *)listing->entries.items)[i].hint = w.devices;
  }
  if (ok && listing->entries.count > w.first_entry) {
    return true;
  }
  if (ok) {
    return mv_fail(listing->status, MV_FORMAT,
                   w.found_plane ? "is a profile whose metadata plane holds no HLO module"
                                 : "is a profile without HLO modules: it has no plane "
                                   "'/host:metadata'");
  }
  const mv_code code = listing->status->code;
  if ((code != MV_FORMAT && code != MV_LIMIT && code != MV_IO) || listing->entries.count == w.first_entry) {
    return false;
  }
  /* Some modules came before the fault: they are shown, and the fault has a row of its own. */
  const mv_status fault = *listing->status;
  *listing->status = (mv_status)MV_STATUS_INIT;
  return mv_listing_add_problem(listing, path, file_id, fault.message);
}
