#include <dirent.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

static const char apart[] = "--apart";

/* The most memory this process had in RAM so far, in bytes. */
static int64_t peak_memory(void) {
  FILE *status = fopen("/proc/self/status", "r");
  if (status != NULL) {
    /* VmHWM is this program's alone; ru_maxrss keeps what the process had before exec. */
    char line[256];
    long long kib = -1;
    while (kib < 0 && fgets(line, sizeof line, status) != NULL) {
      if (sscanf(line, "VmHWM: %lld", &kib) != 1) {
        kib = -1;
      }
    }
    fclose(status);
    if (kib >= 0) {
      return kib * 1024;
    }
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (int64_t)usage.ru_maxrss * 1024;
}

static bool read_file(const char *path) {
  struct stat st;
  FILE *file = fopen(path, "rb");
  bool ok = file != NULL && fstat(fileno(file), &st) == 0;
  if (ok && st.st_size > 0) {
    char *bytes = malloc((size_t)st.st_size);
    ok = bytes != NULL && fread(bytes, 1, (size_t)st.st_size, file) == (size_t)st.st_size;
    free(bytes);
  }
  if (file != NULL) {
    fclose(file);
  }
  return ok;
}

static bool read_whole(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) {
    return read_file(path);
  }
  bool ok = true;
  for (struct dirent *e = readdir(folder); ok && e != NULL; e = readdir(folder)) {
    char file[4096];
    if (e->d_name[0] != '.') {
      snprintf(file, sizeof file, "%s/%s", path, e->d_name);
      ok = read_file(file);
    }
  }
  closedir(folder);
  return ok;
}

bool bench_is_apart(int argc, char **argv) {
  if (argc != 4 || strcmp(argv[1], apart) != 0) {
    return false;
  }
  const char *sql = argv[2];
  const char *source = argv[3];
  char error[256] = "can't be read";
  sqlite3_close(bench_open());
  const int64_t empty = peak_memory();
  bool ok;
  const double start = bench_now_ms();
  if (strcmp(sql, BENCH_READ) == 0) {
    ok = read_whole(source);
  } else {
    sqlite3 *db = bench_open();
    ok = bench_query(db, sql, source, error, sizeof error) >= 0;
    sqlite3_close(db);
  }
  if (ok) {
    printf("%f %lld\n", bench_now_ms() - start, (long long)(peak_memory() - empty));
  } else {
    printf("error: %s\n", error);
  }
  return true;
}

bool bench_apart(double *ms, int64_t *bytes, const char *program, const char *sql, const char *source, char *error,
                 size_t size) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0 || posix_spawn_file_actions_init(&actions) != 0) {
    bench_fail("no pipe");
  }
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  /* posix_spawn does not write to its arguments, its type only looks so. */
  char *const args[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)apart, (char *)(uintptr_t)sql,
                        (char *)(uintptr_t)source, NULL};
  pid_t child;
  if (posix_spawn(&child, program, &actions, NULL, args, environ) != 0) {
    bench_fail("can't start '%s'", program);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char line[300];
  FILE *answer = fdopen(ends[0], "r");
  if (answer == NULL || fgets(line, sizeof line, answer) == NULL) {
    snprintf(line, sizeof line, "no answer");
  }
  line[strcspn(line, "\n")] = '\0';
  if (answer != NULL) {
    fclose(answer);
  }
  waitpid(child, NULL, 0);
  long long above;
  if (sscanf(line, "%lf %lld", ms, &above) == 2) {
    *bytes = above;
    return true;
  }
  snprintf(error, size, "%s", strstr(line, "no such function") != NULL ? "not supported yet" : line);
  return false;
}
