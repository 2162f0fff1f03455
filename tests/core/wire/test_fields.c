/* The numbers by which core walks messages are those of the messages in proto/. */
#include <criterion/criterion.h>

#include "hlo.pb-c.h"
#include "wire/fields.h"
#include "xplane.pb-c.h"

typedef struct expected {
  const char *name;
  unsigned number;
} expected;

/* Each number is the field of that name, and the message has no others: what is read is declared, and the reverse. */
static void expect_fields(const ProtobufCMessageDescriptor *message, const expected *fields, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(message, fields[i].name);
    cr_assert_not_null(field, "%s has no %s", message->name, fields[i].name);
    cr_expect_eq(field->id, fields[i].number, "%s.%s", message->name, fields[i].name);
  }
  cr_expect_eq(message->n_fields, count, "%s has %u fields", message->name, message->n_fields);
}

#define EXPECT_FIELDS(descriptor, ...)                                                                                 \
  do {                                                                                                                 \
    const expected fields[] = {__VA_ARGS__};                                                                           \
    expect_fields(&descriptor, fields, sizeof fields / sizeof *fields);                                                \
  } while (0)

Test(fields, module) {
  EXPECT_FIELDS(xla__hlo_proto__descriptor, {"hlo_module", MV_HLO_MODULE},
                {"buffer_assignment", MV_HLO_BUFFER_ASSIGNMENT});
  EXPECT_FIELDS(xla__hlo_module_proto__descriptor, {"name", MV_MODULE_NAME},
                {"entry_computation_name", MV_MODULE_ENTRY_NAME}, {"computations", MV_MODULE_COMPUTATIONS},
                {"host_program_shape", MV_MODULE_HOST_PROGRAM_SHAPE},
                {"input_output_alias", MV_MODULE_INPUT_OUTPUT_ALIAS},
                {"cross_program_prefetches", MV_MODULE_CROSS_PROGRAM_PREFETCHES}, {"is_dynamic", MV_MODULE_IS_DYNAMIC},
                {"spmd_output_sharding", MV_MODULE_SPMD_OUTPUT_SHARDING}, {"profile_info", MV_MODULE_PROFILE_INFO},
                {"spmd_parameters_shardings", MV_MODULE_SPMD_PARAMETERS_SHARDINGS}, {"id", MV_MODULE_ID},
                {"entry_computation_id", MV_MODULE_ENTRY_ID}, {"schedule", MV_MODULE_SCHEDULE},
                {"stack_frame_index", MV_MODULE_STACK_FRAME_INDEX}, {"device_type", MV_MODULE_DEVICE_TYPE},
                {"payloads", MV_MODULE_PAYLOADS});
  EXPECT_FIELDS(xla__hlo_computation_proto__descriptor, {"name", MV_COMPUTATION_NAME},
                {"instructions", MV_COMPUTATION_INSTRUCTIONS}, {"id", MV_COMPUTATION_ID},
                {"root_id", MV_COMPUTATION_ROOT_ID}, {"is_fusion_computation", MV_COMPUTATION_IS_FUSION},
                {"program_shape", MV_COMPUTATION_PROGRAM_SHAPE}, {"execution_thread", MV_COMPUTATION_EXECUTION_THREAD});
  EXPECT_FIELDS(xla__hlo_instruction_proto__descriptor, {"name", MV_INSTRUCTION_NAME},
                {"opcode", MV_INSTRUCTION_OPCODE}, {"shape", MV_INSTRUCTION_SHAPE},
                {"metadata", MV_INSTRUCTION_METADATA}, {"parameter_number", MV_INSTRUCTION_PARAMETER_NUMBER},
                {"tuple_index", MV_INSTRUCTION_TUPLE_INDEX}, {"custom_call_target", MV_INSTRUCTION_CUSTOM_CALL_TARGET},
                {"id", MV_INSTRUCTION_ID}, {"operand_ids", MV_INSTRUCTION_OPERAND_IDS},
                {"called_computation_ids", MV_INSTRUCTION_CALLED_IDS},
                {"backend_config", MV_INSTRUCTION_BACKEND_CONFIG},
                {"backend_config_payload", MV_INSTRUCTION_BACKEND_CONFIG_PAYLOAD});
  EXPECT_FIELDS(xla__payload__descriptor, {"value", MV_PAYLOAD_VALUE}, {"id", MV_PAYLOAD_ID});
  EXPECT_FIELDS(xla__op_metadata__descriptor, {"op_name", MV_METADATA_OP_NAME},
                {"source_file", MV_METADATA_SOURCE_FILE}, {"source_line", MV_METADATA_SOURCE_LINE},
                {"stack_frame_id", MV_METADATA_STACK_FRAME_ID}, {"metadata_payload", MV_METADATA_PAYLOAD});
  EXPECT_FIELDS(xla__hlo_schedule_proto__descriptor, {"sequences", MV_SCHEDULE_SEQUENCES});
  EXPECT_FIELDS(xla__hlo_schedule_proto__sequences_entry__descriptor, {"key", MV_MAP_KEY}, {"value", MV_MAP_VALUE});
  EXPECT_FIELDS(xla__hlo_schedule_proto__instruction_sequence__descriptor,
                {"instruction_ids", MV_SEQUENCE_INSTRUCTION_IDS});
}

Test(fields, buffer_assignment) {
  EXPECT_FIELDS(xla__buffer_assignment_proto__descriptor, {"logical_buffers", MV_ASSIGNMENT_BUFFERS},
                {"buffer_allocations", MV_ASSIGNMENT_ALLOCATIONS}, {"heap_simulator_traces", MV_ASSIGNMENT_TRACES},
                {"peak_buffers", MV_ASSIGNMENT_PEAK_BUFFERS}, {"buffer_aliases", MV_ASSIGNMENT_ALIASES});
  EXPECT_FIELDS(xla__buffer_assignment_proto__buffer_alias__descriptor, {"source_buffer_id", MV_ALIAS_SOURCE},
                {"location", MV_ALIAS_LOCATION});
  EXPECT_FIELDS(xla__buffer_assignment_proto__peak_buffers__descriptor, {"buffer_allocation_index", MV_PEAK_ALLOCATION},
                {"logical_buffer_ids", MV_PEAK_BUFFER_IDS});
  EXPECT_FIELDS(xla__logical_buffer_proto__descriptor, {"id", MV_BUFFER_ID}, {"size", MV_BUFFER_SIZE},
                {"defined_at", MV_BUFFER_DEFINED_AT}, {"color", MV_BUFFER_COLOR});
  EXPECT_FIELDS(xla__logical_buffer_proto__location__descriptor, {"instruction_name", MV_LOCATION_INSTRUCTION_NAME},
                {"shape_index", MV_LOCATION_SHAPE_INDEX}, {"instruction_id", MV_LOCATION_INSTRUCTION_ID});
  EXPECT_FIELDS(xla__buffer_allocation_proto__descriptor, {"index", MV_ALLOCATION_INDEX}, {"size", MV_ALLOCATION_SIZE},
                {"is_thread_local", MV_ALLOCATION_IS_THREAD_LOCAL},
                {"is_entry_computation_parameter", MV_ALLOCATION_IS_ENTRY_PARAMETER},
                {"parameter_number", MV_ALLOCATION_PARAMETER_NUMBER}, {"maybe_live_out", MV_ALLOCATION_MAYBE_LIVE_OUT},
                {"color", MV_ALLOCATION_COLOR}, {"assigned", MV_ALLOCATION_ASSIGNED},
                {"parameter_shape_index", MV_ALLOCATION_PARAMETER_SHAPE_INDEX}, {"is_tuple", MV_ALLOCATION_IS_TUPLE},
                {"is_constant", MV_ALLOCATION_IS_CONSTANT},
                {"is_parameter_aliased_with_output", MV_ALLOCATION_IS_PARAMETER_ALIASED});
  EXPECT_FIELDS(xla__buffer_allocation_proto__assigned__descriptor, {"logical_buffer_id", MV_ASSIGNED_BUFFER},
                {"offset", MV_ASSIGNED_OFFSET}, {"size", MV_ASSIGNED_SIZE}, {"element_type", MV_ASSIGNED_ELEMENT_TYPE});
  EXPECT_FIELDS(xla__heap_simulator_trace__descriptor, {"events", MV_TRACE_EVENTS},
                {"whole_module_simulation", MV_TRACE_WHOLE_MODULE}, {"buffer_allocation_index", MV_TRACE_ALLOCATION});
  EXPECT_FIELDS(xla__heap_simulator_trace__event__descriptor, {"kind", MV_EVENT_KIND},
                {"buffer_id", MV_EVENT_BUFFER_ID}, {"computation_name", MV_EVENT_COMPUTATION_NAME},
                {"instruction_name", MV_EVENT_INSTRUCTION_NAME}, {"share_with_canonical_id", MV_EVENT_CANONICAL_ID});
}

Test(fields, shape) {
  EXPECT_FIELDS(xla__shape_proto__descriptor, {"element_type", MV_SHAPE_ELEMENT_TYPE},
                {"dimensions", MV_SHAPE_DIMENSIONS}, {"tuple_shapes", MV_SHAPE_TUPLE_SHAPES},
                {"layout", MV_SHAPE_LAYOUT}, {"is_dynamic_dimension", MV_SHAPE_IS_DYNAMIC_DIMENSION});
  EXPECT_FIELDS(xla__layout_proto__descriptor, {"minor_to_major", MV_LAYOUT_MINOR_TO_MAJOR}, {"tiles", MV_LAYOUT_TILES},
                {"element_size_in_bits", MV_LAYOUT_ELEMENT_BITS}, {"memory_space", MV_LAYOUT_MEMORY_SPACE},
                {"dim_level_types", MV_LAYOUT_DIM_LEVEL_TYPES}, {"physical_shape", MV_LAYOUT_PHYSICAL_SHAPE},
                {"index_primitive_type", MV_LAYOUT_INDEX_TYPE}, {"pointer_primitive_type", MV_LAYOUT_POINTER_TYPE},
                {"dim_unique", MV_LAYOUT_DIM_UNIQUE}, {"dim_ordered", MV_LAYOUT_DIM_ORDERED},
                {"dynamic_shape_metadata_prefix_bytes", MV_LAYOUT_METADATA_PREFIX_BYTES},
                {"tail_padding_alignment_in_elements", MV_LAYOUT_TAIL_ALIGNMENT},
                {"split_configs", MV_LAYOUT_SPLIT_CONFIGS});
  EXPECT_FIELDS(xla__program_shape_proto__descriptor, {"parameters", MV_PROGRAM_SHAPE_PARAMETERS},
                {"result", MV_PROGRAM_SHAPE_RESULT}, {"parameter_names", MV_PROGRAM_SHAPE_PARAMETER_NAMES});
  EXPECT_FIELDS(xla__tile_proto__descriptor, {"dimensions", MV_TILE_DIMENSIONS});
  EXPECT_FIELDS(xla__split_config_proto__descriptor, {"dimension", MV_SPLIT_DIMENSION},
                {"split_indices", MV_SPLIT_INDICES});
}

Test(fields, profile) {
  EXPECT_FIELDS(tensorflow__profiler__xspace__descriptor, {"planes", MV_XSPACE_PLANES}, {"errors", MV_XSPACE_ERRORS},
                {"warnings", MV_XSPACE_WARNINGS}, {"hostnames", MV_XSPACE_HOSTNAMES});
  EXPECT_FIELDS(tensorflow__profiler__xline__descriptor, {"id", MV_XLINE_ID}, {"name", MV_XLINE_NAME},
                {"timestamp_ns", MV_XLINE_TIMESTAMP}, {"events", MV_XLINE_EVENTS}, {"duration_ps", MV_XLINE_DURATION},
                {"display_id", MV_XLINE_DISPLAY_ID}, {"display_name", MV_XLINE_DISPLAY_NAME});
  EXPECT_FIELDS(tensorflow__profiler__xplane__descriptor, {"name", MV_XPLANE_NAME},
                {"event_metadata", MV_XPLANE_EVENT_METADATA}, {"stat_metadata", MV_XPLANE_STAT_METADATA},
                {"id", MV_XPLANE_ID}, {"lines", MV_XPLANE_LINES}, {"stats", MV_XPLANE_STATS});
  EXPECT_FIELDS(tensorflow__profiler__xplane__event_metadata_entry__descriptor, {"key", MV_MAP_KEY},
                {"value", MV_MAP_VALUE});
  EXPECT_FIELDS(tensorflow__profiler__xevent_metadata__descriptor, {"name", MV_XEVENT_METADATA_NAME},
                {"metadata", MV_XEVENT_METADATA_METADATA}, {"stats", MV_XEVENT_METADATA_STATS});
  EXPECT_FIELDS(tensorflow__profiler__xstat__descriptor, {"metadata_id", MV_XSTAT_METADATA_ID},
                {"uint64_value", MV_XSTAT_UINT64}, {"int64_value", MV_XSTAT_INT64}, {"bytes_value", MV_XSTAT_BYTES});
}
