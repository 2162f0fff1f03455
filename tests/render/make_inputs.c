/* make_inputs: modules that no compiler would write, as files for run.sh.
 *
 * usage: make_inputs FOLDER
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/hlo_builder.h"

static bool save(const char *folder, const char *name, hlo *h) {
  char path[1024];
  mv_text proto = hlo_proto(h);
  snprintf(path, sizeof path, "%s/%s.hlo.pb", folder, name);
  FILE *file = fopen(path, "wb");
  const bool ok = file != NULL && fwrite(proto.data, 1, proto.size, file) == proto.size;
  mv_text_free(&proto);
  return file != NULL && fclose(file) == 0 && ok;
}

/* One buffer for each name, in boxes large enough for a label; every text of the module is hostile. */
static bool hostile(const char *folder) {
  static char longest[10 * 1024 + 1];
  memset(longest, 'x', sizeof longest - 1);
  memcpy(longest, "</svg>", 6);
  static const char *const names[] = {
      "<script>alert(1)</script>",
      "]]><script>",
      "\"quoted\" 'single' onload=alert(1)",
      "</title></rect></svg>",
      "&amp;&lt;&#0;&nosuch;",
      "back\\slash \\N \\G \\\\n %s%n",
      "new\nline\ttab\rreturn",
      "\x01\x02\x1f\x7f control",
      "\xFF\xFE\x80 no UTF-8 \xC3",
      "\xEF\xBF\xBE\xEF\xBF\xBF no XML characters",
      "\xED\xA0\x80 surrogate \xF4\x90\x80\x80 beyond",
      "\xE5\xA4\xA7\xE6\x96\x87\xE5\xAD\x97 wide \xF0\x9F\x98\x80",
      "<!-- comment --> <?pi?> <!DOCTYPE x>",
      "{{template}} ${x} `tick`",
      longest,
  };
  enum { COUNT = sizeof names / sizeof *names };
  hlo h = hlo_new("<script>&\"'</title>\\N ]]>");
  mv_text events = MV_TEXT_INIT;
  for (int64_t i = 1; i <= COUNT; i++) {
    mv_text metadata = MV_TEXT_INIT;
    pb_string(&metadata, 2, names[i - 1]);
    pb_string(&metadata, 3, names[i - 1]);
    pb_int(&metadata, 4, i);
    hlo_instruction(
        &h, (hlo_instruction_args){
                .id = i, .name = names[i - 1], .opcode = names[i - 1], .shape = "s8[1000]{0}", .metadata = &metadata});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 1024, .instruction = i});
    mv_text_format(&events, "A%" PRId64 " ", i);
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 1024 * COUNT});
  for (int64_t i = 1; i <= COUNT; i++) {
    hlo_assign(&h, i, (i - 1) * 1024);
  }
  hlo_trace(&h, 0, events.data);
  mv_text_free(&events);
  return save(folder, "hostile", &h);
}

/* Three heaps of one space, unlike in size and length; one of them with a block beyond its allocation. */
static bool heaps(const char *folder) {
  hlo h = hlo_new("jit_heaps");
  static const int64_t sizes[] = {4096, 2048, 2048, 1024, 64, 64, 3000};
  for (int64_t i = 1; i <= 7; i++) {
    char name[32];
    snprintf(name, sizeof name, "fusion.%" PRId64, i);
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = name, .opcode = "fusion", .shape = "f32[16]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = sizes[i - 1], .instruction = i});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 10, .size = 8192});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 4096);
  hlo_assign(&h, 3, 6144);
  hlo_allocation(&h, (hlo_allocation_args){.id = 11, .size = 2048});
  hlo_assign(&h, 4, 0);
  hlo_assign(&h, 7, 512);
  hlo_allocation(&h, (hlo_allocation_args){.id = 12, .size = 256});
  hlo_assign(&h, 5, 0);
  hlo_assign(&h, 6, 64);
  hlo_trace(&h, 10, "A1 A2 F1 A3 F2 F3");
  hlo_trace(&h, 11, "A4 F4 A7 F7");
  hlo_trace(&h, 12, "A5 A6 F6 A6 F5");
  return save(folder, "heaps", &h);
}

/* Sizes of 0 bytes, of an exbibyte, and positions without end. */
static bool absurd(const char *folder) {
  hlo h = hlo_new("jit_absurd");
  static const int64_t sizes[] = {0, INT64_C(1) << 60, 1, 0, INT64_C(3) << 40};
  for (int64_t i = 1; i <= 5; i++) {
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = sizes[i - 1], .instruction = HLO_NO_ID});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = (INT64_C(1) << 60) + 4096});
  hlo_assign(&h, 1, 0);
  hlo_assign(&h, 2, 1);
  hlo_assign(&h, 3, INT64_C(1) << 59);
  hlo_assign(&h, 4, INT64_MAX);
  hlo_assign(&h, 5, (INT64_C(1) << 60) - 4096);
  hlo_trace(&h, 0, "A1 A2 A3 A4 A5 F2");
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 0, .color = 1});
  return save(folder, "absurd", &h);
}

/* A parameter, a heap, and two temporaries that no trace tells of; the compiler lists what is live in one of them. */
static bool untraced(const char *folder) {
  hlo h = hlo_new("jit_untraced");
  static const int64_t sizes[] = {3072, 2048, 1024, 512, 700};
  static const char *const names[] = {"param", "dot.1", "dot.2", "copy.1", "tuple"};
  for (int64_t i = 1; i <= 5; i++) {
    hlo_instruction(&h,
                    (hlo_instruction_args){.id = i, .name = names[i - 1], .opcode = "fusion", .shape = "f32[128]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = sizes[i - 1], .instruction = i});
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 3072, .is_parameter = true});
  hlo_assign(&h, 1, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 1, .size = 2048});
  hlo_assign(&h, 2, 0);
  hlo_allocation(&h, (hlo_allocation_args){.id = 2, .size = 2048});
  hlo_assign(&h, 3, 0);
  hlo_assign(&h, 4, 1024);
  hlo_allocation(&h, (hlo_allocation_args){.id = 3, .size = 700});
  hlo_assign(&h, 5, 0);
  hlo_trace(&h, 1, "A2 F2");
  hlo_peak(&h, 2, "3");
  return save(folder, "untraced", &h);
}

/* 100,000 blocks of one size and lifetime, each large enough to be seen. */
static bool many(const char *folder) {
  enum { COUNT = 100000, AT_ONCE = 64 };
  hlo h = hlo_new("jit_many");
  mv_text events = MV_TEXT_INIT;
  for (int64_t i = 1; i <= COUNT; i++) {
    char name[48];
    snprintf(name, sizeof name, "a_rather_long_fusion_name.%" PRId64, i);
    hlo_instruction(&h, (hlo_instruction_args){.id = i, .name = name, .opcode = "fusion", .shape = "s8[60]{0}"});
    hlo_buffer(&h, (hlo_buffer_args){.id = i, .size = 64, .instruction = i});
    mv_text_format(&events, "A%" PRId64 " ", i);
    if (i > AT_ONCE) {
      mv_text_format(&events, "F%" PRId64 " ", i - AT_ONCE);
    }
  }
  hlo_allocation(&h, (hlo_allocation_args){.id = 0, .size = 64 * AT_ONCE});
  for (int64_t i = 1; i <= COUNT; i++) {
    hlo_assign(&h, i, i % AT_ONCE * 64);
  }
  hlo_trace(&h, 0, events.data);
  mv_text_free(&events);
  return save(folder, "many", &h);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: make_inputs FOLDER\n");
    return 2;
  }
  return hostile(argv[1]) && heaps(argv[1]) && absurd(argv[1]) && untraced(argv[1]) && many(argv[1]) ? 0 : 1;
}
