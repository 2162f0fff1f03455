/* Two SQLite libraries in one process, as when apsw or pysqlite3 stands beside Python's own sqlite3.
 *
 * This program is linked to none: it opens the system's, and a copy of its file as another. The extension serves one of
 * them at a time; a copy of the extension serves the other.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 512, SKIPPED = 77 };

static const char ASK[] = "SELECT sum(peak_bytes) FROM memory_spaces('" MV_TEST_DATA "/cpu-mlp.hlo.pb')";
static const char *const entry_points[] = {NULL, "sqlite3_extension_init", "sqlite3_memview_init",
                                           "sqlite3_memview_nofs_init"};

static int failures;

static void check(bool is_right, const char *what, const char *found) {
  if (!is_right) {
    printf("FAILED %s: %s\n", what, found != NULL ? found : "NULL");
    failures++;
  }
}

/* The functions of one library that the test calls. */
typedef struct cache {
  const char *name;
  int (*open)(const char *, sqlite3 **);
  int (*close)(sqlite3 *);
  int (*config)(sqlite3 *, int, ...);
  int (*load)(sqlite3 *, const char *, const char *, char **);
  int (*prepare)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
  int (*step)(sqlite3_stmt *);
  sqlite3_int64 (*column)(sqlite3_stmt *, int);
  int (*finalize)(sqlite3_stmt *);
  const char *(*message)(sqlite3 *);
  void (*free)(void *);
} cache;

static void find(void *out, void *handle, const char *name) {
  void *symbol = dlsym(handle, name);
  if (symbol == NULL) {
    printf("%s is not there: skipped\n", name);
    exit(SKIPPED);
  }
  memcpy(out, &symbol, sizeof symbol);
}

static cache open_library(const char *name, const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    printf("%s: skipped\n", dlerror());
    exit(SKIPPED);
  }
  cache l = {.name = name};
  find(&l.open, handle, "sqlite3_open");
  find(&l.close, handle, "sqlite3_close");
  find(&l.config, handle, "sqlite3_db_config");
  find(&l.load, handle, "sqlite3_load_extension");
  find(&l.prepare, handle, "sqlite3_prepare_v2");
  find(&l.step, handle, "sqlite3_step");
  find(&l.column, handle, "sqlite3_column_int64");
  find(&l.finalize, handle, "sqlite3_finalize");
  find(&l.message, handle, "sqlite3_errmsg");
  find(&l.free, handle, "sqlite3_free");
  return l;
}

static sqlite3 *connect(const cache *l) {
  sqlite3 *db = NULL;
  if (l->open(":memory:", &db) != SQLITE_OK) {
    printf("FAILED to open a database\n");
    exit(1);
  }
  l->config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)NULL);
  return db;
}

static void load(const cache *l, sqlite3 *db, const char *extension) {
  char *error = NULL;
  check(l->load(db, extension, NULL, &error) == SQLITE_OK, l->name, error);
  l->free(error);
}

/* By every entry point, with one line that says why and what to do. */
static void expect_refused(const cache *l, sqlite3 *db, const char *extension) {
  for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++) {
    char *error = NULL;
    check(l->load(db, extension, entry_points[i], &error) == SQLITE_ERROR, "a second library", "is not refused");
    check(error != NULL && strstr(error, "memview: ") != NULL && strstr(error, "another SQLite library") != NULL &&
              strstr(error, "a copy of the file") != NULL && strchr(error, '\n') == NULL,
          "the message", error);
    l->free(error);
  }
  sqlite3_stmt *statement = NULL;
  check(l->prepare(db, "SELECT memview_version()", -1, &statement, NULL) == SQLITE_ERROR, "after the refusal",
        "a function is there");
  l->finalize(statement);
}

static void expect_answer(const cache *l, sqlite3 *db, sqlite3_stmt *statement) {
  check(l->step(statement) == SQLITE_ROW, l->name, l->message(db));
  check(l->column(statement, 0) == 6288516, l->name, "another peak");
}

static void ask(const cache *l, sqlite3 *db) {
  sqlite3_stmt *statement = NULL;
  check(l->prepare(db, ASK, -1, &statement, NULL) == SQLITE_OK, l->name, l->message(db));
  expect_answer(l, db, statement);
  l->finalize(statement);
}

static bool copy_file(const char *to, const char *from) {
  char buffer[1 << 16];
  size_t n = 0;
  FILE *in = fopen(from, "rb");
  FILE *out = fopen(to, "wb");
  bool ok = in != NULL && out != NULL;
  while (ok && (n = fread(buffer, 1, sizeof buffer, in)) > 0) {
    ok = fwrite(buffer, 1, n, out) == n;
  }
  if (in != NULL) {
    fclose(in);
  }
  return out != NULL && fclose(out) == 0 && ok;
}

/* What is refused does no harm: neither to a statement that runs nor to connections that come after. */
static void one_library_at_a_time(const cache *one, const cache *other) {
  sqlite3 *first = connect(one);
  load(one, first, MV_EXTENSION);
  sqlite3_stmt *running = NULL;
  check(one->prepare(first, ASK, -1, &running, NULL) == SQLITE_OK, one->name, one->message(first));
  sqlite3 *foreign = connect(other);
  expect_refused(other, foreign, MV_EXTENSION);
  expect_answer(one, first, running);
  sqlite3 *second = connect(one);
  load(one, second, MV_EXTENSION);
  ask(one, second);
  one->finalize(running);
  check(one->close(first) == SQLITE_OK, one->name, "is busy");
  expect_refused(other, foreign, MV_EXTENSION); /* one connection is left */
  ask(one, second);
  check(one->close(second) == SQLITE_OK, one->name, "is busy");
  load(other, foreign, MV_EXTENSION); /* none is */
  ask(other, foreign);
  check(other->close(foreign) == SQLITE_OK, other->name, "is busy");
}

static void a_copy_serves_the_other(const cache *one, const cache *other, const char *copy) {
  sqlite3 *a = connect(one);
  sqlite3 *b = connect(other);
  load(one, a, MV_EXTENSION);
  load(other, b, copy);
  ask(one, a);
  ask(other, b);
  check(one->close(a) == SQLITE_OK, one->name, "is busy");
  ask(other, b);
  check(other->close(b) == SQLITE_OK, other->name, "is busy");
}

int main(void) {
  char folder[] = "/tmp/two_sqlites_XXXXXX";
  char sqlite_copy[MAX_PATH];
  char extension_copy[MAX_PATH];
  Dl_info info = {0};
  const cache one = open_library("the first library", "libsqlite3.so.0");
  void *open_function;
  memcpy(&open_function, &one.open, sizeof open_function);
  if (mkdtemp(folder) == NULL || dladdr(open_function, &info) == 0) {
    printf("FAILED to prepare\n");
    return 1;
  }
  snprintf(sqlite_copy, sizeof sqlite_copy, "%s/libanother.so", folder);
  snprintf(extension_copy, sizeof extension_copy, "%s/copy.so", folder);
  if (!copy_file(sqlite_copy, info.dli_fname) || !copy_file(extension_copy, MV_EXTENSION)) {
    printf("FAILED to copy\n");
    return 1;
  }
  const cache other = open_library("the second library", sqlite_copy);
  check(one.open != other.open, "the copy", "is the same library");
  /* The extension stays in memory when its last connection closes, as it does in programs that hold it. */
  void *held = dlopen(MV_EXTENSION, RTLD_NOW | RTLD_LOCAL);
  check(held != NULL, "the extension", "can't be opened");
  one_library_at_a_time(&one, &other);
  one_library_at_a_time(&other, &one);
  a_copy_serves_the_other(&one, &other, extension_copy);
  unlink(sqlite_copy);
  unlink(extension_copy);
  rmdir(folder);
  printf("%d failures\n", failures);
  return failures > 0;
}
