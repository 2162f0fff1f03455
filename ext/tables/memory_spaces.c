#include "analysis/devices.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)status;
  const mv_module *m = request->module;
  *out = (mv_rows){m->spaces, m->space_count, sizeof *m->spaces, NULL};
  if (request->has_color) {
    const uint32_t space = mv_module_find_space(m, request->color);
    out->count = space != MV_NONE ? 1 : 0;
    out->base = m->spaces + (space != MV_NONE ? space : 0);
  }
  return true;
}

static int64_t color_of(const mv_module *m, const void *row) {
  (void)m;
  return ((const mv_space *)row)->color;
}

static uint64_t number_of(const mv_module *m, const void *row) {
  return (uint64_t)((const mv_space *)row - m->spaces);
}

static void refer(mv_row *row) {
  row->position = mv_space_peak(row->module, row->item);
}

/* Not by way of the row's instruction, whose details may need all stack frames. */
static void get_scoped_instruction(mv_row *row, sqlite3_context *context) {
  const mv_space *space = row->item;
  mv_result_bytes(context, mv_instruction_name(row->module, space->scoped_instruction));
}

static void get_capacity(mv_row *row, sqlite3_context *context) {
  const mv_platform platform = row->module->platform;
  int64_t memory_bytes;
  const char *device = mv_row_device(&memory_bytes, row, platform);
  mv_result_size(context, mv_device_capacity(device, memory_bytes, platform, row->color));
}

static const mv_column columns[] = {
    MV_INTEGER(
        mv_space, peak_bytes, "peak_bytes",
        "Most memory in use at once: baseline_bytes + untraced_bytes + heap_peak_bytes. Blocks that overlap in "
        "place count twice, as in XLA's own simulation, so it can exceed total_bytes; occupied_peak_bytes can't"),
    MV_INTEGER_OF_SHAPES(mv_space, peak_unpadded_bytes, "peak_unpadded_bytes",
                         "What is live at the peak, without padding"),
    MV_DIFFERENCE_OF_SHAPES(mv_space, peak_bytes, peak_unpadded_bytes, "padding_bytes",
                            "peak_bytes - peak_unpadded_bytes"),
    MV_INTEGER(mv_position, position, "peak_position",
               "Program position of the peak; of several heaps, in the one with the largest"),
    MV_REF(mv_position, instruction, "peak_instruction", "HLO instruction whose event led to the peak"),
    MV_INTEGER(mv_space, baseline_bytes, "baseline_bytes",
               "Held for the whole program: parameters, constants and results"),
    MV_INTEGER(
        mv_space, untraced_bytes, "untraced_bytes",
        "Temporaries without a heap trace, counted at every position: what the compiler lists at their peak, else "
        "their whole size"),
    MV_INTEGER(mv_space, heap_peak_bytes, "heap_peak_bytes", "Peaks of the space's heaps, added up"),
    MV_INTEGER(mv_space, occupied_peak_bytes, "occupied_peak_bytes",
               "Baseline, untraced temporaries and most addresses covered at once in each heap: truly in use"),
    MV_INTEGER(mv_space, total_bytes, "total_bytes", "Size of all allocations but the thread-local ones"),
    MV_DIFFERENCE(mv_space, total_bytes, occupied_peak_bytes,
                  "fragmentation_bytes", /* which contains what is resident */
                  "total_bytes - occupied_peak_bytes: never in use at once"),
    MV_INTEGER(mv_space, argument_bytes, "argument_bytes", "Allocations that hold parameters of the entry computation"),
    MV_INTEGER(mv_space, output_bytes, "output_bytes", "Allocations that may be live out: results"),
    MV_INTEGER(mv_space, constant_bytes, "constant_bytes", "Allocations that hold constants"),
    MV_INTEGER(mv_space, temporary_bytes, "temporary_bytes", "Allocations that are none of these"),
    MV_INTEGER(mv_space, thread_local_bytes, "thread_local_bytes", "Allocations that each thread has of its own"),
    MV_SIZE(mv_space, scoped_bytes, "scoped_bytes", "Most that one instruction uses of this space for itself"),
    MV_CALL("scoped_instruction", "TEXT", "That instruction", get_scoped_instruction),
    MV_CALL(
        "capacity_bytes", "INTEGER",
        "How much of this space the device has, for a core or a chip as in devices; NULL when the device is unknown",
        get_capacity),
};

const mv_table mv_table_memory_spaces = {
    .name = "memory_spaces",
    .doc = "One row for each memory space of a module: the overview",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_ASSIGNMENT,
    .hidden = {MV_SOURCE_ARGUMENT},
    .has_space = true,
    .rows = rows,
    .color_of = color_of,
    .refer = refer,
    .rows_by_color = true,
    .number_of = number_of,
};
