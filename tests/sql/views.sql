-- sql/views.sql: each view answers, over all modules of a folder, and agrees with the tables it stands on.
SELECT memview_open('dump') AS modules;
.read ../../sql/views.sql
SELECT module, memory_space, source_line, buffer_count, size_bytes, padding_bytes FROM peak_by_source_line
  WHERE size_bytes >= 1048576 ORDER BY module, memory_space, size_bytes DESC, source_line;
SELECT module, op_name, size_bytes FROM peak_by_op_name WHERE memory_space = 'VMEM' ORDER BY size_bytes DESC, op_name LIMIT 4;
SELECT * FROM peak_by_category ORDER BY module_id, memory_space, category;
SELECT * FROM padded_shapes ORDER BY module_id, padding_bytes DESC, shape;
SELECT module, instruction, size_bytes, lifetime FROM long_lived_buffers ORDER BY size_bytes * lifetime DESC, instruction LIMIT 4;
-- The groups of each view add up to the peak of the space.
SELECT s.module_id, s.memory_space, s.peak_bytes,
       (SELECT sum(size_bytes) FROM peak_by_source_line v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_line,
       (SELECT sum(size_bytes) FROM peak_by_op_name v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_op,
       (SELECT sum(size_bytes) FROM peak_by_category v WHERE v.module_id = s.module_id AND v.memory_space = s.memory_space) = s.peak_bytes AS by_category
  FROM memory_spaces s ORDER BY s.module_id, s.color;
