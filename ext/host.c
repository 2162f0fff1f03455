#include "host.h"

#include <limits.h>
#include <stdlib.h>

SQLITE_EXTENSION_INIT3

mv_host *mv_host_new(sqlite3 *db, bool opens_files) {
  mv_status status = MV_STATUS_INIT;
  mv_host *host = calloc(1, sizeof *host);
  if (host == NULL) {
    return NULL;
  }
  host->connection = (mv_connection){.db = db, .opens_files = opens_files};
  host->references = 1;
  host->interrupt = (mv_interrupt){.db = db};
  host->limits = (mv_limits){
      .max_bytes_name = "MEMVIEW_MAX_BYTES", .interrupted = mv_interrupt_is_wanted, .arg = &host->interrupt};
  host->cache = mv_source_cache_new(&host->limits, MV_SOURCE_CACHE_DEFAULT_BYTES, &status);
  host->scratch = mv_arena_new(&status);
  if (host->cache == NULL || host->scratch == NULL) {
    mv_host_release(host);
    return NULL;
  }
  return host;
}

mv_host *mv_host_find(sqlite3 *db, bool opens_files) {
  return (mv_host *)mv_process_find(db, opens_files);
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
  if (host->cache != NULL) {
    mv_source_cache_release(host->cache, host->opened);
  }
  mv_source_cache_free(host->cache);
  mv_arena_free(host->scratch);
  mv_shape_memo_free(&host->shapes);
  mv_process_remove(&host->connection);
  free(host);
}

bool mv_host_close(mv_host *host) {
  const bool was_open = host->opened != NULL;
  mv_source_cache_release(host->cache, host->opened);
  host->opened = NULL;
  mv_source_cache_drop_unused(host->cache);
  mv_shape_memo_free(&host->shapes);
  host->shapes = (mv_shape_memo){0};
  return was_open;
}

static mv_source_ref *open_default(mv_host *host, mv_status *status) {
  if (host->opened != NULL) {
    const mv_source *source = mv_source_ref_source(host->opened);
    if (source->path == NULL) {
      return mv_source_cache_open_bytes(host->cache, mv_blob_bytes(&source->blob), status);
    }
    return mv_source_cache_open(host->cache, source->path, status);
  }
  const char *path = host->connection.opens_files ? getenv("MEMVIEW_SOURCE") : NULL;
  if (path == NULL || *path == '\0') {
    mv_fail(status, MV_ARGUMENT,
            host->connection.opens_files
                ? "no source: pass a path or a BLOB, as in hlo_modules('dump/'), call memview_open(path), "
                  "or set MEMVIEW_SOURCE"
                : "no source: pass a BLOB, as in hlo_modules(?), or call memview_open(?)");
    return NULL;
  }
  return mv_source_cache_open(host->cache, path, status);
}

/* An environment variable of digits, and perhaps K, M or G behind them; *out stays where it is not set. Read each time,
 * as a host may set it at any time. */
static bool read_bytes(uint64_t *out, const char *name, uint64_t least, mv_status *status) {
  const char *text = getenv(name);
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
  if (p == text || unit == NULL || (*p != '\0' && p[1] != '\0') || value < least || value > UINT64_MAX >> shift) {
    return mv_fail(status, MV_ARGUMENT, "%s is '%s', not a number of bytes such as 500000000 or 16G", name, text);
  }
  *out = value << shift;
  return true;
}

static bool read_limits(mv_host *host, mv_status *status) {
  uint64_t cache = MV_SOURCE_CACHE_DEFAULT_BYTES;
  host->limits.max_bytes = 0; /* the default */
  if (!read_bytes(&host->limits.max_bytes, host->limits.max_bytes_name, 1, status) ||
      !read_bytes(&cache, "MEMVIEW_CACHE_BYTES", 0, status)) {
    return false;
  }
  mv_source_cache_set_max_bytes(host->cache, cache < SIZE_MAX ? (size_t)cache : SIZE_MAX);
  return true;
}

mv_source_ref *mv_host_open(mv_host *host, sqlite3_value *value, mv_status *status) {
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
      return mv_source_cache_open_bytes(host->cache, mv_bytes_of(data, (size_t)size), status);
    }
    case SQLITE_TEXT: {
      const char *path = (const char *)sqlite3_value_text(value);
      if (path == NULL) {
        mv_fail_nomem(status);
        return NULL;
      }
      if (!host->connection.opens_files) {
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
      return mv_source_cache_open(host->cache, path, status);
    }
    case SQLITE_NULL: mv_fail(status, MV_ARGUMENT, "the source is NULL: give a path or a BLOB"); return NULL;
    default: mv_fail(status, MV_ARGUMENT, "the source is a number: give a path or a BLOB"); return NULL;
  }
}

bool mv_value_integer(int64_t *out, sqlite3_value *value) {
  const int type = sqlite3_value_numeric_type(value);
  if (type == SQLITE_INTEGER) {
    *out = sqlite3_value_int64(value);
    return true;
  }
  if (type != SQLITE_FLOAT) {
    return false;
  }
  const double real = sqlite3_value_double(value);
  const double limit = 9223372036854775808.0; /* 2^63 */
  if (!(real >= -limit && real < limit)) {
    return false;
  }
  *out = (int64_t)real;
  return (double)*out == real;
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
  if (status->code == MV_INTERRUPTED) { /* in SQLite's own words, "interrupted", which hosts look for */
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    return;
  }
  char *message = mv_sqlite_message(status);
  if (message == NULL) {
    sqlite3_result_error_nomem(context);
    return;
  }
  sqlite3_result_error(context, message, -1);
  sqlite3_free(message);
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

void mv_result_size(sqlite3_context *context, int64_t value) {
  if (value >= 0) {
    sqlite3_result_int64(context, value);
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
