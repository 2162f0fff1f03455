-- sql/export.sql: plain tables with the same columns and rows as memview's own, which they hide from then on.
SELECT memview_open('dump') AS modules;
CREATE TEMP TABLE columns AS
  SELECT 'hlo_modules' AS name, name AS column_name, type FROM pragma_table_info('hlo_modules')
  UNION ALL SELECT 'memory_spaces' AS name, name AS column_name, type FROM pragma_table_info('memory_spaces')
  UNION ALL SELECT 'allocations' AS name, name AS column_name, type FROM pragma_table_info('allocations')
  UNION ALL SELECT 'buffers' AS name, name AS column_name, type FROM pragma_table_info('buffers')
  UNION ALL SELECT 'usage_curve' AS name, name AS column_name, type FROM pragma_table_info('usage_curve')
  UNION ALL SELECT 'peak_buffers' AS name, name AS column_name, type FROM pragma_table_info('peak_buffers')
  UNION ALL SELECT 'peak_groups' AS name, name AS column_name, type FROM pragma_table_info('peak_groups')
  UNION ALL SELECT 'peaks' AS name, name AS column_name, type FROM pragma_table_info('peaks')
  UNION ALL SELECT 'findings' AS name, name AS column_name, type FROM pragma_table_info('findings')
  UNION ALL SELECT 'instructions' AS name, name AS column_name, type FROM pragma_table_info('instructions')
  UNION ALL SELECT 'stack_frames' AS name, name AS column_name, type FROM pragma_table_info('stack_frames')
  UNION ALL SELECT 'devices' AS name, name AS column_name, type FROM pragma_table_info('devices');
CREATE TEMP TABLE live_hlo_modules AS SELECT * FROM hlo_modules;
CREATE TEMP TABLE live_memory_spaces AS SELECT * FROM memory_spaces;
CREATE TEMP TABLE live_allocations AS SELECT * FROM allocations;
CREATE TEMP TABLE live_buffers AS SELECT * FROM buffers;
CREATE TEMP TABLE live_usage_curve AS SELECT * FROM usage_curve;
CREATE TEMP TABLE live_peak_buffers AS SELECT * FROM peak_buffers;
CREATE TEMP TABLE live_peak_groups AS SELECT *, "by" FROM peak_groups
  WHERE "by" IN ('layer', 'scope', 'phase', 'op_name', 'user_source', 'used_by', 'opcode', 'shape', 'category');
CREATE TEMP TABLE live_peaks AS SELECT * FROM peaks;
CREATE TEMP TABLE live_findings AS SELECT * FROM findings;
CREATE TEMP TABLE live_instructions AS SELECT * FROM instructions;
CREATE TEMP TABLE live_stack_frames AS SELECT * FROM stack_frames;
CREATE TEMP TABLE live_devices AS SELECT * FROM devices;
.read ../../sql/export.sql
SELECT memview_close() AS closed;
SELECT 'hlo_modules' AS name, (SELECT count(*) FROM live_hlo_modules) AS rows, (SELECT count(*) FROM hlo_modules) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_hlo_modules EXCEPT SELECT * FROM hlo_modules)) AS lost, (SELECT count(*) FROM (SELECT * FROM hlo_modules EXCEPT SELECT * FROM live_hlo_modules)) AS new
  UNION ALL SELECT 'memory_spaces' AS name, (SELECT count(*) FROM live_memory_spaces) AS rows, (SELECT count(*) FROM memory_spaces) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_memory_spaces EXCEPT SELECT * FROM memory_spaces)) AS lost, (SELECT count(*) FROM (SELECT * FROM memory_spaces EXCEPT SELECT * FROM live_memory_spaces)) AS new
  UNION ALL SELECT 'allocations' AS name, (SELECT count(*) FROM live_allocations) AS rows, (SELECT count(*) FROM allocations) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_allocations EXCEPT SELECT * FROM allocations)) AS lost, (SELECT count(*) FROM (SELECT * FROM allocations EXCEPT SELECT * FROM live_allocations)) AS new
  UNION ALL SELECT 'buffers' AS name, (SELECT count(*) FROM live_buffers) AS rows, (SELECT count(*) FROM buffers) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_buffers EXCEPT SELECT * FROM buffers)) AS lost, (SELECT count(*) FROM (SELECT * FROM buffers EXCEPT SELECT * FROM live_buffers)) AS new
  UNION ALL SELECT 'usage_curve' AS name, (SELECT count(*) FROM live_usage_curve) AS rows, (SELECT count(*) FROM usage_curve) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_usage_curve EXCEPT SELECT * FROM usage_curve)) AS lost, (SELECT count(*) FROM (SELECT * FROM usage_curve EXCEPT SELECT * FROM live_usage_curve)) AS new
  UNION ALL SELECT 'peak_buffers' AS name, (SELECT count(*) FROM live_peak_buffers) AS rows, (SELECT count(*) FROM peak_buffers) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peak_buffers EXCEPT SELECT * FROM peak_buffers)) AS lost, (SELECT count(*) FROM (SELECT * FROM peak_buffers EXCEPT SELECT * FROM live_peak_buffers)) AS new
  UNION ALL SELECT 'peak_groups' AS name, (SELECT count(*) FROM live_peak_groups) AS rows, (SELECT count(*) FROM peak_groups) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peak_groups EXCEPT SELECT * FROM peak_groups)) AS lost, (SELECT count(*) FROM (SELECT * FROM peak_groups EXCEPT SELECT * FROM live_peak_groups)) AS new
  UNION ALL SELECT 'peaks' AS name, (SELECT count(*) FROM live_peaks) AS rows, (SELECT count(*) FROM peaks) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_peaks EXCEPT SELECT * FROM peaks)) AS lost, (SELECT count(*) FROM (SELECT * FROM peaks EXCEPT SELECT * FROM live_peaks)) AS new
  UNION ALL SELECT 'findings' AS name, (SELECT count(*) FROM live_findings) AS rows, (SELECT count(*) FROM findings) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_findings EXCEPT SELECT * FROM findings)) AS lost, (SELECT count(*) FROM (SELECT * FROM findings EXCEPT SELECT * FROM live_findings)) AS new
  UNION ALL SELECT 'instructions' AS name, (SELECT count(*) FROM live_instructions) AS rows, (SELECT count(*) FROM instructions) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_instructions EXCEPT SELECT * FROM instructions)) AS lost, (SELECT count(*) FROM (SELECT * FROM instructions EXCEPT SELECT * FROM live_instructions)) AS new
  UNION ALL SELECT 'stack_frames' AS name, (SELECT count(*) FROM live_stack_frames) AS rows, (SELECT count(*) FROM stack_frames) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_stack_frames EXCEPT SELECT * FROM stack_frames)) AS lost, (SELECT count(*) FROM (SELECT * FROM stack_frames EXCEPT SELECT * FROM live_stack_frames)) AS new
  UNION ALL SELECT 'devices' AS name, (SELECT count(*) FROM live_devices) AS rows, (SELECT count(*) FROM devices) AS exported,
  (SELECT count(*) FROM (SELECT * FROM live_devices EXCEPT SELECT * FROM devices)) AS lost, (SELECT count(*) FROM (SELECT * FROM devices EXCEPT SELECT * FROM live_devices)) AS new;
-- peak_groups has its argument as a column, nothing else differs.
CREATE TEMP TABLE exported AS
  SELECT 'hlo_modules' AS name, name AS column_name, type FROM pragma_table_info('hlo_modules', 'main')
  UNION ALL SELECT 'memory_spaces' AS name, name AS column_name, type FROM pragma_table_info('memory_spaces', 'main')
  UNION ALL SELECT 'allocations' AS name, name AS column_name, type FROM pragma_table_info('allocations', 'main')
  UNION ALL SELECT 'buffers' AS name, name AS column_name, type FROM pragma_table_info('buffers', 'main')
  UNION ALL SELECT 'usage_curve' AS name, name AS column_name, type FROM pragma_table_info('usage_curve', 'main')
  UNION ALL SELECT 'peak_buffers' AS name, name AS column_name, type FROM pragma_table_info('peak_buffers', 'main')
  UNION ALL SELECT 'peak_groups' AS name, name AS column_name, type FROM pragma_table_info('peak_groups', 'main')
  UNION ALL SELECT 'peaks' AS name, name AS column_name, type FROM pragma_table_info('peaks', 'main')
  UNION ALL SELECT 'findings' AS name, name AS column_name, type FROM pragma_table_info('findings', 'main')
  UNION ALL SELECT 'instructions' AS name, name AS column_name, type FROM pragma_table_info('instructions', 'main')
  UNION ALL SELECT 'stack_frames' AS name, name AS column_name, type FROM pragma_table_info('stack_frames', 'main')
  UNION ALL SELECT 'devices' AS name, name AS column_name, type FROM pragma_table_info('devices', 'main');
SELECT * FROM (SELECT * FROM columns EXCEPT SELECT * FROM exported) UNION ALL SELECT * FROM (SELECT * FROM exported EXCEPT SELECT * FROM columns);
SELECT type, name FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name;
-- Names compare without case, as in memview's tables.
SELECT instruction, size_bytes FROM peak_buffers WHERE memory_space = 'vmem' ORDER BY size_bytes DESC, instruction LIMIT 3;
SELECT (SELECT count(*) FROM allocations WHERE category = 'PARAMETER') AS parameters,
  (SELECT count(*) FROM usage_curve WHERE event = 'alloc') AS allocs, (SELECT count(*) FROM buffers WHERE element_type = 'BF16') AS bf16,
  (SELECT count(*) FROM hlo_modules WHERE platform = 'tpu' AND device = 'tpu V5E') AS modules,
  (SELECT count(*) FROM findings WHERE kind = 'Donation') AS donations,
  (SELECT count(*) FROM devices WHERE device = 'tpu v5e' AND memory_space = 'hbm' AND per = 'CHIP') AS devices;
-- A second time nothing is written, and what is there stays.
.read ../../sql/export.sql
