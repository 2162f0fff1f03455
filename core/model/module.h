/* module.h: one HLO module with its buffer assignment, as memview holds it.
 *
 *   arrays of plain rows; texts (names, shapes, source stacks) are made from the file's bytes when one is shown
 *
 * The module owns its bytes, and one arena owns all the rest. The fields are for reading; only load/ writes them.
 * Unknown values are -1 in sizes and positions, MV_NONE in references.
 */
#ifndef MV_MODEL_MODULE_H
#define MV_MODEL_MODULE_H

#include "base/arena.h"
#include "base/blob.h"
#include "base/idmap.h"
#include "base/text.h"
#include "model/derived.h"
#include "wire/wire.h"

/* A slice of the module's bytes; at most 4 GiB (protobuf's own limit is 2). */
typedef struct mv_ref {
  uint32_t offset;
  uint32_t size;
} mv_ref;

/* What a file's bytes are. */
typedef enum mv_content {
  MV_CONTENT_HLO_PROTO,
  MV_CONTENT_HLO_MODULE_PROTO,        /* a module without its buffer assignment */
  MV_CONTENT_BUFFER_ASSIGNMENT_PROTO, /* sizes and traces without names */
} mv_content;

typedef enum mv_platform { MV_PLATFORM_UNKNOWN, MV_PLATFORM_TPU, MV_PLATFORM_GPU, MV_PLATFORM_CPU } mv_platform;

/* What an allocation is for, as XProf groups it: the first of these that holds. */
typedef enum mv_category {
  MV_CATEGORY_PARAMETER,
  MV_CATEGORY_OUTPUT,
  MV_CATEGORY_THREAD_LOCAL,
  MV_CATEGORY_CONSTANT,
  MV_CATEGORY_TEMPORARY,
} mv_category;

typedef struct mv_computation {
  int64_t id;
  int64_t root_id; /* of an instruction */
  mv_ref name;
  uint32_t first_instruction;
  uint32_t instruction_count;
  bool is_skipped; /* a fusion whose instructions are not in instructions_by_id: fusions.h */
} mv_computation;

enum { MV_NOT_INDEXED = -2 };

typedef struct mv_instruction {
  int64_t unpadded_bytes; /* of its whole shape; a tuple's index table; MV_NOT_INDEXED in most fusions */
  mv_ref proto;           /* the HloInstructionProto */
} mv_instruction;

/* What an instruction uses of a memory space for itself while it runs (used_scoped_memory_configs). */
typedef struct mv_scoped {
  uint32_t instruction;
  int64_t color;
  int64_t size_bytes;
} mv_scoped;

typedef struct mv_allocation {
  int64_t id; /* BufferAllocationProto.index */
  int64_t size_bytes;
  int64_t color;
  int64_t parameter_number;
  mv_ref proto;
  uint32_t space;
  uint32_t first_assigned; /* into mv_module.assigned */
  uint32_t buffer_count;   /* assigned buffers that exist */
  uint32_t heap;           /* the first trace replayed in it, MV_NONE without */
  uint32_t largest_buffer; /* names it: the largest, then the smallest id; MV_NONE when it has none */
  uint32_t untraced_buffer; /* of an untraced one the three below, else MV_NONE and 0: mv_resident_of */
  int64_t untraced_bytes;
  int64_t untraced_unpadded_bytes;
  bool is_thread_local;
  bool is_tuple;
  bool is_entry_computation_parameter;
  bool is_constant;
  bool maybe_live_out;
  bool is_parameter_aliased_with_output;
  bool is_listed;   /* untraced, and the compiler lists what is live in it at its peak */
  uint8_t category; /* mv_category */
} mv_allocation;

typedef struct mv_buffer {
  int64_t id;
  int64_t size_bytes;
  int64_t unpadded_bytes;
  int64_t color;          /* its allocation's, or its own when it has none */
  int64_t offset_bytes;   /* in its allocation */
  int64_t start_position; /* of the first block it began, or of the baseline it names */
  int64_t end_position;
  mv_ref location; /* LogicalBufferProto.Location */
  uint32_t instruction;
  uint32_t allocation;
  uint32_t shares_with; /* the root of its sharing chain */
  uint32_t block_count; /* blocks it began */
  uint32_t block_root;  /* of the first of them: where that lies, it lies; MV_NONE when it began none */
} mv_buffer;

/* A stretch in which a root's memory is live: live at p when start <= p < end. Size and offset are the root's. */
typedef struct mv_block {
  uint32_t buffer; /* that began it, and names it */
  uint32_t root;
  uint32_t heap;
  int64_t start;
  int64_t end;
} mv_block;

typedef enum mv_event { MV_EVENT_ALLOC = 0, MV_EVENT_FREE = 1, MV_EVENT_SHARE_WITH = 2, MV_EVENT_START = 3 } mv_event;

/* One position of the curve of a heap; the sizes contain the baseline and what is untraced. */
typedef struct mv_position {
  int64_t position;
  int64_t bytes;
  int64_t unpadded_bytes;
  int64_t occupied_bytes;
  mv_ref instruction; /* its name, as the event that led here has it; empty at position 0 */
  uint32_t buffer;
  uint32_t space;
  uint32_t heap; /* MV_NONE for the one row of a space without a heap */
  uint8_t kind;  /* mv_event; kinds unknown to us are as they come */
} mv_position;

/* One heap simulator trace, replayed. Sizes are of its own blocks alone. */
typedef struct mv_heap {
  int64_t color;
  uint32_t space;
  uint32_t allocation; /* MV_NONE when no buffer of it is assigned */
  int64_t event_count;
  uint32_t first_position; /* into mv_module.positions; event_count + 1 of them */
  uint32_t first_block;    /* into mv_module.blocks; in order of start */
  uint32_t block_count;
  mv_ref proto;
  int64_t peak_bytes;
  int64_t peak_unpadded_bytes;
  int64_t peak_position; /* the first with the largest size */
  int64_t occupied_peak_bytes;
} mv_heap;

/* The overview of one memory space. */
typedef struct mv_space {
  int64_t color;
  uint32_t first_allocation; /* into mv_module.space_allocations */
  uint32_t allocation_count;
  uint32_t first_heap; /* heaps are in order of space */
  uint32_t heap_count;
  uint32_t first_position; /* of all its heaps, or the one row of a space without */
  uint32_t position_count;
  uint32_t largest_heap; /* with the largest peak, MV_NONE without a heap */
  int64_t longest_trace; /* events of the longest heap: the baseline ends one behind */
  int64_t peak_bytes;
  int64_t peak_unpadded_bytes;
  int64_t baseline_bytes;
  int64_t baseline_unpadded_bytes;
  int64_t untraced_bytes;
  int64_t untraced_unpadded_bytes;
  int64_t heap_peak_bytes;
  int64_t occupied_peak_bytes; /* baseline, untraced and heaps */
  int64_t total_bytes;
  int64_t argument_bytes;
  int64_t output_bytes;
  int64_t constant_bytes;
  int64_t temporary_bytes;
  int64_t thread_local_bytes;
  int64_t scoped_bytes; /* -1 when no instruction says */
  uint32_t scoped_instruction;
} mv_space;

/* What is wrong with a module; the first few lines are kept, the rest counted. */
typedef struct mv_notes {
  char text[384];
  size_t size; /* of the lines in it, without "; and 3 more" */
  uint32_t count;
} mv_notes;

struct mv_module {
  mv_blob blob;    /* owned */
  mv_bytes bytes;  /* what all mv_ref point into: the blob */
  mv_arena *arena; /* owns all arrays */
  mv_content content;
  mv_platform platform;

  mv_ref name;
  mv_ref entry_computation_name;
  mv_ref stack_frame_index; /* StackFrameIndexProto */
  mv_ref schedule;          /* HloScheduleProto */
  int64_t entry_computation_id;
  int64_t id;          /* HloModuleProto.id: the program id; -1 when it has none */
  mv_ref module_proto;      /* the last one met */
  mv_ref assignment_proto;
  bool has_module;
  bool has_assignment;

  mv_computation *computations;
  uint32_t computation_count;
  mv_instruction *instructions;
  uint32_t instruction_count;
  mv_idmap instructions_by_id;
  bool has_skipped; /* some computation is */
  mv_ref *payloads;     /* HloModuleProto.payloads */
  uint32_t payload_count;
  mv_scoped *scoped; /* in order of instruction */
  uint32_t scoped_count;

  mv_allocation *allocations;
  uint32_t allocation_count;
  mv_idmap allocations_by_id;
  mv_buffer *buffers;
  uint32_t buffer_count;
  mv_idmap buffers_by_id;
  uint32_t *assigned; /* buffers of each allocation in turn */
  uint32_t assigned_count;

  mv_space *spaces; /* by color */
  uint32_t space_count;
  uint32_t *space_allocations; /* allocations of each space in turn */
  mv_heap *heaps;
  uint32_t heap_count;
  mv_position *positions;
  uint32_t position_count;
  mv_block *blocks;
  uint32_t block_count;
  int64_t longest_trace; /* events of the longest heap of all */

  mv_derived *derived; /* derived.h */
  mv_notes *notes;
  const char *problem; /* what the notes say is wrong with it, "" when nothing is */
};

/* A module without anything in it; NULL when memory ran out. */
mv_module *mv_module_new(mv_status *status);

/* NULL is allowed. */
void mv_module_free(mv_module *module);

/* Bytes of memory the module holds. */
size_t mv_module_footprint(const mv_module *module);

/* mv_derived_get of this module. */
static inline const void *mv_module_derived(const mv_module *module, const mv_derived_kind *kind, const void *key,
                                            const mv_limits *limits, mv_status *status) {
  return mv_derived_get(module->derived, module, kind, key, limits, status);
}

static inline mv_bytes mv_module_bytes(const mv_module *module, mv_ref ref) {
  return ref.size > 0 ? mv_bytes_of(module->bytes.data + ref.offset, ref.size) : mv_bytes_of(NULL, 0);
}

/* Walk a message of the module. */
static inline mv_wire mv_module_wire(const mv_module *module, mv_ref ref) {
  return mv_wire_of(mv_module_bytes(module, ref));
}

/* Add a line to `problem`. */
void mv_module_note(const mv_module *module, const char *format, ...) MV_PRINTF(2, 3);

/* Fill the status from a walk's fault: "cut short at byte 1234 of field hlo_module". Always false. By value: a walk
 * whose address is taken is kept in memory, and the loops over it are slow. */
bool mv_module_fault(const mv_module *module, mv_wire w, const char *field, mv_status *status);

/* The name of a memory space, such as "HBM" or "S(7)", in a buffer of at least MV_SPACE_NAME bytes that is used for
 * those without a name. Sources: XProf's memory viewer for TPU; xla/service/gpu/gpu_memory_space_assignment.h and
 * xla/layout.h (kHostMemorySpace) for GPU. */
enum { MV_SPACE_NAME = 32 };
const char *mv_space_name(mv_platform platform, int64_t color, char *buffer);

/* The colors that mv_space_name gives this name to, in upper or lower case; returns how many: GPU has two that are
 * Collective. */
enum { MV_SPACE_COLORS = 2 };
size_t mv_space_colors(int64_t colors[MV_SPACE_COLORS], mv_platform platform, const char *name);

/* 'TPU', 'GPU', 'CPU'; NULL when unknown. Static. */
const char *mv_platform_name(mv_platform platform);

/* 'Parameter', 'Output', 'Thread-local', 'Constant', 'Temporary'. Static. */
const char *mv_category_name(uint8_t category);

/* 'ALLOC', 'FREE', 'SHARE_WITH' for a mv_event; NULL for MV_EVENT_START and kinds unknown to us. Static. */
const char *mv_event_name(uint8_t kind);

/* Whether the allocation is held for the whole program: an entry parameter, a constant or maybe live out, and not
 * thread-local. */
bool mv_allocation_is_baseline(const mv_allocation *allocation);

/* Whether nothing tells when its buffers live: a temporary allocation with a size above 0 and without a heap trace. */
bool mv_allocation_is_untraced(const mv_allocation *allocation);

/* What an allocation takes at every position. */
typedef struct mv_resident {
  uint32_t buffer; /* names it; MV_NONE when it has none */
  int64_t size_bytes;
  int64_t unpadded_bytes; /* -1 when unknown */
} mv_resident;

/* False when it is neither of the baseline nor untraced: its blocks come and go. */
bool mv_resident_of(mv_resident *out, const mv_module *module, const mv_allocation *allocation);

/* What a space takes at every position: its baseline and what is untraced. */
static inline int64_t mv_space_resident_bytes(const mv_space *space) {
  return space->baseline_bytes + space->untraced_bytes;
}

/* Whether so much of the peak is untraced that a picture or a report names it. */
static inline bool mv_space_shows_untraced(const mv_space *space) {
  return space->untraced_bytes > space->peak_bytes / 100;
}

/* The computation of an instruction: the last that begins at it or before. */
const mv_computation *mv_module_computation_of(const mv_module *module, uint32_t instruction);

/* The place of a space's peak in the curve; of several heaps that of the one with the largest peak. */
const mv_position *mv_space_peak(const mv_module *module, const mv_space *space);

/* The space of a color, MV_NONE when the module has none. */
uint32_t mv_module_find_space(const mv_module *module, int64_t color);

#endif
