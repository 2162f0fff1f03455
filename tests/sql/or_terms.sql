-- SQLite runs one plan for each term of an OR and tells rows apart by their rowid: none may be lost, none come twice.
SELECT count(*) AS rows, count(DISTINCT buffer_id) AS buffers FROM buffers('tpu-v5e-mlp.hlo.pb')
WHERE buffer_id = 3 OR allocation_id = 2;
SELECT count(*) AS rows, count(DISTINCT buffer_id) AS buffers FROM buffers('tpu-v5e-mlp.hlo.pb')
WHERE +buffer_id = 3 OR +allocation_id = 2;
-- The same row by both terms.
SELECT buffer_id, allocation_id FROM buffers('tpu-v5e-mlp.hlo.pb') WHERE buffer_id = 3 OR allocation_id = 13;
-- Two sources, positions, spaces.
SELECT module, buffer_id, instruction FROM buffers
WHERE source = 'tpu-v5e-mlp.hlo.pb' AND buffer_id = 3 OR source = 'tpu-v6e-mlp.hlo.pb' AND buffer_id = 3;
SELECT position, memory_space, count(*) FROM peak_buffers('tpu-v5e-mlp.hlo.pb')
WHERE at IN (4, 5) AND (color = 1 OR memory_space = 'SFLAG') GROUP BY 1, 2;
SELECT memory_space, count(*) FROM usage_curve('tpu-v5e-mlp.hlo.pb') WHERE color = 1 OR position = 0 GROUP BY 1;
SELECT memory_space FROM memory_spaces('tpu-v5e-mlp.hlo.pb') WHERE color = 1 OR memory_space = 'HBM' OR module_id = 2
ORDER BY color;
