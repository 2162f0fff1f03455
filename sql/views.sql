-- views.sql: questions that come up again and again, as views over what memview_open opened, or MEMVIEW_SOURCE names.
--
--   .load ./memview
--   SELECT memview_open('dump/');
--   .read sql/views.sql
--   SELECT source_file, source_line, size_bytes FROM peak_by_source_line WHERE memory_space = 'HBM' LIMIT 10;
--
--   peak_by_source_line    which lines of the model hold the peak
--   peak_by_op_name        which framework ops do
--   peak_by_category       arguments, results, constants or temporaries?
--   padded_shapes          which shapes waste memory on padding
--   long_lived_buffers     which temporaries occupy most memory for longest
--
-- They are TEMP views: tables that read files may not be reached through a database's own schema. They last as long as
-- the connection. Sizes are in bytes. Each view keeps module_id, module and memory_space, so that it covers all modules
-- and spaces at once: name the space you mean, sizes of different ones do not add up.

-- What each source line holds at the peak of a space, most first. The line is the innermost frame, which may be a
-- library's: the README has the way to your own. Buffers without a source line (such as parameters) stand under NULL.
CREATE TEMP VIEW peak_by_source_line AS
SELECT module_id, module, memory_space, source_file, source_line, count(*) AS buffer_count,
       sum(size_bytes) AS size_bytes, sum(padding_bytes) AS padding_bytes, max(size_bytes) AS largest_bytes
FROM peak_buffers
GROUP BY module_id, memory_space, source_file, source_line
ORDER BY size_bytes DESC;

-- The same by framework op: the last component of op_name is the op, what stands before it the scope.
CREATE TEMP VIEW peak_by_op_name AS
SELECT module_id, module, memory_space, op_name, count(*) AS buffer_count, sum(size_bytes) AS size_bytes,
       sum(padding_bytes) AS padding_bytes
FROM peak_buffers
GROUP BY module_id, memory_space, op_name
ORDER BY size_bytes DESC;

-- What each kind of allocation holds at the peak: parameters, results, constants, temporaries.
CREATE TEMP VIEW peak_by_category AS
SELECT module_id, module, memory_space, category, count(*) AS buffer_count, sum(size_bytes) AS size_bytes,
       sum(padding_bytes) AS padding_bytes
FROM peak_buffers
GROUP BY module_id, memory_space, category
ORDER BY size_bytes DESC;

-- Shapes that cost padding at the peak, and by how much they grow: padded size over unpadded size.
CREATE TEMP VIEW padded_shapes AS
SELECT module_id, module, memory_space, shape, count(*) AS buffer_count, sum(padding_bytes) AS padding_bytes,
       round(1.0 * sum(size_bytes) / nullif(sum(unpadded_bytes), 0), 2) AS expansion
FROM peak_buffers
WHERE padding_bytes > 0
GROUP BY module_id, memory_space, shape
ORDER BY padding_bytes DESC;

-- Temporaries by size times lifetime in program positions, largest first: candidates for recomputation.
CREATE TEMP VIEW long_lived_buffers AS
SELECT module_id, module, memory_space, buffer_id, instruction, shape, size_bytes, start_position, end_position,
       end_position - start_position AS lifetime, op_name, source_file, source_line
FROM buffers
WHERE category = 'Temporary' AND start_position IS NOT NULL
ORDER BY size_bytes * (end_position - start_position) DESC;
