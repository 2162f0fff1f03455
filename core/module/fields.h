/* fields.h: the field numbers of the messages that are walked, not decoded: xla/service/hlo.proto.
 *
 * proto/hlo.proto declares the same messages; a test holds these numbers against it.
 */
#ifndef MV_MODULE_FIELDS_H
#define MV_MODULE_FIELDS_H

/* HloProto. Field 2 was the ordering once; in an HloUnoptimizedSnapshot, which begins with the module too, it is an
 * input. */
enum { MV_HLO_MODULE = 1, MV_HLO_NOT_USED = 2, MV_HLO_BUFFER_ASSIGNMENT = 3 };

/* HloModuleProto */
enum {
  MV_MODULE_NAME = 1,
  MV_MODULE_ENTRY_NAME = 2,
  MV_MODULE_COMPUTATIONS = 3,
  MV_MODULE_ID = 5,
  MV_MODULE_STACK_FRAME_INDEX = 17,
  MV_MODULE_DEVICE_TYPE = 21,
  MV_MODULE_PAYLOADS = 22,
};

/* HloComputationProto */
enum { MV_COMPUTATION_NAME = 1, MV_COMPUTATION_INSTRUCTIONS = 2, MV_COMPUTATION_ID = 5, MV_COMPUTATION_IS_FUSION = 7 };

/* HloInstructionProto */
enum {
  MV_INSTRUCTION_NAME = 1,
  MV_INSTRUCTION_OPCODE = 2,
  MV_INSTRUCTION_SHAPE = 3,
  MV_INSTRUCTION_METADATA = 7,
  MV_INSTRUCTION_CUSTOM_CALL_TARGET = 28,
  MV_INSTRUCTION_ID = 35,
  MV_INSTRUCTION_BACKEND_CONFIG = 43,
  MV_INSTRUCTION_BACKEND_CONFIG_PAYLOAD = 99,
};

/* Payload */
enum { MV_PAYLOAD_VALUE = 1, MV_PAYLOAD_ID = 2 };

/* BufferAssignmentProto */
enum { MV_ASSIGNMENT_BUFFERS = 1, MV_ASSIGNMENT_ALLOCATIONS = 3, MV_ASSIGNMENT_TRACES = 4 };

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
enum { MV_ASSIGNED_BUFFER = 1, MV_ASSIGNED_OFFSET = 2 };

/* HeapSimulatorTrace, and its Event */
enum { MV_TRACE_EVENTS = 1 };
enum { MV_EVENT_KIND = 1, MV_EVENT_BUFFER_ID = 2, MV_EVENT_INSTRUCTION_NAME = 4, MV_EVENT_CANONICAL_ID = 5 };

#endif
