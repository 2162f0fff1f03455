#include "source/schema.h"

#include "wire/fields.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SCHEMA(symbol, name, last) const mv_schema symbol = {name##_fields, COUNT(name##_fields), last}

/* xla/xla_data.proto */
static const mv_schema_field shape_fields[] = {
    {MV_SHAPE_ELEMENT_TYPE, MV_KIND_VARINT, NULL},        {MV_SHAPE_DIMENSIONS, MV_KIND_BYTES, NULL},
    {MV_SHAPE_TUPLE_SHAPES, MV_KIND_BYTES, NULL},         {MV_SHAPE_LAYOUT, MV_KIND_BYTES, NULL},
    {MV_SHAPE_IS_DYNAMIC_DIMENSION, MV_KIND_BYTES, NULL},
};
static SCHEMA(shape, shape, 6);
static const mv_schema_field program_shape_fields[] = {
    {MV_PROGRAM_SHAPE_PARAMETERS, MV_KIND_MESSAGE, &shape},
    {MV_PROGRAM_SHAPE_RESULT, MV_KIND_MESSAGE, &shape},
    {MV_PROGRAM_SHAPE_PARAMETER_NAMES, MV_KIND_TEXT, NULL},
};
static SCHEMA(program_shape, program_shape, 4);
/* xla/service/hlo.proto */
static const mv_schema_field computation_fields[] = {
    {MV_COMPUTATION_NAME, MV_KIND_TEXT | MV_MARK_COMPUTATION, NULL},
    {MV_COMPUTATION_INSTRUCTIONS, MV_KIND_BYTES | MV_MARK_INSTRUCTION, NULL},
    {MV_COMPUTATION_PROGRAM_SHAPE, MV_KIND_MESSAGE, &program_shape},
    {MV_COMPUTATION_ID, MV_KIND_VARINT, NULL},
    {MV_COMPUTATION_ROOT_ID, MV_KIND_VARINT, NULL},
    {MV_COMPUTATION_IS_FUSION, MV_KIND_VARINT, NULL},
    {MV_COMPUTATION_EXECUTION_THREAD, MV_KIND_TEXT, NULL},
};
static SCHEMA(computation, computation, 8);
/* A plane without an id begins as a module without a name would: with a text as field 2. Its own is a path. */
static const mv_schema_field module_fields[] = {
    {MV_MODULE_NAME, MV_KIND_NAME | MV_MARK_NAME | MV_MARK_PART, NULL},
    {MV_MODULE_ENTRY_NAME, MV_KIND_NAME | MV_MARK_NAME | MV_MARK_PART, NULL},
    {MV_MODULE_COMPUTATIONS, MV_KIND_MESSAGE | MV_MARK_PART, &computation},
    {MV_MODULE_HOST_PROGRAM_SHAPE, MV_KIND_MESSAGE, &program_shape},
    {MV_MODULE_ID, MV_KIND_VARINT, NULL},
    {MV_MODULE_ENTRY_ID, MV_KIND_VARINT, NULL},
    {MV_MODULE_SCHEDULE, MV_KIND_BYTES, NULL},
    {MV_MODULE_INPUT_OUTPUT_ALIAS, MV_KIND_BYTES, NULL},
    {MV_MODULE_WITHDRAWN_9, MV_KIND_BYTES, NULL},
    {MV_MODULE_CROSS_PROGRAM_PREFETCHES, MV_KIND_BYTES, NULL},
    {MV_MODULE_IS_DYNAMIC, MV_KIND_VARINT, NULL},
    {MV_MODULE_SPMD_OUTPUT_SHARDING, MV_KIND_BYTES, NULL},
    {MV_MODULE_PROFILE_INFO, MV_KIND_BYTES, NULL},
    {MV_MODULE_SPMD_PARAMETERS_SHARDINGS, MV_KIND_BYTES, NULL},
};
SCHEMA(mv_schema_module, module, 10);
/* Names of instructions are bytes here: only that a module's own name is text is needed to tell the messages apart, and
 * a name that is no valid text is no reason to refuse the file. */
static const mv_schema_field location_fields[] = {
    {MV_LOCATION_WITHDRAWN_1, MV_KIND_BYTES, NULL},
    {MV_LOCATION_INSTRUCTION_NAME, MV_KIND_BYTES, NULL},
    {MV_LOCATION_SHAPE_INDEX, MV_KIND_BYTES, NULL},
    {MV_LOCATION_INSTRUCTION_ID, MV_KIND_VARINT, NULL},
};
static SCHEMA(location, location, 4);
static const mv_schema_field buffer_fields[] = {
    {MV_BUFFER_ID, MV_KIND_VARINT, NULL},
    {MV_BUFFER_SIZE, MV_KIND_VARINT, NULL},
    {MV_BUFFER_DEFINED_AT, MV_KIND_MESSAGE | MV_MARK_LOCATION, &location},
    {MV_BUFFER_COLOR, MV_KIND_VARINT, NULL},
};
static SCHEMA(buffer, buffer, 8);
static const mv_schema_field alias_fields[] = {
    {MV_ALIAS_SOURCE, MV_KIND_VARINT, NULL},
    {MV_ALIAS_LOCATION, MV_KIND_MESSAGE, &location},
};
static SCHEMA(alias, alias, 4);
static const mv_schema_field allocation_fields[] = {
    {MV_ALLOCATION_INDEX, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_SIZE, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_IS_THREAD_LOCAL, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_WITHDRAWN_4, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_IS_ENTRY_PARAMETER, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_PARAMETER_NUMBER, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_MAYBE_LIVE_OUT, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_COLOR, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_ASSIGNED, MV_KIND_BYTES, NULL},
    {MV_ALLOCATION_PARAMETER_SHAPE_INDEX, MV_KIND_BYTES, NULL},
    {MV_ALLOCATION_IS_TUPLE, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_IS_CONSTANT, MV_KIND_VARINT, NULL},
    {MV_ALLOCATION_IS_PARAMETER_ALIASED, MV_KIND_VARINT, NULL},
};
static SCHEMA(allocation, allocation, 13);
static const mv_schema_field event_fields[] = {
    {MV_EVENT_KIND, MV_KIND_VARINT, NULL},
    {MV_EVENT_BUFFER_ID, MV_KIND_VARINT, NULL},
    {MV_EVENT_COMPUTATION_NAME, MV_KIND_BYTES, NULL},
    {MV_EVENT_INSTRUCTION_NAME, MV_KIND_BYTES, NULL},
    {MV_EVENT_CANONICAL_ID, MV_KIND_VARINT, NULL},
};
static SCHEMA(event, event, 8);
static const mv_schema_field trace_fields[] = {
    {MV_TRACE_EVENTS, MV_KIND_MESSAGE, &event},
    {MV_TRACE_WHOLE_MODULE, MV_KIND_VARINT, NULL},
    {MV_TRACE_ALLOCATION, MV_KIND_VARINT, NULL},
};
static SCHEMA(trace, trace, 4);
static const mv_schema_field assignment_fields[] = {
    {MV_ASSIGNMENT_BUFFERS, MV_KIND_MESSAGE | MV_MARK_PART, &buffer},
    {MV_ASSIGNMENT_ALIASES, MV_KIND_MESSAGE, &alias},
    {MV_ASSIGNMENT_ALLOCATIONS, MV_KIND_MESSAGE | MV_MARK_PART, &allocation},
    {MV_ASSIGNMENT_TRACES, MV_KIND_MESSAGE, &trace},
    {MV_ASSIGNMENT_PEAK_BUFFERS, MV_KIND_BYTES, NULL},
};
SCHEMA(mv_schema_assignment, assignment, 8);
static const mv_schema_field hlo_fields[] = {
    {MV_HLO_MODULE, MV_KIND_MESSAGE | MV_MARK_PART, &mv_schema_module},
    {MV_HLO_NOT_USED, MV_KIND_BYTES, NULL},
    {MV_HLO_BUFFER_ASSIGNMENT, MV_KIND_MESSAGE | MV_MARK_PART, &mv_schema_assignment},
};
SCHEMA(mv_schema_hlo, hlo, 16);
static const mv_schema_field snapshot_fields[] = {
    {MV_SNAPSHOT_HLO, MV_KIND_MESSAGE | MV_MARK_PART, &mv_schema_hlo},
    {MV_SNAPSHOT_ARGUMENTS, MV_KIND_BYTES, NULL},
    {MV_SNAPSHOT_RESULT, MV_KIND_BYTES, NULL},
    {MV_SNAPSHOT_PLATFORM, MV_KIND_TEXT, NULL},
};
SCHEMA(mv_schema_snapshot, snapshot, 16);
static const mv_schema_field unoptimized_fields[] = {
    {MV_UNOPTIMIZED_MODULE, MV_KIND_MESSAGE | MV_MARK_PART, &mv_schema_module},
    {MV_UNOPTIMIZED_PARTITIONS, MV_KIND_BYTES, NULL},
    {MV_UNOPTIMIZED_VERSION, MV_KIND_VARINT, NULL},
};
SCHEMA(mv_schema_unoptimized, unoptimized, 16);
/* xla/service/memory_usage_report.proto */
static const mv_schema_field report_entry_fields[] = {
    {MV_REPORT_BUFFER_NUMBER_1, MV_KIND_VARINT, NULL}, {MV_REPORT_BUFFER_NUMBER_2, MV_KIND_VARINT, NULL},
    {MV_REPORT_BUFFER_NUMBER_3, MV_KIND_VARINT, NULL}, {MV_REPORT_BUFFER_NAME, MV_KIND_TEXT, NULL},
    {MV_REPORT_BUFFER_LINES, MV_KIND_BYTES, NULL},
};
static SCHEMA(report_entry, report_entry, 3);
static const mv_schema_field report_space_fields[] = {
    {MV_REPORT_SPACE_NUMBER_1, MV_KIND_VARINT, NULL},
    {MV_REPORT_SPACE_NUMBER_2, MV_KIND_VARINT, NULL},
    {MV_REPORT_SPACE_BUFFERS, MV_KIND_MESSAGE, &report_entry},
};
static SCHEMA(report_space, report_space, 8);
static const mv_schema_field report_fields[] = {
    {MV_REPORT_SPACES, MV_KIND_MESSAGE | MV_MARK_PART, &report_space},
};
SCHEMA(mv_schema_report, report, 8);
/* tsl/profiler/protobuf/xplane.proto */
static const mv_schema_field map_entry_fields[] = {
    {MV_MAP_KEY, MV_KIND_VARINT, NULL},
    {MV_MAP_VALUE, MV_KIND_BYTES, NULL},
};
static SCHEMA(map_entry, map_entry, 8);
static const mv_schema_field line_fields[] = {
    {MV_XLINE_ID, MV_KIND_VARINT, NULL},         {MV_XLINE_NAME, MV_KIND_TEXT, NULL},
    {MV_XLINE_TIMESTAMP, MV_KIND_VARINT, NULL},  {MV_XLINE_EVENTS, MV_KIND_BYTES, NULL},
    {MV_XLINE_DURATION, MV_KIND_VARINT, NULL},   {MV_XLINE_DISPLAY_ID, MV_KIND_VARINT, NULL},
    {MV_XLINE_DISPLAY_NAME, MV_KIND_TEXT, NULL},
};
static SCHEMA(line, line, 3);
static const mv_schema_field plane_fields[] = {
    {MV_XPLANE_ID, MV_KIND_VARINT, NULL},
    {MV_XPLANE_NAME, MV_KIND_TEXT, NULL},
    {MV_XPLANE_LINES, MV_KIND_MESSAGE, &line},
    {MV_XPLANE_EVENT_METADATA, MV_KIND_MESSAGE, &map_entry},
    {MV_XPLANE_STAT_METADATA, MV_KIND_MESSAGE, &map_entry},
    {MV_XPLANE_STATS, MV_KIND_BYTES, NULL},
};
static SCHEMA(plane, plane, 6);
static const mv_schema_field xspace_fields[] = {
    {MV_XSPACE_PLANES, MV_KIND_MESSAGE | MV_MARK_PART, &plane},
    {MV_XSPACE_ERRORS, MV_KIND_TEXT, NULL},
    {MV_XSPACE_WARNINGS, MV_KIND_TEXT, NULL},
    {MV_XSPACE_HOSTNAMES, MV_KIND_TEXT, NULL},
};
SCHEMA(mv_schema_xspace, xspace, 8);
/* pprof's profile.proto. Writers put its fields in any order. */
static const mv_schema_field value_type_fields[] = {
    {MV_PPROF_VALUE_TYPE_TYPE, MV_KIND_VARINT, NULL},
    {MV_PPROF_VALUE_TYPE_UNIT, MV_KIND_VARINT, NULL},
};
static SCHEMA(value_type, value_type, 8);
static const mv_schema_field sample_fields[] = {
    {MV_PPROF_SAMPLE_LOCATION_IDS, MV_KIND_NUMBERS, NULL},
    {MV_PPROF_SAMPLE_VALUES, MV_KIND_NUMBERS, NULL},
    {MV_PPROF_SAMPLE_LABELS, MV_KIND_BYTES, NULL},
};
static SCHEMA(sample, sample, 8);
static const mv_schema_field mapping_fields[] = {
    {MV_PPROF_MAPPING_ID, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_MEMORY_START, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_MEMORY_LIMIT, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_FILE_OFFSET, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_FILENAME, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_BUILD_ID, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_HAS_FUNCTIONS, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_HAS_FILENAMES, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_HAS_LINE_NUMBERS, MV_KIND_VARINT, NULL},
    {MV_PPROF_MAPPING_HAS_INLINE_FRAMES, MV_KIND_VARINT, NULL},
};
static SCHEMA(mapping, mapping, 16);
static const mv_schema_field place_fields[] = {
    {MV_PPROF_LOCATION_ID, MV_KIND_VARINT, NULL},        {MV_PPROF_LOCATION_MAPPING_ID, MV_KIND_VARINT, NULL},
    {MV_PPROF_LOCATION_ADDRESS, MV_KIND_VARINT, NULL},   {MV_PPROF_LOCATION_LINES, MV_KIND_BYTES, NULL},
    {MV_PPROF_LOCATION_IS_FOLDED, MV_KIND_VARINT, NULL},
};
static SCHEMA(place, place, 8);
static const mv_schema_field pprof_fields[] = {
    {MV_PPROF_SAMPLE_TYPE, MV_KIND_MESSAGE | MV_MARK_PART, &value_type},
    {MV_PPROF_SAMPLE, MV_KIND_MESSAGE, &sample},
    {MV_PPROF_MAPPING, MV_KIND_MESSAGE, &mapping},
    {MV_PPROF_LOCATION, MV_KIND_MESSAGE, &place},
    {MV_PPROF_FUNCTION, MV_KIND_BYTES, NULL},
    {MV_PPROF_STRING_TABLE, MV_KIND_BYTES, NULL},
    {MV_PPROF_DROP_FRAMES, MV_KIND_VARINT, NULL},
    {MV_PPROF_KEEP_FRAMES, MV_KIND_VARINT, NULL},
    {MV_PPROF_TIME, MV_KIND_VARINT, NULL},
    {MV_PPROF_DURATION, MV_KIND_VARINT, NULL},
    {MV_PPROF_PERIOD_TYPE, MV_KIND_MESSAGE, &value_type},
    {MV_PPROF_PERIOD, MV_KIND_VARINT, NULL},
    {MV_PPROF_COMMENT, MV_KIND_NUMBERS, NULL},
    {MV_PPROF_DEFAULT_SAMPLE_TYPE, MV_KIND_VARINT, NULL},
    {MV_PPROF_DOC_URL, MV_KIND_VARINT, NULL},
};
SCHEMA(mv_schema_pprof, pprof, 16);
/* tensorflow/core/protobuf/saved_model.proto, meta_graph.proto */
static const mv_schema_field op_list_fields[] = {
    {MV_OP_LIST_OPS, MV_KIND_BYTES | MV_MARK_TELLS, NULL},
};
static SCHEMA(op_list, op_list, 8);
static const mv_schema_field meta_info_fields[] = {
    {MV_META_INFO_VERSION, MV_KIND_TEXT, NULL},
    {MV_META_INFO_OP_LIST, MV_KIND_MESSAGE, &op_list},
    {MV_META_INFO_ANY, MV_KIND_BYTES, NULL},
    {MV_META_INFO_TAGS, MV_KIND_TEXT | MV_MARK_TELLS, NULL},
    {MV_META_INFO_TENSORFLOW_VERSION, MV_KIND_TEXT, NULL},
    {MV_META_INFO_TENSORFLOW_GIT_VERSION, MV_KIND_TEXT, NULL},
    {MV_META_INFO_STRIPPED_DEFAULTS, MV_KIND_VARINT, NULL},
    {MV_META_INFO_FUNCTION_ALIASES, MV_KIND_BYTES, NULL},
};
static SCHEMA(meta_info, meta_info, 8);
static const mv_schema_field meta_graph_fields[] = {
    {MV_META_GRAPH_INFO, MV_KIND_MESSAGE, &meta_info}, {MV_META_GRAPH_GRAPH, MV_KIND_BYTES, NULL},
    {MV_META_GRAPH_SAVER, MV_KIND_BYTES, NULL},        {MV_META_GRAPH_COLLECTIONS, MV_KIND_BYTES, NULL},
    {MV_META_GRAPH_SIGNATURES, MV_KIND_BYTES, NULL},   {MV_META_GRAPH_ASSET_FILES, MV_KIND_BYTES, NULL},
    {MV_META_GRAPH_OBJECT_GRAPH, MV_KIND_BYTES, NULL},
};
static SCHEMA(meta_graph, meta_graph, 8);
static const mv_schema_field saved_model_fields[] = {
    {MV_SAVED_MODEL_VERSION, MV_KIND_VARINT, NULL},
    {MV_SAVED_MODEL_META_GRAPHS, MV_KIND_MESSAGE | MV_MARK_PART, &meta_graph},
};
SCHEMA(mv_schema_saved_model, saved_model, 8);
