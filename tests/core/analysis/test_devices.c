#include <criterion/criterion.h>

#include "analysis/devices.h"

Test(devices, names__whatever_their_case) {
  mv_status status = MV_STATUS_INIT;
  cr_expect_str_eq(mv_device_find("tpu V5E", &status), "TPU v5e");
  cr_expect_str_eq(mv_device_find("TPU v5 lite", &status), "TPU v5e", "JAX's device_kind");
  cr_expect_str_eq(mv_device_find("nvidia h100 80gb hbm3", &status), "NVIDIA H100 80GB HBM3");
  cr_expect_null(mv_device_find("TPU v99", &status));
  cr_expect_not_null(strstr(status.message, "no device is called 'TPU v99'; there is 'TPU v2', 'TPU v3'"));
  cr_expect_not_null(strstr(status.message, "'NVIDIA RTX PRO 6000 Blackwell'"), "all of them: %s", status.message);
}

Test(devices, capacity__of_a_space_of_a_device_of_its_platform) {
  const mv_platform tpu = MV_PLATFORM_TPU;
  cr_expect_eq(mv_device_capacity("TPU v5e", 0, tpu, 0), INT64_C(16911433728)); /* 15.75 GiB */
  cr_expect_eq(mv_device_capacity("TPU v5e", 0, tpu, 1), 134217728);
  cr_expect_eq(mv_device_capacity("TPU v5e", 0, tpu, 3), -1, "has no CMEM");
  cr_expect_eq(mv_device_capacity("TPU v4 megacore", 0, tpu, 3), 134217728);
  cr_expect_eq(mv_device_capacity("TPU v2", 0, tpu, 4), 16384);
  cr_expect_eq(mv_device_capacity("TPU v5e", 0, tpu, 5), -1, "the host's memory is not the device's");
  cr_expect_eq(mv_device_capacity("TPU v5e", 0, MV_PLATFORM_CPU, 0), -1);
  cr_expect_eq(mv_device_capacity(NULL, 0, tpu, 0), -1);
}

Test(devices, capacity__what_a_dump_says_goes_before_the_table) {
  const mv_platform gpu = MV_PLATFORM_GPU;
  cr_expect_eq(mv_device_capacity("NVIDIA H100 80GB HBM3", 0, gpu, 0), INT64_C(84942979072));
  cr_expect_eq(mv_device_capacity("NVIDIA H100 80GB HBM3", 5, gpu, 0), 5);
  cr_expect_eq(mv_device_capacity("unheard of", 5, gpu, 0), 5);
  cr_expect_eq(mv_device_capacity("unheard of", 5, gpu, 1), -1, "color 1 lies in the same memory");
  cr_expect_eq(mv_device_capacity("unheard of", 0, gpu, 0), -1);
}

Test(devices, table__each_space_once_and_above_nothing) {
  for (size_t i = 0; i < mv_device_space_count; i++) {
    const mv_device_space *s = &mv_device_spaces[i];
    cr_expect_gt(s->capacity_bytes, 0);
    cr_expect(strcmp(s->per, "core") == 0 || strcmp(s->per, "chip") == 0);
    cr_expect_gt(strlen(s->source), 0);
    cr_expect_eq(mv_device_platform(s->device), s->platform);
    for (size_t k = 0; k < i; k++) {
      cr_expect(mv_device_spaces[k].color != s->color || strcmp(mv_device_spaces[k].device, s->device) != 0);
    }
  }
}
