/* Files that change while they are read, and paths that are no files: an error each time, no hang, no SIGBUS. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/source.h"
#include "support/files.h"

int sqlite3_memview_init(sqlite3 *db, char **error, const sqlite3_api_routines *api);

/* What happens to the file, in the n-th look at the host's wish to stop: between two reads. */
typedef struct motion {
  const char *path;
  void (*act)(const char *path);
  int left;
} motion;

static bool act_in_turn(void *arg) {
  motion *m = arg;
  if (m->left > 0 && --m->left == 0) {
    m->act(m->path);
  }
  return false;
}

static void cut(const char *path) {
  struct stat st;
  cr_assert_eq(stat(path, &st), 0);
  cr_assert_eq(truncate(path, st.st_size / 2), 0);
}

static void empty(const char *path) {
  cr_assert_eq(truncate(path, 0), 0);
}

static void grow(const char *path) {
  struct stat st;
  cr_assert_eq(stat(path, &st), 0);
  cr_assert_eq(truncate(path, st.st_size * 2), 0);
}

static void take_away(const char *path) {
  cr_assert_eq(remove(path), 0);
}

static void replace(const char *path) {
  cr_assert_eq(remove(path), 0);
  FILE *file = fopen(path, "wb");
  cr_assert_not_null(file);
  fputs("something else", file);
  fclose(file);
}

typedef struct outcome {
  bool did_load;
  uint32_t instructions;
  mv_status status;
} outcome;

/* Open the file and load its first module while `act` happens at the n-th look; *did_act tells whether it came so far.
 */
static outcome read_in_motion(const char *path, void (*act)(const char *), int n, bool *did_act) {
  motion m = {path, act, n};
  const mv_limits limits = {.interrupted = act_in_turn, .arg = &m};
  outcome o = {.status = MV_STATUS_INIT};
  mv_source *source = mv_source_open(path, &limits, &o.status);
  mv_module *module = source != NULL ? mv_source_load(source, 0, &limits, &o.status) : NULL;
  if (module != NULL) {
    o.did_load = true;
    o.instructions = module->instruction_count;
  }
  mv_module_free(module);
  mv_source_free(source);
  *did_act = m.left == 0;
  return o;
}

static void expect_sound(const char *name, mv_bytes bytes, void (*act)(const char *)) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, name, bytes);
  bool did_act;
  const outcome still = read_in_motion(path, act, 0, &did_act);
  cr_assert(still.did_load && still.instructions > 0, "%s", still.status.message);
  int n = 1;
  do {
    write_file(path, folder, name, bytes);
    const outcome o = read_in_motion(path, act, n++, &did_act);
    if (o.did_load) { /* all was read before, or nothing was changed within it */
      cr_expect_eq(o.instructions, still.instructions, "look %d", n - 1);
    } else {
      cr_expect(o.status.code == MV_IO || o.status.code == MV_FORMAT, "look %d: %s", n - 1, o.status.message);
      cr_expect_neq(*o.status.message, '\0');
    }
  } while (did_act && n < 1000);
  cr_expect(n > 2 && n < 1000, "the file was looked at %d times", n);
  remove_folder(folder);
}

static void (*const acts[])(const char *) = {cut, empty, grow, take_away, replace};
enum { ACTS = sizeof acts / sizeof *acts };

Test(motion, of_a_dump) {
  mv_text dump = read_data("tpu-v5e-decode.hlo.pb");
  for (size_t i = 0; i < ACTS; i++) {
    expect_sound("a.hlo.pb", mv_bytes_of(dump.data, dump.size), acts[i]);
  }
  mv_text_free(&dump);
}

Test(motion, of_a_packed_dump) {
  mv_text dump = read_data("tpu-v5e-oom.hlo.pb.gz");
  for (size_t i = 0; i < ACTS; i++) {
    expect_sound("a.hlo.pb.gz", mv_bytes_of(dump.data, dump.size), acts[i]);
  }
  mv_text_free(&dump);
}

Test(motion, of_a_profile) {
  mv_text profile = read_data("logdir/plugins/profile/2026_11_29_10_00_00/host0.xplane.pb");
  for (size_t i = 0; i < ACTS; i++) {
    expect_sound("a.xplane.pb", mv_bytes_of(profile.data, profile.size), acts[i]);
  }
  mv_text_free(&profile);
}

/* The message with which opening `path` fails. The caller frees the text. */
static mv_text failure_of(const char *path) {
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  cr_assert_eq(sqlite3_memview_init(db, NULL, NULL), SQLITE_OK);
  cr_assert_eq(sqlite3_prepare_v2(db, "SELECT * FROM hlo_modules(?1)", -1, &stmt, NULL), SQLITE_OK);
  sqlite3_bind_text(stmt, 1, path, -1, SQLITE_STATIC);
  cr_expect_eq(sqlite3_step(stmt), SQLITE_ERROR, "%s", path);
  mv_text message = MV_TEXT_INIT;
  mv_text_add(&message, sqlite3_errmsg(db));
  sqlite3_finalize(stmt);
  sqlite3_close(db);
  return message;
}

static void expect_message(const char *path, const char *expected) {
  mv_text message = failure_of(path);
  cr_expect_str_eq(message.data, expected);
  mv_text_free(&message);
}

static void expect_message_of(const char *path, const char *problem) {
  char expected[PATH_ROOM * 2];
  snprintf(expected, sizeof expected, "memview: '%s': %s", path, problem);
  expect_message(path, expected);
}

Test(paths, a_fifo_does_not_hang, .timeout = 10) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, "fifo.hlo.pb", mv_bytes_of(NULL, 0));
  remove(path);
  cr_assert_eq(mkfifo(path, 0600), 0);
  expect_message_of(path, "is a FIFO, not a file");
  remove_folder(folder);
}

Test(paths, a_device_is_not_read, .timeout = 10) {
  expect_message_of("/dev/zero", "is a device, not a file");
}

Test(paths, nothing_there) {
  expect_message_of("/nowhere/at/all.hlo.pb", "can't be opened: No such file or directory");
}

Test(paths, a_link_to_itself) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, "a.hlo.pb", mv_bytes_of(NULL, 0));
  remove(path);
  cr_assert_eq(symlink(path, path), 0);
  expect_message_of(path, "can't be opened: Too many levels of symbolic links");
  remove_folder(folder);
}

Test(paths, folders_that_lead_in_circles_are_walked_once) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  char loop[PATH_ROOM + 8];
  mv_text dump = read_data("synth-5010.hlo.pb");
  make_folder(folder);
  write_file(path, folder, "a.hlo.pb", mv_bytes_of(dump.data, dump.size));
  snprintf(loop, sizeof loop, "%s/loop", folder);
  cr_assert_eq(symlink(folder, loop), 0);
  mv_status status = MV_STATUS_INIT;
  mv_source *source = mv_source_open(folder, NULL, &status);
  cr_assert_not_null(source, "%s", status.message);
  cr_expect_eq(source->count, 1);
  mv_source_free(source);
  remove(loop);
  mv_text_free(&dump);
  remove_folder(folder);
}

Test(paths, without_permission) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM];
  make_folder(folder);
  write_file(path, folder, "a.hlo.pb", mv_bytes_of("x", 1));
  cr_assert_eq(chmod(path, 0), 0);
  cr_assert_eq(chmod(folder, 0755), 0);
  const bool is_root = geteuid() == 0; /* who may read all the same */
  cr_assert(!is_root || seteuid(65534) == 0);
  expect_message_of(path, "can't be opened: Permission denied");
  cr_assert(!is_root || seteuid(0) == 0);
  remove_folder(folder);
}

Test(paths, of_5000_characters) {
  enum { LENGTH = 5000 };
  static char path[LENGTH + 1];
  memset(path, 'a', LENGTH);
  path[0] = '/';
  mv_text message = failure_of(path); /* the path is shortened, the reason is not */
  cr_expect_not_null(strstr(message.data, "can't be opened: File name too long"), "%s", message.data);
  cr_expect_lt(message.size, 600);
  mv_text_free(&message);
}

Test(paths, with_a_nul) {
  sqlite3 *db = NULL;
  cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
  cr_assert_eq(sqlite3_memview_init(db, NULL, NULL), SQLITE_OK);
  cr_expect_eq(sqlite3_exec(db, "SELECT * FROM hlo_modules('/etc/passwd' || char(0) || '.hlo.pb')", NULL, NULL, NULL),
               SQLITE_ERROR);
  cr_expect_str_eq(sqlite3_errmsg(db), "memview: the path has a NUL character in it");
  sqlite3_close(db);
}

Test(paths, that_are_no_utf8_give_messages_that_are) {
  char folder[PATH_ROOM];
  char path[PATH_ROOM + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/\xFF\xFE.hlo.pb", folder);
  mv_text message = failure_of(path);
  cr_expect(mv_utf8_is_clean(mv_bytes_of(message.data, message.size)), "%s", message.data);
  mv_text_free(&message);
  remove_folder(folder);
}
