-- Local maxima, highest first.
SELECT * FROM peaks('tpu-v5e-mlp.hlo.pb');
-- Those that stand out, of several heaps in one space.
SELECT memory_space, p.allocation_id, position, bytes, prominence_bytes FROM peaks('synth-5003.hlo.pb') p
JOIN memory_spaces('synth-5003.hlo.pb') s USING (color, memory_space) WHERE prominence_bytes * 20 >= peak_bytes AND color < 3;
-- Without a heap there is none.
SELECT memory_space, count(p.position) FROM memory_spaces('tpu-v5e-mlp.hlo.pb') s LEFT JOIN peaks('tpu-v5e-mlp.hlo.pb') p
USING (color, memory_space) GROUP BY color;
