/* generate: writes inputs that nobody has to compile, see families.h.
 *
 *   generate hlo FAMILY EVENTS FILE        one HloProto with about EVENTS heap events
 *   generate size FAMILY BYTES FILE        one HloProto of about BYTES bytes
 *   generate xspace GIB MODULES FILE       an XSpace of GIB GiB with MODULES modules; sparse: the planes of events are
 * holes generate dump COUNT FOLDER             a new dump folder with COUNT modules, two stages each
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "families.h"

static const family *known_family(const char *name) {
  const family *f = family_find(name);
  if (f == NULL) {
    bench_fail("there is no family '%s'", name);
  }
  return f;
}

static uint32_t count_of(const char *text) {
  const long value = bench_number(text);
  if (value > INT32_MAX) {
    bench_fail("%s is too much", text);
  }
  return (uint32_t)value;
}

static void write_hlo(const family *f, uint32_t events, const char *path) {
  pb out = {0};
  f->write(&out, events, "jit_step");
  pb_write(&out, path);
  pb_free(&out);
}

static void write_size(const family *f, uint32_t bytes, const char *path) {
  enum { PROBE = 2000 };
  pb out = {0};
  f->write(&out, PROBE, "jit_step");
  const double each = (double)out.size / PROBE;
  pb_free(&out);
  write_hlo(f, (uint32_t)(bytes / each), path);
}

/* Field numbers: tsl/profiler/protobuf/xplane.proto. */
enum {
  XSPACE_PLANES = 1,
  PLANE_ID = 1,
  PLANE_NAME = 2,
  PLANE_LINES = 3,
  PLANE_EVENT_METADATA = 4,
  PLANE_STAT_METADATA = 5,
  LINE_ID = 1,
  LINE_NAME = 2,
  LINE_EVENTS = 4,
  ENTRY_KEY = 1,
  ENTRY_VALUE = 2,
  METADATA_ID = 1,
  METADATA_NAME = 2,
  METADATA_STATS = 5,
  STAT_METADATA_ID = 1,
  STAT_BYTES = 6,
  HLO_PROTO_STAT = 1,
};

static void write_at(int file, uint64_t offset, const pb *bytes) {
  size_t done = 0;
  while (done < bytes->size) {
    const ssize_t n = pwrite(file, bytes->data + done, bytes->size - done, (off_t)(offset + done));
    if (n <= 0) {
      bench_fail("can't write: %s", strerror(errno));
    }
    done += (size_t)n;
  }
}

/* The plane that holds modules, as profilers write it: each a bytes value of an event's metadata. */
static void write_modules(pb *out, uint32_t modules) {
  pb plane = {0};
  pb entry = {0};
  pb value = {0};
  pb stat = {0};
  pb hlo = {0};
  pb_integer(&plane, PLANE_ID, 7);
  pb_string(&plane, PLANE_NAME, "/host:metadata");
  for (uint32_t m = 1; m <= modules; m++) {
    char name[64];
    snprintf(name, sizeof name, "jit_step_%" PRIu32 "(%" PRIu32 ")", m, m);
    pb_integer(&value, METADATA_ID, m);
    pb_string(&value, METADATA_NAME, name);
    *strchr(name, '(') = '\0';
    family_find("step")->write(&hlo, 2000, name);
    pb_integer(&stat, STAT_METADATA_ID, HLO_PROTO_STAT);
    pb_message(&stat, STAT_BYTES, &hlo);
    pb_message(&value, METADATA_STATS, &stat);
    pb_integer(&entry, ENTRY_KEY, m);
    pb_message(&entry, ENTRY_VALUE, &value);
    pb_message(&plane, PLANE_EVENT_METADATA, &entry);
  }
  pb_integer(&value, METADATA_ID, HLO_PROTO_STAT);
  pb_string(&value, METADATA_NAME, "hlo_proto");
  pb_integer(&entry, ENTRY_KEY, HLO_PROTO_STAT);
  pb_message(&entry, ENTRY_VALUE, &value);
  pb_message(&plane, PLANE_STAT_METADATA, &entry);
  pb_message(out, XSPACE_PLANES, &plane);
  pb_free(&plane);
  pb_free(&entry);
  pb_free(&value);
  pb_free(&stat);
  pb_free(&hlo);
}

static void write_xspace(uint32_t gib, uint32_t modules, const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    bench_fail("'%s' can't be written", path);
  }
  uint64_t at = 0;
  for (uint32_t i = 0; i < gib; i++) {
    /* A plane with one line with one event, whose bytes are a hole of almost a GiB: a protobuf has at most 2. */
    const uint64_t hole = (UINT64_C(1) << 30) - 64;
    char name[64];
    pb line = {0};
    pb plane = {0};
    pb space = {0};
    pb_integer(&line, LINE_ID, 1);
    pb_string(&line, LINE_NAME, "XLA Ops");
    pb_head(&line, LINE_EVENTS, hole);
    snprintf(name, sizeof name, "/device:TPU:%" PRIu32, i);
    pb_integer(&plane, PLANE_ID, i + 1);
    pb_string(&plane, PLANE_NAME, name);
    pb_head(&plane, PLANE_LINES, line.size + hole);
    pb_raw(&plane, line.data, line.size);
    pb_head(&space, XSPACE_PLANES, plane.size + hole);
    pb_raw(&space, plane.data, plane.size);
    write_at(file, at, &space);
    at += space.size + hole;
    pb_free(&line);
    pb_free(&plane);
    pb_free(&space);
  }
  pb out = {0};
  write_modules(&out, modules);
  write_at(file, at, &out);
  pb_free(&out);
  close(file);
}

static void write_dump(uint32_t count, const char *folder) {
  if (mkdir(folder, 0777) != 0) {
    bench_fail("'%s' can't be made: %s", folder, strerror(errno));
  }
  pb out = {0};
  for (uint32_t i = 0; i < count; i++) {
    static const char *const stages[] = {"before_optimizations", "after_optimizations"};
    char module[64];
    char path[4096];
    snprintf(module, sizeof module, "jit_step_%" PRIu32, i);
    out.size = 0;
    family_find("step")->write(&out, 20 + i % 40, module);
    for (size_t s = 0; s < 2; s++) {
      snprintf(path, sizeof path, "%s/module_%04" PRIu32 ".%s.cl_1.%s.hlo.pb", folder, i, module, stages[s]);
      if (s == 1) {
        pb_write(&out, path);
        continue;
      }
      /* The earlier stage is the module alone, the HloProto's first field. */
      pb before = {0};
      pb only = {0};
      uint64_t size = 0;
      size_t p = 1;
      for (unsigned shift = 0; shift == 0 || out.data[p - 1] >= 0x80; shift += 7) {
        size |= (uint64_t)(out.data[p++] & 0x7F) << shift;
      }
      pb_raw(&only, out.data + p, (size_t)size);
      pb_message(&before, 1, &only);
      pb_write(&before, path);
      pb_free(&before);
      pb_free(&only);
    }
  }
  pb_free(&out);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "hlo") == 0 && argc == 5) {
    write_hlo(known_family(argv[2]), count_of(argv[3]), argv[4]);
  } else if (strcmp(what, "size") == 0 && argc == 5) {
    write_size(known_family(argv[2]), count_of(argv[3]), argv[4]);
  } else if (strcmp(what, "xspace") == 0 && argc == 5) {
    write_xspace(count_of(argv[2]), count_of(argv[3]), argv[4]);
  } else if (strcmp(what, "dump") == 0 && argc == 4) {
    write_dump(count_of(argv[2]), argv[3]);
  } else {
    fputs("usage: generate hlo FAMILY EVENTS FILE\n"
          "       generate size FAMILY BYTES FILE\n"
          "       generate xspace GIB MODULES FILE\n"
          "       generate dump COUNT FOLDER\n"
          "families:\n",
          stderr);
    for (size_t i = 0; i < family_count; i++) {
      fprintf(stderr, "  %-8s %s\n", families[i].name, families[i].doc);
    }
    return 2;
  }
  return 0;
}
