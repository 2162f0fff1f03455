-- What the buffers at the peak are to the program. In VMEM most are copies that the compiler made without a name.
SELECT memory_space, instruction, attributed_op_name, attribution, used_by, phase
FROM peak_buffers('tpu-v6e-mlp.hlo.pb') WHERE category <> 'Parameter' AND start_position IS NOT NULL ORDER BY color, buffer_id LIMIT 20;
-- Arguments.
SELECT allocation_id, attributed_op_name, attribution, scope, layer, phase, used_by, user_source_file
FROM peak_buffers('tpu-v6e-mlp.hlo.pb') WHERE category = 'Parameter' ORDER BY allocation_id;
-- A result's allocation on CPU: the largest buffer in it is scratch, another one leaves the program.
SELECT allocation_id, buffer_id, op_name, attributed_op_name, used_by FROM peak_buffers('cpu-mlp.hlo.pb')
WHERE category = 'Output' ORDER BY allocation_id;
-- How names were found, and which parts of the step there are, over all buffers.
SELECT attribution, count(*) FROM buffers('tpu-v5e-conv.hlo.pb') GROUP BY 1 ORDER BY 1;
SELECT phase, count(*) FROM buffers('tpu-v5e-conv.hlo.pb') GROUP BY 1 ORDER BY 1;
SELECT phase, layer, count(*), sum(size_bytes) FROM buffers('cpu-tensorflow-2.15.hlo.pb') GROUP BY 1, 2 ORDER BY 1, 2;
-- The author's own lines.
SELECT user_source_file, user_source_line, count(*) FROM buffers('tpu-v5e-mlp.hlo.pb') WHERE user_source_line > 0
GROUP BY 1, 2 ORDER BY 1, 2;
-- The rows of an argument are told alike in both tables.
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb') p JOIN buffers('tpu-v5e-mlp.hlo.pb') b USING (buffer_id)
WHERE p.category = 'Parameter' AND (p.attributed_op_name, p.attribution, p.used_by, p.layer) IS NOT
  (b.attributed_op_name, b.attribution, b.used_by, b.layer);
