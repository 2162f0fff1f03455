/* Shapes in what people paste. The lines are what XLA prints, shortened. */
#include "shape_test.h"

static bool pasted(int64_t *padded, const char *text, mv_status *st) {
  mv_arena *arena = new_arena();
  const mv_bytes bytes = exact_copy(mv_bytes_of_string(text), strlen(text));
  mv_shape shape;
  int64_t count;
  bool ok = mv_shape_parse_pasted(&shape, &count, bytes, arena, st);
  cr_expect_eq(ok, st->code == MV_OK, "%s", text);
  if (ok) {
    cr_expect(mv_shape_padded_bytes(padded, &shape), "%s", text);
    *padded *= count;
  }
  free((void *)bytes.data);
  mv_arena_free(arena);
  return ok;
}

static void expect_padded(const char *text, int64_t expected) {
  mv_status st = MV_STATUS_INIT;
  int64_t padded = -1;
  cr_expect(pasted(&padded, text, &st), "%s: %s", text, st.message);
  cr_expect_eq(padded, expected, "%s: %lld", text, (long long)padded);
}

static void expect_refused(const char *text, const char *message) {
  mv_status st = MV_STATUS_INIT;
  int64_t padded;
  cr_expect_not(pasted(&padded, text, &st), "%s", text);
  cr_expect_str_eq(st.message, message);
}

Test(shape_paste, a_shape_alone) {
  expect_padded("f32[1000,64]{1,0:T(8,128)}", 512000);
  expect_padded(" (f32[8]{0}, /*index=1*/s8[3]) ", 35);
  expect_padded("f32/* shape: s8[1] */[8]", 32);
}

Test(shape_paste, a_count_before_the_shape) {
  expect_padded("2\xC3\x97"
                "bf16[16,128]{1,0:T(8,128)(2,1)}",
                2 * 4096);
  expect_padded("2xbf16[8]", 32);
  expect_padded(" 12 X (f32[8], s8[1])", 12 * 33);
  expect_padded("3*F32[2]", 24);
}

Test(shape_paste, a_count_that_is_none) {
  expect_refused("0xf32[8]", "no shape: number smaller than 1 at character 1");
  expect_refused("2 f32[8]", "no shape: a shape behind a count and 'x' expected, 'f' found at character 3");
  expect_refused("2x3xf32[8]", "no shape: unknown element type '3xf32' at character 3");
  expect_refused("2x", "no shape: a shape expected, the text ends at character 3");
  expect_refused("-1xf32[8]", "no shape: a shape expected, '-' found at character 1");
  expect_refused("f32[8]x2", "no shape: the end expected, 'x' found at character 7");
}

Test(shape_paste, line_of_a_tpu_report) {
  expect_padded("     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}\n", 34359738368);
  expect_padded("2020-05-04 09:05:40.721128: E    1578 xla/xla_util.cc:76]      Shape: bf16[512,16]{1,0:T(8,128)(2,1)}",
                512 * 128 * 2);
  expect_padded("     XLA label: %copy.4 = s32[8,4]{1,0:T(8,128)} copy(s32[8,4]{0,1:T(4,128)} %gte.3), "
                "metadata={op_type=\"FloorMod\" op_name=\"slicewise_79/cic_update/FloorMod\"}",
                4096);
  expect_padded("     XLA label: %fusion.2 = (f32[64]{0:T(256)}, f32[]) fusion(f32[64]{0:T(256)} %gte.7, f32[64...",
                1028);
  expect_padded("Ran out of memory in memory space vmem while allocating on stack for %reduce-window.1 = "
                "(u32[16,8,128]{2,1,0:T(8,128)S(1)}) reduce-window(u32[16,8,128]{2,1,0:T(8,128)S(1)} %bitcast.2)",
                65536);
}

Test(shape_paste, entry_of_a_tpu_report) {
  const char *const entry = "  1. Size: 38.15M\n"
                            "     Operator: op_name=\"jit(f)/reshape[ shape: f32[2] ] = f32[3] x\" source_line=7\n"
                            "     Shape: f32[10000,1000]{1,0}\n"
                            "     Unpadded size: 38.15M\n"
                            "     XLA label: %a = f32[20]{0} copy(f32[10000,1000]{0,1} %b)\n"
                            "     Allocation type: HLO temp\n";
  expect_padded(entry, 40000000);
  expect_padded("Size: 38.15M Operator: op_name=\"jit(f)\" Shape: f32[10000,1000]{1,0} Unpadded size: 38.15M",
                40000000);
}

Test(shape_paste, line_of_a_gpu_report) {
  expect_padded("\t\tEntry Parameter Subshape: f32[256,128,3]", 393216);
  expect_padded("\t\tShape: (f32[5104,257152], s8[4194304])", 5254209536);
}

Test(shape_paste, line_of_a_buffer_assignment) {
  expect_padded("allocation 1: 0x55, size 128, parameter 0, shape |f32[32]| at ShapeIndex {}:", 128);
  expect_padded("allocation 0: size 4096, output shape is |f32[32,32]|, maybe-live-out:", 4096);
  expect_padded(" value: <7 fusion.1 @0> (size=128,offset=0): f32[32]{0}", 128);
  expect_padded("#allocation0 [shape = 'u8[1024]{0}', space=vmem, size = 0x400]", 1024);
}

Test(shape_paste, instruction_of_a_module) {
  expect_padded("  ROOT %add.3 = f32[8]{0} add(%a, %b), metadata={op_name=\"a = f32[9] b\"}", 32);
  expect_padded("%param.1 = f32[8]{0} parameter(0), sharding={devices=[8,1]<=[8]}", 32);
}

Test(shape_paste, several_shapes_of_which_none_stands_out) {
  expect_refused("Shape: f32[8]\nShape: f32[9]", "no shape: one alone expected, a second begins at character 22");
  expect_refused("%a = f32[8]{0} copy(%b)\n%c = f32[9]{0} copy(%d)",
                 "no shape: one alone expected, a second begins at character 30");
  expect_refused("f32[8], f32[9]", "no shape: the end expected, ',' found at character 7");
}

Test(shape_paste, lines_without_a_shape) {
  expect_refused("     Unpadded size: 48.00M", "no shape: a shape expected, 'Unpadded' found at character 6");
  expect_refused("XLA label: %x = copy(f32[8]{0} %y)", "no shape: a shape expected, 'XLA' found at character 1");
  expect_refused("XLA label: reduce-window.4 = reduce-window(pad_fusion, constant.5)",
                 "no shape: a shape expected, 'XLA' found at character 1");
  expect_refused("Operator: op_name=\"jit(f)/g \\\" Shape: f32[8]\" source_line=3",
                 "no shape: a shape expected, 'Operator' found at character 1");
  expect_refused("OOM when allocating tensor with shape[1024,512] and type float",
                 "no shape: a shape expected, 'OOM' found at character 1");
  expect_refused("  1. Size: 32.00G", "no shape: a shape behind a count and 'x' expected, '.' found at character 4");
  expect_refused("Shape:", "no shape: a shape expected, the text ends at character 7");
  expect_refused("Shape: unknown", "no shape: a shape expected, 'unknown' found at character 8");
}

Test(shape_paste, shapes_in_no_known_place) {
  expect_refused("about f32[8]", "no shape: a shape expected, 'about' found at character 1");
  expect_refused("f32[8] or so", "no shape: the end expected, 'o' found at character 8");
  expect_refused("x = f32[8]", "no shape: the opcode of an instruction expected, the text ends at character 11");
  expect_refused("Shape: f32[8]x", "no shape: white space or the end expected, 'x' found at character 14");
  expect_refused("shape |f32[8]", "no shape: '|' expected, the text ends at character 14");
  expect_refused("[shape = 'u8[4], u8[4]']", "no shape: ''' expected, ',' found at character 16");
}

Test(shape_paste, shapes_that_are_cut_off) {
  expect_refused("XLA label: %f = f32[4,512]...", "no shape: it is cut off at character 27");
  expect_refused("XLA label: %f = (bf16[4,512]{1,0}, bf16[4,51...",
                 "no shape: ']' expected, '.' found at character 45");
  expect_refused("XLA label: %f = f32[4]{0} ...",
                 "no shape: the opcode of an instruction expected, '.' found at character 27");
  expect_refused("Shape: f32[8,128]{1,0", "no shape: '}' expected, the text ends at character 22");
  expect_refused("Shape: f32[8] /* ", "no shape: comment without an end at character 15");
}

Test(shape_paste, layouts_and_dimensions_alone) {
  expect_refused("{1,0:T(8,128)}", "no shape: a layout without its dimensions at character 1");
  expect_refused("[8,128]", "no shape: a shape expected, '[' found at character 1");
}

/* Places that look like shapes over and over take no more than linear time. */
Test(shape_paste, a_million_bytes_of_nearly_shapes, .timeout = 20) {
  static const char *const pieces[] = {" = /*", " = (((", "shape   ", "a = ", "): (", "\"", "shape:", "\\"};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    mv_text text = MV_TEXT_INIT;
    while (text.size < 1000000) {
      mv_text_add(&text, pieces[i]);
    }
    mv_status st = MV_STATUS_INIT;
    int64_t padded;
    cr_expect_not(pasted(&padded, text.data, &st), "%s", pieces[i]);
    mv_text_free(&text);
  }
}
