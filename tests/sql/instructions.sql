SELECT * FROM instructions('tpu-v5e-mlp.hlo.pb') WHERE opcode = 'custom-call' LIMIT 3;
SELECT * FROM instructions('gpu-h100-collective.hlo.pb') WHERE opcode LIKE 'all-%' LIMIT 3;
SELECT * FROM instructions('cpu-tensorflow-2.15.hlo.pb') WHERE op_name IS NOT NULL LIMIT 3;
SELECT * FROM instructions('cpu-jax-0.4.13.hlo.pb') WHERE source_file IS NOT NULL LIMIT 3;
SELECT opcode, count(*) FROM instructions('tpu-v6e-mlp.hlo.pb') GROUP BY opcode ORDER BY 2 DESC, 1 LIMIT 5;
SELECT module, instruction, scoped_bytes FROM instructions('dump') WHERE scoped_bytes IS NOT NULL ORDER BY scoped_bytes DESC,
  instruction LIMIT 3;
-- Without a buffer assignment too.
SELECT instruction, opcode, shape FROM
  instructions('dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb') LIMIT 2;
