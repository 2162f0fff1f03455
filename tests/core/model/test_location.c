/* Where buffers and parameters stand in a shape, as texts. */
#include <criterion/criterion.h>

#include "model/location.h"
#include "support/proto_builder.h"

/* The allocation is freed. */
static void expect_parameter_index(mv_text *allocation, const char *expected) {
  mv_text printed = MV_TEXT_INIT;
  mv_text_add(&printed, "");
  const mv_bytes bytes = pb_view(allocation);
  mv_location_print_parameter_index(&printed, bytes);
  cr_expect_str_eq(printed.data, expected, "%s", printed.data);
  mv_text_free(&printed);
  mv_text_free(allocation);
}

Test(location, parameter_index_packed_and_not) {
  enum { PARAMETER_SHAPE_INDEX = 10 };
  static const uint8_t packed[] = {1, 0, 0xac, 0x02};
  mv_text allocation = MV_TEXT_INIT;
  pb_int(&allocation, 1, 7);
  pb_bytes(&allocation, PARAMETER_SHAPE_INDEX, (const char *)packed, sizeof packed);
  expect_parameter_index(&allocation, "1,0,300");
  allocation = (mv_text)MV_TEXT_INIT;
  pb_int(&allocation, PARAMETER_SHAPE_INDEX, 4);
  pb_int(&allocation, PARAMETER_SHAPE_INDEX, 2);
  expect_parameter_index(&allocation, "4,2");
  allocation = (mv_text)MV_TEXT_INIT;
  pb_int(&allocation, 1, 7);
  expect_parameter_index(&allocation, "");
}

Test(names, events) {
  cr_expect_str_eq(mv_event_name(MV_EVENT_ALLOC), "ALLOC");
  cr_expect_str_eq(mv_event_name(MV_EVENT_FREE), "FREE");
  cr_expect_str_eq(mv_event_name(MV_EVENT_SHARE_WITH), "SHARE_WITH");
  cr_expect_null(mv_event_name(MV_EVENT_START));
  cr_expect_null(mv_event_name(UINT8_MAX));
}
