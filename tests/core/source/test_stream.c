/* Bytes of files and BLOBs, gzip or not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/source.h"
#include "source/stream.h"
#include "support/files.h"
#include "support/proto_builder.h"

enum { LONG = 3 << 20 };

/* Bytes that do not pack to nothing. */
static mv_text noise(size_t size) {
  mv_text out = MV_TEXT_INIT;
  uint32_t state = 12345;
  for (size_t i = 0; i < size; i++) {
    state = state * 1664525 + 1013904223;
    mv_text_char(&out, (char)(state >> 29 | 0x20));
  }
  return out;
}

static mv_stream *opened(mv_bytes bytes, const mv_limits *limits) {
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = mv_stream_of(bytes, limits, &st);
  cr_assert_not_null(s, "%s", st.message);
  return s;
}

static void expect_all(mv_bytes input, mv_bytes expected) {
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = opened(input, NULL);
  mv_blob blob;
  cr_assert(mv_stream_read_all(s, &blob, &st), "%s", st.message);
  cr_expect(mv_bytes_equal(mv_blob_bytes(&blob), expected));
  cr_expect_eq(mv_stream_position(s), expected.size);
  mv_blob_free(&blob);
  mv_stream_close(s);
}

static void expect_failure(mv_bytes input, const mv_limits *limits, mv_code code, const char *part) {
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = opened(input, limits);
  mv_blob blob;
  cr_expect_not(mv_stream_read_all(s, &blob, &st));
  cr_expect_eq(st.code, code, "%d: %s", (int)st.code, st.message);
  cr_expect_not_null(strstr(st.message, part), "'%s', not '%s'", st.message, part);
  cr_expect_null(blob.data);
  mv_stream_close(s);
}

static void expect_refused(const char *path, const char *message) {
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = mv_stream_open(path, NULL, &st);
  cr_expect_null(s, "%s", path);
  cr_expect_eq(st.code, MV_IO);
  cr_expect_str_eq(st.message, message, "%s", st.message);
  mv_stream_close(s);
}

Test(stream, plain_bytes) {
  expect_all(mv_bytes_of("abc", 3), mv_bytes_of("abc", 3));
  expect_all(mv_bytes_of(NULL, 0), mv_bytes_of(NULL, 0));
  expect_all(mv_bytes_of("\x1F", 1), mv_bytes_of("\x1F", 1));
}

Test(stream, gzip_is_told_by_its_first_bytes) {
  mv_text text = noise(LONG);
  mv_text packed = gzip_of(pb_view(&text));
  expect_all(pb_view(&packed), pb_view(&text));
  mv_text_free(&packed);
  packed = gzip_of(mv_bytes_of(NULL, 0));
  expect_all(pb_view(&packed), mv_bytes_of(NULL, 0));
  mv_text_free(&packed);
  mv_text_free(&text);
}

Test(stream, gzip_in_a_file_and_plain_in_a_file) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_text text = noise(LONG + 17);
  mv_text packed = gzip_of(pb_view(&text));
  for (int gzip = 0; gzip < 2; gzip++) {
    mv_status st = MV_STATUS_INIT;
    write_file(path, folder, "named.gz", gzip ? pb_view(&packed) : pb_view(&text));
    mv_stream *s = mv_stream_open(path, NULL, &st);
    cr_assert_not_null(s);
    cr_expect_eq(mv_stream_is_gzip(s), gzip);
    cr_expect_eq(mv_stream_size(s), gzip ? UINT64_MAX : text.size);
    mv_blob blob;
    cr_assert(mv_stream_read_all(s, &blob, &st));
    cr_expect(mv_bytes_equal(mv_blob_bytes(&blob), pb_view(&text)));
    mv_blob_free(&blob);
    mv_stream_close(s);
  }
  mv_text_free(&packed);
  mv_text_free(&text);
  remove_folder(folder);
}

Test(stream, members_follow_each_other) {
  mv_text packed = gzip_of(mv_bytes_of("first ", 6));
  mv_text second = gzip_of(mv_bytes_of("second", 6));
  mv_text none = gzip_of(mv_bytes_of(NULL, 0));
  pb_raw(&packed, none.data, none.size);
  pb_raw(&packed, second.data, second.size);
  expect_all(pb_view(&packed), mv_bytes_of("first second", 12));
  mv_text_free(&none);
  mv_text_free(&second);
  mv_text_free(&packed);
}

Test(stream, zeros_behind_gzip_are_passed_over) {
  mv_text packed = gzip_of(mv_bytes_of("data", 4));
  for (int i = 0; i < 600000; i++) {
    mv_text_char(&packed, '\0');
  }
  expect_all(pb_view(&packed), mv_bytes_of("data", 4));
  mv_text second = gzip_of(mv_bytes_of("more", 4));
  pb_raw(&packed, second.data, second.size);
  expect_all(pb_view(&packed), mv_bytes_of("datamore", 8));
  mv_text_free(&second);
  mv_text_free(&packed);
}

Test(stream, garbage_behind_gzip_is_an_error) {
  mv_text packed = gzip_of(mv_bytes_of("data", 4));
  char message[100];
  snprintf(message, sizeof message, "bytes that are no gzip follow the end of the gzip data at byte %zu", packed.size);
  mv_text_add(&packed, "garbage");
  expect_failure(pb_view(&packed), NULL, MV_FORMAT, message);
  mv_text_free(&packed);
  packed = gzip_of(mv_bytes_of("data", 4));
  mv_text_add(&packed, "\x1F garbage");
  expect_failure(pb_view(&packed), NULL, MV_FORMAT, "gzip data damaged before byte");
  mv_text_free(&packed);
}

Test(stream, gzip_that_is_cut_anywhere_is_an_error) {
  mv_text packed = gzip_of(mv_bytes_of("some data to be packed", 22));
  for (size_t n = 2; n < packed.size; n++) {
    char message[100];
    snprintf(message, sizeof message, "gzip data cut short at byte %zu", n);
    expect_failure(mv_bytes_of(packed.data, n), NULL, MV_FORMAT, message);
  }
  mv_text_free(&packed);
}

Test(stream, gzip_that_is_damaged_is_an_error) {
  mv_text text = noise(5000);
  mv_text packed = gzip_of(pb_view(&text));
  packed.data[packed.size - 5] ^= 1; /* the checksum */
  expect_failure(pb_view(&packed), NULL, MV_FORMAT, "gzip data damaged before byte");
  packed.data[packed.size - 5] ^= 1;
  packed.data[packed.size / 2] ^= 0x55;
  expect_failure(pb_view(&packed), NULL, MV_FORMAT, "gzip data damaged before byte");
  mv_text_free(&packed);
  mv_text_free(&text);
  expect_failure(mv_bytes_of("\x1F\x8B\x07 nonsense nonsense", 20), NULL, MV_FORMAT, "gzip data damaged before byte");
}

Test(stream, what_unpacks_beyond_the_limit_is_an_error) {
  mv_text text = noise(LONG);
  mv_text packed = gzip_of(pb_view(&text));
  const mv_limits limits = {.max_bytes = LONG - 1};
  const mv_limits enough = {.max_bytes = LONG};
  expect_failure(pb_view(&packed), &limits, MV_LIMIT, "unpacks to more than the limit of 3145727 bytes");
  expect_failure(pb_view(&text), &limits, MV_LIMIT, "has 3145728 bytes, more than the limit of 3145727");
  const mv_bytes inputs[] = {pb_view(&packed), pb_view(&text)};
  for (int i = 0; i < 2; i++) {
    mv_status st = MV_STATUS_INIT;
    mv_stream *s = opened(inputs[i], &enough);
    mv_blob blob;
    cr_assert(mv_stream_read_all(s, &blob, &st), "%s", st.message);
    cr_expect_eq(blob.size, LONG);
    mv_blob_free(&blob);
    mv_stream_close(s);
  }
  mv_text_free(&packed);
  mv_text_free(&text);
}

/* A few kilobytes that unpack to a gigabyte must be refused before they took that memory. */
Test(stream, a_bomb_stops_at_the_limit) {
  mv_text zeros = MV_TEXT_INIT;
  for (int i = 0; i < 1 << 20; i++) {
    mv_text_char(&zeros, '\0');
  }
  mv_text one = gzip_of(pb_view(&zeros));
  mv_text packed = MV_TEXT_INIT;
  for (int i = 0; i < 1024; i++) {
    pb_raw(&packed, one.data, one.size);
  }
  const mv_limits limits = {.max_bytes = 10 << 20};
  expect_failure(pb_view(&packed), &limits, MV_LIMIT, "unpacks to more than the limit of 10485760 bytes");
  mv_text_free(&packed);
  mv_text_free(&one);
  mv_text_free(&zeros);
}

/* Peeks, reads and skips in any order see the same bytes. */
static void walk_along(mv_bytes input, mv_bytes expected) {
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = opened(input, NULL);
  size_t at = 0;
  uint32_t state = 99;
  while (at < expected.size) {
    state = state * 1664525 + 1013904223;
    const size_t n = (state >> 8) % 9000;
    const size_t left = expected.size - at;
    const size_t some = n < left ? n : left;
    switch (state >> 30) {
      case 0: {
        mv_bytes peeked;
        cr_assert(mv_stream_peek(s, &peeked, &st));
        cr_assert_eq(peeked.size, left < MV_STREAM_PEEK ? left : MV_STREAM_PEEK);
        cr_assert(mv_bytes_equal(peeked, mv_bytes_of(expected.data + at, peeked.size)));
        break;
      }
      case 1: {
        uint64_t skipped;
        cr_assert(mv_stream_skip(s, n, &skipped, &st));
        cr_assert_eq(skipped, some);
        at += some;
        break;
      }
      default: {
        uint8_t buffer[9000];
        size_t got;
        cr_assert(mv_stream_read(s, buffer, n, &got, &st));
        cr_assert_eq(got, some);
        cr_assert(mv_bytes_equal(mv_bytes_of(buffer, got), mv_bytes_of(expected.data + at, some)));
        at += some;
      }
    }
    cr_assert_eq(mv_stream_position(s), at);
  }
  mv_bytes peeked;
  uint64_t skipped;
  size_t got;
  uint8_t byte;
  cr_expect(mv_stream_peek(s, &peeked, &st) && peeked.size == 0);
  cr_expect(mv_stream_skip(s, UINT64_MAX, &skipped, &st) && skipped == 0);
  cr_expect(mv_stream_read(s, &byte, 1, &got, &st) && got == 0);
  mv_stream_close(s);
}

Test(stream, peek_read_and_skip_in_any_order) {
  mv_text text = noise(1 << 20);
  mv_text packed = gzip_of(pb_view(&text));
  walk_along(pb_view(&text), pb_view(&text));
  walk_along(pb_view(&packed), pb_view(&text));
  mv_text_free(&packed);
  mv_text_free(&text);
}

Test(stream, the_rest_is_read_from_where_it_stands) {
  mv_text text = noise(10000);
  mv_text packed = gzip_of(pb_view(&text));
  const mv_bytes inputs[] = {pb_view(&packed), pb_view(&text)};
  for (int i = 0; i < 2; i++) {
    mv_status st = MV_STATUS_INIT;
    mv_stream *s = opened(inputs[i], NULL);
    mv_bytes peeked;
    uint64_t skipped;
    mv_blob blob;
    cr_assert(mv_stream_peek(s, &peeked, &st));
    cr_assert(mv_stream_skip(s, 100, &skipped, &st));
    cr_assert(mv_stream_read_all(s, &blob, &st));
    cr_expect(mv_bytes_equal(mv_blob_bytes(&blob), mv_bytes_of(text.data + 100, text.size - 100)));
    mv_blob_free(&blob);
    mv_stream_close(s);
  }
  mv_text_free(&packed);
  mv_text_free(&text);
}

Test(stream, skipping_beyond_the_end_stops_there) {
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = opened(mv_bytes_of("abcdef", 6), NULL);
  uint64_t skipped;
  cr_expect(mv_stream_skip(s, UINT64_MAX, &skipped, &st));
  cr_expect_eq(skipped, 6);
  cr_expect_eq(mv_stream_position(s), 6);
  mv_stream_close(s);
}

Test(stream, what_is_no_file_is_refused) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  expect_refused(folder, "is a directory, not a file");
  cr_assert_lt(snprintf(path, sizeof path, "%s/missing", folder), (int)sizeof path);
  expect_refused(path, "can't be opened: No such file or directory");
  expect_refused("", "can't be opened: No such file or directory");
  expect_refused("/dev/zero", "is a device, not a file");
  cr_assert_lt(snprintf(path, sizeof path, "%s/fifo", folder), (int)sizeof path);
  cr_assert_eq(mkfifo(path, 0600), 0);
  expect_refused(path, "is a FIFO, not a file"); /* and it does not wait for a writer */
  cr_assert_lt(snprintf(path, sizeof path, "%s/loop", folder), (int)sizeof path);
  cr_assert_eq(symlink(path, path), 0);
  expect_refused(path, "can't be opened: Too many levels of symbolic links");
  char longer[6000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  expect_refused(longer, "can't be opened: File name too long");
  remove_folder(folder);
}

Test(stream, a_file_without_permission) {
  if (geteuid() == 0) {
    cr_skip("root may read all files");
  }
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, "a", mv_bytes_of("x", 1));
  cr_assert_eq(chmod(path, 0), 0);
  expect_refused(path, "can't be opened: Permission denied");
  remove_folder(folder);
}

Test(stream, a_file_that_is_cut_while_it_is_read) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_text text = noise(10000);
  write_file(path, folder, "a", pb_view(&text));
  mv_status st = MV_STATUS_INIT;
  mv_stream *s = mv_stream_open(path, NULL, &st);
  cr_assert_not_null(s);
  cr_assert_eq(truncate(path, 100), 0);
  mv_blob blob;
  cr_expect_not(mv_stream_read_all(s, &blob, &st));
  cr_expect_eq(st.code, MV_IO);
  cr_expect_str_eq(st.message, "was cut from 10000 to 100 bytes while it was read");
  mv_stream_close(s);
  mv_text_free(&text);
  remove_folder(folder);
}

static bool yes(void *arg) {
  (void)arg;
  return true;
}

Test(stream, stops_when_the_host_asks_for_it) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, "a", mv_bytes_of("abc", 3));
  const mv_limits limits = {.interrupted = yes};
  mv_status st = MV_STATUS_INIT;
  cr_expect_null(mv_stream_open(path, &limits, &st));
  cr_expect_eq(st.code, MV_INTERRUPTED);
  mv_text packed = gzip_of(mv_bytes_of("data", 4));
  expect_failure(pb_view(&packed), &limits, MV_INTERRUPTED, "interrupted");
  mv_text_free(&packed);
  remove_folder(folder);
}

static bool count_asks(void *arg) {
  ++*(int *)arg;
  return false;
}

/* The copies of a large BLOB take long: the host is asked in between. */
Test(stream, bytes__are_copied_in_steps) {
  enum { SIZE = 64 << 20, MOST_A_STEP = 16 << 20 };
  int asks = 0;
  const mv_limits limits = {.interrupted = count_asks, .arg = &asks};
  mv_status status = MV_STATUS_INIT;
  uint8_t *bytes = calloc(1, SIZE);
  uint8_t *out = malloc(SIZE);
  cr_assert(bytes != NULL && out != NULL);
  bytes[SIZE - 1] = 7;
  mv_stream *s = mv_stream_of(mv_bytes_of(bytes, SIZE), &limits, &status);
  size_t got;
  asks = 0;
  cr_assert(s != NULL && mv_stream_read(s, out, SIZE, &got, &status));
  cr_expect_eq(got, SIZE);
  cr_expect_eq(out[SIZE - 1], 7);
  cr_expect_geq(asks, SIZE / MOST_A_STEP);
  mv_stream_close(s);
  asks = 0;
  cr_expect_null(mv_source_of(mv_bytes_of(bytes, SIZE), &limits, &status)); /* it is no module */
  cr_expect_geq(asks, SIZE / MOST_A_STEP);
  free(out);
  free(bytes);
}

Test(stream, identify_tells_states_of_a_file_apart) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  mv_status st = MV_STATUS_INIT;
  mv_file_id a;
  mv_file_id b;
  bool is_directory = true;
  write_file(path, folder, "a", mv_bytes_of("abc", 3));
  cr_assert(mv_file_identify(&a, &is_directory, path, &st));
  cr_expect_not(is_directory);
  cr_expect_eq(a.size, 3);
  cr_assert(mv_file_identify(&b, NULL, path, &st));
  cr_expect_eq(memcmp(&a, &b, sizeof a), 0);
  write_file(path, folder, "b", mv_bytes_of("abc", 3));
  cr_assert(mv_file_identify(&b, NULL, path, &st));
  cr_expect_neq(memcmp(&a, &b, sizeof a), 0, "another file");
  cr_assert(mv_file_identify(&a, &is_directory, folder, &st));
  cr_expect(is_directory);
  cr_assert_eq(unlink(path), 0);
  cr_expect_not(mv_file_identify(&b, NULL, path, &st));
  cr_expect_eq(st.code, MV_IO);
  remove_folder(folder);
}
