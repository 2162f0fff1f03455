-- Every kind on real dumps, most bytes first.
SELECT memory_space, kind, bytes, buffer_id, allocation_id, "key", text FROM findings('tpu-v5e-conv.hlo.pb') WHERE memory_space = 'HBM';
SELECT memory_space, kind, bytes, buffer_id, allocation_id, "key", text FROM findings('cpu-jax-0.4.13.hlo.pb');
SELECT memory_space, kind, bytes, allocation_id, text FROM findings('tpu-v5e-decode.hlo.pb') WHERE kind = 'unused';
-- The program that does not fit, and after its first repair: the first group is what the next repair attacks.
SELECT memory_space, kind, bytes, "key", text FROM findings('tpu-v5e-oom.hlo.pb.gz') WHERE bytes > 1 << 20;
SELECT kind, bytes, "key", text FROM findings('walk/remat.hlo.pb.gz') WHERE color = 0;
-- Over capacity where the device is known.
SELECT memview_device('TPU v5e');
SELECT kind, bytes, "key", text FROM findings('tpu-v5e-oom.hlo.pb.gz') WHERE kind = 'over capacity';
SELECT count(*) FROM findings('tpu-v5e-mlp.hlo.pb') WHERE kind = 'over capacity';
-- The report of it.
SELECT memview_report('tpu-v5e-oom.hlo.pb.gz');
SELECT memview_report('tpu-v5e-oom.hlo.pb.gz', 'markdown');
SELECT memview_report('tpu-v5e-oom.hlo.pb.gz', 'html');
SELECT memview_report('tpu-v5e-oom.hlo.pb.gz', 3);
