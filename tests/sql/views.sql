-- sql/views.sql: each view answers, over all modules of a folder, and agrees with the tables it stands on.
SELECT memview_open('dump') AS modules;
.read ../../sql/views.sql
SELECT module, layer, buffer_count, size_bytes, padding_bytes, saving_bytes, cumulative_saving_bytes FROM peak_by_layer
  WHERE memory_space = 'hbm' ORDER BY module, saving_bytes DESC, layer LIMIT 6;
SELECT module, memory_space, user_source, buffer_count, size_bytes, saving_bytes FROM peak_by_user_source
  WHERE size_bytes >= 1048576 ORDER BY module, memory_space, size_bytes DESC, user_source;
SELECT module, op_name, size_bytes FROM peak_by_op_name WHERE memory_space = 'VMEM' ORDER BY size_bytes DESC, op_name LIMIT 4;
SELECT * FROM peak_by_category ORDER BY module_id, memory_space, category;
SELECT * FROM padded_shapes ORDER BY module_id, padding_bytes DESC, shape;
SELECT module, argument, size_bytes, allocation_id FROM donation_candidates WHERE memory_space = 'HBM' ORDER BY size_bytes DESC, argument LIMIT 4;
SELECT module, instruction, size_bytes, lifetime, layer, phase FROM long_lived_buffers ORDER BY size_bytes * lifetime DESC, instruction LIMIT 4;
-- The groups of each view add up to the peak of the space.
SELECT s.module_id, s.memory_space, s.peak_bytes,
       (SELECT sum(size_bytes) FROM peak_by_layer v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_layer,
       (SELECT sum(size_bytes) FROM peak_by_user_source v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_line,
       (SELECT sum(size_bytes) FROM peak_by_op_name v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_op,
       (SELECT sum(size_bytes) FROM peak_by_category v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_category
  FROM memory_spaces s ORDER BY s.module_id, s.color;

-- Copies that are live, and what is new since a state that was kept.
SELECT memview_open('tpu-v5e-conv.hlo.pb') AS modules;
SELECT memory_space, copied, size_bytes, instruction, shape FROM live_copies;
SELECT memview_open('tpu-v5e-oom.hlo.pb.gz') AS modules;
CREATE TABLE baseline AS SELECT module, memory_space, layer, size_bytes FROM peak_by_layer;
SELECT count(*) AS grown FROM grown_since_baseline;
SELECT memview_open('walk/remat.hlo.pb.gz') AS modules;
SELECT * FROM grown_since_baseline WHERE memory_space = 'HBM' ORDER BY change_bytes DESC, layer LIMIT 5;
-- memory_diff says the same of the two sources.
SELECT (SELECT count(*) FROM grown_since_baseline) AS grown, (SELECT count(*) FROM (
  SELECT module, memory_space, layer, before_bytes, after_bytes, change_bytes FROM grown_since_baseline
  EXCEPT SELECT module, memory_space, key, nullif(before_bytes, 0), after_bytes, change_bytes
    FROM memory_diff('tpu-v5e-oom.hlo.pb.gz', 'walk/remat.hlo.pb.gz'))) AS others;

-- The same rows of tables that sql/export.sql made.
DROP TABLE baseline;
SELECT memview_open('tpu-v5e-conv.hlo.pb') AS modules;
CREATE TABLE baseline AS SELECT module, memory_space, layer, size_bytes / 2 AS size_bytes FROM peak_by_layer;
CREATE TEMP TABLE live_peak_by_layer AS SELECT * FROM peak_by_layer;
CREATE TEMP TABLE live_peak_by_user_source AS SELECT * FROM peak_by_user_source;
CREATE TEMP TABLE live_peak_by_op_name AS SELECT * FROM peak_by_op_name;
CREATE TEMP TABLE live_peak_by_category AS SELECT * FROM peak_by_category;
CREATE TEMP TABLE live_padded_shapes AS SELECT * FROM padded_shapes;
CREATE TEMP TABLE live_donation_candidates AS SELECT * FROM donation_candidates;
CREATE TEMP TABLE live_live_copies AS SELECT * FROM live_copies;
CREATE TEMP TABLE live_long_lived_buffers AS SELECT * FROM long_lived_buffers;
CREATE TEMP TABLE live_grown_since_baseline AS SELECT * FROM grown_since_baseline;
.read ../../sql/export.sql
SELECT memview_close() AS closed;
SELECT 'peak_by_layer' AS name, (SELECT count(*) FROM live_peak_by_layer) AS rows, (SELECT count(*) FROM peak_by_layer) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peak_by_layer EXCEPT SELECT * FROM peak_by_layer)) AS lost, (SELECT count(*) FROM (SELECT * FROM peak_by_layer EXCEPT SELECT * FROM live_peak_by_layer)) AS new
  UNION ALL SELECT 'peak_by_user_source' AS name, (SELECT count(*) FROM live_peak_by_user_source) AS rows, (SELECT count(*) FROM peak_by_user_source) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peak_by_user_source EXCEPT SELECT * FROM peak_by_user_source)) AS lost, (SELECT count(*) FROM (SELECT * FROM peak_by_user_source EXCEPT SELECT * FROM live_peak_by_user_source)) AS new
  UNION ALL SELECT 'peak_by_op_name' AS name, (SELECT count(*) FROM live_peak_by_op_name) AS rows, (SELECT count(*) FROM peak_by_op_name) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peak_by_op_name EXCEPT SELECT * FROM peak_by_op_name)) AS lost, (SELECT count(*) FROM (SELECT * FROM peak_by_op_name EXCEPT SELECT * FROM live_peak_by_op_name)) AS new
  UNION ALL SELECT 'peak_by_category' AS name, (SELECT count(*) FROM live_peak_by_category) AS rows, (SELECT count(*) FROM peak_by_category) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peak_by_category EXCEPT SELECT * FROM peak_by_category)) AS lost, (SELECT count(*) FROM (SELECT * FROM peak_by_category EXCEPT SELECT * FROM live_peak_by_category)) AS new
  UNION ALL SELECT 'padded_shapes' AS name, (SELECT count(*) FROM live_padded_shapes) AS rows, (SELECT count(*) FROM padded_shapes) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_padded_shapes EXCEPT SELECT * FROM padded_shapes)) AS lost, (SELECT count(*) FROM (SELECT * FROM padded_shapes EXCEPT SELECT * FROM live_padded_shapes)) AS new
  UNION ALL SELECT 'donation_candidates' AS name, (SELECT count(*) FROM live_donation_candidates) AS rows, (SELECT count(*) FROM donation_candidates) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_donation_candidates EXCEPT SELECT * FROM donation_candidates)) AS lost, (SELECT count(*) FROM (SELECT * FROM donation_candidates EXCEPT SELECT * FROM live_donation_candidates)) AS new
  UNION ALL SELECT 'live_copies' AS name, (SELECT count(*) FROM live_live_copies) AS rows, (SELECT count(*) FROM live_copies) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_live_copies EXCEPT SELECT * FROM live_copies)) AS lost, (SELECT count(*) FROM (SELECT * FROM live_copies EXCEPT SELECT * FROM live_live_copies)) AS new
  UNION ALL SELECT 'long_lived_buffers' AS name, (SELECT count(*) FROM live_long_lived_buffers) AS rows, (SELECT count(*) FROM long_lived_buffers) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_long_lived_buffers EXCEPT SELECT * FROM long_lived_buffers)) AS lost, (SELECT count(*) FROM (SELECT * FROM long_lived_buffers EXCEPT SELECT * FROM live_long_lived_buffers)) AS new
  UNION ALL SELECT 'grown_since_baseline' AS name, (SELECT count(*) FROM live_grown_since_baseline) AS rows, (SELECT count(*) FROM grown_since_baseline) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_grown_since_baseline EXCEPT SELECT * FROM grown_since_baseline)) AS lost, (SELECT count(*) FROM (SELECT * FROM grown_since_baseline EXCEPT SELECT * FROM live_grown_since_baseline)) AS new;
