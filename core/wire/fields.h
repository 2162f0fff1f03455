/* fields.h: the field numbers of the messages that are walked, not decoded.
 *
 * proto/ declares the same messages; a test holds these numbers against it. No number of a field stands anywhere else.
 */
#ifndef MV_WIRE_FIELDS_H
#define MV_WIRE_FIELDS_H

/* ---- xla/service/hlo.proto ---- */

/* HloProto. Field 2 was the ordering once; in an HloUnoptimizedSnapshot, which begins with the module too, it is an
 * input. */
enum { MV_HLO_MODULE = 1, MV_HLO_NOT_USED = 2, MV_HLO_BUFFER_ASSIGNMENT = 3 };

/* HloModuleProto */
enum {
  MV_MODULE_NAME = 1,
  MV_MODULE_ENTRY_NAME = 2,
  MV_MODULE_COMPUTATIONS = 3,
  MV_MODULE_ID = 5,
  MV_MODULE_ENTRY_ID = 6,
  MV_MODULE_SCHEDULE = 7,
  MV_MODULE_STACK_FRAME_INDEX = 17,
  MV_MODULE_DEVICE_TYPE = 21,
  MV_MODULE_PAYLOADS = 22,
};

/* HloComputationProto */
enum {
  MV_COMPUTATION_NAME = 1,
  MV_COMPUTATION_INSTRUCTIONS = 2,
  MV_COMPUTATION_ID = 5,
  MV_COMPUTATION_ROOT_ID = 6,
  MV_COMPUTATION_IS_FUSION = 7,
};

/* HloInstructionProto */
enum {
  MV_INSTRUCTION_NAME = 1,
  MV_INSTRUCTION_OPCODE = 2,
  MV_INSTRUCTION_SHAPE = 3,
  MV_INSTRUCTION_METADATA = 7,
  MV_INSTRUCTION_PARAMETER_NUMBER = 9,
  MV_INSTRUCTION_TUPLE_INDEX = 13,
  MV_INSTRUCTION_CUSTOM_CALL_TARGET = 28,
  MV_INSTRUCTION_ID = 35,
  MV_INSTRUCTION_OPERAND_IDS = 36,
  MV_INSTRUCTION_CALLED_IDS = 38,
  MV_INSTRUCTION_BACKEND_CONFIG = 43,
  MV_INSTRUCTION_BACKEND_CONFIG_PAYLOAD = 99,
};

/* OpMetadata */
enum {
  MV_METADATA_OP_NAME = 2,
  MV_METADATA_SOURCE_FILE = 3,
  MV_METADATA_SOURCE_LINE = 4,
  MV_METADATA_STACK_FRAME_ID = 15,
  MV_METADATA_PAYLOAD = 20,
};

/* HloScheduleProto: a map from a computation's id to its InstructionSequence */
enum { MV_SCHEDULE_SEQUENCES = 1, MV_SEQUENCE_INSTRUCTION_IDS = 1 };

/* Payload */
enum { MV_PAYLOAD_VALUE = 1, MV_PAYLOAD_ID = 2 };

/* BufferAssignmentProto */
enum {
  MV_ASSIGNMENT_BUFFERS = 1,
  MV_ASSIGNMENT_ALLOCATIONS = 3,
  MV_ASSIGNMENT_TRACES = 4,
  MV_ASSIGNMENT_PEAK_BUFFERS = 5,
};

/* PeakBuffers */
enum { MV_PEAK_ALLOCATION = 1, MV_PEAK_BUFFER_IDS = 2 };

/* LogicalBufferProto, and its Location */
enum { MV_BUFFER_ID = 1, MV_BUFFER_SIZE = 2, MV_BUFFER_DEFINED_AT = 3, MV_BUFFER_COLOR = 4 };
enum { MV_LOCATION_INSTRUCTION_NAME = 2, MV_LOCATION_SHAPE_INDEX = 3, MV_LOCATION_INSTRUCTION_ID = 4 };

/* BufferAllocationProto, and its Assigned */
enum {
  MV_ALLOCATION_INDEX = 1,
  MV_ALLOCATION_SIZE = 2,
  MV_ALLOCATION_IS_THREAD_LOCAL = 3,
  MV_ALLOCATION_IS_ENTRY_PARAMETER = 5,
  MV_ALLOCATION_PARAMETER_NUMBER = 6,
  MV_ALLOCATION_MAYBE_LIVE_OUT = 7,
  MV_ALLOCATION_COLOR = 8,
  MV_ALLOCATION_ASSIGNED = 9,
  MV_ALLOCATION_PARAMETER_SHAPE_INDEX = 10,
  MV_ALLOCATION_IS_TUPLE = 11,
  MV_ALLOCATION_IS_CONSTANT = 12,
  MV_ALLOCATION_IS_PARAMETER_ALIASED = 13,
};
enum { MV_ASSIGNED_BUFFER = 1, MV_ASSIGNED_OFFSET = 2, MV_ASSIGNED_SIZE = 3, MV_ASSIGNED_ELEMENT_TYPE = 4 };

/* HeapSimulatorTrace, and its Event */
enum { MV_TRACE_EVENTS = 1 };
enum {
  MV_EVENT_KIND = 1,
  MV_EVENT_BUFFER_ID = 2,
  MV_EVENT_COMPUTATION_NAME = 3,
  MV_EVENT_INSTRUCTION_NAME = 4,
  MV_EVENT_CANONICAL_ID = 5,
};

/* ---- xla/xla_data.proto ---- */

/* ShapeProto */
enum {
  MV_SHAPE_ELEMENT_TYPE = 2,
  MV_SHAPE_DIMENSIONS = 3,
  MV_SHAPE_TUPLE_SHAPES = 4,
  MV_SHAPE_LAYOUT = 5,
  MV_SHAPE_IS_DYNAMIC_DIMENSION = 6,
};

/* LayoutProto */
enum {
  MV_LAYOUT_MINOR_TO_MAJOR = 1,
  MV_LAYOUT_TILES = 6,
  MV_LAYOUT_ELEMENT_BITS = 7,
  MV_LAYOUT_MEMORY_SPACE = 8,
  MV_LAYOUT_DIM_LEVEL_TYPES = 9,
  MV_LAYOUT_PHYSICAL_SHAPE = 10,
  MV_LAYOUT_INDEX_TYPE = 11,
  MV_LAYOUT_POINTER_TYPE = 12,
  MV_LAYOUT_DIM_UNIQUE = 13,
  MV_LAYOUT_DIM_ORDERED = 14,
  MV_LAYOUT_METADATA_PREFIX_BYTES = 15,
  MV_LAYOUT_TAIL_ALIGNMENT = 16,
  MV_LAYOUT_SPLIT_CONFIGS = 17,
};

/* TileProto */
enum { MV_TILE_DIMENSIONS = 1 };

/* SplitConfigProto */
enum { MV_SPLIT_DIMENSION = 1, MV_SPLIT_INDICES = 2 };

/* ---- tsl/profiler/protobuf/xplane.proto ---- */

/* XSpace */
enum { MV_XSPACE_PLANES = 1 };

/* XPlane */
enum { MV_XPLANE_NAME = 2, MV_XPLANE_EVENT_METADATA = 4, MV_XPLANE_STAT_METADATA = 5 };

/* An entry of a map, as protobuf writes it. */
enum { MV_MAP_KEY = 1, MV_MAP_VALUE = 2 };

/* XEventMetadata. Older writers put the HloProto into its own bytes, `metadata`. */
enum { MV_XEVENT_METADATA_NAME = 2, MV_XEVENT_METADATA_METADATA = 3, MV_XEVENT_METADATA_STATS = 5 };

/* XStat */
enum { MV_XSTAT_METADATA_ID = 1, MV_XSTAT_UINT64 = 3, MV_XSTAT_INT64 = 4, MV_XSTAT_BYTES = 6 };

#endif
