-- What saves most, and what everything down to a row saves together.
SELECT memory_space, "key", buffer_count, size_bytes, unpadded_bytes, padding_bytes, saving_bytes, cumulative_saving_bytes
FROM peak_groups('tpu-v5e-mlp.hlo.pb', 'opcode');
SELECT "key", buffer_count, size_bytes, saving_bytes, cumulative_saving_bytes
FROM peak_groups('tpu-v5e-oom.hlo.pb.gz', 'shape') WHERE memory_space = 'HBM' LIMIT 8;
SELECT memory_space, "key", buffer_count, size_bytes, saving_bytes FROM peak_groups('gpu-h100-collective.hlo.pb', 'category');
-- By what the model says: its layers unless told otherwise.
SELECT memory_space, "key", buffer_count, size_bytes, saving_bytes, cumulative_saving_bytes
FROM peak_groups('tpu-v5e-oom.hlo.pb.gz') WHERE color < 2 AND saving_bytes > 1000000000;
SELECT "key", buffer_count, saving_bytes FROM peak_groups('tpu-v5e-oom.hlo.pb.gz', 'phase') WHERE color = 0;
SELECT "key", buffer_count, saving_bytes FROM peak_groups('tpu-v5e-mlp.hlo.pb', 'user_source') WHERE color = 0;
SELECT "key", buffer_count, saving_bytes FROM peak_groups('tpu-v5e-mlp.hlo.pb', 'used_by') WHERE color = 1;
-- Groups of blocks in several heaps, and of a group that is not live at the peak.
SELECT color, "key", buffer_count, size_bytes, saving_bytes, cumulative_saving_bytes FROM peak_groups('synth-5003.hlo.pb', 'shape')
WHERE color < 2;
-- What must be.
SELECT s.memory_space, sum(g.size_bytes) = s.peak_bytes, sum(g.padding_bytes) = s.padding_bytes,
  max(g.cumulative_saving_bytes) = s.peak_bytes, max(g.saving_bytes) <= s.peak_bytes
FROM peak_groups('tpu-v5e-conv.hlo.pb', 'shape') g JOIN memory_spaces('tpu-v5e-conv.hlo.pb') s USING (color) GROUP BY color;
-- The largest block of a program that does not fit saves little: the next peak is near.
SELECT instruction, size_bytes, saving_bytes FROM peak_buffers('tpu-v5e-oom.hlo.pb.gz')
WHERE category = 'Temporary' AND color = 0 ORDER BY size_bytes DESC, buffer_id LIMIT 4;
SELECT * FROM peak_groups('tpu-v5e-mlp.hlo.pb', 'owner');
