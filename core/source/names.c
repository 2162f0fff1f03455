#include "source/names.h"

#include <stdio.h>
#include <stdlib.h>

#define PROFILE_ENDING ".xplane.pb"

mv_bytes mv_name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return mv_bytes_of_string(slash != NULL ? slash + 1 : path);
}

/* Without the ending of a compression. */
static mv_bytes unpacked_name(const char *path) {
  static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2", ".zip"};
  mv_bytes name = mv_name_of(path);
  for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
    if (mv_bytes_ends_with(name, packed[i])) {
      name.size -= strlen(packed[i]);
      break;
    }
  }
  return name;
}

bool mv_name_is_device(mv_bytes name) {
  return (mv_bytes_ends_with(name, MV_TPU_DEVICE_ENDING) && name.size > sizeof MV_TPU_DEVICE_ENDING - 1) ||
         (mv_bytes_ends_with(name, MV_GPU_DEVICE_ENDING) && name.size > sizeof MV_GPU_DEVICE_ENDING - 1);
}

mv_name_kind mv_name_kind_of(const char *path) {
  /* What XLA writes beside a module: no file of these holds one, and there are many. */
  static const char *const siblings[] = {
      "-memory-usage-report.pb", ".basic_compiler_metadata.pb", ".execution_options.pb", ".hlo_module_config.pb",
      ".tpu_comp_env.pb",        ".transfer_stats.pb",          ".thunk_sequence.pb",
  };
  const mv_bytes name = unpacked_name(path);
  if (mv_name_is_device(mv_name_of(path))) {
    return MV_NAME_DEVICE;
  }
  for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++) {
    if (mv_bytes_ends_with(name, siblings[i])) {
      return MV_NAME_NONE;
    }
  }
  if (mv_bytes_starts_with(name, "NO_MODULE.")) {
    return MV_NAME_NONE; /* XProf's mark for a profile without modules */
  }
  static const struct {
    const char *ending;
    mv_name_kind kind;
  } endings[] = {
      {PROFILE_ENDING, MV_NAME_PROFILE},
      {".hlo_proto.pb", MV_NAME_CACHE},
      {".hlo.pb", MV_NAME_DUMP},
      {".hlo_snapshot.pb", MV_NAME_SNAPSHOT},
      {".hlo_unoptimized_snapshot.pb", MV_NAME_SNAPSHOT},
      {".gpu_executable.riegeli", MV_NAME_NONE}, /* what was compiled, not the module */
      {".riegeli", MV_NAME_RIEGELI},
      {".pb", MV_NAME_OTHER},
      {".txt", MV_NAME_TEXT},
  };
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (mv_bytes_ends_with(name, endings[i].ending)) {
      return endings[i].kind;
    }
  }
  return MV_NAME_NONE;
}

bool mv_name_tells_module(mv_name_kind kind) {
  return kind != MV_NAME_NONE && kind != MV_NAME_OTHER && kind != MV_NAME_TEXT;
}

mv_bytes mv_name_host(const char *path) {
  const mv_bytes name = unpacked_name(path);
  const bool is_profile = mv_bytes_ends_with(name, PROFILE_ENDING);
  return mv_bytes_of(name.data, is_profile ? name.size - (sizeof PROFILE_ENDING - 1) : 0);
}

/* Behind "module_0001" in a name; NULL when it has no such part. */
static const char *behind_number(const char *name) {
  static const char MODULE[] = "module_";
  for (const char *p = name; (p = strstr(p, MODULE)) != NULL; p++) {
    const char *end = p + sizeof MODULE - 1;
    const char *digits = end;
    while (*end >= '0' && *end <= '9') {
      end++;
    }
    if ((p == name || p[-1] == '.') && end > digits && *end == '.') {
      return end;
    }
  }
  return NULL;
}

bool mv_name_is_dump(mv_bytes name) {
  return behind_number((const char *)name.data) != NULL;
}

int mv_name_rank(const char *path) {
  static const struct {
    const char *ending;
    int rank;
  } stages[] = {
      {"after_optimizations.hlo.pb", 0},  {"after_buffer_assignment.hlo.pb", 1},
      {"after_codegen.hlo.pb", 3},        {"before_buffer_assignment.hlo.pb", 4},
      {"before_optimizations.hlo.pb", 5}, {"snapshot.pb", 6}, /* nothing in it can be shown */
  };
  enum { PASS = 2 };
  const mv_bytes name = unpacked_name(path);
  const int is_packed = name.size != mv_name_of(path).size;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    if (mv_bytes_ends_with(name, stages[i].ending)) {
      return stages[i].rank * 2 + is_packed;
    }
  }
  return PASS * 2 + is_packed;
}

bool mv_name_is_codegen(const char *path) {
  return mv_bytes_ends_with(unpacked_name(path), "after_codegen.hlo.pb");
}

/* `path` up to `end` and, behind a character that no path of a dump has, `module`. */
static bool make_group(const char **group, const char *path, const char *end, const char *module, mv_arena *arena,
                       mv_status *status) {
  const size_t size = (size_t)(end - path) + strlen(module) + 2;
  char *made = mv_arena_alloc(arena, size, status);
  if (made != NULL) {
    snprintf(made, size, "%.*s%s%s", (int)(end - path), path, *module != '\0' ? "\t" : "", module);
  }
  *group = made;
  return made != NULL;
}

bool mv_name_group(const char **group, const char *path, const char *module, mv_arena *arena, mv_status *status) {
  const char *end = behind_number((const char *)mv_name_of(path).data);
  *group = NULL;
  if (end == NULL) {
    return true;
  }
  const size_t n = strlen(module);
  bool is_in_path = n > 0 && strlen(end + 1) > n && end[1 + n] == '.';
  for (size_t i = 0; is_in_path && i < n; i++) {
    const char written = strchr("/\\[] ", module[i]) != NULL ? '_' : module[i];
    is_in_path = end[1 + i] == written;
  }
  return make_group(group, path, is_in_path ? end + 1 + n : end, is_in_path ? "" : module, arena, status);
}

static int compare_groups(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool mv_name_group_of_damaged(const char **group, const char *path, const char *const *groups, size_t count,
                              mv_arena *arena, mv_status *status) {
  const char *number = behind_number((const char *)mv_name_of(path).data);
  *group = NULL;
  if (number == NULL) {
    return true;
  }
  const size_t size = strlen(path) + 1;
  char *part = mv_arena_alloc(arena, size, status);
  if (part == NULL) {
    return false;
  }
  memcpy(part, path, size);
  const char *key = part;
  for (char *dot = part + size - 1; dot > part + (number - path); dot--) {
    if (*dot == '.') {
      *dot = '\0';
      const char *const *found = count > 0 ? bsearch(&key, groups, count, sizeof *groups, compare_groups) : NULL;
      if (found != NULL) {
        *group = *found;
        return true;
      }
    }
  }
  const char *dot = strchr(number + 1, '.');
  return make_group(group, path, dot != NULL ? dot : number, "", arena, status);
}
