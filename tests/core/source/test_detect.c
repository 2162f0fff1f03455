/* What a file is, by its first bytes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/detect.h"
#include "source/source.h"
#include "support/files.h"
#include "support/hlo_builder.h"
#include "wire/wire.h"

static const char dump[] = "dump/module_0000.jit_mlp_step.cl_1014260217.";

/* The format of bytes in an allocation of their own, with what a walk requires behind them. */
static mv_format detect(mv_bytes bytes) {
  uint8_t *copy = calloc(1, bytes.size + MV_READABLE);
  cr_assert_not_null(copy);
  if (bytes.size > 0) {
    memcpy(copy, bytes.data, bytes.size);
  }
  const mv_format format = mv_detect(mv_bytes_of(copy, bytes.size));
  free(copy);
  return format;
}

/* The same answer for all of it, for its first kilobytes and for its first bytes, at least `least` of them. */
static void expect_heads(mv_bytes bytes, size_t least, mv_format expected, const char *what) {
  static const size_t heads[] = {SIZE_MAX, 4096, 1000, 333, 100, 50, 20};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
    if (heads[i] < least) {
      continue;
    }
    const size_t n = bytes.size < heads[i] ? bytes.size : heads[i];
    const mv_format format = detect(mv_bytes_of(bytes.data, n));
    cr_expect_eq(format, expected, "%zu bytes of %s: %d, not %d", n, what, (int)format, (int)expected);
  }
}

static void expect_format(mv_bytes bytes, mv_format expected, const char *what) {
  expect_heads(bytes, 20, expected, what);
}

static void expect_file(const char *name, mv_format expected) {
  mv_text bytes = read_data(name);
  expect_format(pb_view(&bytes), expected, name);
  mv_text_free(&bytes);
}

static void expect_stage(const char *ending, mv_format expected) {
  char name[PATH_ROOM];
  snprintf(name, sizeof name, "%s%s", dump, ending);
  expect_file(name, expected);
}

Test(detect, hlo_protos) {
  char **names = list_data(".hlo.pb");
  for (size_t i = 0; names[i] != NULL; i++) {
    expect_file(names[i], MV_FORMAT_HLO_PROTO);
    free(names[i]);
  }
  free(names);
  expect_stage("after_optimizations_after_buffer_assignment.hlo.pb", MV_FORMAT_HLO_PROTO);
  expect_stage("before_optimizations.hlo.pb", MV_FORMAT_HLO_PROTO);
  cr_expect_null(mv_format_problem(MV_FORMAT_HLO_PROTO));
}

/* The parts of an HloProto, taken out of a real one. */
static void expect_part(uint32_t field, mv_format expected) {
  static const char *const names[] = {"tpu-v5e-mlp.hlo.pb",    "gpu-h100-mlp.hlo.pb",        "cpu-mlp.hlo.pb",
                                      "cpu-jax-0.4.13.hlo.pb", "cpu-tensorflow-2.15.hlo.pb", "synth-5003.hlo.pb"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    mv_text bytes = read_data(names[i]);
    mv_wire w = mv_wire_of(pb_view(&bytes));
    mv_tag tag;
    while (mv_wire_next(&w, &tag)) {
      if (tag.field == field) {
        /* while there is no more of it than a long name, it is text */
        expect_heads(tag.bytes, strstr(names[i], "tensorflow") != NULL ? 333 : 20, expected, names[i]);
      }
    }
    mv_text_free(&bytes);
  }
}

Test(detect, hlo_module_protos) {
  expect_part(1, MV_FORMAT_HLO_MODULE_PROTO);
  cr_expect_null(mv_format_problem(MV_FORMAT_HLO_MODULE_PROTO));
}

Test(detect, buffer_assignment_protos) {
  expect_part(3, MV_FORMAT_BUFFER_ASSIGNMENT_PROTO);
  cr_expect_null(mv_format_problem(MV_FORMAT_BUFFER_ASSIGNMENT_PROTO));
}

Test(detect, xspaces) {
  const char *name = "logdir/plugins/profile/2026_11_29_10_00_00/host0.xplane.pb";
  mv_text bytes = read_data(name);
  expect_heads(pb_view(&bytes), 50, MV_FORMAT_XSPACE, name); /* 20 are the name of a plane, or of a computation */
  mv_text_free(&bytes);
  cr_expect_null(mv_format_problem(MV_FORMAT_XSPACE));
}

Test(detect, memory_usage_reports) {
  expect_stage("after_optimizations-memory-usage-report.pb", MV_FORMAT_MEMORY_USAGE_REPORT);
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_MEMORY_USAGE_REPORT), "memory usage report"));
}

Test(detect, hlo_snapshots) {
  mv_text inner = read_data("cpu-mlp.hlo.pb");
  mv_text snapshot = MV_TEXT_INIT;
  pb_message(&snapshot, 1, &inner);
  pb_string(&snapshot, 4, "cpu");
  expect_format(pb_view(&snapshot), MV_FORMAT_HLO_SNAPSHOT, "a snapshot");
  mv_text_free(&snapshot);
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_HLO_SNAPSHOT), "HloSnapshot"));
}

Test(detect, texts) {
  const char *module = "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}\n\n"
                       "ENTRY main.3 {\n  p = f32[8]{0} parameter(0)\n}\n";
  expect_format(mv_bytes_of_string(module), MV_FORMAT_HLO_TEXT, "HLO text");
  const char *text = "This is a README of some length, with\nlines\tand tabs.\r\n And UTF-8: \xC3\xA9.";
  expect_format(mv_bytes_of_string(text), MV_FORMAT_TEXT, "text");
  expect_format(mv_bytes_of_string("{\"json\": [1, 2, 3], \"more\": {}}"), MV_FORMAT_TEXT, "JSON");
  expect_file("README.md", MV_FORMAT_TEXT);
  expect_file("shapes.tsv", MV_FORMAT_TEXT);
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_HLO_TEXT), "HLO text"));
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_TEXT), "is text"));
}

Test(detect, names_of_instructions_that_are_no_text) {
  hlo h = hlo_new("jit_f");
  hlo_instruction(&h, (hlo_instruction_args){.id = 1, .name = "\xFF\xFE\x01", .shape = "f32[8]{0}"});
  hlo_buffer(&h, (hlo_buffer_args){.id = 1, .size = 32, .instruction = HLO_NO_ID, .instruction_name = "\xFF\xFE\x01"});
  hlo_allocation(&h, (hlo_allocation_args){.size = 64});
  hlo_assign(&h, 1, 0);
  hlo_trace(&h, 0, "A1 F1");
  mv_text proto = hlo_proto(&h);
  cr_expect_eq(detect(pb_view(&proto)), MV_FORMAT_HLO_PROTO);
  mv_text_free(&proto);
}

Test(detect, riegeli) {
  /* the block header of an empty file of records: its hash, previous and next chunk, then the signature's chunk */
  const uint8_t head[] = {0x83, 0xAF, 0x70, 0xD1, 0x0D, 0x88, 0x4A, 0x3F, 0,    0,   0,
                          0,    0,    0,    0,    0,    0x40, 0,    0,    0,    0,   0,
                          0,    0,    0x91, 0xBA, 0xC2, 0x3C, 0x92, 0x87, 0xE1, 0xA9};
  cr_expect_eq(detect(mv_bytes_of(head, sizeof head)), MV_FORMAT_RIEGELI);
  cr_expect_eq(detect(mv_bytes_of(head, 8)), MV_FORMAT_RIEGELI);
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_RIEGELI), "riegeli"));
}

Test(detect, archives__by_their_magic) {
  const uint8_t zip[] = {'P', 'K', 3, 4, 20, 0, 0, 0, 8, 0};
  cr_expect_eq(detect(mv_bytes_of(zip, sizeof zip)), MV_FORMAT_ZIP);
  cr_expect_neq(detect(mv_bytes_of(zip, 3)), MV_FORMAT_ZIP);
  const uint8_t zstd[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0x11, 0};
  cr_expect_eq(detect(mv_bytes_of(zstd, sizeof zstd)), MV_FORMAT_ZSTD);
  cr_expect_neq(detect(mv_bytes_of(zstd, 3)), MV_FORMAT_ZSTD);
}

/* What the tools themselves wrote. */
Test(detect, files_of_other_tools) {
  static const struct {
    const char *name;
    const char *problem;
  } files[] = {
      {"ustar.tar", "is a tar archive: unpack it first"},
      {"v7.tar", "is a tar archive: unpack it first"},
      {"dump.tar.gz", "is a tar archive: unpack it first"},
      {"dump.xz", "is compressed with xz: unpack it first"},
      {"dump.bz2", "is compressed with bzip2: unpack it first"},
      {"empty.bz2", "is compressed with bzip2: unpack it first"},
      {"dump.zst", "is compressed with zstd: unpack it first"},
      {"dump.zip", "is a zip archive: unpack it first"},
      {"snappy.sst", "is an SSTable, as XProf keeps traces in: open the *.xplane.pb beside it"},
      {"plain.sst", "is an SSTable, as XProf keeps traces in: open the *.xplane.pb beside it"},
      {"cpu.pprof", "is a pprof profile, which has no HLO module: open an XLA dump, or a profile's *.xplane.pb"},
      {"heap.pprof", "is a pprof profile, which has no HLO module: open an XLA dump, or a profile's *.xplane.pb"},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char name[PATH_ROOM];
    char message[2 * PATH_ROOM];
    snprintf(name, sizeof name, "foreign/%s", files[i].name);
    mv_text bytes = read_data(name);
    mv_status status = MV_STATUS_INIT;
    cr_expect_null(mv_source_of(pb_view(&bytes), NULL, &status), "%s", name);
    snprintf(message, sizeof message, "the BLOB %s", files[i].problem);
    cr_expect_str_eq(status.message, message, "%s: %s", name, status.message);
    status = (mv_status)MV_STATUS_INIT;
    snprintf(name, sizeof name, MV_TEST_DATA "/foreign/%s", files[i].name);
    snprintf(message, sizeof message, "'%s': %s", name, files[i].problem);
    cr_expect_null(mv_source_open(name, NULL, &status), "%s", name);
    cr_expect_str_eq(status.message, message, "%s", status.message);
    mv_text_free(&bytes);
  }
}

/* In the head alone, and one byte off. */
Test(detect, archives__by_what_their_heads_must_hold) {
  mv_text tar = read_data("foreign/ustar.tar");
  cr_expect_eq(mv_detect(mv_bytes_of(tar.data, 512)), MV_FORMAT_TAR);
  cr_expect_neq(mv_detect(mv_bytes_of(tar.data, 511)), MV_FORMAT_TAR);
  tar.data[100]++; /* its sum no longer fits */
  cr_expect_neq(mv_detect(pb_view(&tar)), MV_FORMAT_TAR);
  mv_text_free(&tar);
  mv_text bzip2 = read_data("foreign/dump.bz2");
  cr_expect_eq(mv_detect(mv_bytes_of(bzip2.data, 10)), MV_FORMAT_BZIP2);
  bzip2.data[3] = '0';
  cr_expect_neq(mv_detect(pb_view(&bzip2)), MV_FORMAT_BZIP2);
  mv_text_free(&bzip2);
  cr_expect_neq(mv_detect(mv_bytes_of_string("BZhang wrote this text")), MV_FORMAT_BZIP2);
  cr_expect_eq(mv_detect_tail(mv_bytes_of("\x57\xFB\x80\x8B\x24\x75\x47\xDB", 8)), MV_FORMAT_SSTABLE);
  cr_expect_eq(mv_detect_tail(mv_bytes_of("\x57\xFB\x80\x8B\x24\x75\x47", 7)), MV_FORMAT_UNKNOWN);
}

/* As JAX writes what is live on the devices: values packed, labels on each sample. */
Test(detect, pprof__of_device_memory) {
  mv_text profile = MV_TEXT_INIT;
  for (int i = 0; i < 2; i++) {
    mv_text type = MV_TEXT_INIT;
    pb_int(&type, 1, 1 + 2 * i);
    pb_int(&type, 2, 2 + 2 * i);
    pb_message(&profile, 1, &type);
  }
  for (int i = 0; i < 200; i++) {
    mv_text label = MV_TEXT_INIT;
    mv_text sample = MV_TEXT_INIT;
    pb_bytes(&sample, 1, "\x05\x04\x03", 3);
    pb_bytes(&sample, 2, "\x01\x80\x20", 3);
    pb_int(&label, 1, 5);
    pb_int(&label, 2, 6);
    pb_message(&sample, 3, &label);
    pb_message(&profile, 2, &sample);
  }
  pb_string(&profile, 6, "");
  pb_string(&profile, 6, "allocations");
  expect_heads(pb_view(&profile), 50, MV_FORMAT_PPROF, "a profile of device memory");
  mv_text_free(&profile);
}

Test(detect, saved_models) {
  for (int has_ops = 0; has_ops < 2; has_ops++) {
    mv_text model = MV_TEXT_INIT;
    mv_text graph = MV_TEXT_INIT;
    mv_text info = MV_TEXT_INIT;
    mv_text ops = MV_TEXT_INIT;
    for (int i = 0; has_ops && i < 100; i++) {
      mv_text op = MV_TEXT_INIT;
      pb_string(&op, 1, "AddV2");
      pb_bytes(&op, 2, "\x0A\x01x\x22\x01T", 6);
      pb_message(&ops, 1, &op);
    }
    pb_message(&info, 2, &ops);
    pb_string(&info, 4, "serve");
    pb_string(&info, 5, "2.15.0");
    pb_message(&graph, 1, &info);
    pb_bytes(&graph, 2, "\x0A\x09\x0A\x01x\x12\x04Pack", 11);
    pb_int(&model, 1, 1);
    pb_message(&model, 2, &graph);
    expect_heads(pb_view(&model), 50, MV_FORMAT_SAVED_MODEL, "a SavedModel");
    mv_text_free(&model);
  }
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_SAVED_MODEL), "SavedModel"));
}

/* Of XLA and XProf: not one of them leaves it in doubt that it is something else. */
Test(detect, by_products__are_no_modules) {
  static const char *const files[] = {
      "dump-default/module_0000.jit_donate_step.cl_1014260217/compile_options.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217/topology.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217.basic_compiler_metadata.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217.execution_options.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217.hlo_module_config.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217.target_arguments.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217.tpu_comp_env.pb",
      "dump-default/module_0000.jit_donate_step.cl_1014260217.transfer_stats.pb",
      "tf25-profile/vm.input_pipeline.pb",
      "tf25-profile/vm.overview_page.pb",
      "tf25-profile/vm.tensorflow_stats.pb",
      "xprof-opened/ALL_HOSTS.op_stats_v2.pb",
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char name[PATH_ROOM];
    snprintf(name, sizeof name, "by-products/%s", files[i]);
    mv_text bytes = read_data(name);
    const mv_format format = mv_detect(pb_view(&bytes));
    cr_expect(mv_format_problem(format) != NULL || !mv_detect_is_proven(pb_view(&bytes), format), "%s: %d", name,
              (int)format);
    mv_text_free(&bytes);
  }
}

Test(detect, proven__by_a_name_a_computation_and_an_instruction) {
  char **names = list_data(".hlo.pb");
  for (size_t i = 0; names[i] != NULL; i++) {
    mv_text bytes = read_data(names[i]);
    const mv_bytes head = mv_bytes_of(bytes.data, bytes.size < 4096 ? bytes.size : 4096);
    cr_expect(mv_detect_is_proven(head, MV_FORMAT_HLO_PROTO), "%s", names[i]);
    cr_expect_not(mv_detect_is_proven(head, MV_FORMAT_BUFFER_ASSIGNMENT_PROTO), "%s", names[i]);
    mv_text_free(&bytes);
    free(names[i]);
  }
  free(names);
}

Test(detect, nothing) {
  cr_expect_eq(detect(mv_bytes_of(NULL, 0)), MV_FORMAT_EMPTY);
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_EMPTY), "is empty (0 bytes)"));
}

Test(detect, other_bytes_are_none_of_them) {
  const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 1, 0};
  cr_expect_eq(detect(mv_bytes_of(png, sizeof png)), MV_FORMAT_UNKNOWN);
  const uint8_t elf[] = {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0x3E, 0};
  cr_expect_eq(detect(mv_bytes_of(elf, sizeof elf)), MV_FORMAT_UNKNOWN);
  const uint8_t sqlite[] = "SQLite format 3\0\x10\0\1\1\0@  ";
  cr_expect_eq(detect(mv_bytes_of(sqlite, sizeof sqlite)), MV_FORMAT_UNKNOWN);
  const uint8_t zeros[100] = {0};
  cr_expect_eq(detect(mv_bytes_of(zeros, sizeof zeros)), MV_FORMAT_UNKNOWN);
  cr_expect_not_null(strstr(mv_format_problem(MV_FORMAT_UNKNOWN), "is not an HloProto or XSpace"));
}

/* One byte may be the beginning of anything; none may be read behind it. */
Test(detect, every_file_of_one_or_two_bytes) {
  for (unsigned a = 0; a < 256; a++) {
    for (unsigned b = 0; b < 256; b++) {
      uint8_t *copy = malloc(2);
      cr_assert_not_null(copy);
      copy[0] = (uint8_t)a;
      copy[1] = (uint8_t)b;
      detect(mv_bytes_of(copy, 2));
      free(copy);
    }
    uint8_t *copy = malloc(1);
    cr_assert_not_null(copy);
    copy[0] = (uint8_t)a;
    const mv_format format = detect(mv_bytes_of(copy, 1));
    const mv_format text =
        a >= 0x20 || a == '\n' || a == '\r' || a == '\t' || a == '\f' ? MV_FORMAT_TEXT : MV_FORMAT_UNKNOWN;
    cr_expect_eq(format, text, "%02X: %d", a, (int)format);
    free(copy);
  }
}

Test(detect, every_length_of_a_head) {
  mv_text bytes = read_data("cpu-mlp.hlo.pb");
  for (size_t n = 8; n < 600; n++) {
    uint8_t *copy = malloc(n);
    cr_assert_not_null(copy);
    memcpy(copy, bytes.data, n);
    cr_expect_eq(detect(mv_bytes_of(copy, n)), MV_FORMAT_HLO_PROTO, "%zu bytes", n);
    free(copy);
  }
  mv_text_free(&bytes);
}
