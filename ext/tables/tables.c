#include "tables/tables.h"

const mv_table *const mv_tables[] = {
    &mv_table_hlo_modules, &mv_table_memory_spaces, &mv_table_allocations, &mv_table_buffers,
    &mv_table_usage_curve, &mv_table_peak_buffers,  &mv_table_peak_groups, &mv_table_peaks,
    &mv_table_findings,    &mv_table_memory_diff,   &mv_table_instructions, &mv_table_stack_frames,
    &mv_table_devices,
};
const size_t mv_table_count = sizeof mv_tables / sizeof *mv_tables;
