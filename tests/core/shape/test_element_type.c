/* The names and widths of element types. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "shape/element_type.h"

enum { LAST_TYPE = 36 };

Test(element_type, names_of_common_types) {
  cr_expect_str_eq(mv_element_type_name(1), "pred");
  cr_expect_str_eq(mv_element_type_name(4), "s32");
  cr_expect_str_eq(mv_element_type_name(11), "f32");
  cr_expect_str_eq(mv_element_type_name(16), "bf16");
  cr_expect_str_eq(mv_element_type_name(36), "f6e2m3fn");
}

Test(element_type, opaque_has_the_name_of_hlo_text) {
  cr_expect_str_eq(mv_element_type_name(MV_TYPE_OPAQUE), "opaque");
  cr_expect_eq(mv_element_type_of_name(mv_bytes_of_string("opaque_type")), MV_TYPE_INVALID);
}

Test(element_type, unknown_numbers_have_no_name_and_no_width) {
  const int64_t unknown[] = {MV_TYPE_INVALID, -1, LAST_TYPE + 1, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    cr_expect_null(mv_element_type_name(unknown[i]));
    cr_expect_eq(mv_element_type_bits(unknown[i]), 0);
  }
}

Test(element_type, every_number_up_to_the_last_has_a_name_that_leads_back) {
  for (int64_t type = 1; type <= LAST_TYPE; type++) {
    const char *name = mv_element_type_name(type);
    cr_assert_not_null(name, "type %d", (int)type);
    cr_expect_eq(mv_element_type_of_name(mv_bytes_of_string(name)), type, "%s", name);
  }
}

Test(element_type, unknown_names_are_invalid) {
  const char *const unknown[] = {"", "f33", "F32", "f3", "f322", "f32 ", "pred\n"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    cr_expect_eq(mv_element_type_of_name(mv_bytes_of_string(unknown[i])), MV_TYPE_INVALID, "%s", unknown[i]);
  }
  cr_expect_eq(mv_element_type_of_name((mv_bytes){NULL, 0}), MV_TYPE_INVALID);
}

static void expect_any_name(const char *name, const char *expected) {
  const int64_t type = mv_element_type_of_any_name(mv_bytes_of_string(name));
  cr_assert_neq(type, MV_TYPE_INVALID, "%s", name);
  cr_expect_str_eq(mv_element_type_name(type), expected, "%s", name);
}

Test(element_type, names_in_any_case) {
  for (int64_t type = 1; type <= LAST_TYPE; type++) {
    char upper[32];
    size_t n = 0;
    for (const char *p = mv_element_type_name(type); *p != '\0'; p++) {
      upper[n++] = *p >= 'a' && *p <= 'z' ? (char)(*p - 0x20) : *p;
    }
    upper[n] = '\0';
    expect_any_name(mv_element_type_name(type), mv_element_type_name(type));
    expect_any_name(upper, mv_element_type_name(type));
  }
}

Test(element_type, names_as_others_spell_them) {
  static const char *const names[][2] = {
      {"float32", "f32"},
      {"bfloat16", "bf16"},
      {"BFLOAT16", "bf16"},
      {"half", "f16"},
      {"double", "f64"},
      {"int8", "s8"},
      {"i32", "s32"},
      {"uint64", "u64"},
      {"ui8", "u8"},
      {"u4", "u4"},
      {"int4", "s4"},
      {"bool", "pred"},
      {"complex64", "c64"},
      {"complex128", "c128"},
      {"float8_e4m3fn", "f8e4m3fn"},
      {"f8_e5m2", "f8e5m2"},
      {"f8E4M3FN", "f8e4m3fn"},
      {"float8_e4m3b11fnuz", "f8e4m3b11fnuz"},
      {"float8_e8m0fnu", "f8e8m0fnu"},
      {"float6_e3m2fn", "f6e3m2fn"},
      {"float4_e2m1fn", "f4e2m1fn"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    expect_any_name(names[i][0], names[i][1]);
  }
}

Test(element_type, names_that_are_no_type_or_more_than_one) {
  static const char *const unknown[] = {
      "",      "float",    "int",    "complex", "_float32", "float_32", "f3_2",
      "f32_e", "bfloat32", "int32x", "boolean", "s_4",      "uuint8",   "float3200000000000000000000000000000000000"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    cr_expect_eq(mv_element_type_of_any_name(mv_bytes_of_string(unknown[i])), MV_TYPE_INVALID, "%s", unknown[i]);
  }
  cr_expect_eq(mv_element_type_of_any_name((mv_bytes){NULL, 0}), MV_TYPE_INVALID);
}

Test(element_type, the_digits_behind_the_first_letters_are_the_width) {
  /* An independent look at the table: s4, bf16, c64, f8e5m2 and the others say it; pred and tuple have no digits. */
  for (int64_t type = 2; type <= LAST_TYPE; type++) {
    const char *digits = strpbrk(mv_element_type_name(type), "0123456789");
    if (digits != NULL) {
      cr_expect_eq(mv_element_type_bits(type), (int)strtol(digits, NULL, 10), "%s", mv_element_type_name(type));
    }
  }
}

Test(element_type, pred_is_stored_as_a_byte) {
  cr_expect_eq(mv_element_type_bits(1), 8);
}

Test(element_type, types_without_elements_have_no_width) {
  cr_expect_eq(mv_element_type_bits(MV_TYPE_TUPLE), 0);
  cr_expect_eq(mv_element_type_bits(MV_TYPE_OPAQUE), 0);
  cr_expect_eq(mv_element_type_bits(MV_TYPE_TOKEN), 0);
  cr_expect_eq(mv_element_type_bits(MV_TYPE_BUFFER), 0);
}
