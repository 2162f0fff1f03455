#include "analysis/devices.h"

#include "tables/tables.h"

SQLITE_EXTENSION_INIT3

static const mv_device_space *row_of(const mv_cursor *c) {
  return c->row;
}

static bool rows(mv_rows *out, const mv_request *request, mv_status *status) {
  (void)request;
  (void)status;
  *out = (mv_rows){mv_device_spaces, mv_device_space_count, sizeof *mv_device_spaces, NULL};
  return true;
}

static void get_device(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_text(context, row_of(c)->device, -1, SQLITE_STATIC);
}

static void get_space(mv_cursor *c, sqlite3_context *context) {
  char buffer[MV_SPACE_NAME];
  const char *name = mv_space_name(row_of(c)->platform, row_of(c)->color, buffer);
  sqlite3_result_text(context, name, -1, SQLITE_TRANSIENT);
}

static void get_per(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_text(context, row_of(c)->per, -1, SQLITE_STATIC);
}

static void get_source(mv_cursor *c, sqlite3_context *context) {
  sqlite3_result_text(context, row_of(c)->source, -1, SQLITE_STATIC);
}

static const mv_column columns[] = {
    MV_NAME("device", "Name of the device, as in hlo_modules and for memview_device", get_device),
    MV_NAME("memory_space", "Name of the memory space", get_space),
    MV_INTEGER(mv_device_space, capacity_bytes, "capacity_bytes", "How much of it a program can use"),
    MV_NAME("per", "What has that much: a core or a chip", get_per),
    MV_CALL("source", "TEXT", "Where that is known from", get_source),
};

const mv_table mv_table_devices = {
    .name = "devices",
    .doc = "One row for each memory space of each device whose capacity is known",
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .needs = MV_NEEDS_NOTHING,
    .rows = rows,
};
