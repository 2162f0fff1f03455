#include "families.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* Field numbers: xla/service/hlo.proto, xla/xla_data.proto. */
enum {
  HLO_MODULE = 1,
  HLO_ASSIGNMENT = 3,
  MODULE_NAME = 1,
  MODULE_ENTRY_NAME = 2,
  MODULE_COMPUTATIONS = 3,
  MODULE_ENTRY_ID = 6,
  COMPUTATION_NAME = 1,
  COMPUTATION_INSTRUCTIONS = 2,
  COMPUTATION_ID = 5,
  COMPUTATION_ROOT_ID = 6,
  INSTRUCTION_NAME = 1,
  INSTRUCTION_OPCODE = 2,
  INSTRUCTION_SHAPE = 3,
  INSTRUCTION_METADATA = 7,
  INSTRUCTION_PARAMETER_NUMBER = 9,
  INSTRUCTION_ID = 35,
  INSTRUCTION_OPERANDS = 36,
  INSTRUCTION_BACKEND_CONFIG = 43,
  METADATA_OP_NAME = 2,
  METADATA_FRAME = 15,
  SHAPE_TYPE = 2,
  SHAPE_DIMENSIONS = 3,
  SHAPE_LAYOUT = 5,
  LAYOUT_MINOR_TO_MAJOR = 1,
  LAYOUT_TILES = 6,
  LAYOUT_SPACE = 8,
  ASSIGNMENT_BUFFERS = 1,
  ASSIGNMENT_ALLOCATIONS = 3,
  ASSIGNMENT_TRACES = 4,
  BUFFER_ID = 1,
  BUFFER_SIZE = 2,
  BUFFER_DEFINED_AT = 3,
  BUFFER_COLOR = 4,
  LOCATION_INSTRUCTION_ID = 4,
  ALLOCATION_INDEX = 1,
  ALLOCATION_SIZE = 2,
  ALLOCATION_IS_PARAMETER = 5,
  ALLOCATION_PARAMETER_NUMBER = 6,
  ALLOCATION_COLOR = 8,
  ALLOCATION_ASSIGNED = 9,
  ASSIGNED_BUFFER = 1,
  ASSIGNED_OFFSET = 2,
  ASSIGNED_SIZE = 3,
  TRACE_EVENTS = 1,
  TRACE_WHOLE_MODULE = 2,
  TRACE_ALLOCATION = 3,
  EVENT_KIND = 1,
  EVENT_BUFFER = 2,
  EVENT_COMPUTATION = 3,
  EVENT_INSTRUCTION = 4,
  EVENT_CANONICAL = 5,
};

enum { ALLOC = 0, FREE = 1, SHARE_WITH = 2, F32 = 11, TILE = 8 * 128 * 4 };

/* A module while it is written: its parts grow side by side and are put together at the end. */
typedef struct draft {
  pb instructions; /* of the computation at hand */
  pb computations;
  pb buffers;
  pb assigned;
  pb allocations;
  pb events;
  pb traces;
  pb a, b, c; /* messages at hand, inside each other */
  uint32_t instruction_count;
  uint32_t in_computation;
  uint32_t computation_count;
  uint32_t buffer_count;
  uint32_t allocation_count;
  uint64_t end; /* of the allocation at hand */
  uint64_t random;
} draft;

/* xorshift64*: the same on every machine. */
static uint32_t pick(draft *d, uint32_t below) {
  d->random ^= d->random >> 12;
  d->random ^= d->random << 25;
  d->random ^= d->random >> 27;
  return (uint32_t)((d->random * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % below;
}

/* As XLA numbers them: the computation above, the instruction's number in it below. */
static uint64_t instruction_id(const draft *d, uint32_t number) {
  return (uint64_t)(d->computation_count + 1) << 32 | number;
}

static void write_shape(draft *d, pb *out, uint32_t rows, uint32_t columns, uint32_t color) {
  pb *shape = &d->b;
  pb *layout = &d->c;
  pb packed = {0};
  pb_integer(shape, SHAPE_TYPE, F32);
  pb_varint(&packed, rows);
  pb_varint(&packed, columns);
  pb_message(shape, SHAPE_DIMENSIONS, &packed);
  pb_bytes(layout, LAYOUT_MINOR_TO_MAJOR, "\1\0", 2);
  pb_bytes(layout, LAYOUT_TILES, "\x0a\3\x08\x80\x01", 5); /* (8,128) */
  pb_integer(layout, LAYOUT_SPACE, color);
  pb_message(shape, SHAPE_LAYOUT, layout);
  pb_message(out, INSTRUCTION_SHAPE, shape);
  pb_free(&packed);
}

/* Appends an instruction to the computation at hand; returns its id. `op_name` and `config` may be NULL. */
static uint64_t add_instruction(draft *d, const char *opcode, uint32_t rows, uint32_t columns, uint32_t color,
                                const char *op_name, const char *config) {
  char name[64];
  pb *i = &d->a;
  const uint32_t number = d->in_computation++;
  snprintf(name, sizeof name, "%s.%" PRIu32, opcode, d->instruction_count++);
  pb_string(i, INSTRUCTION_NAME, name);
  pb_string(i, INSTRUCTION_OPCODE, opcode);
  write_shape(d, i, rows, columns, color);
  if (op_name != NULL) {
    pb_string(&d->b, METADATA_OP_NAME, op_name);
    pb_integer(&d->b, METADATA_FRAME, 1 + d->instruction_count % 40);
    pb_message(i, INSTRUCTION_METADATA, &d->b);
  }
  pb_integer(i, INSTRUCTION_ID, instruction_id(d, number));
  if (number > 0) {
    pb_varint(&d->b, instruction_id(d, number - 1));
    pb_message(i, INSTRUCTION_OPERANDS, &d->b);
  }
  if (config != NULL) {
    pb_string(i, INSTRUCTION_BACKEND_CONFIG, config);
  }
  pb_message(&d->instructions, COMPUTATION_INSTRUCTIONS, i);
  return instruction_id(d, number);
}

static void end_computation(draft *d, const char *name) {
  pb *c = &d->a;
  pb_string(c, COMPUTATION_NAME, name);
  pb_raw(c, d->instructions.data, d->instructions.size);
  d->instructions.size = 0;
  pb_integer(c, COMPUTATION_ID, d->computation_count + 1);
  pb_integer(c, COMPUTATION_ROOT_ID, instruction_id(d, d->in_computation - 1));
  pb_message(&d->computations, MODULE_COMPUTATIONS, c);
  d->computation_count++;
  d->in_computation = 0;
}

/* A logical buffer in the allocation at hand; returns its id. */
static uint32_t add_buffer(draft *d, uint64_t instruction, uint64_t size, uint64_t offset, uint32_t color) {
  const uint32_t id = d->buffer_count++;
  pb *b = &d->a;
  pb_integer(b, BUFFER_ID, id);
  pb_integer(b, BUFFER_SIZE, size);
  pb_integer(&d->b, LOCATION_INSTRUCTION_ID, instruction);
  pb_message(b, BUFFER_DEFINED_AT, &d->b);
  pb_integer(b, BUFFER_COLOR, color);
  pb_message(&d->buffers, ASSIGNMENT_BUFFERS, b);

  pb_integer(b, ASSIGNED_BUFFER, id);
  pb_integer(b, ASSIGNED_OFFSET, offset);
  pb_integer(b, ASSIGNED_SIZE, size);
  pb_message(&d->assigned, ALLOCATION_ASSIGNED, b);
  d->end = offset + size > d->end ? offset + size : d->end;
  return id;
}

static void add_event(draft *d, uint32_t kind, uint32_t buffer, uint32_t canonical) {
  char name[64];
  pb *e = &d->a;
  pb_integer(e, EVENT_KIND, kind);
  pb_integer(e, EVENT_BUFFER, buffer);
  pb_string(e, EVENT_COMPUTATION, "main");
  snprintf(name, sizeof name, "fusion.%" PRIu32, buffer);
  pb_string(e, EVENT_INSTRUCTION, name);
  pb_integer(e, EVENT_CANONICAL, canonical);
  pb_message(&d->events, TRACE_EVENTS, e);
}

/* Closes the allocation at hand, with its trace when it has events. */
static void end_allocation(draft *d, uint32_t color, bool is_parameter) {
  pb *a = &d->a;
  pb_integer(a, ALLOCATION_INDEX, d->allocation_count);
  pb_integer(a, ALLOCATION_SIZE, d->end);
  if (is_parameter) {
    pb_integer(a, ALLOCATION_IS_PARAMETER, 1);
    pb_integer(a, ALLOCATION_PARAMETER_NUMBER, d->allocation_count);
  }
  pb_integer(a, ALLOCATION_COLOR, color);
  pb_raw(a, d->assigned.data, d->assigned.size);
  d->assigned.size = 0;
  pb_message(&d->allocations, ASSIGNMENT_ALLOCATIONS, a);
  if (d->events.size > 0) {
    pb_raw(a, d->events.data, d->events.size);
    d->events.size = 0;
    pb_integer(a, TRACE_WHOLE_MODULE, 1);
    pb_integer(a, TRACE_ALLOCATION, d->allocation_count);
    pb_message(&d->traces, ASSIGNMENT_TRACES, a);
  }
  d->allocation_count++;
  d->end = 0;
}

static void finish(draft *d, pb *out, const char *module) {
  pb m = {0};
  pb_string(&m, MODULE_NAME, module);
  pb_string(&m, MODULE_ENTRY_NAME, "main");
  pb_raw(&m, d->computations.data, d->computations.size);
  pb_integer(&m, MODULE_ENTRY_ID, d->computation_count);
  pb_message(out, HLO_MODULE, &m);
  pb_raw(&m, d->buffers.data, d->buffers.size);
  pb_raw(&m, d->allocations.data, d->allocations.size);
  pb_raw(&m, d->traces.data, d->traces.size);
  pb_message(out, HLO_ASSIGNMENT, &m);
  pb_free(&m);
  pb *const parts[] = {&d->instructions, &d->computations, &d->buffers, &d->assigned, &d->allocations,
                       &d->events,       &d->traces,       &d->a,       &d->b,        &d->c};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    pb_free(parts[i]);
  }
}

static draft begin(void) {
  return (draft){.random = UINT64_C(0x9E3779B97F4A7C15)};
}

/* An instruction with one buffer of `tiles` tiles of (8,128), at `offset`; `rows` of the last tile are used. */
static uint32_t add_fusion(draft *d, uint32_t tiles, uint64_t offset, const char *config) {
  const uint64_t instruction =
      add_instruction(d, "fusion", 8 * tiles - pick(d, 8), 100, 0, "jit(step)/layer/mlp/dot_general", config);
  return add_buffer(d, instruction, (uint64_t)tiles * TILE, offset, 0);
}

static void write_peaks(pb *out, uint32_t count, const char *module) {
  draft d = begin();
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t tiles = 1 + pick(&d, 16);
    add_event(&d, ALLOC, add_fusion(&d, tiles, d.end, NULL), 0);
  }
  end_computation(&d, "main");
  end_allocation(&d, 0, false);
  finish(&d, out, module);
}

static void write_live_at(pb *out, uint32_t count, const char *module, bool one_address) {
  draft d = begin();
  const uint32_t buffers = count / 2;
  for (uint32_t i = 0; i < buffers; i++) {
    const uint32_t tiles = 1 + pick(&d, 64);
    add_event(&d, ALLOC, add_fusion(&d, tiles, one_address ? 0 : d.end, NULL), 0);
  }
  /* A prime step visits all of them, far from the order in which they came. */
  const uint32_t step = buffers % 1000003 != 0 ? 1000003 : 999983;
  uint32_t at = 0;
  for (uint32_t i = 0; i < buffers; i++) {
    add_event(&d, FREE, at, 0);
    at = (uint32_t)(((uint64_t)at + step) % buffers);
  }
  end_computation(&d, "main");
  end_allocation(&d, 0, false);
  finish(&d, out, module);
}

static void write_live(pb *out, uint32_t count, const char *module) {
  write_live_at(out, count, module, false);
}

static void write_one(pb *out, uint32_t count, const char *module) {
  write_live_at(out, count, module, true);
}

static void write_chains(pb *out, uint32_t count, const char *module) {
  draft d = begin();
  const uint32_t buffers = count / 2;
  for (uint32_t i = 0; i < buffers; i++) {
    const uint32_t buffer = add_fusion(&d, 4, 0, NULL);
    add_event(&d, i == 0 ? ALLOC : SHARE_WITH, buffer, i == 0 ? 0 : buffer - 1);
  }
  for (uint32_t i = 0; i < buffers; i++) {
    add_event(&d, FREE, i, 0);
  }
  end_computation(&d, "main");
  end_allocation(&d, 0, false);
  finish(&d, out, module);
}

enum { LIVE = 1000, SLOT_TILES = 64 };

/* Buffers come and go in LIVE slots of one size each; new ones overlap nothing that is live. */
static void churn(draft *d, uint32_t count, const char *config) {
  uint32_t held[LIVE];
  bool is_held[LIVE] = {false};
  uint32_t events = 0;
  while (events < count) {
    const uint32_t slot = pick(d, LIVE);
    if (is_held[slot]) {
      add_event(d, FREE, held[slot], 0);
    } else {
      held[slot] = add_fusion(d, 1 + pick(d, SLOT_TILES), (uint64_t)slot * SLOT_TILES * TILE, config);
      add_event(d, ALLOC, held[slot], 0);
    }
    is_held[slot] = !is_held[slot];
    events++;
  }
}

static void write_churn(pb *out, uint32_t count, const char *module) {
  draft d = begin();
  churn(&d, count, NULL);
  end_computation(&d, "main");
  end_allocation(&d, 0, false);
  finish(&d, out, module);
}

/* In a real dump of 16 MB an event comes with 4 instructions, of 160 bytes with all they contain; 9 instructions are a
 * computation; a fifth has a backend config, of 200 bytes; half have metadata; 4 events come with one parameter. */
static void write_step(pb *out, uint32_t count, const char *module) {
  static const char config[] =
      "{\"flag_configs\":[],\"window_config\":{\"kernel_window_bounds\":[\"8\",\"1\"],\"output_window_bounds\":"
      "[\"16\",\"1\"],\"iteration_bounds\":[\"5\",\"1\",\"1\"]},\"scoped_memory_configs\":[],"
      "\"used_scoped_memory_configs\":[{\"memory_space\":\"1\",\"offset\":\"0\",\"size\":\"147456\"}]}";
  draft d = begin();
  char name[64];
  char op_name[128];
  for (uint32_t c = 0; c < count * 3 / 9; c++) {
    for (uint32_t i = 0; i < 9; i++) {
      static const char *const opcodes[] = {"parameter", "parameter",   "multiply", "add",   "broadcast",
                                            "convert",   "exponential", "reduce",   "select"};
      snprintf(op_name, sizeof op_name, "jit(train_step)/transpose(jvp(layer%" PRIu32 "))/checkpoint/attention/%s",
               c % 48, opcodes[i]);
      add_instruction(&d, opcodes[i], 1024, 1600, 0, i % 2 == 1 ? op_name : NULL, NULL);
    }
    snprintf(name, sizeof name, "fused_computation.%" PRIu32, c);
    end_computation(&d, name);
  }
  churn(&d, count, config);
  end_allocation(&d, 0, false);
  for (uint32_t p = 0; p < count / 4; p++) {
    const uint64_t id = add_instruction(&d, "parameter", 1600, 1600, 0, "params['h'][0]['qkv']", NULL);
    add_buffer(&d, id, (uint64_t)200 * 13 * TILE, 0, 0);
    end_allocation(&d, 0, true);
  }
  end_computation(&d, "main");
  finish(&d, out, module);
}

const family families[] = {
    {"peaks", "every event is a new peak", write_peaks},
    {"live", "half as many buffers live at once as there are events", write_live},
    {"one", "the same, all at one address", write_one},
    {"chains", "sharing chains half as deep as there are events", write_chains},
    {"churn", "1,000 buffers of all sizes, coming and going", write_churn},
    {"step", "a training step in a real dump's proportions", write_step},
};
const size_t family_count = sizeof families / sizeof *families;

const family *family_find(const char *name) {
  for (size_t i = 0; i < family_count; i++) {
    if (strcmp(families[i].name, name) == 0) {
      return &families[i];
    }
  }
  return NULL;
}
