-- Joins find their partners by an index, also by name, and a NULL has none.
SELECT count(*), count(r.buffer_id) FROM buffers('cpu-mlp.hlo.pb') b LEFT JOIN buffers('cpu-mlp.hlo.pb') r
  ON r.module_id = b.module_id AND r.buffer_id = b.shares_with_buffer_id;
SELECT b.buffer_id, b.shares_with_buffer_id, r.instruction FROM buffers('cpu-mlp.hlo.pb') b JOIN buffers('cpu-mlp.hlo.pb') r
  ON r.module_id = b.module_id AND r.buffer_id = b.shares_with_buffer_id ORDER BY b.buffer_id;
SELECT count(*) FROM buffers('cpu-mlp.hlo.pb') b JOIN instructions('cpu-mlp.hlo.pb') i USING (module_id, instruction);
SELECT count(*) FROM buffers('cpu-mlp.hlo.pb') b, instructions('cpu-mlp.hlo.pb') i
  WHERE +b.module_id = i.module_id AND +b.instruction = +i.instruction;
SELECT opcode, shape FROM instructions('cpu-mlp.hlo.pb') WHERE instruction = (SELECT max(instruction) FROM instructions('cpu-mlp.hlo.pb'));
SELECT count(*) FROM instructions('cpu-mlp.hlo.pb') WHERE instruction = NULL;
SELECT count(*) FROM instructions('cpu-mlp.hlo.pb') WHERE instruction = 7;
SELECT count(*) FROM instructions('tpu-v5e-mlp.hlo.pb') WHERE instruction = 'FUSION' COLLATE NOCASE;
SELECT count(*) FROM instructions('tpu-v5e-mlp.hlo.pb') WHERE instruction = 'fusion';
-- A filter on the module means the same whether it can be handed down or not: what can't be read has no rows.
CREATE TEMP TABLE modules AS SELECT module_id, path, problem FROM hlo_modules('bad/mixed');
SELECT m.module_id, m.path, m.problem, s.memory_space, s.peak_bytes FROM modules m
  LEFT JOIN memory_spaces('bad/mixed') s USING (module_id) ORDER BY m.module_id;
SELECT count(*) FROM memory_spaces('bad/mixed') WHERE module_id = 1;
SELECT count(*) FROM memory_spaces('bad/mixed') WHERE +module_id = 1;
SELECT count(*) FROM memory_spaces('bad/mixed') WHERE module_id IN (1, 2);
-- The baseline is held while the program runs, also in a space without a heap; behind its end is an error.
SELECT memory_space, count(*), sum(size_bytes) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 3) GROUP BY color;
SELECT memory_space, count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 38) GROUP BY color;
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 39);
