SELECT * FROM usage_curve('tpu-v6e-mlp.hlo.pb') WHERE memory_space = 'SFLAG';
SELECT * FROM usage_curve('gpu-h100-collective.hlo.pb') WHERE color = 1;
SELECT position, event, buffer_id, instruction, bytes, unpadded_bytes, occupied_bytes, is_peak
FROM usage_curve('cpu-jax-0.4.13.hlo.pb') LIMIT 8;
-- A space without a heap has one row.
SELECT * FROM usage_curve('tpu-v5e-mlp.hlo.pb') WHERE color = 0;
-- A heap in each space; one began anew what was freed.
SELECT memory_space, allocation_id, count(*), max(bytes), max(occupied_bytes), sum(is_peak) FROM usage_curve('synth-5003.hlo.pb')
GROUP BY color, allocation_id;
SELECT event, count(*) FROM usage_curve('cpu-tensorflow-2.15.hlo.pb') GROUP BY event;
