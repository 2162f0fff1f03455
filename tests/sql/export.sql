-- sql/export.sql: plain tables with the same rows as memview's own, which they hide from then on.
SELECT memview_open('dump') AS modules;
CREATE TEMP TABLE before AS SELECT 'allocations' AS name, count(*) AS rows, sum(size_bytes) AS bytes FROM allocations
  UNION ALL SELECT 'buffers', count(*), sum(size_bytes) FROM buffers
  UNION ALL SELECT 'usage_curve', count(*), sum(bytes) FROM usage_curve
  UNION ALL SELECT 'peak_buffers', count(*), sum(size_bytes) FROM peak_buffers
  UNION ALL SELECT 'memory_spaces', count(*), sum(peak_bytes) FROM memory_spaces
  UNION ALL SELECT 'instructions', count(*), NULL FROM instructions
  UNION ALL SELECT 'stack_frames', count(*), NULL FROM stack_frames
  UNION ALL SELECT 'hlo_modules', count(*), NULL FROM hlo_modules;
.read ../../sql/export.sql
SELECT memview_close() AS closed;
CREATE TEMP TABLE after AS SELECT 'allocations' AS name, count(*) AS rows, sum(size_bytes) AS bytes FROM allocations
  UNION ALL SELECT 'buffers', count(*), sum(size_bytes) FROM buffers
  UNION ALL SELECT 'usage_curve', count(*), sum(bytes) FROM usage_curve
  UNION ALL SELECT 'peak_buffers', count(*), sum(size_bytes) FROM peak_buffers
  UNION ALL SELECT 'memory_spaces', count(*), sum(peak_bytes) FROM memory_spaces
  UNION ALL SELECT 'instructions', count(*), NULL FROM instructions
  UNION ALL SELECT 'stack_frames', count(*), NULL FROM stack_frames
  UNION ALL SELECT 'hlo_modules', count(*), NULL FROM hlo_modules;
SELECT b.name, a.rows, b.rows IS a.rows AS same_rows, b.bytes IS a.bytes AS same_bytes FROM before b JOIN after a USING (name) ORDER BY b.name;
SELECT type, name FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name;
SELECT instruction, size_bytes FROM peak_buffers WHERE memory_space = 'VMEM' ORDER BY size_bytes DESC, instruction LIMIT 3;
