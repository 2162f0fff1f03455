-- One row for each module: of one file, of a folder, of a profile.
SELECT module_id, module, program_id, path, host, platform, entry_computation, computation_count, instruction_count,
  buffer_count, allocation_count, proto_bytes, problem FROM hlo_modules('tpu-v5e-mlp.hlo.pb');
SELECT module, platform, instruction_count, problem FROM hlo_modules('gpu-h100-collective.hlo.pb');
SELECT module, platform, instruction_count, problem FROM hlo_modules('cpu-tensorflow-2.15.hlo.pb');
SELECT module, platform, instruction_count, problem FROM hlo_modules('tpu-v6e-mlp.hlo.pb');
SELECT module, platform, proto_bytes, problem FROM hlo_modules('tpu-v5e-oom.hlo.pb.gz');
-- A stage without buffer assignment is listed, with what is wrong.
SELECT module, platform, instruction_count, buffer_count, allocation_count, problem
FROM hlo_modules('dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb');
