SELECT padded_bytes('f32[1000,64]{1,0:T(8,128)}') AS padded, unpadded_bytes('f32[1000,64]{1,0:T(8,128)}') AS unpadded,
  padding_bytes('f32[1000,64]{1,0:T(8,128)}') AS padding;
SELECT padded_bytes('bf16[12,8]{1,0:T(8,128)(2,1)}') AS two_levels, padded_bytes('s4[10]{0:T(128)E(4)}') AS packed,
  padded_bytes('pred[]') AS scalar;
SELECT padded_bytes('(f32[8]{0}, (s32[], token[]), /*index=2*/u8[3]{0})') AS tuple,
  unpadded_bytes('f32[<=10,3]{1,0}') AS dynamic;
SELECT padded_bytes(NULL), unpadded_bytes(NULL), padding_bytes(NULL);
SELECT padded_bytes('');
SELECT padded_bytes('f32');
SELECT unpadded_bytes('f32[8');
SELECT padding_bytes('f99[8]');
SELECT padded_bytes('f32[8,8]{1,1}');
SELECT padded_bytes('f32[9223372036854775807,9]') AS too_large;
SELECT padded_bytes(8);
SELECT padded_bytes(x'66');
SELECT padded_bytes();
SELECT memview_report('tpu-v5e-mlp.hlo.pb');
SELECT memview_report('gpu-h100-collective.hlo.pb');
SELECT memview_report('dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb');
SELECT memview_report();
SELECT memview_open('tpu-v5e-mlp.hlo.pb');
SELECT module FROM hlo_modules;
SELECT length(memview_report()) > 500;
SELECT memview_open('missing.pb');
SELECT module FROM hlo_modules;
SELECT memview_close();
SELECT memview_close();
SELECT module FROM hlo_modules;
