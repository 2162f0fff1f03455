-- views.sql: questions that come up again and again, as views.
--
--   .load ./memview
--   SELECT memview_open('dump/');
--   .read sql/views.sql
--   SELECT layer, size_bytes, saving_bytes FROM peak_by_layer WHERE memory_space = 'HBM' LIMIT 10;
--
--   peak_by_layer          which part of the model to change
--   peak_by_user_source    which of my own lines
--   peak_by_op_name        which framework ops
--   peak_by_category       arguments, results, constants or temporaries?
--   padded_shapes          which shapes waste memory on padding
--   donation_candidates    which arguments could give their memory to results
--   live_copies            what is kept twice
--   long_lived_buffers     which temporaries occupy most memory for longest
--   grown_since_baseline   what is new, or more, than in a state that was kept
--
-- They read what memview_open opened or MEMVIEW_SOURCE names, or else the tables that export.sql made; the rows are the
-- same. They are TEMP views: tables that read files may not be reached through a database's own schema. They last as
-- long as the connection. Sizes are in bytes. Each view covers all modules and memory spaces at once: name the space
-- you mean. Sizes of different spaces do not add up, nor do savings.

-- What each layer holds at the peak, numbers in its name replaced by *. saving_bytes is by how much the peak falls
-- without all of it, cumulative_saving_bytes without it and the rows of its space that save more. The layer is '' for
-- what is named but in none, NULL for what nothing names.
CREATE TEMP VIEW peak_by_layer AS
SELECT module_id, module, memory_space, key AS layer, buffer_count, size_bytes, padding_bytes, saving_bytes,
       cumulative_saving_bytes
FROM peak_groups WHERE "by" = 'layer' ORDER BY saving_bytes DESC;

-- The same by source line, file:line of the innermost frame that is not a library's. NULL: no line, as of arguments.
CREATE TEMP VIEW peak_by_user_source AS
SELECT module_id, module, memory_space, key AS user_source, buffer_count, size_bytes, padding_bytes, saving_bytes,
       cumulative_saving_bytes
FROM peak_groups WHERE "by" = 'user_source' ORDER BY saving_bytes DESC;

-- By framework op or argument whose data it is: the last component is the op, what stands before it the scope.
CREATE TEMP VIEW peak_by_op_name AS
SELECT module_id, module, memory_space, key AS op_name, buffer_count, size_bytes, padding_bytes, saving_bytes,
       cumulative_saving_bytes
FROM peak_groups WHERE "by" = 'op_name' ORDER BY saving_bytes DESC;

-- By kind of allocation: parameters, results, constants, temporaries.
CREATE TEMP VIEW peak_by_category AS
SELECT module_id, module, memory_space, key AS category, buffer_count, size_bytes, padding_bytes, saving_bytes,
       cumulative_saving_bytes
FROM peak_groups WHERE "by" = 'category' ORDER BY saving_bytes DESC;

-- Shapes that cost padding at the peak, and by how much they grow: padded size over unpadded size.
CREATE TEMP VIEW padded_shapes AS
SELECT module_id, module, memory_space, key AS shape, buffer_count, padding_bytes,
       round(1.0 * size_bytes / nullif(unpadded_bytes, 0), 2) AS expansion
FROM peak_groups WHERE "by" = 'shape' AND padding_bytes > 0 ORDER BY padding_bytes DESC;

-- Arguments with the shape and layout of a result that takes memory of its own: donate them (donate_argnums in JAX)
-- where the caller does not use them afterwards.
CREATE TEMP VIEW donation_candidates AS
SELECT module_id, module, memory_space, key AS argument, bytes AS size_bytes, allocation_id, buffer_id, text
FROM findings WHERE kind = 'donation' ORDER BY bytes DESC;

-- Copies that are live at the peak together with what they copy: make the data in the layout it is used in.
CREATE TEMP VIEW live_copies AS
SELECT module_id, module, memory_space, key AS copied, bytes AS size_bytes, instruction, shape, text
FROM findings JOIN buffers USING (module_id, module, memory_space, buffer_id)
WHERE kind = 'copy' ORDER BY bytes DESC;

-- Temporaries by size times lifetime in program positions, largest first: candidates for recomputation.
CREATE TEMP VIEW long_lived_buffers AS
SELECT module_id, module, memory_space, buffer_id, instruction, shape, size_bytes, start_position, end_position,
       end_position - start_position AS lifetime, layer, phase, used_by, user_source_file, user_source_line
FROM buffers
WHERE category = 'Temporary' AND start_position IS NOT NULL
ORDER BY size_bytes * (end_position - start_position) DESC;

-- What each layer holds at the peak beyond what it held in a good state, most first. Keep that state in a table:
--   CREATE TABLE baseline AS SELECT module, memory_space, layer, size_bytes FROM peak_by_layer;
-- A layer that is new has before_bytes NULL. Where both dumps are at hand, memory_diff(before, after) does without it.
CREATE TEMP VIEW grown_since_baseline AS
SELECT module, memory_space, layer, sum(before) AS before_bytes, sum(after) AS after_bytes,
       sum(after) - coalesce(sum(before), 0) AS change_bytes
FROM (SELECT module, memory_space, layer, size_bytes AS before, NULL AS after FROM baseline WHERE size_bytes > 0
      UNION ALL
      SELECT module, memory_space, layer, NULL, size_bytes FROM peak_by_layer WHERE size_bytes > 0)
GROUP BY module, memory_space, layer
HAVING sum(after) > coalesce(sum(before), 0)
ORDER BY change_bytes DESC;
