#include "source/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

enum {
  WINDOW = 256 << 10, /* read and inflated at once */
  READ_STEP = 8 << 20 /* bytes read between two questions whether the host wants to stop */
};

struct mv_stream {
  const mv_limits *limits;
  mv_file file;    /* not open for bytes in memory */
  mv_bytes memory; /* when no file is open */
  uint64_t input_size;
  uint64_t input_position; /* bytes taken from the file or the memory */
  uint64_t position;       /* bytes given out */
  uint64_t unpacked;       /* bytes inflated */
  bool is_gzip;
  bool is_done; /* gzip: the last member has ended */
  z_stream z;
  uint8_t *window; /* gzip: input */
  uint8_t *peeked; /* bytes read ahead by mv_stream_peek */
  size_t peek_start;
  size_t peek_end;
};

/* zlib allocates as we do. */
static voidpf allocate(voidpf unused, uInt count, uInt size) {
  (void)unused;
  return calloc(count, size);
}

static void release(voidpf unused, voidpf p) {
  (void)unused;
  free(p);
}

static bool start_inflate(mv_stream *s, mv_status *status) {
  s->window = malloc(WINDOW);
  if (s->window == NULL) {
    return mv_fail_nomem(status);
  }
  s->z.zalloc = allocate;
  s->z.zfree = release;
  const int rc = inflateInit2(&s->z, 15 + 16); /* the gzip wrapper only */
  if (rc != Z_OK) {
    free(s->window);
    s->window = NULL;
    return mv_fail_nomem(status);
  }
  s->is_gzip = true;
  return true;
}

/* Bytes of the input from its current position. */
static bool read_input(mv_stream *s, void *out, size_t size, size_t *got, mv_status *status) {
  *got = 0;
  const bool is_file = s->file.descriptor >= 0;
  while (*got < size) {
    if ((is_file || *got > 0) && !mv_check_interrupt(s->limits, status)) {
      return false;
    }
    const size_t want = size - *got < READ_STEP ? size - *got : READ_STEP;
    size_t n;
    if (!is_file) {
      const size_t left = s->memory.size - (size_t)s->input_position;
      n = want < left ? want : left;
      if (n > 0) {
        memcpy((uint8_t *)out + *got, s->memory.data + s->input_position, n);
      }
    } else if (!mv_file_read(&s->file, (uint8_t *)out + *got, want, s->input_position, &n, status)) {
      return false;
    }
    if (n == 0) {
      break;
    }
    *got += n;
    s->input_position += n;
  }
  return true;
}

static bool begin(mv_stream *s, mv_status *status) {
  uint8_t magic[2];
  size_t got = 0;
  if (!read_input(s, magic, sizeof magic, &got, status)) {
    return false;
  }
  s->input_position = 0;
  if (got == 2 && magic[0] == 0x1F && magic[1] == 0x8B) {
    return start_inflate(s, status);
  }
  return true;
}

static mv_stream *new_stream(const mv_limits *limits, mv_status *status) {
  mv_stream *s = calloc(1, sizeof *s);
  if (s == NULL) {
    mv_fail_nomem(status);
    return NULL;
  }
  s->file = (mv_file)MV_FILE_INIT;
  s->limits = limits;
  return s;
}

mv_stream *mv_stream_open(const char *path, const mv_limits *limits, mv_status *status) {
  mv_stream *s = new_stream(limits, status);
  if (s == NULL) {
    return NULL;
  }
  bool ok = mv_file_open(&s->file, path, status);
  s->input_size = ok ? (uint64_t)s->file.id.size : 0;
  ok = ok && begin(s, status);
  if (!ok) {
    mv_stream_close(s);
    s = NULL;
  }
  return s;
}

mv_stream *mv_stream_of(mv_bytes bytes, const mv_limits *limits, mv_status *status) {
  mv_stream *s = new_stream(limits, status);
  if (s == NULL) {
    return NULL;
  }
  s->memory = bytes;
  s->input_size = bytes.size;
  if (!begin(s, status)) {
    mv_stream_close(s);
    s = NULL;
  }
  return s;
}

void mv_stream_close(mv_stream *s) {
  if (s == NULL) {
    return;
  }
  mv_file_close(&s->file);
  if (s->is_gzip) {
    inflateEnd(&s->z);
  }
  free(s->window);
  free(s->peeked);
  free(s);
}

/* More compressed bytes into the window; leaves avail_in 0 at the end of the input. */
static bool refill(mv_stream *s, mv_status *status) {
  size_t got;
  if (!mv_check_interrupt(s->limits, status) || !read_input(s, s->window, WINDOW, &got, status)) {
    return false;
  }
  s->z.next_in = s->window;
  s->z.avail_in = (uInt)got;
  return true;
}

/* Behind a member another one may follow, or zeros as tape and block devices leave them. */
static bool next_member(mv_stream *s, mv_status *status) {
  for (;;) {
    if (s->z.avail_in == 0 && !refill(s, status)) {
      return false;
    }
    if (s->z.avail_in == 0) {
      s->is_done = true;
      return true;
    }
    if (*s->z.next_in != 0) {
      break;
    }
    s->z.next_in++;
    s->z.avail_in--;
  }
  if (*s->z.next_in != 0x1F) {
    return mv_fail(status, MV_FORMAT, "bytes that are no gzip follow the end of the gzip data at byte %" PRIu64,
                   s->input_position - s->z.avail_in);
  }
  return inflateReset(&s->z) == Z_OK || mv_fail_nomem(status);
}

static bool inflate_some(mv_stream *s, void *out, size_t size, size_t *got, mv_status *status) {
  *got = 0;
  while (*got < size && !s->is_done) {
    if (s->z.avail_in == 0 && !refill(s, status)) {
      return false;
    }
    const size_t want = size - *got < WINDOW ? size - *got : WINDOW;
    s->z.next_out = (Bytef *)out + *got;
    s->z.avail_out = (uInt)want;
    const bool had_input = s->z.avail_in > 0;
    const int rc = inflate(&s->z, Z_NO_FLUSH);
    *got += want - s->z.avail_out;
    s->unpacked += want - s->z.avail_out;
    if (!mv_check_size(s->limits, s->unpacked, false, status)) { /* also of what is only skipped */
      return false;
    }
    if (rc == Z_STREAM_END) {
      if (!next_member(s, status)) {
        return false;
      }
    } else if (rc == Z_MEM_ERROR) {
      return mv_fail_nomem(status);
    } else if (!had_input && s->z.avail_out == want) {
      return mv_fail(status, MV_FORMAT, "gzip data cut short at byte %" PRIu64, s->input_position);
    } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
      return mv_fail(status, MV_FORMAT, "gzip data damaged before byte %" PRIu64 " (%s)",
                     s->input_position - s->z.avail_in, s->z.msg != NULL ? s->z.msg : "zlib gives no reason");
    }
  }
  return true;
}

static bool read_unpeeked(mv_stream *s, void *out, size_t size, size_t *got, mv_status *status) {
  return s->is_gzip ? inflate_some(s, out, size, got, status) : read_input(s, out, size, got, status);
}

static size_t take_peeked(mv_stream *s, void *out, size_t size) {
  const size_t n = size < s->peek_end - s->peek_start ? size : s->peek_end - s->peek_start;
  if (n > 0) {
    memcpy(out, s->peeked + s->peek_start, n);
    s->peek_start += n;
  }
  return n;
}

bool mv_stream_read(mv_stream *s, void *out, size_t size, size_t *got, mv_status *status) {
  const size_t ahead = take_peeked(s, out, size);
  size_t more = 0;
  if (ahead < size && !read_unpeeked(s, (uint8_t *)out + ahead, size - ahead, &more, status)) {
    return false;
  }
  *got = ahead + more;
  s->position += *got;
  return true;
}

bool mv_stream_peek(mv_stream *s, mv_bytes *out, mv_status *status) {
  if (s->peeked == NULL) {
    s->peeked = calloc(1, MV_STREAM_PEEK + MV_READABLE);
    if (s->peeked == NULL) {
      return mv_fail_nomem(status);
    }
  }
  const size_t have = s->peek_end - s->peek_start;
  if (s->peek_start > 0) {
    memmove(s->peeked, s->peeked + s->peek_start, have);
    s->peek_start = 0;
    s->peek_end = have;
  }
  size_t got;
  if (!read_unpeeked(s, s->peeked + have, MV_STREAM_PEEK - have, &got, status)) {
    return false;
  }
  s->peek_end += got;
  *out = mv_bytes_of(s->peeked, s->peek_end);
  return true;
}

bool mv_stream_tail(mv_stream *s, void *out, size_t size, size_t *got, mv_status *status) {
  const uint64_t position = s->input_position;
  *got = 0;
  if (s->is_gzip) {
    return true;
  }
  s->input_position = s->input_size > size ? s->input_size - size : 0;
  const bool ok = read_input(s, out, size, got, status);
  s->input_position = position;
  return ok;
}

/* Inflate and drop. */
static bool drop(mv_stream *s, uint64_t size, uint64_t *dropped, mv_status *status) {
  if (*dropped == size) {
    return true; /* the bytes that were read ahead were enough */
  }
  uint8_t *sink = malloc(WINDOW);
  if (sink == NULL) {
    return mv_fail_nomem(status);
  }
  bool ok = true;
  size_t got = 1;
  while (ok && *dropped < size && got > 0) {
    const uint64_t left = size - *dropped;
    ok = inflate_some(s, sink, left < WINDOW ? (size_t)left : WINDOW, &got, status);
    *dropped += ok ? got : 0;
  }
  free(sink);
  return ok;
}

bool mv_stream_skip(mv_stream *s, uint64_t size, uint64_t *skipped, mv_status *status) {
  const uint64_t ahead = s->peek_end - s->peek_start;
  *skipped = size < ahead ? size : ahead;
  s->peek_start += (size_t)*skipped;
  if (s->is_gzip) {
    if (!drop(s, size, skipped, status)) {
      return false;
    }
  } else {
    const uint64_t left = s->input_size > s->input_position ? s->input_size - s->input_position : 0;
    const uint64_t n = size - *skipped < left ? size - *skipped : left;
    s->input_position += n;
    *skipped += n;
  }
  s->position += *skipped;
  return true;
}

/* A plain file: its size is known, and that it changed while it was read is an error, not half a file. */
static bool read_rest_of_file(mv_stream *s, mv_blob *out, mv_status *status) {
  const uint64_t left = s->input_size - s->position;
  if (!mv_check_size(s->limits, left, true, status) || !mv_blob_new(out, (size_t)left, status)) {
    return false;
  }
  if (!mv_stream_read(s, out->data, (size_t)left, &out->size, status)) {
    return false;
  }
  return out->size == left ||
         mv_fail(status, MV_IO, "was cut from %" PRIu64 " to %zu bytes while it was read", left, out->size);
}

static bool inflate_rest(mv_stream *s, mv_blob *out, mv_status *status) {
  /* Compiler output packs to a fifth or less. */
  const uint64_t guess = s->input_size < (UINT64_C(1) << 28) ? s->input_size * 5 + WINDOW : s->input_size;
  /* One byte above the limit is enough to see that there is more. */
  const uint64_t max_bytes = mv_max_bytes(s->limits);
  const uint64_t most = max_bytes < SIZE_MAX / 2 ? max_bytes + 1 : SIZE_MAX / 2;
  if (!mv_blob_new(out, (size_t)(guess < most ? guess : most), status)) {
    return false;
  }
  for (;;) {
    const uint64_t next = out->capacity < most / 2 ? out->capacity * 2 : most;
    if (out->size == out->capacity && !mv_blob_reserve(out, (size_t)next, status)) {
      return false;
    }
    size_t got;
    if (!mv_stream_read(s, out->data + out->size, out->capacity - out->size, &got, status)) {
      return false;
    }
    out->size += got;
    if (out->size < out->capacity) {
      return true;
    }
  }
}

bool mv_stream_read_all(mv_stream *s, mv_blob *out, mv_status *status) {
  *out = (mv_blob)MV_BLOB_INIT;
  const bool ok = s->is_gzip ? inflate_rest(s, out, status) : read_rest_of_file(s, out, status);
  if (!ok) {
    mv_blob_free(out);
  }
  return ok;
}

uint64_t mv_stream_position(const mv_stream *s) {
  return s->position;
}

uint64_t mv_stream_size(const mv_stream *s) {
  return s->is_gzip ? UINT64_MAX : s->input_size;
}

bool mv_stream_is_gzip(const mv_stream *s) {
  return s->is_gzip;
}

mv_file_id mv_stream_file_id(const mv_stream *s) {
  return s->file.id;
}
