SELECT padded_bytes('f32[1000,64]{1,0:T(8,128)}') AS padded, unpadded_bytes('f32[1000,64]{1,0:T(8,128)}') AS unpadded,
  padding_bytes('f32[1000,64]{1,0:T(8,128)}') AS padding;
SELECT padded_bytes('bf16[12,8]{1,0:T(8,128)(2,1)}') AS two_levels, padded_bytes('s4[10]{0:T(128)E(4)}') AS packed,
  padded_bytes('pred[]') AS scalar;
SELECT padded_bytes('(f32[8]{0}, (s32[], token[]), /*index=2*/u8[3]{0})') AS tuple,
  unpadded_bytes('f32[<=10,3]{1,0}') AS dynamic;
SELECT padded_bytes('f32[<=1000,130]{0,1:T(8,128)M(1024)}') AS with_prefix,
  padding_bytes('f32[<=10]{0:M(64)}') AS prefix;
SELECT padded_bytes('F32[8]') AS upper_case, padded_bytes('bfloat16[8, 128]') AS long_name,
  padded_bytes('2×bf16[8]') AS counted;
SELECT padded_bytes('     Shape: s32[8,4]{1,0:T(8,128)}') AS report,
  padding_bytes('  XLA label: %copy.4 = s32[8,4]{1,0:T(8,128)} copy(s32[8,4]{0,1} %x.3), metadata={op_name="f"}')
    AS label;
SELECT padded_bytes('9223372036854775807xf32[8]') AS too_many;
SELECT padded_bytes('{1,0:T(8,128)}');
SELECT padded_bytes('Unpadded size: 48.00M');
SELECT padded_bytes('Shape: f32[8]' || char(10) || 'Shape: f32[9]');
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
