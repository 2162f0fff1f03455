-- Each gets one clear line.
SELECT * FROM buffers('missing.pb');
SELECT * FROM hlo_modules('missing.pb');
SELECT * FROM buffers('bad/empty.pb');
SELECT * FROM buffers('README.md');
SELECT * FROM buffers('bad/module.hlo.txt');
SELECT * FROM buffers('bad/cut.hlo.pb.gz');
SELECT * FROM buffers('bad/damaged.hlo.pb.gz');
SELECT * FROM buffers('bad/trailing.hlo.pb.gz');
SELECT * FROM buffers('bad/cut.hlo.pb');
SELECT * FROM hlo_modules('bad/cut.hlo.pb');
SELECT memview_report('bad/cut.hlo.pb');
SELECT * FROM buffers('bad/png.pb');
SELECT * FROM buffers('dump/module_0000.jit_mlp_step.cl_1014260217.after_optimizations-memory-usage-report.pb');
SELECT * FROM buffers('dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb');
SELECT * FROM memory_spaces('dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb');
SELECT problem FROM hlo_modules('dump/module_0000.jit_mlp_step.cl_1014260217.before_optimizations.hlo.pb');
-- Arguments of the wrong type.
SELECT * FROM buffers(NULL);
SELECT * FROM buffers(1);
SELECT * FROM buffers(x'');
SELECT * FROM buffers('');
SELECT * FROM buffers;
SELECT * FROM peak_buffers('tpu-v5e-mlp.hlo.pb', -1);
SELECT * FROM peak_buffers('tpu-v5e-mlp.hlo.pb', 'peak');
SELECT count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb', NULL);
SELECT count(*) FROM buffers('tpu-v5e-mlp.hlo.pb') WHERE memory_space = 'no such' OR color = 99 OR module_id = 7;
-- Ids that point nowhere: shown as far as they go, and noted.
SELECT problem FROM hlo_modules('bad/dangling.hlo.pb');
SELECT buffer_id, allocation_id, instruction, shape, size_bytes, unpadded_bytes, start_position, end_position
FROM buffers('bad/dangling.hlo.pb');
SELECT memory_space, peak_bytes, occupied_peak_bytes, total_bytes FROM memory_spaces('bad/dangling.hlo.pb');
SELECT position, event, buffer_id, bytes FROM usage_curve('bad/dangling.hlo.pb');

-- DIRECTONLY holds in CHECK constraints too, which SQLite looks at for deterministic functions only.
CREATE TABLE checked(x CHECK (memview_open(x)));
CREATE TABLE checked(x CHECK (length(memview_report(x)) > 0));
CREATE TABLE checked(x CHECK (padding_bytes(x) >= 0));
INSERT INTO checked VALUES ('f32[3]');
SELECT count(*) FROM checked;

-- Damage inside a fusion: it concerns who lists the instructions, and nobody else.
SELECT memory_space, peak_bytes FROM memory_spaces('bad/fusion.hlo.pb') LIMIT 1;
SELECT instruction FROM instructions('bad/fusion.hlo.pb') LIMIT 1;
SELECT count(*) FROM buffers('bad/fusion.hlo.pb');
SELECT max(used_by) FROM buffers('bad/fusion.hlo.pb');
SELECT max(phase) FROM peak_buffers('bad/fusion.hlo.pb');
SELECT count(*) FROM peak_groups('bad/fusion.hlo.pb');
SELECT count(*) FROM memory_diff('bad/fusion.hlo.pb', 'tpu-v5e-offload.hlo.pb');
SELECT count(*) FROM memory_diff('tpu-v5e-offload.hlo.pb', 'bad/fusion.hlo.pb');
SELECT count(*) FROM memory_diff('tpu-v5e-mlp.hlo.pb', 'bad/fusion.hlo.pb') WHERE module = 'jit_offload_step';
