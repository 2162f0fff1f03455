/* scoped.c: memory that an instruction uses for itself while it runs.
 *
 * The TPU compiler writes it into the instruction's backend config, a JSON object:
 *   {..., "used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"4550656"}], ...}
 * In most configs the list is empty, so the bytes are searched for a list that is not before any JSON is read.
 */
#include "load/build.h"

#include "base/json.h"
#include "model/instruction.h"
#include "wire/fields.h"

static const char KEY[] = "used_scoped_memory_configs";

typedef struct payload_config {
  uint32_t instruction;
  uint64_t id;
} payload_config;

/* Of one config no more entries are kept than there may be memory spaces: a list without end would be kept for every
 * instruction that shares the config's payload. */
enum { MAX_ENTRIES = 16 };

/* Horspool's search: how far to move on, by the byte under the key's last place. */
static void prepare_search(mv_build *b) {
  const size_t n = sizeof KEY - 1;
  memset(b->scoped_skip, (int)n, sizeof b->scoped_skip);
  for (size_t i = 0; i + 1 < n; i++) {
    b->scoped_skip[(uint8_t)KEY[i]] = (uint8_t)(n - 1 - i);
  }
}

/* Whether the config may hold a list with something in it: the key, and behind it not "[]". */
static bool may_have_entries(mv_build *b, mv_bytes config) {
  const size_t n = sizeof KEY - 1;
  if (b->scoped_skip[0] == 0) {
    prepare_search(b);
  }
  for (size_t i = n - 1; i < config.size; i += b->scoped_skip[config.data[i]]) {
    if (config.data[i] == (uint8_t)KEY[n - 1] && memcmp(config.data + i + 1 - n, KEY, n) == 0) {
      return config.size - i > 4 && memcmp(config.data + i + 1, "\":[]", 4) != 0;
    }
  }
  return false;
}

/* The largest entry of each space. */
static bool add_entry(mv_build *b, size_t first, const mv_scoped *entry) {
  mv_scoped *entries = b->scoped.items;
  for (size_t i = first; i < b->scoped.count; i++) {
    if (entries[i].color == entry->color) {
      entries[i].size_bytes = entry->size_bytes > entries[i].size_bytes ? entry->size_bytes : entries[i].size_bytes;
      return true;
    }
  }
  if (b->scoped.count - first >= MAX_ENTRIES) {
    return true;
  }
  mv_scoped *s = mv_array_push(&b->scoped, sizeof *s, b->module->arena, b->status);
  if (s != NULL) {
    *s = *entry;
  }
  return s != NULL;
}

bool mv_build_scoped(mv_build *b, uint32_t instruction, mv_bytes config) {
  mv_bytes list;
  if (!may_have_entries(b, config) || !mv_json_member(&list, config, KEY)) {
    return true;
  }
  const size_t first = b->scoped.count;
  size_t position = 0;
  mv_bytes entry;
  while (mv_json_element(&entry, list, &position)) {
    mv_bytes value;
    int64_t color = 0; /* protobuf's JSON leaves zeros out */
    int64_t size = 0;
    if ((mv_json_member(&value, entry, "memory_space") && !mv_json_int64(&color, value)) ||
        !mv_json_member(&value, entry, "size") || !mv_json_int64(&size, value) || size <= 0) {
      continue;
    }
    const mv_scoped s = {.instruction = instruction, .color = color, .size_bytes = size};
    if (!mv_build_step(b) || !add_entry(b, first, &s)) {
      return false;
    }
  }
  return true;
}

bool mv_build_scoped_payload(mv_build *b, uint32_t instruction, mv_bytes payload) {
  mv_bytes value = {0};
  uint64_t id = 0;
  bool has_value = false;
  mv_wire w = mv_wire_of(payload);
  mv_tag tag;
  while (mv_wire_next(&w, &tag)) {
    if (tag.field == MV_PAYLOAD_VALUE && tag.type == MV_LENGTH) {
      value = tag.bytes;
      has_value = true;
    } else if (tag.field == MV_PAYLOAD_ID && tag.type == MV_VARINT) {
      id = tag.value;
    }
  }
  if (has_value) {
    mv_build_platform_clue(b, mv_bytes_of(NULL, 0), value);
    return mv_build_scoped(b, instruction, value);
  }
  payload_config *c = mv_array_push(&b->payload_configs, sizeof *c, b->scratch, b->status);
  if (c == NULL) {
    return false;
  }
  *c = (payload_config){instruction, id};
  return true;
}

bool mv_build_sort_scoped(mv_build *b) {
  const size_t n = b->scoped.count;
  mv_scoped *scoped = b->scoped.items;
  mv_keyed *keys = mv_sort_alloc(b->scratch, n, b->status);
  mv_scoped *copy = keys != NULL ? mv_arena_zalloc(b->scratch, n, sizeof *copy, b->status) : NULL;
  if (copy == NULL) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    keys[i] = (mv_keyed){scoped[i].instruction, (uint32_t)i};
    copy[i] = scoped[i];
  }
  mv_sort(keys, n);
  for (size_t i = 0; i < n; i++) {
    scoped[i] = copy[keys[i].index];
  }
  return true;
}

/* What a payload says: read once, however many instructions share it. */
typedef struct payload_entries {
  bool is_read;
  uint32_t first; /* into mv_build.scoped */
  uint32_t count;
} payload_entries;

static bool read_payload(mv_build *b, payload_entries *entries, uint32_t instruction, mv_bytes value) {
  entries->is_read = true;
  entries->first = (uint32_t)b->scoped.count;
  if (!mv_build_scoped(b, instruction, value)) {
    return false;
  }
  entries->count = (uint32_t)b->scoped.count - entries->first;
  return true;
}

static bool copy_entries(mv_build *b, const payload_entries *entries, uint32_t instruction) {
  for (uint32_t i = 0; i < entries->count; i++) {
    mv_scoped *s = mv_array_push(&b->scoped, sizeof *s, b->module->arena, b->status);
    if (s == NULL) {
      return false;
    }
    *s = ((const mv_scoped *)b->scoped.items)[entries->first + i];
    s->instruction = instruction;
  }
  return true;
}

bool mv_build_scoped_payloads(mv_build *b) {
  const payload_config *configs = b->payload_configs.items;
  const mv_ref *payloads = b->payloads.items;
  if (b->payload_configs.count == 0) {
    return true;
  }
  payload_entries *read = mv_arena_zalloc(b->scratch, b->payloads.count, sizeof *read, b->status);
  if (read == NULL) {
    return false;
  }
  for (size_t i = 0; i < b->payload_configs.count; i++) {
    if (configs[i].id >= b->payloads.count) {
      mv_module_note(b->module, "an instruction's backend_config_payload names a payload that is not there");
      continue;
    }
    const mv_bytes value = mv_module_bytes(b->module, payloads[configs[i].id]);
    mv_build_platform_clue(b, mv_bytes_of(NULL, 0), value);
    payload_entries *entries = &read[configs[i].id];
    if (!mv_build_step(b) || !(entries->is_read ? copy_entries(b, entries, configs[i].instruction)
                                                : read_payload(b, entries, configs[i].instruction, value))) {
      return false;
    }
  }
  return b->scoped.count == 0 || mv_build_sort_scoped(b);
}
