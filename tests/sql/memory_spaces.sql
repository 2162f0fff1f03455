.mode line
SELECT * FROM memory_spaces('tpu-v5e-mlp.hlo.pb');
SELECT * FROM memory_spaces('tpu-v6e-mlp.hlo.pb') WHERE memory_space = 'SMEM';
SELECT * FROM memory_spaces('gpu-h100-collective.hlo.pb');
SELECT * FROM memory_spaces('cpu-tensorflow-2.15.hlo.pb');
SELECT * FROM memory_spaces('synth-5003.hlo.pb');
.mode list
SELECT memory_space, color, scoped_bytes, scoped_instruction FROM memory_spaces('dump') WHERE scoped_bytes IS NOT NULL;
SELECT memory_space, peak_bytes, total_bytes FROM memory_spaces('tpu-v5e-offload.hlo.pb');
SELECT memory_space, peak_bytes, total_bytes FROM memory_spaces('tpu-v5e-decode.hlo.pb');
SELECT memory_space, peak_bytes, total_bytes FROM memory_spaces('tpu-v4-mlp.hlo.pb');
SELECT memory_space, peak_bytes, total_bytes, fragmentation_bytes FROM memory_spaces('tpu-v5e-oom.hlo.pb.gz');
