#include "functions.h"

#include "analysis/devices.h"
#include "hidden.h"
#include "pictures.h"
#include "render/report.h"
#include "shape/measure.h"
#include "shape/shape.h"

SQLITE_EXTENSION_INIT3

static mv_host *host_of(sqlite3_context *context) {
  return sqlite3_user_data(context);
}

/* A shape and how many of it, from its text. */
typedef struct shapes {
  mv_shape shape;
  int64_t count;
} shapes;

/* False with the result set: NULL for NULL, an error for what is no shape. */
static bool shapes_argument(shapes *out, sqlite3_context *context, sqlite3_value *value) {
  mv_status status = MV_STATUS_INIT;
  mv_host *host = host_of(context);
  if (sqlite3_value_type(value) == SQLITE_NULL) {
    return false;
  }
  if (sqlite3_value_type(value) != SQLITE_TEXT) {
    mv_fail(&status, MV_ARGUMENT, "a shape is a text, such as 'f32[1000,64]{1,0:T(8,128)}'");
    mv_result_error(context, &status);
    return false;
  }
  const void *data = sqlite3_value_text(value);
  const mv_bytes text = mv_bytes_of(data, (size_t)sqlite3_value_bytes(value));
  mv_arena_reset(host->scratch);
  if (data == NULL) {
    mv_fail_nomem(&status);
  }
  if (data == NULL || !mv_shape_parse_pasted(&out->shape, &out->count, text, host->scratch, &status)) {
    mv_result_error(context, &status);
    return false;
  }
  return true;
}

static bool padded_size(int64_t *out, const shapes *s) {
  int64_t bytes;
  return mv_shape_padded_bytes(&bytes, &s->shape) && mv_size_multiply(out, bytes, s->count);
}

static bool unpadded_size(int64_t *out, const shapes *s) {
  int64_t bytes;
  return mv_shape_unpadded_bytes(&bytes, &s->shape) && mv_size_multiply(out, bytes, s->count);
}

static void padded_bytes(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  shapes s;
  int64_t padded;
  if (shapes_argument(&s, context, argv[0]) && padded_size(&padded, &s)) {
    sqlite3_result_int64(context, padded);
  }
}

static void unpadded_bytes(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  shapes s;
  int64_t unpadded;
  if (shapes_argument(&s, context, argv[0]) && unpadded_size(&unpadded, &s)) {
    sqlite3_result_int64(context, unpadded);
  }
}

static void padding_bytes(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  shapes s;
  int64_t padded;
  int64_t unpadded;
  if (shapes_argument(&s, context, argv[0]) && padded_size(&padded, &s) && unpadded_size(&unpadded, &s)) {
    sqlite3_result_int64(context, padded - unpadded);
  }
}

static void memview_open(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  mv_host *host = host_of(context);
  mv_status status = MV_STATUS_INIT;
  mv_source_ref *ref = mv_hidden_check(host, &status) ? mv_host_open(host, argv[0], &status) : NULL;
  if (ref == NULL) {
    mv_result_error(context, &status);
    return;
  }
  mv_source_cache_release(host->cache, host->opened);
  host->opened = ref;
  const mv_source *source = mv_source_ref_source(ref);
  sqlite3_int64 modules = 0;
  for (size_t i = 0; i < source->count; i++) {
    modules += source->entries[i].is_readable;
  }
  sqlite3_result_int64(context, modules);
}

static void memview_close(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_result_int(context, mv_host_close(host_of(context)));
}

static void memview_device(sqlite3_context *context, int argc, sqlite3_value **argv) {
  mv_host *host = host_of(context);
  mv_status status = MV_STATUS_INIT;
  const int type = argc > 0 ? sqlite3_value_type(argv[0]) : SQLITE_NULL;
  const char *name = type != SQLITE_NULL ? (const char *)sqlite3_value_text(argv[0]) : "";
  const char *device = NULL;
  if (name == NULL) {
    mv_fail_nomem(&status);
  } else if (type == SQLITE_BLOB || strlen(name) != (type != SQLITE_NULL ? (size_t)sqlite3_value_bytes(argv[0]) : 0)) {
    mv_fail(&status, MV_ARGUMENT, "a device is named by a text, such as 'TPU v5e'");
  } else if (*name != '\0') {
    device = mv_device_find(name, &status);
  }
  if (status.code != MV_OK) {
    mv_result_error(context, &status);
    return;
  }
  host->device = device;
  if (device != NULL) {
    sqlite3_result_text(context, device, -1, SQLITE_STATIC);
  }
}

static void memview_version(sqlite3_context *context, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_result_text(context, MV_VERSION, -1, SQLITE_STATIC);
}

static void memview_report(sqlite3_context *context, int argc, sqlite3_value **argv) {
  mv_host *host = host_of(context);
  mv_status status = MV_STATUS_INIT;
  mv_text text = MV_TEXT_INIT;
  mv_report_request request = {MV_REPORT_TEXT, host->device, &host->limits};
  if (argc > 1 && sqlite3_value_type(argv[1]) != SQLITE_NULL) {
    const bool is_text = sqlite3_value_type(argv[1]) == SQLITE_TEXT;
    const char *style = is_text ? (const char *)sqlite3_value_text(argv[1]) : NULL;
    if (is_text && style == NULL) {
      mv_fail_nomem(&status);
    } else {
      mv_report_style_find(&request.style, style, &status);
    }
  }
  mv_source_ref *ref = status.code == MV_OK ? mv_host_open(host, argc > 0 ? argv[0] : NULL, &status) : NULL;
  const bool ok = ref != NULL && mv_report(&text, host->cache, ref, &request, &status);
  mv_source_cache_release(host->cache, ref);
  mv_result_text_or_error(context, ok, &text, &status);
}

const mv_function mv_functions[] = {
    {"padded_bytes", "shape",
     "Bytes a shape takes with the padding of its layout, from its text as XLA prints it, such as "
     "f32[1000,64]{1,0:T(8,128)}; without a layout there is no padding. Also taken: other spellings of the type (F32, "
     "float32, bfloat16, bool), a count before it (2×f32[8]), and a whole line of an out-of-memory message, of which "
     "the shape behind the word Shape counts, else the result of the instruction. A tuple is the sum of its elements, "
     "without its own table of pointers; a layout without its shape has no size. NULL where the size can't be known",
     1, 1, MV_PURE, padded_bytes},
    {"unpadded_bytes", "shape", "Bytes the elements of a shape need without padding; takes the same texts", 1, 1,
     MV_PURE, unpadded_bytes},
    {"padding_bytes", "shape", "padded_bytes(shape) - unpadded_bytes(shape)", 1, 1, MV_PURE, padding_bytes},
    {"timeline_svg", "[source[, module[, memory_space]]]",
     "The allocation timeline of a memory space as SVG: each heap a frame as high as its allocation, each block a box "
     "at its addresses and lifetime with a tooltip",
     0, 3, MV_READS, mv_call_timeline_svg},
    {"timeline_dot", "[source[, module[, memory_space]]]", "The same boxes as DOT, for neato -n -Tsvg", 0, 3, MV_READS,
     mv_call_timeline_dot},
    {"timeline_html", "[source[, module[, memory_space]]]", "The same as an HTML page with the SVG inside", 0, 3,
     MV_READS, mv_call_timeline_html},
    {"usage_svg", "[source[, module[, memory_space]]]",
     "The memory in use over program order as SVG: with padding, without padding and the addresses in use, the "
     "baseline as a band, the peak marked; a panel for each heap, the six with the largest peaks where there are more",
     0, 3, MV_READS, mv_call_usage_svg},
    {"peak_svg", "[source[, module[, memory_space[, order]]]]",
     "The buffers at the peak as bars, as SVG; order is 'size' (the default), 'program' or 'padding'", 0, 4, MV_READS,
     mv_call_peak_svg},
    {"memview_report", "[source[, style]]",
     "What an expert would write of every module, on one screen each: the peak against the capacity, what it is made "
     "of, "
     "the findings with what usually helps, what was left out; style is 'text' (the default) or 'markdown', for a "
     "comment",
     0, 2, MV_READS, memview_report},
    {"memview_html", "[source]", "The whole viewer as one HTML page that needs no network", 0, 1, MV_READS,
     mv_memview_html},
    {"memview_problem", "[source]",
     "NULL when a module of the source can be shown, else why not, as text: WHERE memview_problem(path) IS NULL leaves "
     "out what would stop a query over a table of paths",
     0, 1, MV_READS, mv_memview_problem},
    {"memview_open", "source",
     "Opens a source for this connection, so that tables and functions need not name it; returns how many modules it "
     "has. An error when a table of a database has the name of one of memview's and would answer in its place; one "
     "that is attached later does so, and temp.NAME is memview's",
     1, 1, MV_CHANGES, memview_open},
    {"memview_close", "",
     "Closes what memview_open opened, and frees what the connection keeps of sources (at most MEMVIEW_CACHE_BYTES, 1G "
     "when it is not set, beside what is open or being read); returns 1 when there was something to close",
     0, 0, MV_CHANGES, memview_close},
    {"memview_device", "name",
     "Says for this connection which device modules are compiled for whose dump does not tell: a device of the table "
     "devices, in any case; NULL takes it back. Returns the device's name",
     1, 1, MV_CHANGES, memview_device},
    {"memview_version", "", "Version of memview", 0, 0, MV_PURE, memview_version},
};
const size_t mv_function_count = sizeof mv_functions / sizeof *mv_functions;

static int flags_of(const mv_function *f, bool opens_files) {
  switch (f->effect) {
    case MV_PURE: return SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    case MV_READS: return opens_files ? SQLITE_DIRECTONLY : SQLITE_INNOCUOUS;
    default: return SQLITE_DIRECTONLY;
  }
}

int mv_functions_register(mv_host *host) {
  int rc = SQLITE_OK;
  for (size_t i = 0; rc == SQLITE_OK && i < mv_function_count; i++) {
    const mv_function *f = &mv_functions[i];
    int flags = SQLITE_UTF8 | flags_of(f, host->connection.opens_files);
    for (int argc = f->least; rc == SQLITE_OK && argc <= f->most; argc++) {
      /* Of a CHECK constraint's functions SQLite (3.40) holds only deterministic ones against DIRECTONLY. Those that
       * name a source are as good as that within a statement; without an argument they depend on what was opened. */
      flags |= argc > 0 ? SQLITE_DETERMINISTIC : 0;
      /* Calls the destructor itself when it fails. */
      rc = sqlite3_create_function_v2(host->connection.db, f->name, argc, flags, mv_host_share(host), f->call, NULL,
                                      NULL, mv_host_release);
    }
  }
  return rc;
}
