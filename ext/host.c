#include "host.h"

#include <limits.h>
#include <stdlib.h>

#include "base/os/clock.h"

SQLITE_EXTENSION_INIT3

enum { LOOK_EVERY_NS = 10 * 1000 * 1000 };

/* SQLite 3.41 has sqlite3_is_interrupted; older ones tell by refusing to run a statement while another one that was
 * interrupted is still running. No statement is kept for it: an open one would keep the connection from closing. */
static bool is_interrupted(void *arg) {
  mv_host *host = arg;
  const int64_t now = mv_now_ns();
  if (now < host->next_look_ns && host->next_look_ns - now <= LOOK_EVERY_NS) {
    return false;
  }
  sqlite3_stmt *probe = NULL;
  int rc = sqlite3_prepare_v2(host->db, "SELECT 1", -1, &probe, NULL);
  if (rc == SQLITE_OK) {
    rc = sqlite3_step(probe);
  }
  sqlite3_finalize(probe);
  host->next_look_ns = mv_now_ns() + LOOK_EVERY_NS;
  return rc == SQLITE_INTERRUPT;
}

mv_host *mv_host_new(sqlite3 *db, bool opens_files) {
  mv_status status = MV_STATUS_INIT;
  mv_host *host = calloc(1, sizeof *host);
  if (host == NULL) {
    return NULL;
  }
  host->db = db;
  host->references = 1;
  host->opens_files = opens_files;
  host->limits = (mv_limits){.max_bytes_name = "MEMVIEW_MAX_BYTES", .interrupted = is_interrupted, .arg = host};
  host->library = mv_library_new(&host->limits, MV_LIBRARY_DEFAULT_BYTES, &status);
  host->scratch = mv_arena_new(&status);
  if (host->library == NULL || host->scratch == NULL) {
    mv_host_release(host);
    return NULL;
  }
  return host;
}

mv_host *mv_host_share(mv_host *host) {
  host->references++;
  return host;
}

void mv_host_release(void *arg) {
  mv_host *host = arg;
  if (host == NULL || --host->references > 0) {
    return;
  }
  if (host->library != NULL) {
    mv_library_release(host->library, host->opened);
  }
  mv_library_free(host->library);
  mv_arena_free(host->scratch);
  mv_shape_memo_free(&host->shapes);
  free(host);
}

static mv_held *open_default(mv_host *host, mv_status *status) {
  if (host->opened != NULL) {
    const mv_source *source = mv_held_source(host->opened);
    if (source->path == NULL) {
      return mv_library_open_bytes(host->library, mv_blob_bytes(&source->blob), status);
    }
    return mv_library_open(host->library, source->path, status);
  }
  const char *path = host->opens_files ? getenv("MEMVIEW_SOURCE") : NULL;
  if (path == NULL || *path == '\0') {
    mv_fail(status, MV_ARGUMENT,
            host->opens_files
                ? "no source: pass a path or a BLOB, as in hlo_modules('dump/'), call memview_open(path), "
                  "or set MEMVIEW_SOURCE"
                : "no source: pass a BLOB, as in hlo_modules(?), or call memview_open(?)");
    return NULL;
  }
  return mv_library_open(host->library, path, status);
}

/* MEMVIEW_MAX_BYTES: digits, and perhaps K, M or G behind them. Read each time, as a host may set it at any time. */
static bool read_limits(mv_host *host, mv_status *status) {
  const char *text = getenv(host->limits.max_bytes_name);
  host->limits.max_bytes = 0; /* the default */
  if (text == NULL || *text == '\0') {
    return true;
  }
  uint64_t value = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9' && value <= UINT64_MAX / 100; p++) {
    value = value * 10 + (uint64_t)(*p - '0');
  }
  const char *units = " KMG";
  const char *unit = p > text && *p != '\0' ? strchr(units + 1, *p) : units;
  const unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units) : 0;
  if (p == text || unit == NULL || (*p != '\0' && p[1] != '\0') || value == 0 || value > UINT64_MAX >> shift) {
    return mv_fail(status, MV_ARGUMENT, "%s is '%s', not a number of bytes such as 500000000 or 16G",
                   host->limits.max_bytes_name, text);
  }
  host->limits.max_bytes = value << shift;
  return true;
}

mv_held *mv_host_open(mv_host *host, sqlite3_value *value, mv_status *status) {
  if (!read_limits(host, status)) {
    return NULL;
  }
  if (value == NULL) {
    return open_default(host, status);
  }
  switch (sqlite3_value_type(value)) {
    case SQLITE_BLOB: {
      const void *data = sqlite3_value_blob(value);
      const int size = sqlite3_value_bytes(value);
      if (data == NULL && size > 0) { /* a zeroblob that could not be written out */
        mv_fail_nomem(status);
        return NULL;
      }
      return mv_library_open_bytes(host->library, mv_bytes_of(data, (size_t)size), status);
    }
    case SQLITE_TEXT: {
      const char *path = (const char *)sqlite3_value_text(value);
      if (path == NULL) {
        mv_fail_nomem(status);
        return NULL;
      }
      if (!host->opens_files) {
        mv_fail(status, MV_ARGUMENT, "files are not opened here: pass the bytes as a BLOB");
        return NULL;
      }
      if (strlen(path) != (size_t)sqlite3_value_bytes(value)) {
        mv_fail(status, MV_ARGUMENT, "the path has a NUL character in it");
        return NULL;
      }
      if (*path == '\0') {
        mv_fail(status, MV_ARGUMENT, "the path is empty");
        return NULL;
      }
      return mv_library_open(host->library, path, status);
    }
    case SQLITE_NULL: mv_fail(status, MV_ARGUMENT, "the source is NULL: give a path or a BLOB"); return NULL;
    default: mv_fail(status, MV_ARGUMENT, "the source is a number: give a path or a BLOB"); return NULL;
  }
}

int mv_sqlite_code(const mv_status *status) {
  switch (status->code) {
    case MV_OK: return SQLITE_OK;
    case MV_NOMEM: return SQLITE_NOMEM;
    case MV_INTERRUPTED: return SQLITE_INTERRUPT;
    default: return SQLITE_ERROR;
  }
}

char *mv_sqlite_message(const mv_status *status) {
  mv_text clean = MV_TEXT_INIT; /* a path or a name in it may be any bytes */
  mv_text_line(&clean, mv_bytes_of_string(status->message));
  char *message = clean.failed ? NULL : sqlite3_mprintf("memview: %s", clean.data != NULL ? clean.data : "");
  mv_text_free(&clean);
  return message;
}

void mv_result_error(sqlite3_context *context, const mv_status *status) {
  if (status->code == MV_NOMEM) {
    sqlite3_result_error_nomem(context);
    return;
  }
  char *message = mv_sqlite_message(status);
  if (message == NULL) {
    sqlite3_result_error_nomem(context);
    return;
  }
  sqlite3_result_error(context, message, -1);
  sqlite3_free(message);
  if (status->code == MV_INTERRUPTED) {
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  }
}

/* A text given with its length is one that SQLite does not know to end in NUL: at the first look at it, it moves the
 * text to a place with room for one. So lengths are left to SQLite to find where a NUL is there. */
void mv_result_text(sqlite3_context *context, mv_text *text) {
  if (text->failed) {
    mv_text_free(text);
    sqlite3_result_error_nomem(context);
  } else if (text->data == NULL) {
    sqlite3_result_text(context, "", 0, SQLITE_STATIC);
  } else {
    if (text->size < INT_MAX) {
      sqlite3_result_text(context, text->data, -1, free);
    } else {
      sqlite3_result_text64(context, text->data, text->size, free, SQLITE_UTF8);
    }
    *text = (mv_text)MV_TEXT_INIT;
  }
}

void mv_result_copy(sqlite3_context *context, const mv_text *text) {
  if (text->failed) {
    sqlite3_result_error_nomem(context);
  } else {
    sqlite3_result_text(context, text->size > 0 ? text->data : "", -1, SQLITE_TRANSIENT);
  }
}

void mv_result_bytes(sqlite3_context *context, mv_bytes bytes) {
  char terminated[256];
  if (bytes.size == 0) {
    sqlite3_result_null(context);
  } else if (!mv_utf8_is_clean(bytes)) {
    mv_text text = MV_TEXT_INIT;
    mv_text_bytes(&text, bytes);
    mv_result_text(context, &text);
  } else if (bytes.size < sizeof terminated) {
    memcpy(terminated, bytes.data, bytes.size);
    terminated[bytes.size] = '\0';
    sqlite3_result_text(context, terminated, -1, SQLITE_TRANSIENT);
  } else {
    sqlite3_result_text64(context, (const char *)bytes.data, bytes.size, SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

void mv_result_known_bytes(sqlite3_context *context, mv_bytes bytes) {
  if (bytes.size == 0 && bytes.data != NULL) {
    sqlite3_result_text(context, "", 0, SQLITE_STATIC);
  } else {
    mv_result_bytes(context, bytes);
  }
}

void mv_result_text_or_error(sqlite3_context *context, bool ok, mv_text *text, const mv_status *status) {
  if (ok) {
    mv_result_text(context, text);
  } else {
    mv_text_free(text);
    mv_result_error(context, status);
  }
}
