#include "analysis/devices.h"
#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_space *row_of(const mv_cursor *c) {
  return c->row;
}

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

static void get_peak_unpadded(mv_cursor *c, sqlite3_context *context) {
  if (c->module->has_module) {
    sqlite3_result_int64(context, row_of(c)->peak_unpadded_bytes);
  }
}

static void get_padding(mv_cursor *c, sqlite3_context *context) {
  if (c->module->has_module) {
    sqlite3_result_int64(context, row_of(c)->peak_bytes - row_of(c)->peak_unpadded_bytes);
  }
}

static void get_peak_position(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_int64(context, mv_space_peak(c->module, row_of(c))->position);
}

static void get_peak_instruction(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, mv_module_bytes(c->module, mv_space_peak(c->module, row_of(c))->instruction));
}

static void get_fragmentation(mv_cursor *c, sqlite3_context *context) {
  const mv_space *s = row_of(c); /* occupied_peak_bytes contains the baseline and what is untraced */
  sqlite3_result_int64(context, s->total_bytes - s->occupied_peak_bytes);
}

static void get_scoped_instruction(mv_cursor *c, sqlite3_context *context) {
  mv_result_bytes(context, mv_instruction_name(c->module, row_of(c)->scoped_instruction));
}

static void get_capacity(mv_cursor *c, sqlite3_context *context) {
  const mv_platform platform = c->module->platform;
  int64_t memory_bytes;
  const char *device = mv_cursor_device(&memory_bytes, c, platform);
  mv_result_size(context, mv_device_capacity(device, memory_bytes, platform, row_of(c)->color));
}

static const mv_column columns[] = {
    MV_INTEGER(
        mv_space, peak_bytes, "peak_bytes",
        "Most memory in use at once: baseline_bytes + untraced_bytes + heap_peak_bytes. Blocks that overlap in "
        "place count twice, as in XLA's own simulation, so it can exceed total_bytes; occupied_peak_bytes can't"),
    MV_CALL("peak_unpadded_bytes", "INTEGER", "What is live at the peak, without padding", get_peak_unpadded),
    MV_CALL("padding_bytes", "INTEGER", "peak_bytes - peak_unpadded_bytes", get_padding),
    MV_CALL("peak_position", "INTEGER", "Program position of the peak; of several heaps, in the one with the largest",
            get_peak_position),
    MV_CALL("peak_instruction", "TEXT", "HLO instruction whose event led to the peak", get_peak_instruction),
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
    MV_CALL("fragmentation_bytes", "INTEGER", "total_bytes - occupied_peak_bytes: never in use at once",
            get_fragmentation),
    MV_INTEGER(mv_space, argument_bytes, "argument_bytes", "Allocations that hold parameters of the entry computation"),
    MV_INTEGER(mv_space, output_bytes, "output_bytes", "Allocations that may be live out: results"),
    MV_INTEGER(mv_space, constant_bytes, "constant_bytes", "Allocations that hold constants"),
    MV_INTEGER(mv_space, temporary_bytes, "temporary_bytes", "Allocations that are none of these"),
    MV_INTEGER(mv_space, thread_local_bytes, "thread_local_bytes", "Allocations that each thread has of its own"),
    MV_SIZE(mv_space, scoped_bytes, "scoped_bytes", "Most that one instruction uses of this space for itself"),
    MV_CALL("scoped_instruction", "TEXT", "That instruction", get_scoped_instruction),
    MV_CALL("capacity_bytes", "INTEGER",
            "How much of this space the device has, for a core or a chip as in devices; NULL when the device is "
            "unknown",
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
    .rows_by_color = true,
    .number_of = number_of,
};
