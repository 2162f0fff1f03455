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
