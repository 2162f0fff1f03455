/* memory FILE... : the most memory that a cold query needs, above a process that only has memview loaded.
 *
 * Each query runs in a process of its own: this program starts itself again. The unit is the size of the file.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

static const struct {
  const char *name;
  const char *sql;
} queries[] = {
    {"memory_spaces", "SELECT * FROM memory_spaces(?1)"},
    {"usage_curve and peak_buffers",
     "SELECT sum(bytes) FROM usage_curve(?1) UNION ALL SELECT sum(length(shape)) FROM peak_buffers(?1)"},
    {"timeline_svg", "SELECT timeline_svg(?1)"},
    {"memview_html", "SELECT memview_html(?1)"},
};

/* In the process of its own: prints the bytes, or what went wrong. */
static int measure(const char *sql, const char *source) {
  char error[256];
  sqlite3 *db = bench_open();
  const int64_t empty = bench_peak_memory();
  if (sql[0] != '\0' && bench_query(db, sql, source, error, sizeof error) < 0) {
    printf("error %s\n", error);
  } else {
    printf("%lld\n", (long long)(bench_peak_memory() - empty));
  }
  sqlite3_close(db);
  return 0;
}

/* Start `program` for one measurement; its answer into `line`. */
static void ask(char *line, size_t size, char *program, const char *sql, const char *source) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0 || posix_spawn_file_actions_init(&actions) != 0) {
    bench_fail("no pipe");
  }
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  char *const args[] = {program, (char *)(uintptr_t)"--child", (char *)(uintptr_t)sql, (char *)(uintptr_t)source, NULL};
  pid_t child;
  if (posix_spawn(&child, program, &actions, NULL, args, environ) != 0) {
    bench_fail("can't start '%s'", program);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *answer = fdopen(ends[0], "r");
  if (answer == NULL || fgets(line, (int)size, answer) == NULL) {
    snprintf(line, size, "error no answer");
  }
  line[strcspn(line, "\n")] = '\0';
  if (answer != NULL) {
    fclose(answer);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "--child") == 0) {
    return measure(argv[2], argv[3]);
  }
  if (argc < 2) {
    fputs("usage: memory FILE...\n", stderr);
    return 2;
  }
  for (int f = 1; f < argc; f++) {
    struct stat file;
    if (stat(argv[f], &file) != 0 || file.st_size == 0) {
      bench_fail("'%s' can't be read", argv[f]);
    }
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
      char name[96];
      snprintf(name, sizeof name, "memory %s", queries[q].name);
      char line[300];
      enum { RUNS = 5 };
      bench_series times = {0};
      for (int run = 0; run < RUNS; run++) {
        ask(line, sizeof line, argv[0], queries[q].sql, argv[f]);
        if (strncmp(line, "error", 5) == 0) {
          break;
        }
        bench_add(&times, (double)strtoll(line, NULL, 10) / (double)file.st_size);
      }
      if (times.count < RUNS) {
        bench_skip(name, strstr(line, "no such function") != NULL ? "not supported yet" : line);
      } else {
        char note[64];
        snprintf(note, sizeof note, "%.1f MiB", bench_median(&times) * (double)file.st_size / (1 << 20));
        bench_print(name, &times, "files", note);
      }
      bench_clear(&times);
    }
  }
  return 0;
}
