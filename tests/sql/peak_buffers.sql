-- At the peak of each space: the baseline, then the blocks in program order.
SELECT memory_space, position, buffer_id, category, instruction, shape, size_bytes, padding_bytes, offset_bytes,
  start_position, end_position FROM peak_buffers('tpu-v6e-mlp.hlo.pb');
SELECT memory_space, position, buffer_id, category, instruction, size_bytes FROM peak_buffers('gpu-h100-collective.hlo.pb');
SELECT position, buffer_id, category, instruction, opcode, size_bytes, op_name, source_file, source_line
FROM peak_buffers('cpu-tensorflow-2.15.hlo.pb') WHERE category = 'Temporary';
-- At another position.
SELECT position, buffer_id, instruction, size_bytes FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 6);
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 0);
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 38);
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 39);
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb') WHERE at = 6 AND memory_space = 'VMEM';
-- A block that another buffer began anew.
SELECT position, allocation_id, buffer_id, shares_with_buffer_id, size_bytes, start_position, end_position
FROM peak_buffers('synth-5003.hlo.pb') WHERE color = 3;
-- What must be.
SELECT memory_space, sum(size_bytes) = s.peak_bytes, sum(p.padding_bytes) = s.padding_bytes FROM peak_buffers('tpu-v5e-conv.hlo.pb') p
JOIN memory_spaces('tpu-v5e-conv.hlo.pb') s USING (memory_space) GROUP BY memory_space;
