-- Temporaries without a heap trace belong to the peak, at every position: what the compiler lists at their peak, else
-- their whole size. A module without any trace says so; SparseCore's spaces are never traced, and no problem.
.mode list
.headers on
.nullvalue NULL
SELECT memory_space, peak_bytes, baseline_bytes, untraced_bytes, heap_peak_bytes, occupied_peak_bytes, total_bytes,
       fragmentation_bytes FROM memory_spaces('tpu7x-sparsecore.hlo.pb') ORDER BY color;
SELECT problem FROM hlo_modules('tpu7x-sparsecore.hlo.pb');
SELECT memory_space, buffer_id, instruction, category, size_bytes, unpadded_bytes, offset_bytes, start_position,
       end_position, block_count FROM peak_buffers('tpu7x-sparsecore.hlo.pb') WHERE start_position IS NULL ORDER BY color;

SELECT peak_bytes, peak_unpadded_bytes, baseline_bytes, untraced_bytes, total_bytes FROM memory_spaces('ba-no-trace.pb');
SELECT allocation_id, buffer_id, category, size_bytes, unpadded_bytes, start_position FROM peak_buffers('ba-no-trace.pb')
ORDER BY allocation_id;
SELECT * FROM usage_curve('ba-no-trace.pb');
SELECT problem FROM hlo_modules('ba-no-trace.pb');

SELECT peak_bytes, peak_unpadded_bytes, baseline_bytes, untraced_bytes FROM memory_spaces('tf221-profile.xplane.pb');
SELECT instruction, category, size_bytes, start_position, end_position FROM peak_buffers('tf221-profile.xplane.pb')
ORDER BY category, instruction;
SELECT problem FROM hlo_modules('tf221-profile.xplane.pb');
SELECT memview_report('tf221-profile.xplane.pb');

-- An ALLOC of what is live counts a reference.
SELECT peak_bytes, problem FROM memory_spaces('double-alloc.hlo.pb') JOIN hlo_modules('double-alloc.hlo.pb')
USING (module_id);
SELECT position, event, buffer_id, bytes FROM usage_curve('double-alloc.hlo.pb') ORDER BY position;
SELECT count(*) FROM instructions('ba-no-trace.pb');
