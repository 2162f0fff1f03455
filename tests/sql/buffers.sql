.mode line
SELECT * FROM buffers('tpu-v5e-mlp.hlo.pb') ORDER BY padding_bytes DESC, buffer_id LIMIT 2;
SELECT * FROM buffers('gpu-h100-collective.hlo.pb') ORDER BY size_bytes DESC, buffer_id LIMIT 1;
SELECT * FROM buffers('cpu-tensorflow-2.15.hlo.pb') WHERE op_name IS NOT NULL ORDER BY size_bytes DESC, buffer_id LIMIT 1;
SELECT * FROM buffers('cpu-jax-0.4.13.hlo.pb') WHERE start_position > 0 LIMIT 1;
.mode list
SELECT buffer_id, instruction, shape_index, shape, size_bytes, unpadded_bytes FROM buffers('tpu-v6e-mlp.hlo.pb')
WHERE shape_index <> '' LIMIT 5;
SELECT buffer_id, shares_with_buffer_id, start_position, end_position, offset_bytes FROM buffers('tpu-v6e-mlp.hlo.pb')
WHERE shares_with_buffer_id IS NOT NULL LIMIT 5;
SELECT element_type, count(*), sum(size_bytes), sum(unpadded_bytes) FROM buffers('tpu-v5e-dtypes.hlo.pb') GROUP BY 1;
