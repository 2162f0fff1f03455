#include "analysis/devices.h"

#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)request;
  (void)status;
  *out = (mv_rows){mv_device_spaces, mv_device_space_count, sizeof *mv_device_spaces, NULL};
  return true;
}

static void get_space(mv_row *row, sqlite3_context *context) {
  const mv_device_space *space = row->item;
  char buffer[MV_SPACE_NAME];
  const char *name = mv_space_name(space->platform, space->color, buffer);
  sqlite3_result_text(context, name, -1, SQLITE_TRANSIENT);
}

static const mv_column columns[] = {
    MV_STRING_AS(mv_device_space, device, "device", MV_NOCASE,
                 "Name of the device, as in hlo_modules and for memview_device"),
    MV_CALL("memory_space", MV_NOCASE, "Name of the memory space", get_space),
    MV_INTEGER(mv_device_space, capacity_bytes, "capacity_bytes", "How much of it a program can use"),
    MV_STRING_AS(mv_device_space, per, "per", MV_NOCASE, "What has that much: a core or a chip"),
    MV_STRING(mv_device_space, source, "source", "Where that is known from"),
};

const mv_table mv_table_devices = {
    .name = "devices",
    .doc = "One row for each memory space of each device whose capacity is known",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_NOTHING,
    .rows = rows,
};
