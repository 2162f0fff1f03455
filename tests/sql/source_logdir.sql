-- A profile's log folder: one row a program, apart by program id where names are the same.
SELECT module_id, module, program_id, host, platform, entry_computation, instruction_count, buffer_count, proto_bytes, problem
FROM hlo_modules('logdir');

SELECT DISTINCT path FROM hlo_modules('logdir');

-- Program 24 is the module of cpu-mlp.
SELECT count(*) FROM (
  SELECT memory_space, peak_bytes, peak_unpadded_bytes, baseline_bytes, total_bytes, occupied_peak_bytes, peak_instruction
  FROM memory_spaces('logdir') WHERE module = 'jit_train_step'
  EXCEPT
  SELECT memory_space, peak_bytes, peak_unpadded_bytes, baseline_bytes, total_bytes, occupied_peak_bytes, peak_instruction
  FROM memory_spaces('cpu-mlp.hlo.pb')
);

SELECT count(*), sum(size_bytes) FROM peak_buffers('logdir') WHERE module_id = 13;
SELECT count(*), sum(size_bytes) FROM peak_buffers('cpu-mlp.hlo.pb');

SELECT memview_open('logdir');
SELECT module_id, module, peak_bytes FROM memory_spaces ORDER BY peak_bytes DESC LIMIT 3;
SELECT memview_close();
