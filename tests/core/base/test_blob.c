#include <criterion/criterion.h>

#include "base/blob.h"

static void expect_content(const mv_blob *blob, size_t size) {
  cr_assert_eq(blob->size, size);
  for (size_t i = 0; i < size; i++) {
    cr_assert_eq(blob->data[i], (uint8_t)(i * 7), "byte %zu", i);
  }
}

static void fill(mv_blob *blob, size_t size) {
  for (size_t i = 0; i < size; i++) {
    blob->data[i] = (uint8_t)(i * 7);
  }
  blob->size = size;
}

Test(blob, of_any_size_can_be_written_to_its_end) {
  const size_t sizes[] = {0, 1, 4096, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (4 << 20) + 4097};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    mv_status st = MV_STATUS_INIT;
    mv_blob blob;
    cr_assert(mv_blob_new(&blob, sizes[i], &st));
    cr_assert_not_null(blob.data);
    cr_expect_geq(blob.capacity, sizes[i]);
    cr_expect_eq(blob.size, 0);
    memset(blob.data, 0x5A, blob.capacity);
    mv_blob_free(&blob);
    cr_expect_null(blob.data);
    cr_expect_eq(blob.capacity, 0);
  }
}

Test(blob, reserve_keeps_the_content_from_small_to_mapped) {
  mv_status st = MV_STATUS_INIT;
  mv_blob blob;
  cr_assert(mv_blob_new(&blob, 1000, &st));
  fill(&blob, 1000);
  cr_assert(mv_blob_reserve(&blob, 3 << 20, &st));
  expect_content(&blob, 1000);
  fill(&blob, 3 << 20);
  cr_assert(mv_blob_reserve(&blob, 9 << 20, &st));
  expect_content(&blob, 3 << 20);
  cr_expect_geq(blob.capacity, 9 << 20);
  const uint8_t *data = blob.data;
  cr_assert(mv_blob_reserve(&blob, 10, &st));
  cr_expect_eq(blob.data, data);
  mv_blob_free(&blob);
}

Test(blob, that_cannot_grow_is_as_it_was) {
  const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2};
  mv_status st = MV_STATUS_INIT;
  mv_blob blob;
  cr_assert(mv_blob_new(&blob, 100, &st));
  fill(&blob, 100);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    st = (mv_status)MV_STATUS_INIT;
    cr_expect_not(mv_blob_reserve(&blob, sizes[i], &st), "%zu", sizes[i]);
    cr_expect_eq(st.code, MV_NOMEM);
    expect_content(&blob, 100);
    mv_blob none;
    st = (mv_status)MV_STATUS_INIT;
    cr_expect_not(mv_blob_new(&none, sizes[i], &st));
    cr_expect_null(none.data);
    mv_blob_free(&none);
  }
  mv_blob_free(&blob);
}

Test(blob, bytes_are_the_content_only) {
  mv_status st = MV_STATUS_INIT;
  mv_blob blob;
  cr_assert(mv_blob_new(&blob, 100, &st));
  fill(&blob, 3);
  cr_expect_eq(mv_blob_bytes(&blob).size, 3);
  cr_expect_eq(mv_blob_bytes(&blob).data, blob.data);
  mv_blob_free(&blob);
}
