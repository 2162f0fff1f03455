/* tables.h: the descriptions of the tables, one file each. */
#ifndef MV_EXT_TABLES_TABLES_H
#define MV_EXT_TABLES_TABLES_H

#include "table.h"

extern const mv_table mv_table_hlo_modules;
extern const mv_table mv_table_memory_spaces;
extern const mv_table mv_table_allocations;
extern const mv_table mv_table_buffers;
extern const mv_table mv_table_usage_curve;
extern const mv_table mv_table_peak_buffers;
extern const mv_table mv_table_peak_groups;
extern const mv_table mv_table_peaks;
extern const mv_table mv_table_findings;
extern const mv_table mv_table_memory_diff;
extern const mv_table mv_table_instructions;
extern const mv_table mv_table_stack_frames;
extern const mv_table mv_table_devices;

/* All of them, in the order of the documentation. */
extern const mv_table *const mv_tables[];
extern const size_t mv_table_count;

#endif
