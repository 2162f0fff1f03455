-- The same network on two devices: by opcode, what changed most first.
SELECT * FROM memory_diff('tpu-v5e-mlp.hlo.pb', 'tpu-v6e-mlp.hlo.pb', 'opcode');
-- By layer unless told otherwise.
SELECT memory_space, "key", before_bytes, after_bytes, change_bytes
FROM memory_diff('tpu-v5e-mlp.hlo.pb', 'tpu-v6e-mlp.hlo.pb') WHERE change_bytes <> 0;
-- It adds up to the peaks, to the byte.
SELECT memory_space, sum(before_bytes), sum(after_bytes), sum(change_bytes),
  (SELECT peak_bytes FROM memory_spaces('tpu-v5e-mlp.hlo.pb') b WHERE b.memory_space = d.memory_space) AS before,
  (SELECT peak_bytes FROM memory_spaces('tpu-v4-mlp.hlo.pb') a WHERE a.memory_space = d.memory_space) AS after
FROM memory_diff('tpu-v5e-mlp.hlo.pb', 'tpu-v4-mlp.hlo.pb', 'shape') d GROUP BY memory_space;
-- Folders: modules pair by name, what has no partner stands alone.
SELECT module, memory_space, sum(before_bytes), sum(after_bytes) FROM memory_diff('dump', 'tpu-v5e-mlp.hlo.pb', 'category')
GROUP BY module, memory_space ORDER BY module, memory_space;
SELECT * FROM memory_diff('dump');
SELECT * FROM memory_diff('dump', 'missing');
SELECT count(*) FROM memory_diff('dump', 'tpu-v5e-mlp.hlo.pb', 'stage');
